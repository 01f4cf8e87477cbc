// Pages under any reader: who is not known to see gets none, who sees gets all of those of its family, and the text is never lost (S10, L9, L19).
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BlobHash, MessageId } from '../../shared/model/ids';
import { memoryOnPath } from '../../shared/model/memoryRecord';
import { textOf } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, RequestPart } from '../../shared/model/request';
import { familyOf, suitsReader } from '../context/suits';
import { wordingVersion } from '../context/wording';
import { getMessage } from '../store/messages';
import { cnv } from '../store/storeFixture';
import { requestFor } from './answering';
import { BuiltPaths } from './builtPaths';
import { type Act, agents, type ForkTest, makeForkTest, otherFamily, pathTo, perform, readers, say } from './forkFixture';

let test: ForkTest;
let paths: BuiltPaths;
beforeEach(() => {
  test = makeForkTest();
  paths = new BuiltPaths();
});
afterEach(() => test.remove());

const [seer] = readers;
const models: readonly ModelInfo[] = [
  seer,
  otherFamily,
  { ...seer, vision: false },
  { id: seer.id },
  { ...otherFamily, vision: false },
  { id: 'm' },
  { id: 'm', vision: true },
  // Pages would cost it more than their text.
  { id: 'gpt-4o-mini', vision: true },
];
const place = { conversationId: cnv('1'), agentId: agents[0].id };
const request = (parentId: MessageId, model: ModelInfo, kept: boolean) =>
  requestFor(
    { db: test.db, blobs: test.blobs, transcripts: test.transcripts, ...(kept ? { paths } : {}) },
    { parentId, agent: agents[0], model, tools: [] },
  );
const partsOf = ({ messages }: ModelRequest): RequestPart[] =>
  messages.flatMap((message): RequestPart[] => (message.role === 'assistant' ? [] : 'parts' in message ? [...message.parts] : []));
const imagesIn = (asked: ModelRequest) => partsOf(asked).flatMap((part) => (part.type === 'image' ? [part.hash] : []));

/** Long ways, and memories on them that come and go. */
const remembered: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...(['user', 'own', 'own', 'other', 'calls', 'own', 'digest'] as const),
      ...(['pages', 'pages', 'pages', 'card', 'edit', 'undo', 'redo', 'pin', 'unpin'] as const),
    ),
    under: fc.integer({ min: 1, max: 40 }),
    near: fc.constantFrom(true, true, true, true, false),
    turn: fc.nat(2),
  }),
  { minLength: 12, maxLength: 40 },
);

it('S10, L9: always: over any switches of reader no page reaches one that is not known to see, or of another family; what is not shown is sent as text', async () => {
  const switches = fc.array(fc.tuple(fc.nat(60), fc.nat(models.length - 1)), { minLength: 6, maxLength: 14 });
  const seen = { pages: 0, kept: 0, unsuited: 0 };
  await fc.assert(
    fc.asyncProperty(remembered, switches, async (all, asks) => {
      test.remove();
      test = makeForkTest(100_000);
      paths = new BuiltPaths();
      const made = perform(test, all);
      const picture = test.blobs.writeNow(Buffer.from('a picture of the user'), 'image/png');
      const image = { type: 'image' as const, hash: picture, mime: 'image/png', name: 'p.png', size: 21, width: 10, height: 10 };
      say(test, made, 'look', made.at(-1) as MessageId, { parts: [{ type: 'text', text: 'words of look ' }, image] });
      const records = [...test.transcripts.open(place).standing.records.values()];
      const pagesBy = new Map(
        records.flatMap(({ body }) => (body?.pages ?? []).map(({ hash }): [BlobHash, string] => [hash, body?.frame?.family ?? ''])),
      );
      for (const [at, which] of asks) {
        const model = models[which] ?? seer;
        const parentId = (at % 3 === 0 ? made[at % made.length] : made.at(-1)) as MessageId;
        const asked = await request(parentId, model, true);
        expect(asked).toEqual(await request(parentId, model, false));
        const images = imagesIn(asked);
        const pages = images.filter((hash) => hash !== picture);
        // Their own picture goes to whom nothing is known of; pages do not.
        if (model.vision === false) expect(images).toEqual([]);
        if (model.vision !== true) expect(pages).toEqual([]);
        for (const hash of pages) expect(pagesBy.get(hash)).toBe(familyOf(model));
        const path = pathTo(test.db, parentId);
        const { memory, folded, unsuited } = memoryOnPath(new Set(path), records, wordingVersion, suitsReader(model));
        expect(pages).toEqual(memory?.kind === 'pages' ? memory.body?.pages.map(({ hash }) => hash) : []);
        // Whatever no memory that is shown stands for is there in words.
        const told = JSON.stringify(asked.messages);
        for (const id of path) {
          const text = textOf(getMessage(test.db, id) as never);
          if (!folded.has(id) && /^words of/.test(text)) expect(told, id).toContain(JSON.stringify(text.trim()).slice(1, -1));
        }
        seen.pages += pages.length;
        seen.unsuited += unsuited.length;
        seen.kept += paths.get(cnv('1'), agents[0].id)?.built.length ?? 0;
      }
    }),
    { numRuns: 60 },
  );
  expect(seen.pages).toBeGreaterThan(5);
  expect(seen.unsuited).toBeGreaterThan(5);
  expect(seen.kept).toBeGreaterThan(20);
}, 120_000);
