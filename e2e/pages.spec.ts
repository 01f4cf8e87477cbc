// Pages over a server that enforces its window and reads what it is sent: after a refusal, by hand, and where the model does not see (L16, S, K1, L19).
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import type { Recorded, ScriptedServer } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatError, chatPath, chatStream } from './fixtures/scripts/chat';
import { pagesIn, picturesIn, tokensIn, wordsIn } from './fixtures/sentPages';
import { TalkPage } from './pages/talk';

const isForCard = ({ body }: Pick<Recorded, 'body'>) => body.includes('You keep the state card');

/** What it said, and the requests for answers. `enforced`: tokens. */
function talking(server: ScriptedServer, { enforced, lines }: { enforced: number; lines: number }) {
  const said: string[] = [];
  server.script(`POST ${chatPath}`, (request) => {
    if (isForCard(request)) return chatStream(['## Task\nGo on.\n\n## User directives\n- "None"\n\n## Next step\nGo on.']);
    const tokens = tokensIn(request);
    if (tokens > enforced)
      return chatError(
        400,
        `This model's maximum context length is ${enforced} tokens. However, your messages resulted in ${tokens} tokens.`,
      );
    const nth = said.length + 1;
    const answer = Array.from({ length: lines }, (_, at) => `Line ${at} of answer ${nth}: OAK-${nth * 1000 + at} stands behind the door.`);
    said.push(answer.join('\n'));
    return chatStream([answer.join('\n')]);
  });
  return { said, asked: () => server.requests.filter((request) => request.path === chatPath && !isForCard(request)) };
}

