// A2–A5: an agent that acts, as a person sees it: its calls as lines, and their word on what it may do. The files it works on are real.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { sharedApp, sharedServer, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { readDb, stepsIn, transcriptOf } from './fixtures/folders';
import { isRunning } from './fixtures/program';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatCalls, chatPath, chatStream } from './fixtures/scripts/chat';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;
const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const edit = (path: string, oldText: string, newText: string) => call('edit_file', { path, oldText, newText });

test.describe('in one window', () => {
  const server = sharedServer();
  const running = sharedApp(() => ({ settings: scriptedSettings(server(), { agents: ['chat', 'demo'], act: true }) }));
  let talk: TalkPage;
  test.beforeEach(async () => {
    talk = new TalkPage(running().page);
    await expect(talk.box).toBeVisible();
    if (await talk.feed.isVisible()) await talk.newConversation();
  });
  const file = (name: string) => join(running().folders.workspace, name);
  const lastBody = () =>
    server()
      .requests.filter(({ path }) => path === chatPath)
      .at(-1)?.body ?? '';

  test('A2, A5, X2: twelve steps flow as one answer with twelve lines; one unfolds by keyboard to its arguments and its result', async () => {
    const { page, folders } = running();
    writeFileSync(file('notes.txt'), 'the oak is old\n');
    await talk.ask('@Demo agent run twelve steps');
    await expect(talk.calls.last()).toContainText('Listed');
    await talk.feed.press('Home');
    // Every step is an article, and only the first of them has a head.
    await expect(talk.feed.getByRole('heading', { name: 'Demo agent', exact: true })).toHaveCount(1);
    await talk.calls.first().press('Enter');
    await expect(talk.feed.getByRole('term')).toHaveText('limit');
    const result = talk.feed.getByRole('group', { name: 'Result' });
    const steps = stepsIn(transcriptOf(folders, '@Demo agent run twelve steps', 'demo'));
    await expect(result).toHaveText(steps[0]?.results[0]?.content ?? 'no result');
    await expectAccessible(page, 'a call unfolded');
    await talk.calls.first().press('Enter');
    await expect(result).toHaveCount(0);
    const lines = new Set<string>();
    await expect
      .poll(async () => {
        for (const line of await talk.feed.getByText(/^Step \d+ of 12\.$/).allTextContents()) lines.add(line);
        await talk.feed.press('PageDown');
        return lines.size;
      })
      .toBe(12);
    const stored = readDb(folders, "SELECT parts FROM messages WHERE role = 'assistant' AND agent_id = 'demo' ORDER BY seq");
    expect(stored.map(({ parts }) => String(parts).split('"toolCall"').length - 1)).toEqual([...Array(12).fill(1), 0]);
    expect(steps.map(({ results }) => results.length)).toEqual([...Array(12).fill(1), 0]);
  });

  test('A4, A5: an edit asks with its path and its difference, once, for the conversation, or not at all; words of a denial reach the model', async () => {
    const { page } = running();
    for (const name of ['oak.txt', 'birch.txt']) writeFileSync(file(name), 'it is old\n');
    const read = (name: string) => readFileSync(file(name), 'utf8');
    server().script(
      chat,
      chatCalls([edit('oak.txt', 'is old', 'is very old')], ['I change the oak.']),
      chatCalls([edit('oak.txt', 'very old', 'most old')]),
      chatCalls([edit('oak.txt', 'most old', 'oldest')]),
      chatCalls([edit('birch.txt', 'is old', 'is young')]),
      chatStream(['The birch stays.']),
    );
    await talk.say('Age the trees');
    await expect(talk.approval).toContainText(file('oak.txt'));
    await expect(talk.approval.locator('del')).toHaveText('-it is old');
    await expect(talk.approval.locator('ins')).toHaveText('+it is very old');
    expect(read('oak.txt')).toBe('it is old\n');
    await expectAccessible(page, 'an approval of an edit');
    await talk.answer('Allow once');
    await expect(talk.approval.locator('ins')).toHaveText('+it is most old');
    expect(read('oak.txt')).toBe('it is very old\n');
    await talk.answer('Allow for this conversation');
    // The same path is not asked about again, another one is.
    await expect(talk.approval).toContainText(file('birch.txt'));
    expect(read('oak.txt')).toBe('it is oldest\n');
    await talk.answer('Deny', 'Leave the birch alone');
    await talk.settled();
    expect(lastBody()).toContain('Leave the birch alone');
    expect(read('birch.txt')).toBe('it is old\n');
    await expect(talk.calls.last()).toContainText('denied');
    await talk.calls.nth(0).click();
    await expect(talk.feed.locator('ins').first()).toHaveText('+it is very old');
  });

  test('A4, U4: Escape leaves an approval before it stops the turn; nothing has run', async () => {
    server().script(chat, chatCalls([call('run_command', { command: 'touch escaped.txt' })]));
    await talk.say('Touch a file');
    await talk.approval.getByRole('textbox').press('Escape');
    await expect(talk.approval).toBeVisible();
    await talk.page.keyboard.press('Escape');
    await expect(talk.approval).toHaveCount(0);
    await expect(talk.message(-1)).toContainText('Interrupted');
    expect(existsSync(file('escaped.txt'))).toBe(false);
  });

  test('A5, X9: Stop ends a running command with its children; what was done stays, and Continue goes on', async () => {
    const command = 'echo $$ > pids.txt; sleep 600 & echo $! >> pids.txt; echo begun; wait';
    server().script(
      chat,
      chatCalls([call('list_files', {})], ['First a look.']),
      chatCalls([call('run_command', { command })], ['Now the long one.']),
      chatStream(['I go on without it.']),
    );
    await talk.say('Run something long');
    await talk.answer('Allow once');
    const pids = () => (existsSync(file('pids.txt')) ? readFileSync(file('pids.txt'), 'utf8').split('\n').slice(0, -1).map(Number) : []);
    await expect.poll(pids).toHaveLength(2);
    expect(pids().map(isRunning)).toEqual([true, true]);
    await talk.stop.click();
    await expect(talk.message(-1)).toContainText('Interrupted');
    expect(pids().map(isRunning)).toEqual([false, false]);
    await expect(talk.feed).toContainText('First a look.');
    await expect(talk.message(-1)).toContainText('Now the long one.');
    await expect(talk.calls.first()).toContainText('Listed');
    await expect(talk.calls.last()).toContainText('it may have run');
    await talk.act(-1, 'Continue').click();
    await expect(talk.message(-1)).toContainText('I go on without it.');
    // The model reads how it ended, and what it had printed by then.
    expect(lastBody()).toContain(JSON.stringify('begun\n[stopped]'));
    const turns = readDb(
      running().folders,
      "SELECT DISTINCT turn_id FROM messages WHERE conversation_id = (SELECT id FROM conversations WHERE title = 'Run something long')",
    );
    expect(turns).toHaveLength(1);
  });

  test('A3, A4: a link that leads outside is asked about by its real path; .bough is off limits and nobody is asked', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'bough-outside-'));
    writeFileSync(join(outside, 'secret.txt'), 'the word is hornwort\n');
    symlinkSync(outside, file('shortcut'));
    server().script(
      chat,
      chatCalls([call('read_file', { path: 'shortcut/secret.txt' })]),
      chatCalls([call('read_file', { path: '.bough/bough.db' })]),
      chatStream(['Only one of them.']),
    );
    await talk.say('Read both');
    await expect(talk.approval).toContainText('wants to read a file');
    await expect(talk.approval).toContainText(join(outside, 'secret.txt'));
    await expect(talk.approval).toContainText('Outside the workspace');
    await expectAccessible(talk.page, 'an approval of a path outside');
    await talk.answer('Allow once');
    await talk.settled();
    await expect(talk.calls.last()).toContainText('off limits');
    expect(lastBody()).toContain('hornwort');
    expect(lastBody()).toContain('off limits');
    rmSync(outside, { recursive: true });
    rmSync(file('shortcut'));
  });
});

