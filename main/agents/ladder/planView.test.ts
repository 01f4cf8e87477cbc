// What /compact shows before it runs, beside what each rung then really saves: nothing is promised where nothing will be done (K2).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chatCalls, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId } from '../../../shared/model/ids';
import { type Rung, rungs } from '../../../shared/model/memoryView';
import { words } from '../../context/ladder/ladderFixture';
import { plainCanvas, pngOf } from '../../providers/pictures/pictureFixture';
import { beginSeeing, seeing } from './pagesFixture';
import { compact, goodCard, isForCard, route, send, where, withWorld, world } from './passesFixture';

withWorld();

const roomy = { ...seeing, contextWindow: 100_000 };
const compaction = { retainedTokens: 2000, retainedEnough: 500, protectTokens: 3000, minSavings: 90_000, snapshotMode: 'off' as const };
/** `tokens` of each answer, `card` of what a summary is answered with, `reads` of files, `pictures` with the first turns. */
type Setup = { turns: number; tokens: number; card?: number; reads?: number; pictures?: number; model?: object; numbers?: object };

/** Lines with an identifier in each fifth of them, of about 18 tokens. */
const prose = (name: string, tokens: number) =>
  Array.from({ length: Math.ceil(tokens / 18) }, (_, at) =>
    at % 5 === 0
      ? `Then OAK-${name}-${at} went to the shelf behind the green door.`
      : `Line ${at} of ${name} says what came of it, and why nobody minded.`,
  ).join('\n');
async function picture(nth: number) {
  const bytes = pngOf(plainCanvas(700 + nth, 700));
  const hash = await world.fixture.blobs.write(bytes, 'image/png');
  return { type: 'image' as const, hash, mime: 'image/png', name: `p${nth}.png`, size: bytes.length, width: 700 + nth, height: 700 };
}

/** The first request makes the agent read that many files of about 900 tokens. */
async function talk({ turns, tokens, card = 1300, reads = 0, pictures = 0, model = {}, numbers = {} }: Setup) {
  const tools = reads > 0 ? ['read_file'] : [];
  await beginSeeing({ compaction: { ...compaction, ...numbers }, tools, model: { ...roomy, ...model } });
  for (let at = 1; at <= reads; at++) writeFileSync(join(world.fixture.workspace, `f${at}.txt`), prose(`f${at}`, 900));
  let nth = 0;
  world.server.script(route, (request) => {
    if (isForCard(request)) return chatStream([`${goodCard}\n\n## Decisions\n${words(card, 'kept')}`]);
    nth++;
    return nth <= reads
      ? chatCalls([{ id: `c${nth}`, name: 'read_file', arguments: `{"path":"f${nth}.txt"}` }])
      : chatStream([prose(`a${nth}`, tokens)]);
  });
  let id: ConversationId | null = null;
  for (let turn = 1; turn <= turns; turn++) {
    const attachments = turn <= pictures ? [await picture(turn)] : [];
    const asking: Parameters<typeof world.fixture.scheduler.start>[0] = {
      conversationId: id,
      text: `Turn ${turn} asks about ELM-${turn}.`,
      attachments,
      agentId: null,
    };
    const before = world.fixture.events.length;
    id = world.fixture.scheduler.start(asking).conversationId;
    await world.fixture.event('stepEnded', (event) => !event.goesOn && world.fixture.events.indexOf(event) >= before);
  }
  return id as ConversationId;
}

const preview = async (id: ConversationId) => {
  const stand = await world.fixture.looks.stand(where(id));
  if (!stand) throw new Error('no place');
  return world.fixture.looks.previewOf(stand);
};

type Row = { rung: Rung; promised: number; why: string | null; saved: number; end: string };

/** Each rung by hand from the same state: undone before the next. */
async function played(id: ConversationId): Promise<Row[]> {
  const shown = await preview(id);
  const rows: Row[] = [];
  for (const rung of rungs) {
    const end = await compact(id, rung);
    const { saves: promised = 0, why = null } = shown.find((one) => one.rung === rung) ?? {};
    const receipt = end.type === 'done' ? end.receipt.record?.receipt : undefined;
    rows.push({ rung, promised, why, saved: receipt ? receipt.tokensBefore - receipt.tokensAfter : 0, end: end.type });
    if (end.type === 'done') await world.fixture.memory.undo(where(id), null);
  }
  return rows;
}

function expectTrue(rows: readonly Row[]): void {
  for (const { rung, promised, why, saved, end } of rows) {
    const said = `${rung}: promised ${promised}, ${why ?? 'to be done'}; saved ${saved}, ${end}`;
    expect(why === null, said).toBe(end === 'done');
    expect(Math.abs(promised - saved), said).toBeLessThanOrEqual(Math.max(300, 0.15 * saved));
  }
}

it.each<[string, Setup]>([
  ['one short turn', { turns: 1, tokens: 100 }],
  ['one that is all tail', { turns: 5, tokens: 120 }],
  [
    'one of which hardly more than a card is older than the tail',
    { turns: 5, tokens: 120, numbers: { retainedTokens: 300, retainedEnough: 100 } },
  ],
  ['one hardly longer than its tail', { turns: 4, tokens: 900, card: 400 }],
  ['a medium one', { turns: 8, tokens: 1500 }],
  ['a medium one in a small window', { turns: 8, tokens: 800, model: { contextWindow: 16_000 } }],
  ['one with results', { turns: 6, tokens: 900, reads: 3, card: 1000 }],
  ['one with images', { turns: 8, tokens: 900, pictures: 6 }],
  ['a server that takes few images', { turns: 8, tokens: 2500, model: { maxImages: 4 } }],
  ['a server that takes no image beside the newest', { turns: 8, tokens: 1500, model: { maxImages: 3 } }],
])('K2: what is shown before a pass is what it then saves: %s', async (_, setup) => {
  const id = await talk(setup);
  const rows = await played(id);
  expectTrue(rows);
});

it('K2: over pages in force', async () => {
  const id = await talk({ turns: 8, tokens: 1500 });
  expect(await compact(id, 'snapshot')).toMatchObject({ type: 'done' });
  for (const turn of [9, 10, 11]) await send(`Turn ${turn} asks about ELM-${turn}.`, id);
  const rows = await played(id);
  expectTrue(rows);
});
