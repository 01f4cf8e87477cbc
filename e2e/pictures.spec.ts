// The pictures of every view, light and dark, in both window sizes and at 200 % text, to be looked at after a visible change; and the
// README's own picture, which is only written when BOUGH_PICTURES=1 says so.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { makeFolders } from './fixtures/folders';
import type { RunningApp } from './fixtures/runningApp';
import { hang, head, send } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatCalls, chatChunk, chatError, chatPath, chatStream, modelList } from './fixtures/scripts/chat';
import { geminiModels } from './fixtures/scripts/gemini';
import { SettingsPage } from './pages/settings';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;
const folder = join(import.meta.dirname, '../test-results/pictures');
const readme = join(import.meta.dirname, '../docs/images/talk.png');
const sizes = [
  [1280, 800],
  [900, 600],
] as const;

/** Each view in both sizes and both themes. */
async function take({ app, page }: RunningApp, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [width, height] of sizes) {
    await resize({ app, page }, width, height);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await settle(page);
      await page.screenshot({ path: join(folder, `${name} ${width} ${theme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await resize({ app, page }, 1280, 800);
}

async function resize({ app, page }: Pick<RunningApp, 'app' | 'page'>, width: number, height: number): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size[0] ?? 0, size[1] ?? 0),
    [width, height],
  );
  await expect.poll(() => page.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([width, height]);
}

/** Whatever fades has ended. */
function settle(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const ending = document.getAnimations().filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    return Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

const mosses = [
  'Three things decide where moss grows: **shade**, **water** and **time**. In short:\n\n',
  '| Kind | Light | Grows in a year |\n|---|---|---:|\n| Sphagnum | open bog | 1–12 cm |\n| Cushion moss | half shade | 2 mm |\n| Star moss | dry, sunny | 5 mm |\n\n',
  'A rough model of a cushion’s height after $t$ years is $h(t) = h_{max}(1 - e^{-kt})$. In code:\n\n',
  '```ts\n/** Height of a cushion in millimetres after some years. */\nexport function heightAfter(years: number, max = 40, rate = 0.12): number {\n  return max * (1 - Math.exp(-rate * years));\n}\n```\n\n',
  'So a stone that faces north is green after **about six years**. Would you like the numbers for your climate?',
];

test('U2, U1, U8: pictures of the talk in its states, in both themes and sizes', async ({ start, server }) => {
  test.setTimeout(180_000);
  const firstRun = await start({ settings: null });
  await expect(firstRun.page.getByRole('heading', { name: 'Welcome to Bough' })).toBeVisible();
  await expect(firstRun.page.getByText('Looking for')).toHaveCount(0, { timeout: 20_000 });
  await take(firstRun, 'first run');
  await firstRun.close();

  const agents = { ...scriptedSettings(server), agents: [{ id: 'gardener', name: 'Gardener', model: 'chat/m1' }] };
  const folders = makeFolders();
  const workspace = join(folders.workspace, 'Garden');
  mkdirSync(workspace);
  server.script('GET /v1/models', modelList('m1', 'm2'));
  server.script('GET /v1beta/models', geminiModels('m3'));
  const running = await start({ folders: { ...folders, workspace }, settings: agents });
  const { page } = running;
  const talk = new TalkPage(page);
  await take(running, 'empty conversation');
  const asked = ['Итоги недели по саду', '苔の庭の手入れについて', 'Plan the north bed', '北面石墙的苔藓', 'Why did the ferns turn brown?'];
  for (const title of asked) {
    server.script(chat, chatStream([`A few words on “${title}”.`]));
    await talk.ask(title);
    await talk.newConversation();
  }
  server.script(chat, chatStream(['Moss likes shade.']), chatStream(mosses));
  await talk.ask('Where does moss grow?');
  await talk.edit(0, 'Where does moss grow, and how fast? Give me a table and something I can compute with.');
  await talk.settled();
  await talk.feed.press('Home');
  await talk.box.focus();
  await take(running, 'code, table, formula, versions');
  if (process.env['BOUGH_PICTURES'] === '1') {
    await talk.message(0).hover();
    await settle(page);
    // The folder of this test's own workspace says nothing to a reader.
    await page.screenshot({ path: readme, style: '[class*=_folder_] { visibility: hidden }' });
  }
  await talk.act(0, 'Edit').click();
  await take(running, 'edit in place');
  await page.keyboard.press('Escape');

  await talk.newConversation();
  server.script(chat, [head(), ...mosses.slice(0, 3).map((content) => send(chatChunk({ content }))), hang()]);
  await talk.say('Tell me about moss');
  await expect(talk.message(1)).toContainText('A rough model');
  await expect(talk.message(1)).not.toContainText('Reading the prompt');
  await take(running, 'streaming');
  await talk.stop.click();
  await expect(talk.message(1)).toContainText('Interrupted');
  await take(running, 'interrupted');

  await talk.newConversation();
  server.script(chat, chatError(404, 'The model `m1` does not exist or you do not have access to it.', { code: 'model_not_found' }));
  await talk.say('Which moss is this?');
  await expect(talk.failed).toBeVisible();
  await take(running, 'failed');

  await talk.newConversation();
  server.script(chat, chatError(429, 'Rate limit reached', {}, { 'retry-after': '240' }));
  await talk.say('Are you there?');
  await expect(talk.message(1)).toContainText('Trying again');
  await take(running, 'retrying');
  await talk.stop.click();

  await talk.newConversation();
  server.script(
    chat,
    chatStream([
      'שלום עולם, זהו משפט מימין לשמאל.\n\n日本語の文章はここにあります。長い文でも折り返されます。\n\n',
      `${'Wort'.repeat(100)}\n\n`,
      '```mermaid\ngraph TD; A[Spore] --> B[Protonema]; B --> C[Gametophyte]; C --> D[Sporophyte]; D --> A\n```\n\n',
      '$$\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}$$\n',
    ]),
  );
  await talk.ask('Show scripts, a long word, a diagram and a formula');
  await expect(talk.message(1).getByRole('img', { name: /Diagram/ })).toBeVisible({ timeout: 20_000 });
  await talk.feed.press('Home');
  await talk.box.focus();
  await take(running, 'scripts, long word, diagram');

  const settings = new SettingsPage(page);
  for (const section of ['General', 'Providers', 'Agents']) {
    await settings.open(section);
    if (section === 'Providers') await expect(settings.dialog.getByText('Looking for')).toHaveCount(0, { timeout: 20_000 });
    await take(running, `settings ${section}`);
  }
  await settings.open('General');
  await settings.choose('Text size', '200 %');
  await take(running, 'settings at 200 %');
  await settings.close();
  await take(running, 'talk at 200 %');
});

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const tasks = (done: number) =>
  call('tasks', {
    tasks: ['Look at what is there', 'Correct the light', 'Check the list'].map((text, at) => ({
      text,
      state: at < done ? 'done' : at === done ? 'doing' : 'open',
    })),
  });

test('A4, A5, A6, C3: pictures of an agent that acts: twelve calls, an approval, a command that waits, a rewind', async ({
  start,
  server,
}) => {
  test.setTimeout(120_000);
  const folders = makeFolders();
  const workspace = join(folders.workspace, 'Garden');
  mkdirSync(join(workspace, 'beds'), { recursive: true });
  writeFileSync(join(workspace, 'beds', 'north.md'), '# North bed\n\nlight: full sun\nsoil: peat\n\n- royal fern\n- haircap moss\n');
  writeFileSync(join(workspace, 'beds', 'pond.md'), '# Pond\n\n- sphagnum\n');
  writeFileSync(join(workspace, 'notes.txt'), 'Ask the neighbour about the shade.\n');
  const running = await start({ folders: { ...folders, workspace }, settings: scriptedSettings(server, { act: true }) });
  const talk = new TalkPage(running.page);
  const moss = (words: string) => chatCalls([call('search_files', { pattern: 'moss' })], [words]);
  server.script(
    chat,
    chatCalls([call('list_files', {}), tasks(0)], ['I look at what is there first.']),
    chatCalls([
      call('read_file', { path: 'beds/north.md' }),
      call('read_file', { path: 'beds/pond.md' }),
      call('read_file', { path: 'beds/south.md' }),
    ]),
    chatCalls(
      [call('search_files', { pattern: 'shade' }), call('list_files', { glob: 'beds/*.md' }), tasks(1)],
      ['The south bed is not here. Where is shade spoken of?'],
    ),
    chatCalls(
      [call('edit_file', { path: 'beds/north.md', oldText: 'light: full sun', newText: 'light: half shade' })],
      ['Haircap moss burns in full sun, so I correct the light.'],
    ),
    chatCalls(
      [
        call('run_command', {
          command: 'grep -rn --include="*.md" -E "^(light|soil): " beds | sort --field-separator=: --key=3 | head -20',
        }),
      ],
      ['Now I check the whole list.'],
    ),
    chatCalls([call('checkpoint', { label: 'light corrected' }), tasks(3)]),
    chatStream(['The north bed now stands in **half shade**, which both plants like. Nothing else had to change.']),
  );
  await talk.say('Check the light of my beds, and correct what is wrong.');
  await expect(talk.approval).toContainText('north.md');
  await talk.box.focus();
  await talk.box.fill('And the pond?');
  await talk.box.press('Enter');
  await take(running, 'approval of an edit');
  await talk.answer('Allow once');
  await expect(talk.approval).toContainText('grep -rn');
  await take(running, 'approval of a command');
  await talk.composer.getByRole('button', { name: 'Remove' }).click();
  await talk.answer('Allow once');
  await talk.settled();
  await talk.box.focus();
  await take(running, 'twelve calls');

  server.script(
    chat,
    moss('Is moss named anywhere else?'),
    chatCalls([
      call('rewind', {
        label: 'light corrected',
        digest: 'Moss is named in `beds/north.md` and nowhere else, so no other bed has to change.',
      }),
    ]),
    chatStream(['Only the north bed has moss.']),
  );
  // The request is back behind the checkpoint before it can be looked for.
  await talk.write('Explore where else moss grows, then go back.');
  await talk.send.click();
  await expect(talk.feed.getByRole('article', { name: 'Digest' })).toBeVisible();
  await talk.box.focus();
  await take(running, 'rewound');
});
