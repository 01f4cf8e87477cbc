// U4: what is being written is never lost, files come in every way, and keys do what they say.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { sharedApp, sharedServer, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { dropFiles, paste, pdf, png } from './fixtures/files';
import { readDb } from './fixtures/folders';
import { demoSettings } from './fixtures/runningApp';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatPath, chatStream } from './fixtures/scripts/chat';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;

test('U4, U6: each conversation keeps its draft, also over a restart', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  const sidebar = new SidebarPage(running.page);
  await talk.ask('say one');
  await talk.write('a draft in the first\nwith two lines');
  await talk.newConversation();
  await expect(talk.box).toHaveValue('');
  await talk.write('a draft of a new one');
  await dropFiles(running.page, { name: 'kept.png', type: 'image/png', bytes: png() });
  await expect(talk.composer.getByRole('img', { name: 'kept.png' })).toBeVisible();
  await sidebar.open('say one');
  await expect(talk.box).toHaveValue('a draft in the first\nwith two lines');
  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.box).toHaveValue('a draft in the first\nwith two lines');
  await after.newConversation();
  await expect(after.box).toHaveValue('a draft of a new one');
  await expect(after.composer.getByRole('img', { name: 'kept.png' })).toBeVisible();
});

test('U1, U4: with large text in a small window, all that waits to be sent leaves the bar of the box in sight', async ({ start }) => {
  const running = await start({ settings: demoSettings({ preferences: { autoTitle: false, textSize: 200 } }) });
  const { page } = running;
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
  const talk = new TalkPage(page);
  await talk.say('count to 500 slowly');
  const queued = talk.composer.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
  for (let at = 1; at <= 5; at++) {
    await talk.box.fill(`Message ${at} that waits`);
    await talk.box.press('Enter');
    await expect(queued).toHaveCount(at);
  }
  await dropFiles(page, { name: 'kept.png', type: 'image/png', bytes: png() });
  await expect(talk.composer.getByRole('img', { name: 'kept.png' })).toBeVisible();
  await talk.box.fill('A line\n'.repeat(40));
  for (const part of [talk.stop, talk.box, queued.first(), page.getByRole('button', { name: /choose who answers next/ })])
    await expect(part).toBeInViewport({ ratio: 0.5 });
  await expect(talk.stop).toBeInViewport({ ratio: 1 });
  await talk.stop.click();
});

