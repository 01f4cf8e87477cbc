// What is kept of a path between requests is only what is sent of it, and that never shows: not after an undo, a pin, or on another branch.
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageId, RecordId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { ModelInfo } from '../../shared/model/provider';
import { isBuilt } from '../context/pathMessage';
import { familyOf } from '../context/suits';
import { removePin, setPin } from '../store/marks';
import { cnv, msg } from '../store/storeFixture';
import { makeRecord } from '../transcript/transcriptFixture';
import { createTranscripts } from '../transcript/transcripts';
import { requestFor, standpointFor } from './answering';
import { BuiltPaths, sizeOf } from './builtPaths';
import { type Act, agents, type ForkTest, makeForkTest, pathTo, performing, say, step } from './forkFixture';
import { cardSources } from './ladder/cardSources';

let test: ForkTest;
let paths: BuiltPaths;
beforeEach(() => {
  test = makeForkTest();
  paths = new BuiltPaths();
});
afterEach(() => test.remove());

const place = { conversationId: cnv('1'), agentId: agents[0].id };
type More = { by?: number; model?: ModelInfo };
const askedOf = (parentId: MessageId, { by = 0, model = { id: 'm' } }: More = {}) => ({
  parentId,
  agent: agents[by] ?? agents[0],
  model,
  tools: [],
});
const deps = () => ({ db: test.db, blobs: test.blobs, transcripts: test.transcripts });
const fromTheStart = async (parentId: MessageId, more?: More) => JSON.stringify(await requestFor(deps(), askedOf(parentId, more)));
const withKept = async (parentId: MessageId, more?: More) =>
  JSON.stringify(await requestFor({ ...deps(), paths }, askedOf(parentId, more)));
/** How many messages of the kept path are there, and how many of them only by their place. */
const keptOf = (by = 0) => {
  const built = paths.get(cnv('1'), (agents[by] ?? agents[0]).id)?.built ?? [];
  return { length: built.length, places: built.filter((one) => !isBuilt(one)).length };
};

/** Long ways with few branches, and memories on them that come and go. */
const remembered: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...(['user', 'own', 'own', 'other', 'calls', 'digest', 'broken', 'retold', 'record', 'checkpoint'] as const),
      ...(['card', 'card', 'card', 'edit', 'undo', 'redo', 'redo', 'pin', 'unpin', 'unpin'] as const),
    ),
    under: fc.integer({ min: 1, max: 40 }),
    near: fc.constantFrom(true, true, true, true, false),
    turn: fc.nat(3),
  }),
  { minLength: 12, maxLength: 36 },
);

/** Of the agent, over what is folded already. */
function remember(name: string, folded: readonly MessageId[], more: Partial<MemoryRecord> = {}): RecordId {
  const anchorId = folded.at(-1) as MessageId;
  const body = { text: `card ${name}`, pages: [], files: [], references: [] };
  const record = makeRecord(name, '0', { kind: 'card', anchorId, folded: [...folded], body, ...more });
  test.transcripts.append(place, { type: 'record', record });
  return record.id;
}
const undo = (recordId: RecordId) => test.transcripts.append(place, { type: 'undo', recordId, createdAt: 9 });
const redo = (recordId: RecordId) => test.transcripts.append(place, { type: 'redo', recordId, createdAt: 10 });

/** A request of the user and `count` answers that carry `size` characters each. */
function work(count: number, size: number): MessageId[] {
  const made: MessageId[] = [];
  say(test, made, 'q', null, { turnId: 'trn_1' as TurnId });
  for (let at = 0; at < count; at++) goOn(made, size);
  return made;
}

function goOn(made: MessageId[], size: number): void {
  const name = `s${made.length}`;
  const content = [
    { type: 'text' as const, text: `words of ${name}` },
    { type: 'toolCall' as const, callId: name, name: 'read', arguments: '{}' },
  ];
  const results = [{ callId: name, summary: 's', content: `inside ${name} ${'x'.repeat(size)}` }];
  step(test, made, name, made.at(-1) as MessageId, { content, results });
}

