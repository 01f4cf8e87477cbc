// A4, A5, C1, C3: an agent that acts, as a person sees it: its calls as lines, their word on what it may do, and the way back to a checkpoint.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { demoSettings } from './fixtures/runningApp';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

const tools = ['read_file', 'list_files', 'search_files', 'write_file', 'edit_file', 'run_command', 'checkpoint', 'rewind', 'tasks'];
const settings = demoSettings({
  agents: [
    { id: 'assistant', name: 'Assistant', model: 'demo/demo', tools, approval: 'ask' },
    { id: 'second', name: 'Second', model: 'demo/demo', tools, approval: 'ask' },
  ],
});
const approval = (page: Page) => page.getByRole('dialog', { name: 'Approve tool' });
/** The lines of the calls, the newest last. */
const calls = (talk: TalkPage): Locator => talk.feed.locator('summary');

test('A5, X9: twelve steps flow as one answer, each call a line that unfolds to its arguments and its result', async ({ start }) => {
  const { page, folders } = await start({ settings });
  writeFileSync(join(folders.workspace, 'notes.txt'), 'the oak is old\n');
  const talk = new TalkPage(page);
  await talk.ask('run twelve steps');
  // The one head is far above by now.
  await expect(talk.feed.getByRole('heading', { name: 'Assistant', exact: true })).toHaveCount(0);
  expect(await calls(talk).count()).toBeGreaterThan(3);
  await expect(calls(talk).last()).toContainText('Listed');
  await calls(talk).last().click();
  await expect(talk.feed.getByRole('group', { name: 'Result' })).toHaveText('notes.txt');
  await expectAccessible(page, 'a call unfolded');
});

test('A4, A5: a command waits for the user’s word, over a restart, and runs when it is allowed', async ({ start }) => {
  const running = await start({ settings });
  let talk = new TalkPage(running.page);
  await talk.say('run the command: echo the oak is old > made.txt && cat made.txt');
  await expect(approval(running.page)).toContainText('echo the oak is old > made.txt');
  await expectAccessible(running.page, 'an approval');
  await talk.newConversation();
  await talk.ask('hello');
  const { page, folders, ...again } = await running.restart();
  talk = new TalkPage(page);
  const sidebar = new SidebarPage(page);
  // Known from the start, whatever conversation is open.
  await expect(sidebar.list.getByRole('img', { name: 'An agent waits for your word' })).toBeVisible();
  await sidebar.links.last().click();
  await approval(page).getByRole('button', { name: 'Allow once' }).click();
  await talk.settled();
  expect(readFileSync(join(folders.workspace, 'made.txt'), 'utf8')).toBe('the oak is old\n');
  await expect(calls(talk).last()).toContainText('exit code 0');
  await expect(sidebar.list.getByRole('img')).toHaveCount(0);
  again.expectNoProblems();
});

test('A4, A5: a denied edit leaves the file, one allowed for the conversation is made, shown as a difference, and not asked about again', async ({
  start,
}) => {
  const { page, folders } = await start({ settings });
  const file = join(folders.workspace, 'notes.txt');
  writeFileSync(file, 'the oak is old\nthe birch is young\n');
  const talk = new TalkPage(page);
  await talk.say('edit notes.txt "old" to "very old"');
  await expect(approval(page).locator('ins')).toHaveText('+very old');
  await approval(page).getByRole('textbox').fill('not today');
  await approval(page).getByRole('button', { name: 'Deny' }).click();
  await talk.settled();
  await expect(calls(talk).last()).toContainText('denied');
  expect(readFileSync(file, 'utf8')).toContain('is old');

  await talk.say('edit notes.txt "old" to "very old"');
  await approval(page).getByRole('button', { name: 'Allow for this conversation' }).click();
  await talk.settled();
  await calls(talk).last().click();
  await expect(talk.feed.locator('ins').last()).toHaveText('+the oak is very old');
  await expectAccessible(page, 'a difference');
  await talk.ask('edit notes.txt "young" to "very young"');
  expect(readFileSync(file, 'utf8')).toBe('the oak is very old\nthe birch is very young\n');
});

test('A4, U4: Escape leaves an approval before it stops the turn; nothing has run', async ({ start }) => {
  const { page } = await start({ settings });
  const talk = new TalkPage(page);
  await talk.say('run the command: echo oak');
  await approval(page).getByRole('textbox').press('Escape');
  await expect(approval(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(approval(page)).toHaveCount(0);
  await expect(talk.message(-1)).toContainText('Interrupted');
});

test('C1, C3, A1: an agent’s rewind and the user’s own leave a digest; another agent answers in a version of its own', async ({
  start,
}) => {
  const { page, folders } = await start({ settings });
  writeFileSync(join(folders.workspace, 'notes.txt'), 'the oak is old\n');
  const talk = new TalkPage(page);
  await talk.ask('explore then rewind');
  await expect(talk.feed.getByRole('article', { name: 'Digest' })).toContainText('carried back to checkpoint “explore”');
  await talk.act(-1, 'Checkpoint').click();
  await page.getByRole('textbox', { name: 'Label' }).fill('explored');
  await page.getByRole('button', { name: 'Set checkpoint' }).click();
  await expect(page.getByRole('button', { name: 'Named explored' })).toBeVisible();
  await talk.ask('hello');
  await page.getByRole('button', { name: 'Named explored' }).click();
  await page.getByRole('menuitem', { name: 'Rewind to here…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rewind to “explored”' });
  await expectAccessible(page, 'the dialog for a rewind');
  await dialog.getByRole('textbox').fill('It said hello.');
  await dialog.getByRole('button', { name: 'Rewind' }).click();
  await expect(talk.message(-1)).toContainText('It said hello.');
  await expect(talk.message(-1)).toContainText('2 / 2');

  await talk.ask('hello again');
  await talk.act(-1, 'Ask another agent').click();
  await page.getByRole('menuitem', { name: 'Second' }).click();
  await talk.settled();
  await expect(talk.feed.getByRole('article', { name: 'Second' }).first()).toContainText('2 / 2');
});
