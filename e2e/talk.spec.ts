// U2, U3: what an answer looks like, and that the text being read never jumps.
import { expect } from '@playwright/test';
import { sharedApp, sharedServer, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { gate, waitFor } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatPath, chatStream } from './fixtures/scripts/chat';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;
const server = sharedServer();
const running = sharedApp(() => ({ settings: scriptedSettings(server()) }));
let talk: TalkPage;
test.beforeEach(async () => {
  talk = new TalkPage(running().page);
  await expect(talk.box).toBeVisible();
  if (await talk.feed.isVisible()) await talk.newConversation();
});

const paragraphs = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `Paragraph ${from + index}. ${'Moss grows on the shady side of the stone. '.repeat(4)}\n\n`);
const fromEnd = () => talk.feed.evaluate((feed) => Math.round(feed.scrollHeight - feed.clientHeight - feed.scrollTop));
const scrollTop = () => talk.feed.evaluate((feed) => Math.round(feed.scrollTop));

test('U3: the view follows the stream at the bottom, stops when the person scrolls up, and a button brings it back', async () => {
  const gates = Array.from({ length: 3 }, () => gate());
  server().script(
    chat,
    chatStream([...paragraphs(12), ...paragraphs(6, 13), ...paragraphs(6, 19), 'The end.'], {
      between: (index) => {
        const stop = [11, 17, 23].indexOf(index);
        return stop < 0 ? [] : [waitFor(gates[stop]!.opened)];
      },
    }),
  );
  await talk.say('Write a lot');
  await expect(talk.message(1)).toContainText('Paragraph 12.');
  await expect.poll(fromEnd).toBeLessThanOrEqual(2);
  gates[0]!.open();
  await expect(talk.message(1)).toContainText('Paragraph 18.');
  await expect.poll(fromEnd).toBeLessThanOrEqual(2);

  await talk.feed.hover();
  await talk.page.mouse.wheel(0, -600);
  await expect.poll(fromEnd).toBeGreaterThan(300);
  const toEnd = talk.page.getByRole('button', { name: 'To the end' });
  await expect(toEnd).toBeVisible();
  const before = await scrollTop();
  gates[1]!.open();
  await expect(talk.message(1)).toContainText('Paragraph 24.');
  // More text came below; what is read stands where it stood.
  await expect.poll(fromEnd).toBeGreaterThan(900);
  expect(Math.abs((await scrollTop()) - before)).toBeLessThanOrEqual(1);

  await toEnd.click();
  await expect.poll(fromEnd).toBeLessThanOrEqual(2);
  await expect(toEnd).toHaveCount(0);
  gates[2]!.open();
  await talk.settled();
  await expect(talk.message(1)).toContainText('The end.');
  await expect.poll(fromEnd).toBeLessThanOrEqual(2);
});

const everything = [
  '# A heading\n\nWords with **bold**, *italic*, ~~struck~~ and `inline code`, and [a link](https://example.com/moss).\n\n',
  '- one\n- two\n  - two and a half\n\n1. first\n2. second\n\n- [x] done\n- [ ] open\n\n',
  '> quoted\n\n| name | value |\n|---|---:|\n| fern | 12 |\n| moss | 7 |\n\n',
  '```ts\nconst answer: number = 42;\nconsole.log(answer);\n```\n\n',
  'Inline $a^2+b^2=c^2$ and\n\n$$\\int_0^1 x\\,dx = \\frac12$$\n\n',
  '```mermaid\ngraph TD; A[Root] --> B[Branch]; A --> C[Other]\n```\n\n',
  'שלום עולם and 日本語のテキスト and Привет.\n\nA footnote.[^1]\n\n[^1]: The note.\n',
];

test('U2, U7: every kind of Markdown is drawn: lists, tables, code in colours, formulas, diagrams, footnotes', async () => {
  server().script(chat, chatStream(everything));
  await talk.ask('Show everything');
  const answer = talk.message(1);
  await expect(answer.getByRole('heading', { name: 'A heading' })).toBeVisible();
  await expect(answer.locator('strong')).toHaveText('bold');
  await expect(answer.getByRole('table').getByRole('cell', { name: 'fern' })).toBeVisible();
  await expect(answer.getByRole('checkbox')).toHaveCount(2);
  await expect(
    answer
      .getByRole('group', { name: /^Code/ })
      .or(answer.locator('pre').filter({ hasText: 'const answer' }))
      .first(),
  ).toBeVisible();
  await expect(answer.locator('pre span[class*=hljs]').first()).toBeVisible();
  await expect(answer.locator('.katex').first()).toBeVisible();
  await expect(answer.getByRole('img', { name: /Diagram/ })).toBeVisible({ timeout: 20_000 });
  await expect(answer).toContainText('日本語のテキスト');
  // The words in a diagram grow with the text.
  const { page } = running();
  const drawn = answer.getByRole('img', { name: /Diagram/ });
  const before = await drawn.evaluate((image) => image.getBoundingClientRect().width);
  await page.evaluate(() => document.documentElement.style.setProperty('--text-scale', '1.25'));
  await expect.poll(() => drawn.evaluate((image) => image.getBoundingClientRect().width)).toBeCloseTo(before * 1.25, 0);
  await page.evaluate(() => document.documentElement.style.removeProperty('--text-scale'));
  await expect(answer).toContainText('The note.');
  await expectAccessible(running().page, 'an answer with everything');
});

