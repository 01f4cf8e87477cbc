// I3, I4, T6: conversations of another program come in through the window, are gone on with, and come in once.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { demoSettings, type RunningApp } from './fixtures/runningApp';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-import-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Said = { id: string; parent: string; by: 'user' | 'assistant'; text: string };

/** One conversation as ChatGPT exports it. */
function chat(id: string, title: string, said: readonly Said[]) {
  const root = { id: 'root', message: null, parent: null, children: [] };
  const nodes = said.map(({ id: node, parent, by, text }, at) => ({
    id: node,
    parent,
    children: [],
    message: {
      id: node,
      author: { role: by },
      create_time: 1_700_000_000 + at,
      content: { content_type: 'text', parts: [text] },
      metadata: {},
    },
  }));
  const mapping = Object.fromEntries([root, ...nodes].map((node) => [node.id, node]));
  return { id, conversation_id: id, title, create_time: 1_700_000_000, mapping, current_node: said.at(-1)?.id };
}

const branched = () =>
  chat('c1', 'Tea or coffee', [
    { id: 'q', parent: 'root', by: 'user', text: 'Tea or coffee?' },
    { id: 'a1', parent: 'q', by: 'assistant', text: 'Tea, at this hour.' },
    { id: 'a2', parent: 'q', by: 'assistant', text: 'Coffee, by all means.' },
  ]);

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** The system's dialog cannot be driven: it answers with these. */
async function willChoose({ app }: RunningApp, ...paths: string[]): Promise<void> {
  await app.evaluate(({ dialog }, filePaths) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths });
  }, paths);
}
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Import' });

async function importFile(running: RunningApp, path: string, mode = 'Skip'): Promise<Locator> {
  const { page } = running;
  await willChoose(running, path);
  await page.getByRole('button', { name: /^Workspace / }).click();
  await page.getByRole('menuitem', { name: 'Import conversations…' }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name: 'Choose files…' }).click();
  await dialog.getByRole('radio', { name: mode }).check();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('status')).toBeVisible();
  return dialog;
}

test('I3, I4, T6, X7: a tree comes in with its branches, is gone on with, and a second import skips it', async ({ start }) => {
  const running = await start({ settings: demoSettings() });
  const { page } = running;
  const talk = new TalkPage(page);
  const sidebar = new SidebarPage(page);
  await page.getByRole('button', { name: 'Import conversations…' }).click();
  await expect(dialogOf(page).getByRole('radio', { name: 'Skip' })).toBeChecked();
  await expectAccessible(page, 'import dialog');
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toHaveCount(0);

  const path = write('conversations.json', [branched(), { id: 'empty', title: 'Nothing said', mapping: {} }]);
  const dialog = await importFile(running, path);
  await expect(dialog.getByRole('status')).toHaveText('1 conversation was imported.');
  await expect(dialog.getByText('ChatGPT')).toBeVisible();
  await expect(dialog.getByText(/^1 conversation skipped/)).toBeVisible();
  await expectAccessible(page, 'import report');
  await dialog.getByRole('button', { name: 'Open the first conversation' }).click();
  await expect(dialog).toHaveCount(0);

  await expect(sidebar.conversation('Tea or coffee')).toHaveAttribute('aria-current', 'page');
  await expect(talk.message(1)).toContainText('Coffee, by all means.');
  await expect(talk.message(1)).toContainText('2 / 2');
  await talk.act(1, 'Previous version').click();
  await expect(talk.message(1)).toContainText('Tea, at this hour.');
  await expect(talk.message(1)).toContainText('1 / 2');
  await talk.ask('say And a biscuit.');
  await expect(talk.message(3)).toContainText('And a biscuit.');

  const again = await importFile(running, path);
  await expect(again.getByRole('status')).toHaveText('Nothing new: everything in it was imported before.');
  await again.getByRole('button', { name: 'Close' }).click();
  await expect(sidebar.links).toHaveCount(1);
  await expect(talk.message(3)).toContainText('And a biscuit.');
  expect(readFileSync(path, 'utf8')).toContain('Tea or coffee?');
});

