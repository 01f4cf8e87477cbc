// A file that was read into the memory and changed since: what is sent stays as it was (L9); the person sees it, and no tool writes over it from
// memory (M6).
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chatStream } from '../../e2e/fixtures/scripts/chat';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId } from '../../shared/model/ids';
import { readPath } from '../store/messages';
import { helper } from './agentsFixture';
import { begin, bodies, compact, isForCard, route, tipOf, where, withWorld, world } from './ladder/passesFixture';
import { type Call, calls, chooses, lastSaid, put, reads, turn, working } from './ladder/workerPassesFixture';
import { outdatedIn } from './rememberedFiles';
import { defaultLimits } from './tools/common/definition';

withWorld();

const old = 'const a = 1;\nconst b = 2;\n';
const text = (name: string) => readFileSync(join(world.fixture.workspace, name), 'utf8');

/** A conversation whose memory holds the whole of a.ts. */
async function remembering(part: object = {}): Promise<ConversationId> {
  await begin({
    window: 100_000,
    tools: ['read_file', 'edit_file', 'write_file'],
    approval: 'auto-edit',
    compaction: { retainedTokens: 2000, retainedEnough: 500 },
  });
  put('a.ts', old);
  working(reads('a.ts'), chooses(['mark_read_required', { path: 'a.ts', ...part }]));
  const id = await turn('Read the file');
  for (const words of ['And?', 'So?', 'Then?']) await turn(words, id);
  expect(await compact(id, 'summary')).toMatchObject({ type: 'done', receipt: { record: { receipt: { method: 'worker' } } } });
  return id;
}

/** What came of calls of the agent, one a step. */
async function calling(id: ConversationId, ...all: Call[]): Promise<string[]> {
  const left = [...all];
  world.server.script(route, (request) => {
    if (isForCard(request)) throw new Error('no pass is due');
    const next = left.shift();
    return next ? calls(next).map((step) => renamed(step, `c${all.length - left.length}`)) : chatStream(['Done.']);
  });
  await turn('Do it', id);
  const last = readPath(world.fixture.db, tipOf(id)).slice(-all.length - 1);
  return last.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'toolCall' ? [part.summary ?? ''] : [])));
}
const renamed = <T>(step: T, id: string): T => JSON.parse(JSON.stringify(step).replaceAll('w0', id)) as T;

const write: Call = ['write_file', { path: 'a.ts', content: 'const a = 3;\nconst b = 2;\n' }];
const changed = async (id: ConversationId) => (await world.fixture.looks.view(where(id))).memory?.changed;

it('M6, L9: the person is told of a file that changed or is gone, and the request stays as it was', async () => {
  const id = await remembering();
  expect(await changed(id)).toEqual([false]);
  const before = (await world.fixture.looks.view(where(id))).plan;
  put('a.ts', `${old}const c = 3;\n`);
  expect(await changed(id)).toEqual([true]);
  rmSync(join(world.fixture.workspace, 'a.ts'));
  expect(await changed(id)).toEqual([true]);
  expect((await world.fixture.looks.view(where(id))).plan).toEqual(before);
  put('a.ts', old);
  expect(await changed(id)).toEqual([false]);
});

it('M6: of a part only that part counts', async () => {
  const id = await remembering({ offset: 2, limit: 1 });
  put('a.ts', 'const a = 9;\nconst b = 2;\n');
  expect(await changed(id)).toEqual([false]);
  put('a.ts', 'const a = 1;\nconst b = 9;\n');
  expect(await changed(id)).toEqual([true]);
  put('a.ts', 'const a = 1;\n');
  expect(await changed(id)).toEqual([true]);
});

it('M6, A2: an edit of what is no longer there is refused with the word to read the file again', async () => {
  const id = await remembering();
  put('a.ts', 'const a = 7;\nconst b = 2;\n');
  const edit: Call = ['edit_file', { path: 'a.ts', oldText: 'const a = 1;', newText: 'const a = 3;' }];
  expect(await calling(id, edit)).toEqual(['a.ts: oldText is not in the file. Read it again: it may have changed.']);
  expect(text('a.ts')).toBe('const a = 7;\nconst b = 2;\n');
  expect(lastSaid()).toContain('[Auto-read file: a.ts]\n1\tconst a = 1;');
});

it('M6: a file is not written over from memory when it changed since; read again, it is', async () => {
  const id = await remembering();
  put('a.ts', 'const a = 7; // by hand\n');
  expect(await calling(id, write)).toEqual(['a.ts is not as you remember it: it was changed since. Read it, then write it.']);
  expect(text('a.ts')).toBe('const a = 7; // by hand\n');
  expect(await calling(id, ['read_file', { path: 'a.ts' }], write)).toEqual(['Read a.ts (1 line)', expect.stringMatching(/^Wrote a\.ts/)]);
  expect(text('a.ts')).toBe('const a = 3;\nconst b = 2;\n');
  expect(bodies().at(-1)).toContain('[Auto-read file: a.ts]');
});

it('M6: what it remembers as it is, what it changed itself and what is gone is written as ever', async () => {
  const id = await remembering();
  const other: Call = ['write_file', { path: 'a.ts', content: 'const a = 4;\n' }];
  expect(await calling(id, write, other)).toEqual([expect.stringMatching(/^Wrote a\.ts/), expect.stringMatching(/^Wrote a\.ts/)]);
  rmSync(join(world.fixture.workspace, 'a.ts'));
  expect(await calling(id, write)).toEqual(['Wrote a.ts (new, 2 lines)']);
});

it('L19, M6, A2: a memory that was undone says nothing of any file; what the agent read itself does', async () => {
  const id = await remembering();
  writeFileSync(join(world.fixture.workspace, 'a.ts'), 'const a = 7;\n');
  await world.fixture.memory.undo(where(id), null);
  expect(await calling(id, write)).toEqual(['a.ts was changed since you last read or wrote it. Read it, then write it.']);
  writeFileSync(join(world.fixture.workspace, 'a.ts'), old);
  expect(await calling(id, write)).toEqual([expect.stringMatching(/^Wrote a\.ts/)]);
});

it('X7, M6: where the transcript cannot be used there is no memory, and nothing is refused for it', async () => {
  const id = await remembering();
  put('a.ts', 'const a = 7;\n');
  const { db, transcripts, workspace } = world.fixture;
  const reading = { workspace, platform: process.platform, limits: defaultLimits, hideKeys: (words: string) => words };
  const place = { conversationId: id, agentId: helper.id, headId: tipOf(id) };
  const file = { path: join(workspace, 'a.ts'), shown: 'a.ts', outside: false, guarded: false };
  expect(await outdatedIn({ db, transcripts, reading }, place, () => [])(file, 'a.ts')).toBe('remembered');
  const open = () => {
    throw new FailureError(makeFailure('transcriptNewer', 'newer'));
  };
  const steps = async () => open();
  expect(await outdatedIn({ db, transcripts: { open, steps }, reading }, place, () => [])(file, 'a.ts')).toBeNull();
});
