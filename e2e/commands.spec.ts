// K1, A1, A6, C1: what is written in the box is a command, addresses agents, or waits for the answer that is being written.
import { expect } from '@playwright/test';
import { sharedApp, sharedServer, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { readDb } from './fixtures/folders';
import { gate, waitFor } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatPath, chatStream } from './fixtures/scripts/chat';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;

test.describe('in one window', () => {
  const server = sharedServer();
  const running = sharedApp(() => ({ settings: scriptedSettings(server(), { agents: ['chat', 'demo'] }) }));
  let talk: TalkPage;
  test.beforeEach(async () => {
    talk = new TalkPage(running().page);
    await expect(talk.box).toBeVisible();
    if (await talk.feed.isVisible()) await talk.newConversation();
    server().script(chat, chatStream(['Understood.']));
  });
  const requests = () => server().requests.filter((request) => request.path === chatPath);
  const run = async (line: string) => {
    await talk.box.fill(line);
    await talk.box.press('Enter');
  };

  test('K1, U4, U7: commands are completed by keyboard, done here, and never sent', async () => {
    const { page } = running();
    await talk.ask('Where do we begin?');
    const sent = requests().length;
    await talk.box.pressSequentially('/');
    await expect(page.getByRole('listbox', { name: 'Commands' }).getByRole('option')).toHaveCount(17);
    await expectAccessible(page, 'the list of commands');
    await talk.box.pressSequentially('ti');
    await talk.box.press('Tab');
    await talk.box.pressSequentially('A new title');
    await talk.box.press('Enter');
    await expect(talk.composer.getByRole('status')).toContainText('The title is now “A new title”.');
    await expect(page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'A new title' })).toBeVisible();
    await run('/tilte x');
    await expect(talk.composer.getByRole('alert')).toContainText('Did you mean /title?');
    await expectAccessible(page, 'a refused command');
    await run('/help');
    await expect(page.getByRole('dialog', { name: 'Slash commands' })).toContainText('put a space before it');
    await expectAccessible(page, 'the help for commands');
    await page.keyboard.press('Escape');
    await expect(talk.box).toBeFocused();
    expect(requests()).toHaveLength(sent);
  });

  test('U4: undo takes a completed name back, as if it had been typed', async () => {
    await talk.box.pressSequentially('ask @dem');
    await talk.box.press('Enter');
    await expect(talk.box).toHaveValue('ask @Demo agent ');
    await talk.box.press('ControlOrMeta+z');
    await expect(talk.box).toHaveValue('ask @dem');
    await talk.box.fill('');
  });

  test('C1, C3, K1: a checkpoint is set and gone back to with a digest, which the next request carries', async () => {
    await talk.ask('Here we stand');
    await run('/checkpoint the start');
    await expect(talk.composer.getByRole('status')).toContainText('Checkpoint “the start” is set here.');
    await talk.ask('Explore the left path');
    await run('/rewind the start the left path is closed');
    await expect(talk.feed.getByRole('article', { name: 'Digest' })).toContainText('the left path is closed');
    await expect(talk.prompts).toHaveCount(1);
    await talk.ask('Then the right path');
    expect(requests().at(-1)?.body).toContain('the left path is closed');
    expect(requests().at(-1)?.body).not.toContain('Explore');
  });

  test('X8: /retry tells nothing that failed from nothing that is loaded', async () => {
    await run('/retry');
    await expect(talk.composer.getByRole('alert')).toContainText('Nothing is loaded');
    await talk.box.fill('');
    await talk.ask('All is well');
    await run('/retry');
    await expect(talk.composer.getByRole('alert')).toContainText('Nothing to retry');
    await talk.box.fill('');
  });

  test('A1, K1: agents named in the text answer one after the other; /agent chooses who answers what names nobody', async () => {
    await talk.box.fill('@Demo agent and then @chat: say hello');
    await expect(talk.composer.getByText('Answered by Demo agent, then Chat')).toBeVisible();
    await talk.box.press('Enter');
    await expect(talk.feed.getByRole('article', { name: 'Demo agent' })).toHaveCount(1);
    await expect(talk.feed.getByRole('article', { name: 'Chat' })).toContainText('Understood.');
    await talk.settled();
    await run('/agent Demo agent');
    await expect(talk.composer.getByRole('status')).toContainText('Demo agent answers next.');
    await talk.ask('say more');
    await expect(talk.feed.getByRole('article', { name: 'Demo agent' })).toHaveCount(2);
  });

  test('A6: what waits is shown, changed and removed, and goes when the answer is there', async () => {
    const end = gate();
    server().script(chat, chatStream(['Working'], { between: () => [waitFor(end.opened)] }), chatStream(['Understood.']));
    await talk.say('Do it');
    await expect(talk.message(1)).toContainText('Working');
    for (const [text, keys] of [
      ['then test it', 'Enter'],
      ['in Python', 'ControlOrMeta+Enter'],
      ['never mind', 'Enter'],
    ] as const) {
      await talk.box.fill(text);
      await talk.box.press(keys);
      await expect(talk.box).toHaveValue('');
    }
    const rows = talk.composer.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await expect(rows).toHaveText([/After the answer.*then test it/, /Before the next step.*in Python/, /After the answer.*never mind/]);
    await expectAccessible(running().page, 'queued messages');
    await rows.nth(1).getByRole('button', { name: 'Queue instead' }).click();
    await expect(rows.nth(1)).toContainText('After the answer');
    await rows.nth(2).getByRole('button', { name: 'Remove' }).click();
    await expect(rows).toHaveCount(2);
    end.open();
    await expect(talk.prompts).toHaveText([/Do it/, /then test it/, /in Python/]);
    await talk.settled();
    await expect(rows).toHaveCount(0);
    expect(readDb(running().folders, "SELECT count(*) AS n FROM messages WHERE text = 'never mind'")).toEqual([{ n: 0 }]);
  });
});

test('A6, R2: what was held is there after a restart, and is sent when asked for', async ({ start }) => {
  const first = await start();
  const talk = new TalkPage(first.page);
  await talk.say('count slowly to 500');
  await expect(talk.stop).toBeVisible();
  await talk.box.fill('say goodbye');
  await talk.box.press('Enter');
  await talk.stop.click();
  const again = await first.restart();
  const after = new TalkPage(again.page);
  const row = after.composer.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
  await expect(row).toContainText('Held: its turn has ended');
  await row.getByRole('button', { name: 'Send now' }).click();
  await expect(after.prompts.last()).toContainText('say goodbye');
  await after.settled();
  await expect(row).toHaveCount(0);
});

test('A2, A4, U7: the tools of an agent are chosen in its settings, and kept', async ({ start }) => {
  const running = await start();
  const { page } = running;
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Agents' }).click();
  await dialog.getByRole('button', { name: 'Edit Assistant' }).click();
  await dialog.getByRole('checkbox', { name: 'read_file' }).check();
  await dialog.getByRole('radio', { name: 'Read only' }).check();
  await expectAccessible(page, 'the tools of an agent');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Edit Assistant' }).click();
  await expect(dialog.getByRole('checkbox', { name: 'read_file' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'Read only' })).toBeChecked();
});