test('I3: an update brings what is new, and a copy stands beside', async ({ start }) => {
  const running = await start({ settings: demoSettings() });
  const sidebar = new SidebarPage(running.page);
  await importFile(running, write('conversations.json', [branched()]));
  await dialogOf(running.page).getByRole('button', { name: 'Open the first conversation' }).click();
  const more = chat('c1', 'Tea or coffee', [
    { id: 'q', parent: 'root', by: 'user', text: 'Tea or coffee?' },
    { id: 'a2', parent: 'q', by: 'assistant', text: 'Coffee, by all means.' },
    { id: 'q2', parent: 'a2', by: 'user', text: 'Then a large one.' },
  ]);
  const newer = write('newer.json', [more]);
  const dialog = await importFile(running, newer, 'Update');
  await expect(dialog.getByRole('status')).toHaveText('1 conversation got new messages.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  // It is open: what is new is seen at once.
  await expect(new TalkPage(running.page).message(2)).toContainText('Then a large one.');
  await importFile(running, newer, 'Copy');
  await dialogOf(running.page).getByRole('button', { name: 'Close' }).click();
  await expect(sidebar.links).toHaveCount(2);
});

test('I4: what cannot be read says what is wrong with it and what to do', async ({ start }) => {
  const running = await start({ settings: demoSettings() });
  const broken = await importFile(running, write('notes.txt', 'These are no conversations.'));
  await expect(broken.getByRole('status')).toHaveText('Nothing was imported.');
  await expect(broken.getByRole('alert')).toContainText('Choose the export as it was downloaded');
  await broken.getByRole('button', { name: 'Import more…' }).click();
  await expect(broken.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  await broken.getByRole('button', { name: 'Close' }).click();
  const whole = JSON.stringify([branched(), chat('c2', 'Cut off', [{ id: 'q', parent: 'root', by: 'user', text: 'x'.repeat(9000) }])]);
  const cut = await importFile(running, write('cut.json', whole.slice(0, -4000)));
  await expect(cut.getByRole('alert')).toContainText('The file ends in the middle.');
  await expect(cut.getByRole('alert')).toContainText('Download the export again');
  await expect(cut.getByRole('status')).toContainText('imported.');
  await expectAccessible(running.page, 'import report with a problem');
});

test('I3, Z1: a page cannot import what nobody chose', async ({ start }) => {
  const running = await start({ settings: demoSettings() });
  const path = write('conversations.json', [branched()]);
  const given = await running.page.evaluate(async (wanted) => {
    const files = (window as unknown as { boughFiles: { give(file: unknown): Promise<string> } }).boughFiles;
    const lying = Object.defineProperty(new File(['x'], 'x.json'), 'path', { value: wanted });
    return Promise.all([files.give({ path: wanted }), files.give(lying)]);
  }, path);
  expect(given).toEqual(['', '']);
});

test('R4: a large import goes on while words are written, and its row leads to the report', async ({ start }) => {
  const running = await start({ settings: demoSettings() });
  const { page } = running;
  const talk = new TalkPage(page);
  const many = Array.from({ length: 4000 }, (_, at) =>
    chat(`m${at}`, `Talk ${at}`, [
      { id: 'q', parent: 'root', by: 'user', text: `Question ${at}` },
      { id: 'a', parent: 'q', by: 'assistant', text: 'words '.repeat(400) },
    ]),
  );
  await willChoose(running, write('many.json', many));
  await page.getByRole('button', { name: 'Import conversations…' }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name: 'Choose files…' }).click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  // Also when it has ended by now: the report is then a click away, too.
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await talk.ask('say Still here.');
  await expect(talk.message(1)).toContainText('Still here.');
  const { box } = talk;
  await box.fill('typed meanwhile');
  await expect(box).toHaveValue('typed meanwhile');
  await expect(page.getByText('Import finished')).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Show report' }).click();
  await expect(dialog.getByRole('status')).toHaveText('4,000 conversations were imported.');
});

test('I3: a file let go over the list of conversations is offered for import, with its real path', async ({ start }) => {
  const running = await start({ settings: demoSettings() });
  const { page } = running;
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', id: 'given' });
    document.body.append(input);
  });
  await page.locator('#given').setInputFiles(write('conversations.json', [branched()]));
  await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('#given');
    const place = document.querySelector('[data-drop="import"]');
    const data = new DataTransfer();
    for (const file of input?.files ?? []) data.items.add(file);
    for (const type of ['dragenter', 'dragover', 'drop'])
      place?.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    input?.remove();
  });
  const dialog = dialogOf(page);
  await expect(dialog.getByText('conversations.json', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText('1 conversation was imported.');
});
