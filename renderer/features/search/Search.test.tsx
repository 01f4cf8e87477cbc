// @vitest-environment happy-dom
// The search over all messages, and the bar that finds words in the open conversation (Q1).
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId } from '../../../shared/model/ids';
import type { SearchPage } from '../../../shared/model/search';
import { App } from '../../App';
import { talkState } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain } from '../../testing/fakeMain';
import { installLayout } from '../../testing/layout';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';

let main: FakeMain;
let otters: ConversationId;
let layout: ReturnType<typeof installLayout>;
const user = userEvent.setup({ delay: null });
const box = () => screen.getByRole('searchbox', { name: 'Search' });
const region = () => screen.getByRole('region', { name: 'Found in messages' });
const hits = () => [...region().querySelectorAll<HTMLElement>('[data-hit]')];
const calls = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);

beforeEach(() => {
  main = createFakeMain();
  layout = installLayout(() => 100);
  otters = addConversation(main, { title: 'Rivers' }).id;
  const question = addMessage(main, { conversationId: otters, role: 'user', text: 'What do otters eat?' });
  addMessage(main, { conversationId: otters, role: 'assistant', text: 'Otters eat fish.', parentId: question.id });
  addMessage(main, { conversationId: otters, role: 'assistant', text: 'Otters eat crabs.', parentId: question.id });
});
afterEach(() => {
  closeWindow();
  resetWindow();
  layout.restore();
});

async function show(open?: ConversationId): Promise<void> {
  await openWindow(main, <App />, open);
}
async function type(text: string): Promise<void> {
  await user.click(box());
  await user.type(box(), text);
  await settle();
}

