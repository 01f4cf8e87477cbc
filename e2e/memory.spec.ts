// What an agent remembers, as a person sees it: passes at their lines over a server that enforces its window, the card in the panel, and what is
// done with it (L6, L16, L17, L19, L20, M7).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { gate, type Recorded, type ScriptedServer, type Step, waitFor } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatCalls, chatError, chatPath, chatStream } from './fixtures/scripts/chat';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

const card = [
  '## Task',
  'Answer in long words and keep the password.',
  '',
  '## User directives',
  '> Keep the password PX-77.',
  '',
  '## Decisions',
  '- The port is 4711, because 80 was taken',
  '',
  '## Next step',
  'Go on with the next turn.',
].join('\n');

type Setup = { window: number | null; enforced: number; tools?: string[]; compaction?: Record<string, unknown>; ofCard?: () => Step[] };

/** Settings with one agent and a small window, and a server that refuses what is longer. */
function small(server: ScriptedServer, { window, enforced, tools = [], compaction = {}, ofCard }: Setup, answer: (nth: number) => Step[]) {
  const base = scriptedSettings(server);
  let nth = 0;
  server.script(`POST ${chatPath}`, ({ body }: Recorded) => {
    if (body.includes('You keep the state card')) return ofCard ? ofCard() : chatStream([card]);
    const tokens = Math.round(body.length / 5);
    if (tokens <= enforced) return answer(++nth);
    return chatError(400, `This model's maximum context length is ${enforced} tokens. However, you requested ${tokens} tokens.`);
  });
  return {
    ...base,
    providers: base.providers.map((provider) =>
      provider.id === 'chat'
        ? { ...provider, models: [{ id: 'm1', maxOutput: 500, ...(window ? { contextWindow: window } : {}) }] }
        : provider,
    ),
    agents: base.agents.map((agent) => ({ ...agent, tools, approval: 'auto-edit' })),
    compaction,
  };
}

const long = (nth: number, words = 1100) => `Answer ${nth}. ${`oak${nth} `.repeat(words)}`;
const tab = (page: Page) => page.getByRole('tab', { name: 'Memory' });
const region = (page: Page) => page.getByRole('region', { name: 'What the agent remembers' });
const divider = (page: Page) => page.getByRole('group', { name: /remembers this as/ });
const saved = (page: Page) => page.getByText(/^Room was made in the context: [\d,]+ → [\d,]+ tokens \(saved [\d,]+\)\.$/);

async function openMemory(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+KeyB');
  await tab(page).click();
  await expect(region(page)).toBeVisible();
}

/** Pages from the end upwards: only what is near the view is in the page. */
async function toDivider(talk: TalkPage): Promise<void> {
  await talk.feed.press('End');
  await expect
    .poll(async () => {
      if ((await divider(talk.page).count()) > 0) return true;
      await talk.feed.press('PageUp');
      return false;
    })
    .toBe(true);
}

test('L6, L17, L20, M7, L19: a pass before a turn is seen; the card is read, changed, undone and redone, also after a restart', async ({
  start,
  server,
}) => {
  test.setTimeout(120_000);
  // What stays verbatim is little, so that no second pass comes between the steps of this test.
  const room = { window: 16_000, enforced: 16_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } };
  const running = await start({ settings: small(server, room, (nth) => chatStream([long(nth)])) });
  let { page } = running;
  let talk = new TalkPage(page);
  await talk.ask('Keep the password PX-77.');
  await talk.ask('The port is 4711.');
  for (let turn = 3; (await saved(page).count()) === 0; turn++) {
    expect(turn, 'turns without a pass').toBeLessThan(20);
    await talk.ask(`Turn ${turn}`);
  }
  // Nothing is hidden: the first message is still there.
  await talk.feed.press('Home');
  await expect(talk.prompts.first()).toContainText('PX-77');
  await toDivider(talk);
  await expect(divider(page)).toContainText('identifiers kept');
  await divider(page).getByRole('button').first().click();
  await expect(divider(page)).toContainText('because 80 was taken');
  await divider(page).getByRole('button', { name: 'Show in Memory' }).click();
  await expect(region(page)).toContainText('by m1');
  await expect(region(page)).toContainText('because 80 was taken');
  await expect(region(page).getByRole('article', { name: 'Before a turn: made a card' }).first()).toContainText('messages folded');
  await expectAccessible(page, 'memory');

  // A folded message is found, and opens where it stands.
  await page.keyboard.press('Control+Shift+F');
  const { search } = new SidebarPage(page);
  await expect(search).toBeFocused();
  await search.fill('port 4711');
  const hit = page.getByRole('region', { name: 'Found in messages' }).locator('[data-hit]').filter({ hasText: 'The port is 4711.' });
  await expect(hit).toHaveCount(1);
  await expect(hit).not.toContainText('on another branch');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(talk.prompts.filter({ hasText: 'The port is 4711.' }).first()).toBeInViewport();
  await search.fill('');

  // A line leads to what was said.
  await talk.feed.press('End');
  await region(page)
    .getByRole('button', { name: /Find the messages behind “The port is 4711/ })
    .press('Enter');
  await expect(talk.prompts.filter({ hasText: 'The port is 4711.' }).first()).toBeInViewport();

  await region(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const box = region(page).getByRole('textbox', { name: 'Card' });
  await expect(box).toBeFocused();
  await box.fill('## Task\nThe hand-made card');
  await expectAccessible(page, 'memory, editing');
  await region(page).getByRole('button', { name: 'Save' }).click();
  await expect(region(page)).toContainText('by hand');
  await toDivider(talk);
  await expect(divider(page)).toHaveAttribute('aria-label', /changed by hand/);
  await talk.ask('What now?');
  expect(server.requests.at(-1)?.body).toContain('The hand-made card');

  await region(page).getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(region(page)).toContainText('because 80 was taken');
  const next = await running.restart();
  ({ page } = next);
  talk = new TalkPage(page);
  await toDivider(talk);
  await expect(divider(page)).toHaveAttribute('aria-label', /as a card$/);
  await expect(region(page)).toContainText('because 80 was taken');
  await expect(region(page).getByText('undone', { exact: true })).toBeVisible();
  await region(page).getByRole('button', { name: 'Redo: By hand: card changed' }).click();
  await expect(region(page)).toContainText('The hand-made card');
  await expect(region(page)).not.toContainText('because 80 was taken');
});

