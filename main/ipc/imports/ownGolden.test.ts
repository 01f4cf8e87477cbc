// The format as docs/formats.md has it, in two small files made by hand: read, and written again the same but for the ids (I2).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { sampleFolder } from '../../interchange/importFixture';
import { readPath } from '../../store/messages';
import { siblingTarget } from '../../store/tips';
import { conversationsIn, type EmptyPlace, emptyPlace, exported, imported, messagesIn, told } from './ownFixture';

let target: EmptyPlace;
beforeEach(() => {
  target = emptyPlace();
});
afterEach(() => target.remove());

const sample = (format: 'json' | 'jsonl') => readFileSync(join(sampleFolder, `bough-v1.${format}`), 'utf8');
const now = 1_790_000_999_000;
const idKeys = new Set([
  'id',
  'conversationId',
  'messageId',
  'parentId',
  'turnId',
  'anchorId',
  'tipId',
  'childId',
  'from',
  'folded',
  'kept',
]);

/** Ids by the order in which they are met, the order of fields left aside. */
function plain(line: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(line)) return line.map((one) => plain(one, names));
  if (typeof line !== 'object' || line === null) return line;
  const nameOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(nameOf);
    if (typeof value !== 'string' || !/^(?:msg|cnv|trn|stp|rec)_/.test(value)) return plain(value, names);
    if (!names.has(value)) names.set(value, `#${names.size}`);
    return names.get(value);
  };
  const sorted = Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, value]) => [key, idKeys.has(key) ? nameOf(value) : plain(value, names)]));
}

function linesOf(text: string): unknown[] {
  const names = new Map<string, string>();
  const lines = text.startsWith('{"bough"')
    ? JSON.parse(text).lines
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
  return lines.map((line: object) => plain({ ...line, exportedAt: 0 }, names));
}

describe.each(['json', 'jsonl'] as const)('%s', (format) => {
  it('I2: every fact of the file is in the workspace', async () => {
    const report = await imported(target, sample(format), { now });
    expect(report).toMatchObject({
      ended: 'done',
      total: { conversations: 1, messages: 7, branches: 3, attachmentsFound: 1, attachmentsMissing: 1, notUnderstood: 0, recovered: 0 },
    });
    expect(report.files[0]).toMatchObject({ format: 'bough', leftOut: [], skipped: [] });
    const [one] = conversationsIn(target);
    const id = one?.id as ConversationId;
    expect(one).toMatchObject({ title: 'Watering plan', titleSource: 'user', agentId: 'helper', pinned: true, archived: false });
    expect([one?.createdAt, one?.updatedAt]).toEqual([1_790_000_000_000, 1_790_000_009_000]);
    expect(readPath(target.db, one?.tipId as MessageId).map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'user']);
    const ids = messagesIn(target, id);
    // From the second version on to the third, whose branch was left at its digest.
    const next = siblingTarget(target.db, { conversationId: id, parentId: ids[0] ?? null, from: ids[4] ?? null, direction: 'next' });
    expect(next.to).toBe(ids[6]);
    expect(await told(target, id)).toMatchObject({
      labels: [{ label: 'good' }],
      checkpoints: [{ label: 'numbers', by: 'user' }],
      failed: [{ failure: { code: 'rateLimited' } }],
      transcripts: [
        { agentId: 'critic', steps: [{ interrupted: true }] },
        { agentId: 'helper', steps: [{}, {}], records: [{ kind: 'card', body: { files: [{ path: 'beds.txt' }] } }] },
      ],
    });
  });

  it('I2: written again it is the same file but for its ids', async () => {
    await imported(target, sample(format), { now });
    const again = await exported(target, conversationsIn(target)[0]?.id as ConversationId, { format });
    expect(linesOf(again)).toEqual(linesOf(sample(format)));
  });
});

it('I2: the table in docs/formats.md names the types of lines that there are', () => {
  const docs = readFileSync(fileURLToPath(new URL('../../../docs/formats.md', import.meta.url)), 'utf8');
  const table = docs.slice(docs.indexOf('### JSON Lines'));
  const [, ...documented] = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, type]) => type);
  const used = new Set(linesOf(sample('jsonl')).map((line) => Object(line).type));
  expect([...used]).toEqual(documented);
});