test('A4, X9, R2: an approval outlives kill -9: it is there again in its conversation, and allowing it runs the tool and ends the turn', async ({
  start,
  server,
}) => {
  // Two starts: a busy machine takes its time.
  test.slow();
  server.script(
    chat,
    chatStream(['A quiet answer.']),
    chatCalls([call('write_file', { path: 'made/here.txt', content: 'the oak is old\n' })], ['I write it down.']),
    chatStream(['It is written.']),
  );
  const first = await start({ settings: scriptedSettings(server, { act: true }) });
  const { workspace } = first.folders;
  mkdirSync(join(workspace, 'made'));
  let talk = new TalkPage(first.page);
  await talk.ask('Quiet please');
  await talk.newConversation();
  await talk.say('Write it down');
  await expect(talk.approval).toContainText('the oak is old');
  await new SidebarPage(first.page).open('Quiet please');
  await expect(talk.approval).toHaveCount(0);
  await first.kill9();
  expect(existsSync(join(workspace, 'made', 'here.txt'))).toBe(false);

  const { page, folders } = await first.restart();
  talk = new TalkPage(page);
  const sidebar = new SidebarPage(page);
  // Known from the start, whatever conversation is open.
  await expect(sidebar.list.getByRole('img', { name: 'An agent waits for your decision' })).toHaveCount(1);
  await sidebar.open('Quiet please');
  await expect(talk.message(1)).toContainText('A quiet answer.');
  await expect(talk.approval).toHaveCount(0);
  await sidebar.open('Write it down');
  await expect(talk.message(1)).toContainText('I write it down.');
  await talk.answer('Allow once');
  await expect(talk.message(-1)).toContainText('It is written.');
  await talk.settled();
  expect(readFileSync(join(workspace, 'made', 'here.txt'), 'utf8')).toBe('the oak is old\n');
  expect(server.requests.filter(({ path }) => path === chatPath)).toHaveLength(3);
  expect(readDb(folders, 'SELECT count(*) AS n FROM live_steps')).toEqual([{ n: 0 }]);
  await expect(sidebar.list.getByRole('img')).toHaveCount(0);
  expect(stepsIn(transcriptOf(folders, 'Write it down', 'chat'))).toHaveLength(2);
});