test('U2, Z1: a link opens outside, in the opener alone, and the window stays', async () => {
  const { app, page } = running();
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url: string) => void opened.push(url);
  });
  server().script(chat, chatStream(['See [the page](https://example.com/a?b=c#d) or write to <mailto:a@example.com>.']));
  await talk.ask('Link please');
  const before = page.url();
  await talk.message(1).getByRole('link', { name: 'the page' }).click();
  await talk
    .message(1)
    .getByRole('link', { name: /a@example/ })
    .click();
  const opened = () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  await expect.poll(opened).toEqual(['https://example.com/a?b=c#d', 'mailto:a@example.com']);
  expect(page.url()).toBe(before);
  expect(app.windows()).toHaveLength(1);
});

test('U2: a message and a block of code are copied as they were written', async () => {
  const { app } = running();
  const clipboard = () => app.evaluate(({ clipboard: system }) => system.readText());
  server().script(chat, chatStream(['Take **this**:\n\n```js\nlet a = 1;\n```\n']));
  await talk.ask('Copy me');
  await talk.act(1, 'Copy').click();
  await expect.poll(clipboard).toBe('Take **this**:\n\n```js\nlet a = 1;\n```\n');
  await talk.message(1).locator('pre').hover();
  await talk.message(1).getByRole('button', { name: 'Copy code' }).click();
  await expect.poll(async () => (await clipboard()).trimEnd()).toBe('let a = 1;');
  await talk.act(0, 'Copy').click();
  await expect.poll(clipboard).toBe('Copy me');
});

test('U2: actions show on hover and on focus, and do not move the text', async () => {
  server().script(chat, chatStream(['Stay where you are.']));
  await talk.ask('Hover over me');
  await talk.box.hover();
  const text = talk.message(0).getByText('Hover over me');
  const before = await text.boundingBox();
  const edit = talk.act(0, 'Edit');
  // A pointer that rests is told of nothing that moves under it: it stays on the text and moves a little.
  let x = 4;
  const shown = async () => {
    x += 1;
    await text.hover({ position: { x, y: 4 } });
    return edit.evaluate((button) => Number(getComputedStyle(button.closest('[role=group]') ?? button).opacity));
  };
  await expect.poll(shown).toBe(1);
  expect(await text.boundingBox()).toEqual(before);
  await talk.box.hover();
  await edit.focus();
  await expect.poll(() => edit.evaluate((button) => Number(getComputedStyle(button.closest('[role=group]') ?? button).opacity))).toBe(1);
  expect(await text.boundingBox()).toEqual(before);
});

test('U7: the start and the end of an answer are told to a screen reader, its text is not', async () => {
  const { opened, open } = gate();
  server().script(chat, chatStream(['Quiet words.', ' And more.'], { between: (index) => (index === 0 ? [waitFor(opened)] : []) }));
  await talk.say('Tell');
  const live = talk.page.locator('[aria-live=polite][aria-atomic=true]').filter({ hasText: 'The answer' });
  await expect(live).toHaveText('The answer has started.');
  await expect(talk.feed).toHaveAttribute('aria-busy', 'true');
  await expect(talk.message(1)).toHaveAttribute('aria-busy', 'true');
  open();
  await talk.settled();
  await expect(live).toHaveText('The answer is complete.');
});

test('U2: a 400-character word and a very wide table stay inside the column', async () => {
  const wide = `| ${Array.from({ length: 30 }, (_, index) => `column ${index}`).join(' | ')} |\n|${'---|'.repeat(30)}\n| ${'value | '.repeat(30)}\n`;
  server().script(chat, chatStream([`${'w'.repeat(400)}\n\n`, wide, '\n```\n', `${'x'.repeat(500)}\n`, '```\n']));
  await talk.ask(`Narrow ${'u'.repeat(400)}`);
  await expect(talk.message(1).getByRole('table')).toBeVisible();
  const overflow = await talk.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await talk.feed.evaluate((feed) => feed.scrollWidth - feed.clientWidth)).toBeLessThanOrEqual(0);
});
