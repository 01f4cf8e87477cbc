// Leaving a branch with a digest of it (T11), as a person does it: from a row of the navigator, and by the settings.
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { makeFolders, readDb, writeSettings } from './fixtures/folders';
import { hang, head } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatError, chatPath, chatStream } from './fixtures/scripts/chat';
import { TalkPage } from './pages/talk';

const row = (page: Page, name: RegExp) => page.getByRole('tree', { name: 'Branches' }).getByRole('treeitem', { name });
const question = (page: Page) => page.getByRole('dialog', { name: 'Carry a digest' });
const digestOf = (talk: TalkPage) => talk.feed.getByRole('article', { name: 'Digest' });

/** Opens the tree by its command, with focus on the tip. */
async function openTree(talk: TalkPage): Promise<void> {
  await talk.write('/tree');
  await talk.box.press('Escape');
  await talk.box.press('Enter');
  await expect(row(talk.page, /tip/)).toBeFocused();
}

test('T11: from a row of the navigator, by menu and with focus words; the next request carries it, and it leads back', async ({
  start,
}) => {
  const { page, folders } = await start();
  const talk = new TalkPage(page);
  await talk.ask('say The sea is blue.');
  await talk.edit(0, 'say The sun is warm.');
  await talk.settled();
  await openTree(talk);
  await row(page, /sea/).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Go there with a digest…' }).click();
  await expect(question(page).getByRole('radio', { name: 'A digest', exact: true })).toBeFocused();
  await expectAccessible(page, 'the question what is carried along');
  await page.keyboard.press('ArrowDown');
  const words = question(page).getByRole('textbox', { name: 'Focus words' });
  await expect(words).toBeFocused();
  await words.press('Enter');
  await expect(question(page)).toContainText('Say what it should be about.');
  await words.fill('the sun');
  await words.press('Enter');
  await expect(question(page)).toHaveCount(0);
  await expect(talk.message(0)).toContainText('The sea is blue.');
  await expect(digestOf(talk)).toContainText('In that branch you asked “say The sun is warm.”');
  await expect(digestOf(talk)).toContainText('carried over from another branch · about “the sun”');
  // The row has the focus again, and with it a preview.
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectAccessible(page, 'a preview beside the tree');
  await talk.box.click();
  await expect(talk.box).toBeFocused();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await expectAccessible(page, 'a digest carried over');
  expect(readDb(folders, "SELECT role, model FROM messages WHERE role = 'digest'")).toEqual([{ role: 'digest', model: 'demo/demo' }]);

  await digestOf(talk).getByRole('button', { name: 'Show that branch' }).click();
  await expect(talk.message(0)).toContainText('The sun is warm.');
  await expect(digestOf(talk)).toHaveCount(0);
});

test('T11, R4, M3: by the settings; the talk goes on meanwhile, a digest is stopped, and one whose model fails is put together', async ({
  start,
  server,
}) => {
  server.script(
    `POST ${chatPath}`,
    chatStream(['The sea ', 'is blue.']),
    chatStream(['The sun is warm.']),
    [head(), hang()],
    chatError(500, 'boom'),
    chatStream(['On.']),
  );
  const folders = makeFolders();
  writeSettings(folders, scriptedSettings(server, { preferences: { leavingBranch: 'digest' } }));
  const { page } = await start({ folders });
  const talk = new TalkPage(page);
  await talk.ask('What of the sea?');
  await talk.edit(0, 'What of the sun?');
  await talk.settled();
  await talk.act(0, 'Previous version').click();
  await expect(talk.message(1)).toContainText('The sea is blue.');
  const making = page.getByText('A digest of the branch you left is being written.');
  await expect(making).toBeVisible();
  await expectAccessible(page, 'a digest is being written');
  const request = await server.request(`POST ${chatPath}`, 3);
  await talk.write('typed meanwhile');
  await page.getByRole('button', { name: 'Stop the digest' }).click();
  await expect(making).toHaveCount(0);
  expect(await request.closed).toBe(false);
  await expect(digestOf(talk)).toHaveCount(0);
  await expect(talk.box).toHaveValue('typed meanwhile');

  await talk.act(0, 'Next version').click();
  await expect(talk.message(1)).toContainText('The sun is warm.');
  await expect(digestOf(talk)).toContainText('put together without a model');
  await expect(digestOf(talk)).toContainText('What of the sea?');
  await expect(digestOf(talk)).toContainText('The sea is blue.');
  await talk.ask('And now?');
  const sent = server.requests.at(-1)?.body ?? '';
  expect(sent).toContain('[Digest. Another branch of this conversation');
  expect(sent).toContain('What of the sea?');
});

test('T11: asked after the move where the settings say so, with how much was left', async ({ start, server }) => {
  server.script(`POST ${chatPath}`, chatStream(['The sea is blue.']), chatStream(['The sun is warm.']));
  const folders = makeFolders();
  writeSettings(folders, scriptedSettings(server, { preferences: { leavingBranch: 'ask' } }));
  const { page } = await start({ folders });
  const talk = new TalkPage(page);
  await talk.ask('What of the sea?');
  await talk.edit(0, 'What of the sun?');
  await talk.settled();
  await talk.act(0, 'Previous version').click();
  await expect(question(page)).toContainText('2 messages stay on the branch you left');
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(talk.message(1)).toContainText('The sea is blue.');
  expect(server.requests).toHaveLength(2);
  expect(readDb(folders, "SELECT count(*) AS n FROM messages WHERE role = 'digest'")).toEqual([{ n: 0 }]);
});
