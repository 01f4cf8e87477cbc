// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { goToTurn } from '../../state/outlineSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, finishStep, startStep, streamText } from '../../testing/fakeMain';
import { installLayout } from '../../testing/layout';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Talk } from './Talk';

let main: FakeMain;
let conversationId: ConversationId;
let layout: ReturnType<typeof installLayout>;
let heights: Map<string, number>;

const feed = () => screen.getByRole('feed', { name: 'Messages' });
const rowOf = (id: string) => feed().querySelector<HTMLElement>(`[data-key="${id}"]`);
const articles = () => within(feed()).getAllByRole('article');
const y = (id: string) => Number.parseFloat(rowOf(id)?.style.top ?? 'NaN') - feed().scrollTop;
const atEnd = () => feed().scrollTop === feed().scrollHeight - feed().clientHeight;
const scrollTo = async (top: number) => {
  feed().scrollTop = top;
  fireEvent.scroll(feed());
  await settle();
};
async function grow(id: string, height: number) {
  heights.set(id, height);
  const row = rowOf(id);
  if (row) act(() => layout.resized(row));
  await settle();
}
const say = (role: 'user' | 'assistant', text: string, more: { parentId?: MessageId | null } = {}) =>
  addMessage(main, { conversationId, role, text, ...more });
function fill(count: number) {
  return Array.from({ length: count }, (_, index) => say(index % 2 === 0 ? 'user' : 'assistant', `message ${index}`).id);
}

beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  heights = new Map();
  layout = installLayout((row) => heights.get(row.dataset.key ?? '') ?? 100);
});
afterEach(() => {
  closeWindow();
  layout.restore();
});