/** Of the first agent; the second one is not known to see. */
function settingsFor(server: ScriptedServer, model: Record<string, unknown>, compaction: Record<string, unknown> = {}) {
  const base = scriptedSettings(server, { agents: ['chat', 'reviewer'] });
  return {
    ...base,
    providers: base.providers.map((provider) =>
      provider.id === 'chat'
        ? {
            ...provider,
            models: [
              { id: 'gpt-4o', vision: true, maxOutput: 1000, ...model },
              { id: 'blind', maxOutput: 1000, contextWindow: 128_000 },
            ],
          }
        : provider,
    ),
    agents: base.agents.map((agent) => ({ ...agent, model: agent.id === 'chat' ? 'chat/gpt-4o' : 'chat/blind' })),
    compaction,
  };
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
/** Word for word and in this order. */
function expectTold(request: Recorded, texts: readonly string[]): void {
  const words = wordsIn(request);
  let at = 0;
  for (const text of texts.map(plain)) {
    const found = words.indexOf(text, at);
    expect(found, text.slice(0, 60)).toBeGreaterThanOrEqual(at);
    at = found + text.length;
  }
}
/** Line by line; where there were too many pages, one piece between them is not there, and its size is told (S4). */
function expectAllButAGap(request: Recorded, prompts: readonly string[], said: readonly string[]): void {
  const words = wordsIn(request);
  const lines = prompts.flatMap((prompt, at) => [prompt, ...(said[at] ?? '').split('\n')]).filter((line) => line !== '');
  const gone = lines.flatMap((line, at) => (words.includes(plain(line)) ? [] : [at]));
  expectTold(
    request,
    lines.filter((_, at) => !gone.includes(at)),
  );
  expect(gone).toEqual(gone.map((_, at) => (gone[0] ?? 0) + at));
  const characters = gone.reduce((sum, at) => sum + (lines[at]?.length ?? 0) + 1, 0);
  const told = Number(/(\d+) characters are missing/.exec(words)?.[1] ?? 0);
  expect(Math.abs(told - characters)).toBeLessThan(200);
  expect(characters).toBeLessThan(0.5 * lines.join('\n').length);
}
const region = (page: Page) => page.getByRole('region', { name: 'What the agent remembers' });
const divider = (page: Page) => page.getByRole('group', { name: /remembers this as/ });

test('L16, S1, S2, S7, L20, L19: refused as too large, the turn goes on with pages that say what was said; they are seen in the talk and in the panel', async ({
  start,
  server,
}) => {
  test.setTimeout(120_000);
  const { said, asked } = talking(server, { enforced: 40_000, lines: 220 });
  const running = await start({
    settings: settingsFor(server, {}, { threshold: null, requestThreshold: null, retainedTokens: 4000, retainedEnough: 500 }),
  });
  const { page } = running;
  const talk = new TalkPage(page);
  const prompts = ['Never delete CEDAR-1. Begin.'];
  await talk.ask(prompts[0] ?? '');
  while (!asked().some(picturesIn)) {
    expect(prompts.length, 'turns without a refusal').toBeLessThan(30);
    prompts.push(`Turn ${prompts.length} asks about ELM-${prompts.length}.`);
    await talk.ask(prompts.at(-1) ?? '');
  }
  await expect(talk.failed).toHaveCount(0);
  expect(server.requests.filter(isForCard)).toEqual([]);
  const [refused, recovered] = asked().slice(-2) as [Recorded, Recorded];
  expect([picturesIn(refused), tokensIn(refused) > 40_000, tokensIn(recovered) <= 40_000]).toEqual([0, true, true]);
  const pages = pagesIn(recovered);
  expect(pages.length).toBeGreaterThan(1);
  for (const { width, height } of pages) expect([width, height <= 2048]).toEqual([768, true]);
  expectAllButAGap(recovered, prompts, said.slice(0, -1));
  // What is on the pages alone came through pixels.
  expect(pages.some(({ text }) => text.includes('OAK-1100 stands behind the door.'))).toBe(true);

  await talk.feed.press('End');
  await expect
    .poll(async () => {
      if ((await divider(page).count()) > 0) return true;
      await talk.feed.press('PageUp');
      return false;
    })
    .toBe(true);
  await expect(divider(page)).toHaveAttribute('aria-label', new RegExp(`as ${pages.length} pages`));
  await page.keyboard.press('Control+Shift+KeyB');
  await page.getByRole('tab', { name: 'Memory' }).click();
  await expect(region(page)).toContainText(`${pages.length} pages`);
  await expect(region(page).getByRole('article', { name: /After the provider refused the request: made pages/ })).toBeVisible();
  await expectAccessible(page, 'pages in the memory');

  // The same pages again, also after a restart.
  const next = await running.restart();
  const again = new TalkPage(next.page);
  await expect(again.box).toBeVisible();
  await again.ask('What now?');
  const pictures = (request: Recorded) => request.body.match(/data:image\/png;base64,[\w+/=]+/g);
  expect(pictures(asked().at(-1) as Recorded)).toEqual(pictures(recovered));
  await expect(again.failed).toHaveCount(0);
});

test('K1, K2, L19, S10, S11: by hand pages are made while one types, refuse words and a model that does not see, and are undone', async ({
  start,
  server,
}) => {
  test.setTimeout(120_000);
  const { said, asked } = talking(server, { enforced: 128_000, lines: 400 });
  const { page } = await start({
    settings: settingsFor(server, { contextWindow: 128_000 }, { retainedTokens: 2000, retainedEnough: 500 }),
  });
  const talk = new TalkPage(page);
  const strip = () => talk.composer.getByRole('status');
  const run = async (line: string) => {
    await talk.box.fill(line);
    await expect(talk.box).toBeFocused();
    await talk.box.press('Enter');
  };
  const prompts = Array.from({ length: 9 }, (_, at) => `Turn ${at} asks about ELM-${at}.`);
  await expect(talk.box).toBeVisible();
  for (const prompt of prompts) await talk.ask(prompt);
  const before = asked().at(-1) as Recorded;

  await run('/compact snapshot the parser');
  await expect(talk.composer.getByRole('alert')).toContainText('Only a summary is guided by words');
  await expect(talk.box).toHaveValue('/compact snapshot the parser');

  await run('/compact snapshot');
  await talk.box.pressSequentially('typed meanwhile');
  await expect(strip().filter({ hasText: /Compacted: [\d,]+ → [\d,]+ tokens/ })).toBeVisible();
  await expect(talk.box).toHaveValue('typed meanwhile');
  await talk.ask('And with pages?');
  const paged = asked().at(-1) as Recorded;
  expect(pagesIn(paged).length).toBeGreaterThan(1);
  expectTold(
    paged,
    prompts.flatMap((prompt, at) => [prompt, said[at] ?? '']),
  );
  expect(tokensIn(paged)).toBeLessThan(tokensIn(before));

  await run('/undo-compact');
  await expect(strip()).toContainText(/Undone: \d+ messages are sent in full again/);
  await talk.ask('And in full?');
  const full = asked().at(-1) as Recorded;
  expect(picturesIn(full)).toBe(0);
  expectTold(full, [...prompts.flatMap((prompt, at) => [prompt, said[at] ?? '']), 'And with pages?', 'And in full?']);

  await run('/agent Reviewer');
  await expect(strip()).toContainText('Reviewer answers next.');
  await run('/compact snapshot');
  await expect(strip()).toContainText('the model sees no images');
  await expectAccessible(page, 'no pages for a model that does not see');
  await talk.ask('And you?');
  expect(picturesIn(asked().at(-1) as Recorded)).toBe(0);
  expect(JSON.parse(asked().at(-1)?.body ?? '{}').model).toBe('blind');
});
