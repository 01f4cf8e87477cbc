// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentId, ConversationId, MessageId } from '../../../shared/model/ids';
import { setConversationAgent } from '../../state/conversationsSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain } from '../../testing/fakeMain';
import { cardText, pagesView, receiptWith, rememberedView, somePages } from '../../testing/memoryFixture';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Memory } from './Memory';

let main: FakeMain;
let conversationId: ConversationId;
let ids: MessageId[];
beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  ids = Array.from({ length: 6 }, (_, at) => addMessage(main, { conversationId, role: at % 2 ? 'assistant' : 'user', text: `m${at}` }).id);
});
afterEach(closeWindow);

const open = () => openWindow(main, <Memory />, conversationId);
const region = () => screen.getByRole('region', { name: 'What the agent remembers' });
const button = (name: string) => screen.getByRole('button', { name });

it('S, M7: pages are small pictures in order, with for whom they were made, their price, and what is not on them', async () => {
  main.answers['memory.view'] = () => pagesView(conversationId, ids, { receipt: { dropped: 1200 } });
  await open();
  const list = within(screen.getByRole('list', { name: 'Pages' }));
  expect(list.getAllByRole('button').map((one) => one.getAttribute('aria-label'))).toEqual(
    Array.from({ length: 7 }, (_, at) => `Page ${at + 1} of 7`),
  );
  expect(list.getAllByRole('listitem')[2]?.querySelector('img')?.getAttribute('src')).toMatch(
    /^app:\/\/bough\/blob\/a0+2\?mime=image%2Fpng$/,
  );
  const facts = [...(region().querySelector('dl')?.children ?? [])].map((one) => [...one.children].map(({ textContent }) => textContent));
  expect(facts).toEqual([
    ['Made for', 'Claude Opus 4.7+, Sonnet 5+'],
    ['Size', '7 pages, up to 1,932 × 1,932 pixels'],
    ['Printed', '84,000 characters'],
    ['Price', '12,400 tokens instead of 31,000, 60% saved'],
    ['Left out', '5,400 characters of arguments, results and files; recall gives them back'],
    ['Dropped', '1,200 characters for which there was no room; the talk has them, and recall finds them'],
    ['No bitmap', '31 characters, printed as their numbers'],
  ]);
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Earlier card' })).toBeNull();
  expect(screen.getByRole('article', { name: 'Before a turn: made pages' }).textContent).toContain(
    '7 pages, 84,000 characters, 12,400 tokens instead of 31,000',
  );
});

it('S, M7: it is said what pages are, and that the demo does not read them', async () => {
  main.answers['memory.view'] = () => pagesView(conversationId, ids);
  await open();
  const what = () => screen.getByText(/^Older messages as pictures of their text/).textContent;
  expect(what()).not.toContain('demo');
  await act(() => setConversationAgent(conversationId, 'demo' as AgentId));
  await settle();
  expect(what()).toMatch(/for fewer tokens\. The demo does not read them\.$/);
});

it('S1, M7: what stands around the pages is folded, word for word; an earlier card is a card with its sources', async () => {
  main.answers['memory.view'] = () => pagesView(conversationId, ids, { text: cardText });
  await open();
  const folded = [...region().querySelectorAll('details')].map((one) => [one.open, one.querySelector('pre')?.textContent]);
  expect(folded).toEqual([
    [false, 'Older messages, in order'],
    [false, '¶user\nThe beginning'],
    [false, '¶assistant\nThe end'],
  ]);
  const card = within(screen.getByRole('region', { name: 'Earlier card' }));
  expect(card.getByRole('button', { name: 'Find the messages behind “Positions are exact now”' })).toBeTruthy();
});

it('R3: a lost page says so in its place and is opened all the same; pages of an older version go without facts', async () => {
  const { memory, ...view } = pagesView(conversationId, ids, { pages: somePages(2) });
  if (!memory) throw new Error('no memory');
  main.answers['memory.view'] = () => ({
    ...view,
    memory: { ...memory, body: { ...memory.body, frame: undefined }, receipt: receiptWith() },
  });
  await open();
  const picture = button('Page 2 of 2').querySelector('img');
  if (!picture) throw new Error('no picture');
  fireEvent.error(picture);
  expect(region().textContent).not.toContain('Made for');
  const lost = button('Page 2 of 2, lost');
  expect(lost.textContent).toContain('Lost');
  fireEvent.click(lost);
  expect(screen.getByRole('dialog', { name: 'Page 2 of 2' })).toBeTruthy();
});

it('S10: pages that this model is not shown are told', async () => {
  main.answers['memory.view'] = () => rememberedView(conversationId, ids, { memory: null, unsuited: 1 });
  await open();
  expect(region().textContent).toContain('are not shown to this one; it has the full text.');
});