describe('what is kept of a path', () => {
  it('L9, L19, N9: always: while memories come, go and return, pins too, on every branch, the request is the one built from the start', async () => {
    let places = 0;
    let readAnew = 0;
    await fc.assert(
      fc.asyncProperty(remembered, fc.infiniteStream(fc.tuple(fc.nat(3), fc.nat(60))), async (all, where) => {
        test.remove();
        test = makeForkTest(100_000);
        paths = new BuiltPaths();
        for (const made of performing(test, all)) {
          const [turn, back] = where.next().value ?? [0, 0];
          // Mostly at the end, now and then on another branch or before an anchor.
          const at = (turn === 0 ? made[back % made.length] : made.at(-1)) as MessageId;
          for (const by of [0, 1]) {
            const before = keptOf(by);
            expect(await withKept(at, { by })).toBe(await fromTheStart(at, { by }));
            const after = keptOf(by);
            places += after.places;
            if (after.places < before.places) readAnew++;
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(places).toBeGreaterThan(100);
    expect(readAnew).toBeGreaterThan(0);
  }, 120_000);

  it('L9, N9: after twelve memories the texts that are kept are those of one, not of all, and the path is as long as it was', async () => {
    const made = work(12, 5000);
    let previousId: RecordId | undefined;
    const sizes: number[] = [];
    for (let pass = 0; pass < 12; pass++) {
      for (let at = 0; at < 12; at++) {
        goOn(made, 5000);
        await withKept(made.at(-1) as MessageId);
      }
      const before = made.indexOf(msg(`s${made.length - 24}`));
      const from = pass === 0 ? 1 : before - 11;
      previousId = remember(`p${pass}`, made.slice(from, before + 1), previousId ? { previousId } : {});
      await withKept(made.at(-1) as MessageId);
      const kept = paths.get(cnv('1'), agents[0].id);
      expect(kept?.built.map(({ id }) => id)).toEqual(made);
      sizes.push(sizeOf(kept?.built ?? []));
      expect(kept?.size).toBe(sizes.at(-1));
    }
    expect(made.length).toBe(157);
    expect(Math.max(...sizes)).toBeLessThan(25 * 5200);
    expect(sizes.at(-1)).toBe(sizes.at(-2));
  });

  it('N9: of what a memory stands for nothing is read after a start', async () => {
    const made = work(30, 100);
    remember('a', made.slice(1, 26));
    const reads: number[] = [];
    const transcripts = createTranscripts({ folder: join(test.folder, 'transcripts'), blobs: test.blobs });
    const counted: typeof transcripts = {
      ...transcripts,
      steps: (at, refs) => {
        reads.push(refs.length);
        return transcripts.steps(at, refs);
      },
    };
    const request = await requestFor({ ...deps(), transcripts: counted, paths }, askedOf(made.at(-1) as MessageId));
    expect(reads).toEqual([5]);
    expect(JSON.stringify(request)).toBe(await fromTheStart(made.at(-1) as MessageId));
  });

  it('L15, L19: a pin in what is folded, an undo, a redo, a place before the anchor: what is needed is read again', async () => {
    const made = work(10, 100);
    const end = made.at(-1) as MessageId;
    const card = remember('a', made.slice(1, 8));
    const same = async (at: MessageId, places: number) => {
      expect(await withKept(at)).toBe(await fromTheStart(at));
      expect(keptOf().places).toBe(places);
    };
    await same(end, 7);
    setPin(test.db, { conversationId: cnv('1'), messageId: msg('s3'), now: 1 });
    await same(end, 6);
    removePin(test.db, { conversationId: cnv('1'), messageId: msg('s3') });
    await same(end, 7);
    undo(card);
    await same(end, 0);
    redo(card);
    await same(end, 7);
    await same(msg('s5'), 0);
    await same(end, 7);
  });

  it('S10: a model that cannot be shown the pages has the text they stand for, with what was kept for one that can', async () => {
    const made = work(10, 100);
    const end = made.at(-1) as MessageId;
    const seeing: ModelInfo = { id: 'gpt-4.1', vision: true };
    const family = familyOf(seeing) ?? '';
    const hash = await test.blobs.write(new Uint8Array([1, 2, 3]), 'image/png');
    const frame = { family, legend: 'legend', head: '', tail: '' };
    const body = { text: '', pages: [{ hash, width: 8, height: 8 }], frame, files: [], references: [] };
    remember('a', made.slice(1, 8), { kind: 'pages', body });
    for (const model of [seeing, { id: 'gpt-4.1', vision: false }, seeing, { id: 'claude-opus-4', vision: true }, seeing]) {
      expect(await withKept(end, { model })).toBe(await fromTheStart(end, { model }));
      expect(keptOf().places).toBe(model === seeing ? 7 : 0);
    }
  });

  it('M7: a line of a card finds its messages also where only their places are kept', async () => {
    const made = work(150, 10);
    const end = made.at(-1) as MessageId;
    const card = remember('a', made.slice(1, 140));
    await withKept(end);
    const stand = await standpointFor({ ...deps(), paths }, askedOf(end));
    expect(stand.built.filter((one) => !isBuilt(one))).toHaveLength(139);
    expect(await cardSources({ ...deps(), paths }, stand, card, '- what stood inside s77')).toEqual([msg('s77')]);
    expect(pathTo(test.db, end)).toEqual(made);
  });
});