describe('Talk', () => {
  it('W2: an answer that no agent gave, as imported ones, goes by its model, and says it once', async () => {
    say('user', 'Which?');
    addMessage(main, { conversationId, role: 'assistant', text: 'Holly.', agentId: undefined, model: 'openai/gpt-4o' });
    addMessage(main, { conversationId, role: 'assistant', text: 'Ivy.', agentId: undefined, model: 'claude-3' });
    await openWindow(main, <Talk />, conversationId);
    const answer = screen.getByRole('article', { name: 'gpt-4o' });
    expect(within(answer).getAllByText('gpt-4o')).toHaveLength(1);
    expect(within(answer).getByRole('heading', { name: 'gpt-4o' })).toBeTruthy();
    const bare = screen.getByRole('article', { name: 'claude-3' });
    fireEvent.click(within(bare).getByRole('button', { name: 'Details' }));
    expect(await screen.findByText('claude-3', { selector: 'dd' })).toBeTruthy();
  });

  it('U2, U7: is a feed of articles named by who speaks, each with its place', async () => {
    fill(4);
    await openWindow(main, <Talk />, conversationId);
    expect(articles().map((article) => article.getAttribute('aria-label'))).toEqual(['You', 'Helper', 'You', 'Helper']);
    expect(articles().map((article) => [article.getAttribute('aria-posinset'), article.getAttribute('aria-setsize')])).toEqual([
      ['1', '4'],
      ['2', '4'],
      ['3', '4'],
      ['4', '4'],
    ]);
  });

  it('U3, N13: opens at the end, its first view full, with at most twelve messages in the page', async () => {
    const ids = fill(1000);
    await openWindow(main, <Talk />, conversationId);
    expect(atEnd()).toBe(true);
    expect(y(ids.at(-1)!)).toBeLessThan(600);
    expect(articles().length).toBeLessThanOrEqual(12);
    // Every pixel of the view has a message.
    const tops = articles().map((article) => Number.parseFloat(article.closest<HTMLElement>('[data-index]')!.style.top) - feed().scrollTop);
    expect(Math.min(...tops)).toBeLessThanOrEqual(0);
  });

  it('U2, N17: loads what comes into view, and keeps the page small at any place of a long path', async () => {
    fill(1000);
    await openWindow(main, <Talk />, conversationId);
    fireEvent.wheel(feed(), { deltaY: -100 });
    await scrollTo(40_000);
    await settle();
    expect(main.calls.filter((call) => call.name === 'talk.slice').length).toBeGreaterThan(0);
    expect(articles().length).toBeLessThanOrEqual(14);
    expect(articles().filter((article) => /message \d+/.test(article.textContent ?? '')).length).toBeGreaterThan(5);
    expect(document.querySelectorAll('*').length).toBeLessThan(2500);
  });

  it('U3: follows a stream while at the end; one upward scroll stops it, a button brings it back', async () => {
    const ids = fill(20);
    const step = startStep(main, conversationId, ids.at(-1)!);
    await openWindow(main, <Talk />, conversationId);
    const key = step.id.replace('stp', 'msg');
    streamText(main, step.id, 'Hello');
    await grow(key, 400);
    expect(atEnd()).toBe(true);
    fireEvent.wheel(feed(), { deltaY: -40 });
    await scrollTo(feed().scrollTop - 40);
    const stood = feed().scrollTop;
    streamText(main, step.id, ' and more');
    await grow(key, 900);
    expect(feed().scrollTop).toBe(stood);
    fireEvent.click(screen.getByRole('button', { name: 'To the end' }));
    await settle();
    expect(atEnd()).toBe(true);
    expect(screen.queryByRole('button', { name: 'To the end' })).toBeNull();
    await grow(key, 1200);
    expect(atEnd()).toBe(true);
  });

  it('U3: a drag of the scroll bar upward stops following; coming within 100 pixels of the end resumes it, without a pull', async () => {
    const ids = fill(20);
    const step = startStep(main, conversationId, ids.at(-1)!);
    await openWindow(main, <Talk />, conversationId);
    const key = step.id.replace('stp', 'msg');
    await scrollTo(feed().scrollTop - 300);
    await grow(key, 300);
    expect(atEnd()).toBe(false);
    const end = feed().scrollHeight - feed().clientHeight;
    await scrollTo(end - 60);
    expect(feed().scrollTop).toBe(end - 60);
    await grow(key, 340);
    expect(atEnd()).toBe(true);
  });

  it('U3: growth above the view is made up for, growth below moves nothing', async () => {
    const ids = fill(40);
    await openWindow(main, <Talk />, conversationId);
    fireEvent.wheel(feed(), { deltaY: -100 });
    await scrollTo(2000);
    const shown = articles().map((article) => article.closest<HTMLElement>('[data-index]')!);
    const above = shown.find((row) => Number.parseFloat(row.style.top) + 100 <= feed().scrollTop)!;
    const below = shown.at(-1)!;
    const read = ids.find((id) => rowOf(id) && y(id) > 100 && y(id) < 400)!;
    const stood = y(read);
    await grow(above.dataset.key!, 350);
    expect(y(read)).toBe(stood);
    await grow(below.dataset.key!, 500);
    expect(y(read)).toBe(stood);
  });

  it('U3: at the end it stays there when the composer takes room or gives it back', async () => {
    fill(20);
    await openWindow(main, <Talk />, conversationId);
    for (const height of [509, 550, 300, 600]) {
      act(() => layout.setView(height));
      expect([height, atEnd()]).toEqual([height, true]);
    }
    expect(feed().dataset.following).toBe('true');
  });

  it('U3: away from the end what is read stays, whether the view becomes lower or taller, also where the list ends', async () => {
    const ids = fill(20);
    await openWindow(main, <Talk />, conversationId);
    act(() => layout.setView(509));
    fireEvent.wheel(feed(), { deltaY: -40 });
    await scrollTo(feed().scrollTop - 40);
    const stood = y(ids[17]!);
    for (const height of [400, 509, 600, 560]) {
      act(() => layout.setView(height));
      await settle();
      expect([height, y(ids[17]!)]).toEqual([height, stood]);
    }
    // The lent space goes as the person scrolls up.
    fireEvent.wheel(feed(), { deltaY: -400 });
    await scrollTo(feed().scrollTop - 400);
    act(() => layout.setView(400));
    fireEvent.click(screen.getByRole('button', { name: 'To the end' }));
    await settle();
    expect(atEnd()).toBe(true);
    expect(y(ids[19]!)).toBe(400 - 24 - 100);
  });

  it('U3, T5: a message edited at the end stays where it is while its editor grows; left again, the end is followed', async () => {
    const ids = fill(20);
    await openWindow(main, <Talk />, conversationId);
    const stood = y(ids[18]!);
    fireEvent.click(within(rowOf(ids[18]!)!).getByRole('button', { name: 'Edit' }));
    await settle();
    await grow(ids[18]!, 300);
    expect(y(ids[18]!)).toBe(stood);
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Edit message' }), { key: 'Escape' });
    await settle();
    await grow(ids[18]!, 100);
    await grow(ids[19]!, 250);
    expect(atEnd()).toBe(true);
  });

  it('U3, T6: a switched message stays where it is on screen, also when the other branch is short', async () => {
    const ids = fill(30);
    const parentId = ids[27]!;
    const other = say('user', 'another version', { parentId });
    for (let more = 0; more < 8; more++) say(more % 2 === 0 ? 'assistant' : 'user', `tail ${more}`);
    await openWindow(main, <Talk />, conversationId);
    fireEvent.wheel(feed(), { deltaY: -100 });
    await scrollTo(Number.parseFloat(rowOf(other.id)?.style.top ?? '2808') - 200);
    const stood = y(other.id);
    expect(stood).toBeGreaterThan(0);
    expect(stood).toBeLessThan(500);
    fireEvent.click(within(rowOf(other.id)!).getByRole('button', { name: 'Previous version' }));
    await settle();
    expect(y(ids[28]!)).toBe(stood);
    fireEvent.click(within(rowOf(ids[28]!)!).getByRole('button', { name: 'Next version' }));
    await settle();
    expect(y(other.id)).toBe(stood);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('You');
  });

  it('U3, U5, T6: a branch gone to in the tree comes where the one that was read began; one out of view comes into it', async () => {
    const ids = fill(30);
    const [parentId, old] = [ids[27]!, ids[28]!];
    const other = say('user', 'another version', { parentId });
    for (let more = 0; more < 8; more++) say(more % 2 === 0 ? 'assistant' : 'user', `tail ${more}`);
    await openWindow(main, <Talk />, conversationId);
    const goTo = async (id: MessageId) => {
      const turn = { id, at: 0, depth: 28, role: 'user' as const, text: '', createdAt: 0 };
      await act(() => goToTurn(turn, { onPath: false, isHead: true }));
      await settle();
    };
    fireEvent.wheel(feed(), { deltaY: -100 });
    await scrollTo(Number.parseFloat(rowOf(other.id)?.style.top ?? '2808') - 200);
    const [ancestor, stood] = [y(parentId), y(other.id)];
    expect(stood).toBeGreaterThan(100);
    await goTo(old);
    expect([y(parentId), y(old)]).toEqual([ancestor, stood]);
    fireEvent.wheel(feed(), { deltaY: -100 });
    await scrollTo(0);
    await goTo(other.id);
    expect(y(other.id)).toBe(72);
  });

  it('U3: coming back to a conversation shows what was being read', async () => {
    const ids = fill(300);
    const second = addConversation(main, { title: 'Another' });
    addMessage(main, { conversationId: second.id, role: 'user', text: 'elsewhere' });
    await openWindow(main, <Talk />, conversationId);
    const { openConversation } = await import('../../state/talkSlice');
    fireEvent.wheel(feed(), { deltaY: -100 });
    await scrollTo(feed().scrollTop - 2250);
    const read = ids.find((id) => rowOf(id) && y(id) > -50)!;
    const stood = y(read);
    await act(() => openConversation(second.id));
    await settle();
    expect(articles()).toHaveLength(1);
    await act(() => openConversation(conversationId));
    await settle();
    expect(y(read)).toBe(stood);
  });

  it('U2, N12: settled messages are not drawn again while another streams, and the answer stays the same element when it ends', async () => {
    const [first] = [say('user', 'question'), say('assistant', 'settled answer')].slice(1);
    const last = say('user', 'more');
    const step = startStep(main, conversationId, last.id);
    await openWindow(main, <Talk />, conversationId);
    streamText(main, step.id, 'a');
    await settle();
    // The head of an answer writes its time on each render: the platform is asked, no module is replaced.
    const drawn: number[] = [];
    const original = Date.prototype.toISOString;
    vi.spyOn(Date.prototype, 'toISOString').mockImplementation(function write(this: Date) {
      drawn.push(this.getTime());
      return original.call(this);
    });
    const article = articles().at(-1)!;
    for (const word of ['b', 'c', 'd', 'e']) {
      for (const letter of word.repeat(20)) streamText(main, step.id, letter);
      await settle();
    }
    const [settledDraws, liveDraws] = [
      drawn.filter((at) => at === first!.createdAt).length,
      drawn.filter((at) => at === step.startedAt).length,
    ];
    expect(settledDraws).toBe(0);
    expect(liveDraws).toBeGreaterThan(0);
    expect(liveDraws).toBeLessThanOrEqual(12);
    act(() => finishStep(main, step.id));
    await settle();
    expect(drawn.filter((at) => at === first!.createdAt).length).toBeLessThanOrEqual(1);
    vi.restoreAllMocks();
    expect(articles().at(-1)).toBe(article);
    expect(article.textContent).toContain(`a${'b'.repeat(20)}${'c'.repeat(20)}`);
    expect(within(article).getByRole('button', { name: 'Regenerate' })).toBeTruthy();
  });

  it('U2: a streaming answer has no actions; a finished one has them by name', async () => {
    const last = say('user', 'go');
    const step = startStep(main, conversationId, last.id);
    streamText(main, step.id, 'words');
    await openWindow(main, <Talk />, conversationId);
    const live = articles().at(-1)!;
    expect(live.getAttribute('aria-busy')).toBe('true');
    expect(within(live).queryAllByRole('button')).toHaveLength(0);
    act(() => finishStep(main, step.id, { finish: 'length' }));
    await settle();
    const names = within(articles().at(-1)!)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);
    expect(names).toEqual([
      'Continue',
      'Copy',
      'Edit',
      'Regenerate',
      'Ask another agent',
      'Branch from here',
      'Fork from here',
      'Checkpoint',
      'Label',
      'Pin',
      'Delete',
      'Details',
    ]);
    expect(screen.getByText('Stopped at the output limit')).toBeTruthy();
  });

  it('U2: a whole answer can be continued where nothing follows it', async () => {
    say('user', 'go');
    say('assistant', 'an answer in the middle');
    say('user', 'more');
    const last = say('assistant', 'the last answer');
    await openWindow(main, <Talk />, conversationId);
    const buttons = screen.getAllByRole('button', { name: 'Continue' });
    expect(buttons.map((button) => articles().findIndex((article) => article.contains(button)))).toEqual([articles().length - 1]);
    fireEvent.click(buttons[0]!);
    await settle();
    const answer = articles().at(-1)!;
    expect(answer.getAttribute('aria-busy')).toBe('true');
    expect([...main.live.values()].map((step) => step.parentId)).toEqual([last.id]);
  });

  it('U7, N17: Alt with the arrows moves the focus from message to message, Home and End go to the ends', async () => {
    fill(200);
    await openWindow(main, <Talk />, conversationId);
    act(() => articles().at(-1)!.focus());
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp', altKey: true });
    await settle();
    expect(document.activeElement?.getAttribute('aria-posinset')).toBe('199');
    fireEvent.keyDown(feed(), { key: 'Home' });
    await settle();
    expect(feed().scrollTop).toBeLessThan(20);
    // What holds the focus stays in the page although the view is far away.
    expect(document.activeElement?.getAttribute('aria-posinset')).toBe('199');
    fireEvent.keyDown(feed(), { key: 'End' });
    await settle();
    expect(atEnd()).toBe(true);
  });

  it('T7: a message whose parent is gone carries the recovered mark', async () => {
    addMessage(main, { conversationId, role: 'user', text: 'the branch starts here', recovered: true });
    say('assistant', 'an answer');
    await openWindow(main, <Talk />, conversationId);
    expect(within(articles()[1]!).queryByText('Recovered')).toBeNull();
    expect(within(articles()[0]!).getByText('Recovered')).toBeTruthy();
  });

  it('U2: reasoning is folded into one line and unfolds', async () => {
    say('user', 'go');
    addMessage(main, {
      conversationId,
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'first this, then that' },
        { type: 'text', text: 'Done.' },
      ],
    });
    await openWindow(main, <Talk />, conversationId);
    const answer = articles()[1]!;
    expect(answer.textContent).not.toContain('first this');
    fireEvent.click(within(answer).getByRole('button', { name: 'Reasoning' }));
    await settle();
    expect(answer.textContent).toContain('first this, then that');
    expect(within(answer).getByRole('button', { name: 'Reasoning' }).getAttribute('aria-expanded')).toBe('true');
  });

  it('P1: an answer of the demo with the large window says so', async () => {
    const { id } = addConversation(main, { title: 'Two demos' });
    for (const model of ['demo/demo', 'demo/demo-large'])
      addMessage(main, { conversationId: id, role: 'assistant', text: 'Yes.', agentId: 'demo' as never, model });
    await openWindow(main, <Talk />, id);
    expect(articles().map((article) => article.textContent?.includes('large window'))).toEqual([false, true]);
  });
});