describe('search', () => {
  it('Q1: while one types, messages are found beside titles, grouped by conversation, with what was found marked', async () => {
    await show();
    await type('otters ea');
    expect(within(region()).getByRole('heading', { name: 'Rivers' })).toBeTruthy();
    expect(hits()).toHaveLength(3);
    expect([...(hits()[0]?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent)).toEqual(['Otters', 'ea']);
    expect(within(region()).getByText('3 messages')).toBeTruthy();
  });

  it('Q1: a hit on another branch says so; choosing it shows its branch there, and it is marked for a moment', async () => {
    await show();
    await type('fish');
    const [hit] = hits();
    expect(hit?.textContent).toContain('on another branch');
    await user.click(hit as HTMLElement);
    await settle();
    expect(talkState().conversationId).toBe(otters);
    const feed = screen.getByRole('feed', { name: 'Messages' });
    const article = within(feed)
      .getByText(/Otters eat fish/)
      .closest('article');
    expect(article?.closest('[data-found]')).not.toBeNull();
    expect(document.activeElement).toBe(article);
    expect(hits()[0]?.textContent).not.toContain('on another branch');
  });

  it('U7, Q1: arrows lead from the box through the hits and back; Enter opens', async () => {
    await show();
    await type('otters');
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(hits()[0]);
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(document.activeElement).toBe(hits()[2]);
    expect(hits().filter((hit) => hit.tabIndex === 0)).toEqual([hits()[2]]);
    await user.keyboard('{Home}{ArrowUp}');
    expect(document.activeElement).toBe(box());
    await user.keyboard('{ArrowDown}{Enter}');
    await settle();
    expect(calls('tree.show')).toHaveLength(1);
  });

  it('Q1: from the last title, Down goes on to the messages', async () => {
    addConversation(main, { title: 'Otters at home' });
    await show();
    await type('otters');
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('Otters at home');
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(hits()[0]);
  });

  it('Q1: chips narrow the search and are cleared together', async () => {
    await show(otters);
    await type('otters');
    await user.click(within(region()).getByRole('button', { name: 'From: Anyone' }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'You' }));
    await settle();
    expect(hits()).toHaveLength(1);
    await user.click(within(region()).getByRole('button', { name: 'This conversation' }));
    await settle();
    expect(calls('search.messages').at(-1)).toMatchObject({ filters: { role: 'user', conversationId: otters } });
    await user.click(within(region()).getByRole('button', { name: 'Clear filters' }));
    await settle();
    expect(hits()).toHaveLength(3);
  });

  it('Q1: best match puts the better ones first, each under its conversation, and says where the ranking ends', async () => {
    const mosses = addConversation(main, { title: 'Mosses' }).id;
    addMessage(main, { conversationId: mosses, role: 'user', text: 'otters, otters, otters' });
    addMessage(main, { conversationId: otters, role: 'user', text: 'otters, otters' });
    await show();
    await type('otters');
    await user.click(screen.getByRole('button', { name: 'Order: Newest first' }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Best match' }));
    await settle();
    expect(calls('search.messages').at(-1)).toMatchObject({ query: 'otters', order: 'best', cursor: null });
    expect(hits()[0]?.textContent).toContain('otters, otters, otters');
    const headings = () => within(region()).getAllByRole('heading');
    expect(headings().map((heading) => heading.textContent)).toEqual(['Mosses', 'Rivers']);
    expect(within(region()).queryByText(/^Not ranked/)).toBeNull();
    const found = (
      await main.bridge.search.messages({ query: 'otters', filters: {}, reasoning: false, order: 'best', cursor: null, limit: 9 })
    ).hits;
    const page: SearchPage = {
      hits: [found[1]!, found[0]!, { ...found[2]!, ranked: false }],
      next: null,
      indexing: null,
    };
    main.answers['search.messages'] = () => page;
    await user.click(screen.getByRole('button', { name: 'Order: Best match' }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Best match' }));
    await settle();
    delete main.answers['search.messages'];
    expect(headings().map((heading) => heading.textContent)).toEqual(['Rivers', 'Mosses', 'Rivers']);
    const text = region().textContent ?? '';
    expect(text.indexOf('Not ranked')).toBeGreaterThan(text.indexOf('Mosses'));
  });

  it('U6, Q1: Mod+Shift+F opens it empty; Escape closes it', async () => {
    await show();
    expect(screen.queryByRole('region', { name: 'Found in messages' })).toBeNull();
    await user.keyboard('{Control>}{Shift>}[KeyF]{/Shift}{/Control}');
    await settle();
    expect(document.activeElement).toBe(box());
    expect(within(region()).getByText('Search all messages')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('region', { name: 'Found in messages' })).toBeNull();
  });

  it('Q1: the newest question wins, and what is on screen stays until it is answered', async () => {
    await show();
    await type('fish');
    let answer: (page: SearchPage) => void = () => undefined;
    main.answers['search.messages'] = () => new Promise<SearchPage>((resolve) => (answer = resolve));
    await type('x');
    const late = answer;
    expect(hits()).toHaveLength(1);
    delete main.answers['search.messages'];
    await user.clear(box());
    await type('crabs');
    late({ hits: [], next: null, indexing: null });
    await settle();
    expect(hits()[0]?.textContent).toContain('crabs');
  });

  it('R4, Q1: a page that found nothing yet is followed by the next; how far the index has come is said; nothing found is said', async () => {
    await show();
    const pages: SearchPage[] = [
      { hits: [], next: 7, indexing: { done: 40, total: 100 } },
      { hits: [], next: null, indexing: { done: 41, total: 100 } },
    ];
    main.answers['search.messages'] = () => pages.shift();
    await type('q');
    expect(calls('search.messages')).toMatchObject([{ cursor: null }, { cursor: 7 }]);
    expect(within(region()).getByText(/Still indexing: 41 %/)).toBeTruthy();
    expect(within(region()).getByText('No message has these words')).toBeTruthy();
  });

  it('R3, Q1: a search that fails says why and can be tried again', async () => {
    await show();
    main.failNext.set('search.messages', makeFailure('databaseBusy', 'busy', { retryable: true }));
    await type('f');
    expect(within(region()).getByRole('alert').textContent).toContain('The search could not be carried out');
    await user.click(within(region()).getByRole('button', { name: 'Try again' }));
    await settle();
    expect(within(region()).queryByRole('alert')).toBeNull();
  });

  it('Z2, Q1: markup in what was found is shown as text', async () => {
    addMessage(main, { conversationId: otters, role: 'user', text: 'evil <img src=x onerror=alert(1)> word' });
    await show();
    await type('evil');
    expect(hits()[0]?.textContent).toContain('<img src=x');
    expect(region().querySelector('img')).toBeNull();
  });
});

describe('find in conversation', () => {
  const bar = () => screen.getByRole('search', { name: 'Find in conversation' });
  const find = async (text: string) => {
    await user.keyboard('{Control>}[KeyF]{/Control}');
    await settle();
    await user.type(within(bar()).getByRole('textbox', { name: 'Find in this conversation' }), text);
    await settle();
  };

  it('Q1, U6: Mod+F counts on the whole path, goes on and round; Escape closes and gives the focus back', async () => {
    addMessage(main, { conversationId: otters, role: 'user', text: 'otter, OTTER and ötter' });
    await show(otters);
    const before = screen.getByRole('textbox', { name: 'Message' });
    before.focus();
    await find('otter');
    expect(bar().textContent).toContain('1 of 5');
    await user.keyboard('{Enter}');
    expect(bar().textContent).toContain('2 of 5');
    await user.keyboard('{Shift>}{Enter}{/Shift}{Shift>}{Enter}{/Shift}');
    expect(bar().textContent).toContain('5 of 5');
    await user.click(within(bar()).getByRole('button', { name: 'Next match' }));
    expect(bar().textContent).toContain('1 of 5');
    await user.keyboard('{Escape}');
    await settle();
    expect(screen.queryByRole('search', { name: 'Find in conversation' })).toBeNull();
    expect(document.activeElement).toBe(before);
  });

  it('Q1: what is not there is said; without a conversation there is nothing to find in', async () => {
    await show(otters);
    await find('zebra');
    expect(bar().textContent).toContain('No matches');
    await user.keyboard('{Escape}{Control>}[KeyN]{/Control}');
    await settle();
    await user.keyboard('{Control>}[KeyF]{/Control}');
    expect(screen.queryByRole('search', { name: 'Find in conversation' })).toBeNull();
  });

  it.each([
    ['find in conversation', '[KeyF]', () => within(bar()).getByRole<HTMLInputElement>('textbox')],
    ['search', '{Shift>}[KeyF]{/Shift}', () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })],
  ])('Q1, U6: %s: what is typed before the next frame stays; the keys again select it all', async (_, keys, field) => {
    await show(otters);
    const frames: FrameRequestCallback[] = [];
    const held = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
    try {
      await user.keyboard(`{Control>}${keys}{/Control}`);
      await user.keyboard('q');
      for (const frame of frames.splice(0)) frame(performance.now());
      await user.keyboard('uail');
      expect(field().value).toBe('quail');
      await user.keyboard(`{Control>}${keys}{/Control}`);
      await user.keyboard('heron');
      expect(field().value).toBe('heron');
    } finally {
      held.mockRestore();
    }
  });
});
