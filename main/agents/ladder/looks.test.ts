// What the window asks of a memory: dividers, sources of a line, the ring's measure (L7, L20, M7).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId } from '../../../shared/model/ids';
import { words } from '../../context/ladder/ladderFixture';
import { getConversation } from '../../store/conversations';
import { readPath } from '../../store/messages';
import { moveTip } from '../../store/tips';
import { helper, makeTurnFixture, type TurnFixture } from '../agentsFixture';

let server: ScriptedServer;
let fixture: TurnFixture;
beforeEach(async () => {
  server = await startScriptedServer();
  const compaction = { retainedTokens: 2000, retainedEnough: 500 };
  fixture = await makeTurnFixture(`${server.url}/v1`, { agents: [{ ...helper, tools: ['read_file'] }], compaction });
  Object.assign(fixture.settings.providers[0] ?? {}, { models: [{ id: 'm1', maxOutput: 500, contextWindow: 100_000 }] });
  let nth = 0;
  server.script('POST /v1/chat/completions', () => chatStream([words(1500, `a${++nth}`)]));
});
afterEach(async () => {
  await fixture.close();
  await server.close();
  fixture.remove();
});

const signal = new AbortController().signal;
const where = (conversationId: ConversationId) => ({ conversationId, agentId: null });
async function talk(...texts: string[]): Promise<ConversationId> {
  let id: ConversationId | null = null;
  for (const text of texts) {
    const started = fixture.scheduler.start({ conversationId: id, text, attachments: [], agentId: null });
    await fixture.event('stepEnded', (event) => event.stepId === started.stepId);
    id = started.conversationId;
  }
  if (!id) throw new Error('nothing was said');
  return id;
}
const long = ['Keep PX-77.', 'The port is 4711.', 'Look into parser.ts', 'Four', 'Five', 'Six'];
const summary = { rung: 'summary', focus: null } as const;
const pathOf = (id: ConversationId) => {
  const tipId = getConversation(fixture.db, id)?.tipId;
  return tipId ? readPath(fixture.db, tipId) : [];
};

describe('dividers', () => {
  it('L20: one stands behind the newest folded message, says what it is, and goes with an undo', async () => {
    const id = await talk(...long);
    expect(fixture.looks.marks(where(id))).toMatchObject({ agentName: 'Helper', marks: [] });
    await fixture.memory.compact(where(id), summary, signal);
    const { marks } = fixture.looks.marks(where(id));
    expect(marks).toHaveLength(1);
    const path = pathOf(id);
    expect(path.findIndex(({ id }) => id === marks[0]?.anchorId)).toBeGreaterThan(0);
    expect(marks[0]).toMatchObject({ kind: 'card', isInForce: true, isOverUndone: false });
    expect(marks[0]?.text).toContain('## ');
    await fixture.memory.undo(where(id), null);
    expect(fixture.looks.marks(where(id)).marks).toEqual([]);
  });

  it('L20, M7: a card changed by hand stands in the place of the one it was made over', async () => {
    const id = await talk(...long);
    await fixture.memory.compact(where(id), summary, signal);
    const [before] = fixture.looks.marks(where(id)).marks;
    if (!before) throw new Error('no divider');
    await fixture.memory.edit(where(id), before.recordId, '## Task\nMine');
    expect(fixture.looks.marks(where(id)).marks).toMatchObject([{ kind: 'edit', anchorId: before.anchorId, text: '## Task\nMine' }]);
    await fixture.memory.undo(where(id), before.recordId);
    expect(fixture.looks.marks(where(id)).marks).toMatchObject([{ kind: 'edit', isOverUndone: true }]);
  });

  it('L19: a branch that left before it has none', async () => {
    const id = await talk(...long);
    await fixture.memory.compact(where(id), summary, signal);
    const second = pathOf(id)[1];
    if (!second) throw new Error('no message');
    moveTip(fixture.db, { conversationId: id, to: second.id });
    expect(fixture.looks.marks(where(id)).marks).toEqual([]);
  });
});

describe('sources', () => {
  it('M7: a line leads to the folded messages it speaks of; one of another memory is refused', async () => {
    const id = await talk(...long);
    await fixture.memory.compact(where(id), summary, signal);
    const [mark] = fixture.looks.marks(where(id)).marks;
    if (!mark) throw new Error('no divider');
    const at = (await fixture.looks.sources(where(id), mark.recordId, '- The port is 4711')).map((one) =>
      pathOf(id).findIndex((message) => message.id === one),
    );
    expect(at).toEqual([2]);
    await expect(fixture.looks.sources(where(id), 'rec_other' as never, 'x')).rejects.toMatchObject({ failure: { code: 'notFound' } });
  });
});

describe('the ring', () => {
  it('L7: it shows what the ladder weighs, with tools and memory apart, and after a pass the estimate of the pass', async () => {
    const id = await talk(...long);
    const before = await fixture.looks.measure(where(id));
    const view = await fixture.looks.view(where(id));
    expect(before).toMatchObject({ tokens: view.tokens, window: 100_000, lines: { threshold: 70_000, requestThreshold: 85_000 } });
    expect(before?.blocks.map(({ name }) => name)).toEqual(['system', 'tools', 'messages', 'reserve']);
    const end = await fixture.memory.compact(where(id), summary, signal);
    const after = await fixture.looks.measure(where(id));
    expect(end.type === 'done' && end.receipt.record?.receipt.tokensAfter).toBe(after?.tokens);
    expect(after?.reported).toBe(false);
    expect(after?.blocks.map(({ name }) => name)).toContain('memory');
    const sum = after?.blocks.reduce((total, { name, tokens }) => (name === 'reserve' ? total : total + tokens), 0);
    expect(sum).toBe(after?.tokens);
  });

  it('L7: without a step of the agent it leaves the measure to the store', async () => {
    const id = await talk('Hi');
    expect(await fixture.looks.measure(where(id))).not.toBeNull();
    fixture.settings.agents.push({ ...helper, id: 'other' as never, name: 'Other' });
    expect(await fixture.looks.measure({ conversationId: id, agentId: 'other' as never })).toBeNull();
  });
});
