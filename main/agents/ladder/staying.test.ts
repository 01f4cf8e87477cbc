// What no pass folds is told to whoever writes the card: else the Task of a run with one request would be a guess (L8, M1, M2, M3).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chatCalls, chatStream } from '../../../e2e/fixtures/scripts/chat';
import { stayingLines } from '../../context/card/staying';
import { words } from '../../context/ladder/ladderFixture';
import { setPin } from '../../store/marks';
import { readPath } from '../../store/messages';
import { answering, answerOf, begin, compact, isForCard, records, send, tipOf, turnOver, withWorld, world } from './passesFixture';

withWorld();

const request = 'Port PARSER-7 to the new grammar and keep the tests green.';
const told = () => world.server.requests.filter(isForCard).map(({ body }) => body);

/** One request, and steps that read until a card is made between them. */
async function oneTurn(card: string) {
  await begin({ window: 8000, tools: ['read_file'], compaction: { summaryMode: 'simple', minResultTokens: 100_000 } });
  for (let at = 1; at <= 30; at++) writeFileSync(join(world.fixture.workspace, `f${at}.txt`), words(900, 'line'));
  const read = (nth: number) => chatCalls([{ id: `c${nth}`, name: 'read_file', arguments: `{"path":"f${nth}.txt"}` }]);
  answering(
    8000,
    (_, nth) => (nth <= 30 && !world.server.requests.some(isForCard) ? read(nth) : chatStream(['done'])),
    () => chatStream([card]),
  );
  const id = await send(request);
  await turnOver(id);
  return records(id).find(({ kind }) => kind === 'card');
}

it('M1, M2: in a run of one request the summarizer is told what the task is, and nothing it takes from there is suspect', async () => {
  const card = await oneTurn(`## Task\nPort PARSER-7.\n\n## User directives\n- "${request}"\n\n## Next step\nRead on.`);
  expect(told()[0]).toContain(`| ${request}`);
  expect(card?.receipt).toMatchObject({ method: 'simple', identifiers: { suspect: [] } });
});

it('M3: the card without a model names the first request, also where that is not folded', async () => {
  const card = await oneTurn('');
  expect(card?.receipt.method).toBe('deterministic');
  expect(card?.body?.text).toContain(`## Task\nFirst request: ${request}`);
});

it('M1, L15: pins and what is asked now are told, too, beside a card that is there already', async () => {
  await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
  answering(100_000, answerOf(1500));
  const id = await send('One');
  const pinned = await send('Sign with PIN-3.', id).then(() => readPath(world.fixture.db, tipOf(id))[2]);
  if (pinned) setPin(world.fixture.db, { conversationId: id, messageId: pinned.id, now: 1 });
  for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
  await compact(id, 'summary');
  for (let turn = 6; turn <= 9; turn++) await send(`Turn ${turn}`, id);
  await compact(id, 'summary');
  expect(told()).toHaveLength(2);
  for (const body of told()) expect(body).toMatch(/need not be quoted in it\]\\n\[User\]\\n\| One\\n\[User\]\\n\| Sign with PIN-3\./);
  expect(told()[1]).toContain('| Turn 9');
});

it('L18, L21: always a small part of the window, the first and the newest before all', () => {
  const many = Array.from({ length: 50 }, (_, at) => `R${at} ${words(3000, `w${at}`)}`);
  const text = stayingLines(many, 8192).join('\n');
  expect(text.length).toBeLessThan(8192 / 4);
  for (const there of ['| R0 ', '| R47 ', '| R49 ']) expect(text).toContain(there);
  expect(text).not.toContain('R20 ');
});