test('L6, X2: between two steps room is made, and the run goes on by itself in one answer', async ({ start, server }) => {
  test.setTimeout(120_000);
  const reads = 16;
  const settings = small(server, { window: 16_000, enforced: 16_000, tools: ['read_file'] }, (nth) =>
    nth <= reads
      ? chatCalls(
          [{ id: `call_${nth}`, name: 'read_file', arguments: JSON.stringify({ path: `f${nth}.txt` }) }],
          [`Now ${nth}. ${'ash '.repeat(700)}`],
        )
      : chatStream(['Read them all.']),
  );
  const { page, folders } = await start({ settings });
  for (let at = 1; at <= reads; at++) writeFileSync(join(folders.workspace, `f${at}.txt`), `line${at} `.repeat(900));
  const talk = new TalkPage(page);
  // The prompt soon leaves the page, above answers that are taller than the window.
  await talk.write('Read all files');
  await talk.send.click();
  await expect(saved(page).first()).toBeVisible({ timeout: 40_000 });
  await expect(talk.feed.getByText('Read them all.')).toBeVisible({ timeout: 60_000 });
  await talk.settled();
  await expect(talk.failed).toHaveCount(0);
  await openMemory(page);
  await expect(
    region(page)
      .getByRole('article', { name: /^Between two steps: / })
      .first(),
  ).toBeVisible();
});

test('L16, R4: refused as too large, the turn recovers; while it makes room the window says so, typing goes on, and Stop lets the turn go on without', async ({
  start,
  server,
}) => {
  test.setTimeout(120_000);
  const held = gate();
  const settings = small(server, { window: null, enforced: 6000, ofCard: () => [waitFor(held.opened), ...chatStream([card])] }, (nth) =>
    chatStream([long(nth)]),
  );
  const { page } = await start({ settings });
  const talk = new TalkPage(page);
  const room = page.getByText('Making room in the context: summarizing…').first();
  await talk.ask('Keep the password PX-77.');
  for (let turn = 2; ; turn++) {
    expect(turn, 'turns without a refusal').toBeLessThan(10);
    await talk.say(`Turn ${turn}`);
    await expect(room.or(talk.send)).toBeVisible();
    if (await room.isVisible()) break;
    await talk.settled();
  }
  await expect(page.getByRole('button', { name: 'Stop making room' })).toBeVisible();
  await expectAccessible(page, 'making room');
  await talk.write('typed meanwhile');
  await expect(room).toBeVisible();
  held.open();
  await expect(room).toHaveCount(0);
  await expect(saved(page).first()).toBeVisible();
  await expect(talk.failed).toHaveCount(0);
  await expect(talk.box).toHaveValue('typed meanwhile');
});

test('L14: a first request larger than the window is not sent; its parts are told, and what helps is offered', async ({
  start,
  server,
}) => {
  const { page } = await start({ settings: small(server, { window: 4000, enforced: 4000 }, () => chatStream(['ok'])) });
  const talk = new TalkPage(page);
  await talk.say('birch '.repeat(6000));
  await expect(talk.failed.getByRole('table', { name: 'What the request is made of' })).toContainText('First request');
  for (const name of ['Compact now', 'Change model', 'Retry']) await expect(talk.failed.getByRole('button', { name })).toBeVisible();
  expect(server.requests.filter(({ path }) => path === chatPath)).toEqual([]);
  await talk.failed.getByRole('button', { name: 'Compact now' }).click();
  await expect(talk.failed.getByText('There is nothing to fold.')).toBeVisible();
  await expectAccessible(page, 'a request that cannot fit');
});
