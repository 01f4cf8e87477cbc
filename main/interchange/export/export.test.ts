// Each format of an export, and what it says of what it left out (I1, I2).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportRows } from '../../../shared/model/export';
import type { AgentId, BlobHash, ConversationId, MessageId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';
import type { Step } from '../../../shared/model/transcript';
import { type Bundle, countAll, countedOf, type ExportContext, type Include } from './bundle';
import { toJson, toJsonLines } from './jsonl';
import { toMarkdown } from './markdown';
import { toRows } from './rows';
import { linesOfTree } from './walkTree';

const all: Include = { toolCalls: true, reasoning: true, attachments: true, memory: true };
const none: Include = { toolCalls: false, reasoning: false, attachments: false, memory: false };
const hash = 'a'.repeat(64) as BlobHash;
const gone = 'b'.repeat(64) as BlobHash;
const context: ExportContext = {
  exportedAt: Date.UTC(2026, 10, 30, 12, 4),
  readBlob: async (wanted) => (wanted === hash ? new Uint8Array([1, 2, 3]) : null),
};
const message = (id: string, parentId: string | null, more: Partial<Message> = {}): Message => ({
  id: id as MessageId,
  conversationId: 'cnv_1' as ConversationId,
  parentId: parentId as MessageId | null,
  role: 'user',
  status: 'complete',
  parts: [{ type: 'text', text: `text of ${id}` }],
  createdAt: Date.UTC(2026, 10, 30, 10, 0),
  ...more,
});
const step: Step = {
  id: 'stp_b' as never,
  messageId: 'b' as MessageId,
  parentId: 'a' as MessageId,
  turnId: 'trn_1' as never,
  model: 'p/m',
  content: [
    { type: 'vendor', vendor: { family: 'openai', json: '{"id":"rs_1","x":"\\u00e9"}' } },
    { type: 'reasoning', text: 'Hm.', source: 'thought', vendor: { family: 'gemini', json: '{"thoughtSignature":"Ab+/="}' } },
    { type: 'toolCall', callId: 'c1', name: 'read_file', arguments: '{"path":"a"}' },
  ],
  results: [{ callId: 'c1', summary: 'Read a', content: '1\tx', stored: { hash: gone, size: 9, lines: 1 } }],
  createdAt: 3,
};
const bundle: Bundle = {
  conversation: {
    id: 'cnv_1' as ConversationId,
    title: 'A *title*\nof two lines',
    titleSource: 'user',
    tipId: 'b' as MessageId,
    agentId: null,
    pinned: false,
    archived: false,
    createdAt: 1,
    updatedAt: 2,
  },
  scope: 'tree',
  messages: [
    message('a', null, {
      parts: [
        { type: 'text', text: 'Hello' },
        { type: 'image', hash, mime: 'image/png', name: 'p.png', size: 3 },
      ],
    }),
    message('b', 'a', {
      role: 'assistant',
      agentId: 'helper' as AgentId,
      status: 'interrupted',
      parts: [
        { type: 'reasoning', text: 'Hm.\nYes.' },
        { type: 'toolCall', callId: 'c1', name: 'read_file', arguments: '{"x":"```"}', summary: 'Read a' },
        { type: 'text', text: 'Answer' },
      ],
    }),
    message('c', 'a', { role: 'assistant', agentId: 'helper' as AgentId }),
  ],
  tipId: 'b' as MessageId,
  labels: [{ messageId: 'b' as MessageId, label: 'good' }],
  pins: ['a' as MessageId],
  checkpoints: [],
  branchTips: [{ childId: 'c' as MessageId, tipId: 'c' as MessageId }],
  agents: [{ id: 'helper' as AgentId, name: 'Helper', model: null, systemPrompt: '', tools: [], approval: 'ask', parameters: {} }],
  transcripts: [{ agentId: 'helper' as AgentId, steps: [step], records: [], failed: [] }],
};
async function textOf(chunks: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe('JSON and JSONL', () => {
  it('I1, I2: with everything they hold every fact as it is, opaque data byte for byte, and a lost blob by name', async () => {
    const lines = (await textOf(toJsonLines(bundle, all, context)))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ type }) => type === 'message').map((line) => line.message)).toEqual(bundle.messages);
    expect(lines.find(({ type }) => type === 'step').step).toEqual(step);
    expect(lines.filter(({ type }) => type === 'blob')).toEqual([
      { type: 'blob', hash, mime: 'image/png', base64: 'AQID' },
      { type: 'blob', hash: gone, mime: 'text/plain', missing: true },
    ]);
    expect(lines.filter(({ type }) => type === 'branchTip')).toEqual([{ type: 'branchTip', childId: 'c', tipId: 'c' }]);
    expect([lines[0].type, lines[1].conversation.tipId, lines.at(-1)]).toEqual(['bough', 'b', { type: 'end', messages: 3 }]);
    expect(JSON.parse(await textOf(toJson(bundle, all, context)))).toEqual({ bough: 1, lines });
  });

  it('I1: what is not asked for stays out: calls with their steps, reasoning, attachments, memory', async () => {
    const text = await textOf(toJsonLines(bundle, none, context));
    for (const word of ['toolCall"', 'reasoning"', '"step"', 'base64', 'rs_1'])
      expect(text.replace(/"include":\{[^}]*\}/, '')).not.toContain(word);
    expect(text).toContain('"Answer"');
    const calls = await textOf(toJsonLines(bundle, { ...none, toolCalls: true }, context));
    expect(calls).toContain('"step"');
    expect(calls).not.toContain('rs_1');
  });

  it('I1: the dialog can say what will go', () => {
    expect(countAll(bundle.messages.map(countedOf))).toEqual({ messages: 3, branches: 2, attachments: 1, toolCalls: 1 });
  });
});

