// X2, X3, X10, R3: transcripts that were hurt while the app was closed. Each has its notice or its state, and no message is lost.
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { readDb, stepsIn, transcriptOf } from './fixtures/folders';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatPath, chatStream } from './fixtures/scripts/chat';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;
const titles = ['Cut', 'Zeros', 'Garbled', 'Foreign', 'Newer'];

/** Half a minute of a bad disk. */
function hurt(path: Record<string, string>): void {
  const bytes = (title: string) => readFileSync(path[title] ?? '');
  truncateSync(path['Cut'] ?? '', bytes('Cut').length - 60);
  const zeros = bytes('Zeros');
  writeFileSync(path['Zeros'] ?? '', Buffer.concat([zeros.subarray(0, zeros.length - 60), Buffer.alloc(400)]));
  const lines = bytes('Garbled').toString('utf8').split('\n');
  const at = lines.findIndex((line) => line.includes('"step"'));
  writeFileSync(path['Garbled'] ?? '', lines.map((line, index) => (index === at ? `${line.slice(0, 20)}#!?,` : line)).join('\n'));
  writeFileSync(path['Newer'] ?? '', bytes('Newer').toString('utf8').replace('"version":1', '"version":99'));
}

test('X2, X3, X10, X7, R3: a transcript cut, full of zeros, garbled, of another conversation or of a newer version: said, kept, and gone on from', async ({
  start,
  server,
}) => {
  server.script(chat, (request) => chatStream([`Answer ${(request.body.match(/"role":"user"/g) ?? []).length}.`]));
  const first = await start({ settings: scriptedSettings(server, { agents: ['chat', 'reviewer'] }) });
  const { folders } = first;
  const before = new TalkPage(first.page);
  for (const title of titles) {
    await before.ask(title);
    await before.ask(`${title}, and more`);
    await before.newConversation();
  }
  await first.close();
  const path = Object.fromEntries(titles.map((title) => [title, transcriptOf(folders, title, 'chat')]));
  hurt(path);
  copyFileSync(path['Cut'] ?? '', path['Foreign'] ?? '');
  const newer = readFileSync(path['Newer'] ?? '', 'utf8');

  const { page } = await first.restart();
  const talk = new TalkPage(page);
  const sidebar = new SidebarPage(page);
  const goOn = async (title: string) => {
    await sidebar.open(title);
    await expect(talk.message(3)).toContainText('Answer 2.');
    await talk.say(`${title}, once more`);
  };
  for (const title of titles.slice(0, 4)) {
    await goOn(title);
    await talk.settled();
    // Nothing that was said is missing in what is sent: what the file lacks is told from the messages.
    await expect(talk.message(5)).toContainText('Answer 3.');
    const body = server.requests.at(-1)?.body ?? '';
    for (const words of [`${title}, and more`, 'Answer 1.', 'Answer 2.', `${title}, once more`]) expect(body, title).toContain(words);
    expect(stepsIn(path[title] ?? '').at(-1)?.content, title).toEqual([{ type: 'text', text: 'Answer 3.' }]);
  }
  await expect(page.getByText('A transcript had 1 damaged entry. The file is kept aside, and the rest was loaded.')).toBeVisible();
  await expect(page.getByText('A transcript could not be used here. It is kept aside')).toBeVisible();
  const aside = (title: string) => readdirSync(dirname(path[title] ?? '')).filter((name) => name.includes('aside'));
  expect([aside('Garbled').length, aside('Foreign').length]).toEqual([1, 1]);

  await goOn('Newer');
  await expect(talk.failed).toContainText('This agent’s transcript was written by a newer Bough');
  expect(readFileSync(path['Newer'] ?? '', 'utf8')).toBe(newer);
  expect(readDb(folders, "SELECT count(*) AS n FROM messages WHERE text IN ('Answer 1.', 'Answer 2.')")).toEqual([{ n: 10 }]);
  // Another agent has a transcript of its own.
  await talk.ask('@Reviewer what do you say?');
  await expect(talk.message(-1)).toContainText('Answer');
});