test.describe('in one window', () => {
  const server = sharedServer();
  const running = sharedApp(() => ({ settings: scriptedSettings(server()) }));
  let talk: TalkPage;
  test.beforeEach(async () => {
    talk = new TalkPage(running().page);
    await expect(talk.box).toBeVisible();
    if (await talk.feed.isVisible()) await talk.newConversation();
    server().script(chat, chatStream(['Understood.']));
  });
  const lastRequest = async () =>
    server()
      .requests.filter((request) => request.path === chatPath)
      .at(-1)?.body ?? '';

  test('U4: a picture, a text file and a PDF are dropped, shown, sent and reach the model', async () => {
    const { page } = running();
    await dropFiles(
      page,
      { name: 'green.png', type: 'image/png', bytes: png(16, 9) },
      { name: 'notes.md', type: 'text/markdown', bytes: Buffer.from('# Notes\nthe word is quillwort') },
      { name: 'paper.pdf', type: 'application/pdf', bytes: pdf('the other word is sphagnum') },
    );
    const files = talk.composer.getByRole('list', { name: 'Attached files' });
    await expect(files.getByRole('listitem')).toHaveCount(3);
    await expect(files).toContainText('notes.md');
    await expect(files).toContainText('1 page');
    await expectAccessible(page, 'composer with files');
    await talk.ask('Look at these');
    await expect(talk.message(0).getByRole('img', { name: 'green.png' })).toBeVisible();
    await expect(talk.message(0)).toContainText('paper.pdf');
    const body = await lastRequest();
    expect(body).toContain('quillwort');
    expect(body).toContain('sphagnum');
    expect(body).toContain(`data:image/png;base64,${png(16, 9).toString('base64')}`);
    await expect(files).toHaveCount(0);
  });

  test('U4: a file chosen by its path is read where it lies', async () => {
    const { app } = running();
    const folder = mkdtempSync(join(tmpdir(), 'bough-files-'));
    const path = join(folder, 'by path.txt');
    writeFileSync(path, 'the word is marchantia');
    await app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    }, path);
    await talk.composer.getByRole('button', { name: 'Attach' }).click();
    await expect(talk.composer.getByRole('list', { name: 'Attached files' })).toContainText('by path.txt');
    await talk.ask('What is in it');
    expect(await lastRequest()).toContain('marchantia');
    rmSync(folder, { recursive: true });
  });

  test('U4: a pasted picture is attached; an attached file can be removed again', async () => {
    await paste(talk.box, { file: { name: 'image.png', type: 'image/png', bytes: png(4, 4) } });
    await expect(talk.composer.getByRole('img', { name: 'image.png' })).toBeVisible();
    await talk.composer.getByRole('button', { name: 'Remove image.png' }).click();
    await expect(talk.composer.getByRole('img')).toHaveCount(0);
  });

  test('U4: a long paste becomes a file that can become text again; a short one stays text', async () => {
    await paste(talk.box, { text: 'a short one' });
    await expect(talk.box).toHaveValue('a short one');
    await talk.box.fill('');
    const long = 'moss grows. '.repeat(600);
    await paste(talk.box, { text: long });
    await expect(talk.composer.getByRole('list', { name: 'Attached files' })).toContainText('Pasted text.txt');
    await expect(talk.box).toHaveValue('');
    await talk.composer.getByRole('button', { name: 'Paste as text' }).click();
    await expect(talk.box).toHaveValue(long);
    await expect(talk.composer.getByRole('list', { name: 'Attached files' })).toHaveCount(0);
    await talk.box.fill('');
  });

  test('U4, N18: lines by the ten thousand that come at once, as from dictation or a script, do not freeze the box', async () => {
    const lines = 'a line that somebody else wrote\n'.repeat(20_000);
    await talk.box.fill(lines, { timeout: 15_000 });
    await expect(talk.box).toHaveValue(lines);
    await talk.box.fill('');
  });

  test('U4: Enter sends, Shift+Enter starts a new line, Up in an empty box edits the last message', async () => {
    await talk.box.click();
    await talk.page.keyboard.type('line one');
    await talk.page.keyboard.press('Shift+Enter');
    await talk.page.keyboard.type('line two');
    await expect(talk.box).toHaveValue('line one\nline two');
    await talk.page.keyboard.press('Enter');
    await talk.settled();
    await expect(talk.message(0)).toContainText('line two');
    await expect(talk.box).toHaveValue('');
    await talk.box.press('ArrowUp');
    const editor = talk.feed.getByRole('textbox', { name: 'Edit message' });
    await expect(editor).toBeFocused();
    await expect(editor).toHaveValue('line one\nline two');
    await expectAccessible(talk.page, 'editing a message');
    await editor.press('Escape');
    await expect(editor).toHaveCount(0);
  });

  test('U4: Enter that belongs to an input method does not send, and no letter is lost', async () => {
    const before = server().requests.length;
    await talk.box.focus();
    const session = await talk.page.context().newCDPSession(talk.page);
    await session.send('Input.imeSetComposition', { text: 'にほんご', selectionStart: 4, selectionEnd: 4 });
    await talk.box.dispatchEvent('keydown', { key: 'Enter', code: 'Enter', keyCode: 229, which: 229, isComposing: true, bubbles: true });
    await expect(talk.box).toHaveValue('にほんご');
    expect(server().requests).toHaveLength(before);
    await session.send('Input.insertText', { text: '日本語' });
    await expect(talk.box).toHaveValue('日本語');
    await talk.box.press('Enter');
    await talk.settled();
    await expect(talk.message(0)).toContainText('日本語');
    expect(await lastRequest()).toContain('日本語');
  });

  test('U4: the ring tells how full the context is, and its blocks by name', async () => {
    const meter = talk.composer.getByRole('meter', { name: 'Context' });
    await expect(meter).toHaveAttribute('aria-valuemax', '32000');
    await talk.ask(`Remember this: ${'fern '.repeat(800)}`);
    const used = async () => Number(await meter.getAttribute('aria-valuenow'));
    await expect.poll(used).toBeGreaterThan(700);
    await talk.composer.getByRole('button', { name: 'Context' }).click();
    await expect(talk.page.getByRole('heading', { name: 'What the next request holds' })).toBeVisible();
    await expectAccessible(talk.page, 'context blocks');
    await talk.page.keyboard.press('Escape');
    await talk.newConversation();
    await expect.poll(used).toBeLessThan(50);
    await talk.ask('A short one');
    await expect.poll(used).toBeLessThan(100);
  });

  test('A6, U4, T3: what is sent while an answer streams waits for it, and is held when the answer is stopped', async () => {
    server().script(chat, [{ type: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } }, { type: 'hang' }]);
    await talk.say('Hold on');
    await talk.box.fill('the next thought');
    await talk.box.press('Enter');
    const queued = talk.composer.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await expect(queued).toContainText(['After the answer']);
    await expect(queued).toContainText(['the next thought']);
    await expect(talk.box).toHaveValue('');
    await talk.stop.click();
    await expect(queued).toContainText(['Held']);
    const prompts = readDb(running().folders, "SELECT count(*) AS n FROM messages WHERE text = 'the next thought'");
    expect(prompts).toEqual([{ n: 0 }]);
    await queued.getByRole('button', { name: 'Edit' }).click();
    await expect(talk.box).toHaveValue('the next thought');
    await expect(queued).toHaveCount(0);
    await talk.box.fill('');
  });
});
