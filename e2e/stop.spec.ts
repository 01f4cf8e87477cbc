// X9, R2: an answer that breaks off, by Stop, by the line or by the end of the program, keeps what was shown.
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { filesWith, readDb } from './fixtures/folders';
import { destroy, gate, head, send, waitFor } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatChunk, chatPath, chatStream } from './fixtures/scripts/chat';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

test('X9, U4: Stop ends the answer at once, its text stays as interrupted, and Continue goes on under it', async ({ start }) => {
  const { page, folders } = await start();
  const talk = new TalkPage(page);
  await talk.say('count to 400 slowly');
  await expect(talk.message(1)).toContainText('1 2 3 4 5');
  await talk.stop.click();
  await expect(talk.message(1)).toContainText('Interrupted');
  await expect(talk.send).toBeVisible();
  await expect(talk.message(1)).toContainText('1 2 3 4 5');
  await expectAccessible(page, 'interrupted');
  const [stopped] = readDb(folders, "SELECT status, text FROM messages WHERE role = 'assistant'");
  expect(stopped).toMatchObject({ status: 'interrupted', text: expect.stringMatching(/^1 2 3 4 5/) });

  await talk.act(1, 'Continue').click();
  const next = String(stopped?.['text']).trim().split(' ').length + 1;
  await expect(talk.message(2)).toContainText(`${next} ${next + 1} ${next + 2}`);
  await talk.box.press('Escape');
  await expect(talk.message(2)).toContainText('Interrupted');
  const steps = readDb(folders, "SELECT turn_id, parent_id FROM messages WHERE role = 'assistant' ORDER BY seq");
  expect(steps[0]?.['turn_id']).toBe(steps[1]?.['turn_id']);
});

test('X9, R3: a lost connection keeps what had arrived, says why, and Regenerate asks anew', async ({ start, server }) => {
  server.script(
    `POST ${chatPath}`,
    [head(), send(chatChunk({ role: 'assistant', content: 'Half of an ' })), send(chatChunk({ content: 'answer' })), destroy()],
    chatStream(['A whole answer.']),
  );
  const { page } = await start({ settings: scriptedSettings(server) });
  const talk = new TalkPage(page);
  await talk.say('Hello');
  await expect(talk.message(1)).toContainText('Half of an answer');
  await expect(talk.message(1)).toContainText('Interrupted');
  await expect(talk.message(1)).toContainText('The connection to Local chat broke off');
  await talk.act(1, 'Regenerate').click();
  await talk.settled();
  await expect(talk.message(1)).toContainText('A whole answer.');
  await expect(talk.message(1)).toContainText('2 / 2');
});

test('R2, X9, W1: kill -9 while an answer streams loses nothing that was complete; the broken answer comes back interrupted', async ({
  start,
  server,
}) => {
  const { opened, open } = gate();
  server.script(
    `POST ${chatPath}`,
    chatStream(['The first ', 'answer is whole.']),
    chatStream(['Broken ', 'in the middle', ' of this'], { between: (index) => (index === 1 ? [waitFor(opened)] : []) }),
  );
  const running = await start({ settings: scriptedSettings(server) });
  const talk = new TalkPage(running.page);
  await talk.ask('First question');
  await talk.say('Second question');
  await expect(talk.message(3)).toContainText('Broken in the middle');
  // The running text is stored at most once a second (X9): wait until it is.
  await expect
    .poll(() =>
      readDb(running.folders, 'SELECT parts FROM live_steps')
        .map((row) => String(row['parts']))
        .join(),
    )
    .toContain('in the middle');
  await running.kill9();
  open();

  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.message(0)).toContainText('First question');
  await expect(after.message(1)).toContainText('The first answer is whole.');
  await expect(after.message(1)).not.toContainText('Interrupted');
  await expect(after.message(2)).toContainText('Second question');
  await expect(after.message(3)).toContainText('Broken in the middle');
  await expect(after.message(3)).toContainText('Interrupted');
  await expect(after.act(3, 'Continue')).toBeVisible();
  expect(readDb(running.folders, 'SELECT count(*) AS n FROM live_steps')).toEqual([{ n: 0 }]);
  expect(readDb(running.folders, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(filesWith('Broken in the middle', running.folders.workspace)).not.toEqual([]);
});

test('R2, X9: kill -9 before the first word leaves the question and a way to ask again', async ({ start, server }) => {
  server.script(`POST ${chatPath}`, [head(), { type: 'hang' }], chatStream(['Now it answers.']));
  const running = await start({ settings: scriptedSettings(server) });
  const talk = new TalkPage(running.page);
  await talk.say('Are you there');
  await server.request(`POST ${chatPath}`);
  await running.kill9();
  const again = await running.restart();
  const after = new TalkPage(again.page);
  // Killed so early that the window may not have noted yet which conversation was open.
  await new SidebarPage(again.page).open('Are you there');
  await expect(after.message(0)).toContainText('Are you there');
  const retry = after.failed.getByRole('button', { name: 'Retry' });
  const regenerate = after.act(1, 'Regenerate');
  await expect(retry.or(regenerate)).toBeVisible();
  await retry.or(regenerate).click();
  await after.settled();
  await expect(after.feed).toContainText('Now it answers.');
});

test('X9, R2: closing the window while an answer streams ends it as interrupted, with all that was shown', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  await talk.say('count to 400 slowly');
  await expect(talk.message(1)).toContainText('1 2 3 4 5 6 7 8');
  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.message(1)).toContainText('1 2 3 4 5 6 7 8');
  await expect(after.message(1)).toContainText('Interrupted');
});
