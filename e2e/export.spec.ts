// I1, I2, R4, Z2: a conversation leaves the window as a file, and the file stands alone.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { makeFolders } from './fixtures/folders';
import { demoSettings, type RunningApp } from './fixtures/runningApp';
import { makeSmallDisk } from './fixtures/smallDisk';
import { TalkPage } from './pages/talk';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-export-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The system's dialog cannot be driven: it answers with this file. */
async function saveTo({ app }: RunningApp, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);
}

async function exportAs(page: Page, format: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Export' });
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Export…' }).click();
  await dialog.getByRole('radio', { name: 'Whole tree' }).check();
  await dialog.getByRole('radio', { name: format, exact: true }).check();
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
}
const saved = (page: Page) => page.getByRole('dialog', { name: 'Export' }).getByText(/^Saved as/);

const hostile =
  'Some plain words that come before it all: <img src=x onerror="window.pwned=1"><script>window.pwned=1</script> **kept** $x^2$';

test('I1, Z2: a page of a tree stands alone: branches fold, hostile markup does nothing, and it prints as PDF', async ({ start }) => {
  const running = await start({ settings: demoSettings() });
  const { page, app } = running;
  const talk = new TalkPage(page);
  await talk.ask(`say ${hostile}`);
  await talk.act(1, 'Regenerate').click();
  await talk.settled();
  await page.getByRole('button', { name: 'Export…' }).click();
  await expect(page.getByRole('dialog', { name: 'Export' }).getByText(/2 messages/)).toBeVisible();
  await expectAccessible(page, 'export dialog');
  const file = join(folder, 'talk.html');
  await saveTo(running, file);
  await exportAs(page, 'HTML');
  await expect(saved(page)).toBeVisible();
  const opened = app.waitForEvent('window');
  await app.evaluate(({ BrowserWindow }, url) => void new BrowserWindow({ show: true }).loadURL(url), pathToFileURL(file).href);
  const alone = await opened;
  await alone.waitForLoadState('load');
  expect(await alone.evaluate(() => [Reflect.get(window, 'pwned'), document.scripts.length, document.images.length])).toEqual([
    undefined,
    0,
    0,
  ]);
  await expect(alone.getByRole('article').first()).toContainText('kept');
  expect(await alone.locator('math').count()).toBeGreaterThan(0);
  const branch = alone.locator('details.branch');
  await expect(branch.getByRole('article')).toBeHidden();
  await alone.locator('summary').filter({ hasText: 'Branch' }).click();
  await expect(branch.getByRole('article')).toBeVisible();
  if (process.env['BOUGH_SHOTS']) await alone.screenshot({ path: join(process.env['BOUGH_SHOTS'], 'export-page.png') });
  await alone.close();
  await saveTo(running, join(folder, 'talk.pdf'));
  await exportAs(page, 'PDF');
  await expect(saved(page)).toContainText('talk.pdf');
  const pdf = readFileSync(join(folder, 'talk.pdf'));
  expect([pdf.subarray(0, 5).toString(), pdf.length > 5000]).toEqual(['%PDF-', true]);
  if (process.env['BOUGH_SHOTS']) await page.screenshot({ path: join(process.env['BOUGH_SHOTS'], 'export-dialog.png') });
  expect(readdirSync(folder).sort()).toEqual(['talk.html', 'talk.pdf']);
});

test('I1, I2: JSON Lines hold everything, over a file that was there', async ({ start }) => {
  const running = await start({ settings: demoSettings() });
  const talk = new TalkPage(running.page);
  await talk.ask('say One.');
  await talk.ask('say Two.');
  const file = join(folder, 'talk.jsonl');
  writeFileSync(file, 'older');
  await saveTo(running, file);
  await exportAs(running.page, 'JSON Lines');
  await expect(saved(running.page)).toBeVisible();
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  const count = (type: string) => lines.filter((line) => line.type === type).length;
  expect([count('message'), count('step'), count('agent')]).toEqual([4, 2, 1]);
  expect(lines.at(-1)).toEqual({ type: 'end', messages: 4 });
});

test('I1, W4: onto a full disk nothing is written, and the file that was there stays', async ({ start }) => {
  const disk = await makeSmallDisk(12);
  try {
    const folders = makeFolders();
    const running = await start({ folders, executablePath: disk.wrapper, settings: demoSettings() });
    const talk = new TalkPage(running.page);
    await talk.ask('say Some words.');
    const here = join(disk.seenFromHere, 'talk.md');
    writeFileSync(here, 'older');
    disk.fill();
    await saveTo(running, join(disk.folder, 'talk.md'));
    await exportAs(running.page, 'Markdown');
    await expect(running.page.getByRole('alert').filter({ hasText: 'no space left for this file' })).toBeVisible();
    expect(readFileSync(here, 'utf8')).toBe('older');
    expect(readdirSync(disk.seenFromHere).sort()).toEqual(['filler', 'talk.md']);
    disk.free();
    await exportAs(running.page, 'Markdown');
    await expect(saved(running.page)).toBeVisible();
    expect(readFileSync(here, 'utf8')).toContain('Some words.');
    expect(existsSync(here)).toBe(true);
    await running.close();
  } finally {
    await disk.remove();
  }
});
