// I1, I2, X4: what leaves stands alone where no script runs, says which attachment is lost, and comes back as the same tree.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { dropFiles, png } from './fixtures/files';
import { filesBelow, makeFolders, readDb } from './fixtures/folders';
import { demoSettings, type RunningApp } from './fixtures/runningApp';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-back-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The system's dialogs cannot be driven: they answer with this file. */
async function filesAre({ app }: RunningApp, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);
}

async function exportAs(page: Page, format: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await page.getByRole('button', { name: 'Export…' }).click();
  await dialog.getByRole('radio', { name: 'Whole tree' }).check();
  await dialog.getByRole('radio', { name: format, exact: true }).check();
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByText(/^Saved as/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

async function importFile(page: Page, mode: string): Promise<void> {
  await page.getByRole('button', { name: /^Workspace / }).click();
  await page.getByRole('menuitem', { name: 'Import conversations…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.getByRole('button', { name: 'Choose files…' }).click();
  await dialog.getByRole('radio', { name: mode }).check();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText('1 conversation was imported.');
  await dialog.getByRole('button', { name: 'Open the first conversation' }).click();
  await expect(dialog).toHaveCount(0);
}

for (const format of ['JSON', 'JSON Lines']) {
  test(`I2, T6: ${format} comes back into the workspace it left and into another one, with its branches, picture and transcript`, async ({
    start,
  }) => {
    const folders = makeFolders();
    const running = await start({ folders, settings: demoSettings() });
    const { page } = running;
    const talk = new TalkPage(page);
    await dropFiles(page, { name: 'green.png', type: 'image/png', bytes: png(16, 9) });
    await talk.ask('say One.');
    await talk.act(1, 'Regenerate').click();
    await talk.settled();
    await talk.ask('say Two.');
    const file = join(folder, 'talk');
    await filesAre(running, file);
    await exportAs(page, format);
    await importFile(page, 'Copy');
    await expect(new SidebarPage(page).links).toHaveCount(2);
    await expect(talk.message(3)).toContainText('Two.');
    await expect(talk.message(1)).toContainText('2 / 2');
    await expect(talk.message(0).getByRole('img', { name: 'green.png' })).toBeVisible();
    await running.close();

    const others = makeFolders();
    const other = await start({ folders: others, settings: demoSettings() });
    const there = new TalkPage(other.page);
    await filesAre(other, file);
    await importFile(other.page, 'Skip');
    await expect(there.message(3)).toContainText('Two.');
    await expect(there.message(0).getByRole('img', { name: 'green.png' })).toBeVisible();
    await there.act(1, 'Previous version').click();
    await expect(there.message(1)).toContainText('1 / 2');
    await there.act(1, 'Next version').click();
    await expect(there.message(3)).toContainText('Two.');
    await there.ask('say Three.');
    await expect(there.message(5)).toContainText('Three.');
    expect(readDb(others, 'SELECT count(*) AS steps FROM transcript_steps')).toEqual([{ steps: 4 }]);
    await other.close();
  });
}

test('I1, X4: a page with scripts off is all there, and an attachment that was lost is said on it and in the data', async ({ start }) => {
  const folders = makeFolders();
  const running = await start({ folders, settings: demoSettings() });
  const { page, app } = running;
  const talk = new TalkPage(page);
  await dropFiles(
    page,
    { name: 'kept.png', type: 'image/png', bytes: png(16, 9) },
    { name: 'lost.png', type: 'image/png', bytes: png(9, 16) },
  );
  await talk.ask('say Look at these.');
  const lost = png(9, 16);
  const blobs = filesBelow(join(folders.workspace, '.bough', 'blobs'));
  const gone = blobs.filter((path) => readFileSync(path).equals(lost));
  expect(gone).toHaveLength(1);
  for (const path of gone) rmSync(path);

  const file = join(folder, 'talk.html');
  await filesAre(running, file);
  await exportAs(page, 'HTML');
  const opened = app.waitForEvent('window');
  await app.evaluate(({ BrowserWindow }) => void new BrowserWindow({ show: true }).loadURL('about:blank'));
  const alone = await opened;
  const session = await alone.context().newCDPSession(alone);
  await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  await alone.goto('data:text/html,<title>still</title><script>document.title="ran"</script>');
  await expect(alone).toHaveTitle('still');
  await alone.goto(pathToFileURL(file).href);
  await expect(alone.getByRole('article').first()).toContainText('Look at these.');
  await expect(alone.getByRole('img', { name: 'kept.png' })).toBeVisible();
  await expect(alone.getByText(/lost\.png .*: its content/)).toBeVisible();
  await expect(alone.getByRole('img', { name: 'lost.png' })).toHaveCount(0);
  if (process.env['BOUGH_SHOTS']) await alone.screenshot({ path: join(process.env['BOUGH_SHOTS'], 'export-lost.png') });
  await alone.close();

  const lines = join(folder, 'talk.jsonl');
  await filesAre(running, lines);
  await exportAs(page, 'JSON Lines');
  const found = readFileSync(lines, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; missing?: boolean })
    .filter(({ type }) => type === 'blob');
  expect(found.map(({ missing }) => missing === true).sort()).toEqual([false, true]);
});