describe('Markdown', () => {
  it('I1: a heading a message, its line first, then the branches with where they left', async () => {
    const text = await textOf(toMarkdown(bundle, all, context));
    expect(text.split('\n').filter((line) => line.startsWith('#') || line.startsWith('_'))).toEqual([
      '# A *title* of two lines',
      '_Exported from Bough on 2026-11-30 12:04._',
      '## You · 2026-11-30 10:00',
      '_Attached: p.png (image/png, 3 bytes)_',
      '## Helper · 2026-11-30 10:00 · good',
      '_Interrupted._',
      '_Branch 2 of 2 under “Hello”:_',
      '## Helper · 2026-11-30 10:00',
    ]);
    expect(text).toContain('> **read_file** Read a\n>\n> ````\n> {"x":"```"}\n> ````');
    expect(await textOf(toMarkdown(bundle, none, context))).not.toContain('read_file');
  });
});

describe('rows for a page', () => {
  it('I1: in the order of telling, with what tools gave, attachments, where branches leave and what is lost', async () => {
    const slices: ExportRows[] = [];
    for await (const slice of toRows(bundle, all, context)) slices.push(slice);
    expect(slices.map(({ first, last, rows }) => [first, last, rows.length])).toEqual([[true, true, 3]]);
    const [a, b, c] = slices[0]?.rows ?? [];
    expect([a?.message.id, a?.leaving, a?.files]).toEqual(['a', ['c'], { [hash]: 'AQID' }]);
    expect([b?.label, b?.results, b?.last]).toEqual(['good', { c1: '1\tx' }, true]);
    expect(c?.from).toEqual({ id: 'a', start: 'Hello', branch: 2, branches: 2, messages: 1 });
  });
  it('R4: a long tree comes in slices, framed once', async () => {
    const long = {
      ...bundle,
      messages: Array.from({ length: 150 }, (_, index) => message(`m${index}`, index === 0 ? null : `m${index - 1}`)),
    };
    const frames: unknown[] = [];
    for await (const { first, last, rows } of toRows(long, all, context)) frames.push([first, last, rows.length]);
    expect(frames).toEqual([
      [true, false, 60],
      [false, false, 60],
      [false, true, 30],
    ]);
  });
});

describe('the order of a tree', () => {
  const shape = fc
    .array(fc.nat(), { minLength: 1, maxLength: 60 })
    .map((picks) => picks.map((pick, index) => message(`m${index}`, index === 0 || pick % 7 === 0 ? null : `m${pick % index}`)));
  it('I1, T7: always: every message stands on exactly one line, under its parent, and the tip’s path is the first line of its root', () => {
    fc.assert(
      fc.property(shape, fc.nat(), (messages, pick) => {
        const tip = messages[pick % messages.length];
        const lines = linesOfTree(messages, tip?.id ?? null);
        expect(lines.flatMap((line) => line.messages.map(({ id }) => id)).sort()).toEqual(messages.map(({ id }) => id).sort());
        for (const { messages: line, from } of lines)
          for (const [index, one] of line.entries())
            expect(one.parentId).toBe(index > 0 ? line[index - 1]?.id : (from?.message.id ?? null));
        const holds = lines.find((line) => line.messages.some(({ id }) => id === tip?.id));
        expect(holds?.from).toBeNull();
      }),
    );
  });
  it('T7: a chain of 100,000 and messages whose parent does not go along', () => {
    const chain = Array.from({ length: 100_000 }, (_, index) => message(`m${index}`, index === 0 ? 'elsewhere' : `m${index - 1}`));
    expect(linesOfTree(chain, null).map((line) => line.messages.length)).toEqual([100_000]);
  });
});
