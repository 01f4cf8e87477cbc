// @vitest-environment happy-dom
// The first frame of a conversation: its messages, and of their actions those that are seen.
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationId } from '../../../shared/model/ids';
import { openConversation } from '../../state/talkSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain } from '../../testing/fakeMain';
import { installLayout } from '../../testing/layout';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Talk } from './Talk';

let main: FakeMain;
let conversationId: ConversationId;
let layout: ReturnType<typeof installLayout>;

const articles = () => within(screen.getByRole('feed', { name: 'Messages' })).getAllByRole('article');
const copies = () => articles().map((article) => within(article).queryAllByRole('button', { name: 'Copy' }).length);

beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  layout = installLayout(() => 100);
  for (const text of ['one', 'two', 'three', 'four']) {
    addMessage(main, { conversationId, role: text === 'one' || text === 'three' ? 'user' : 'assistant', text });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  closeWindow();
  layout.restore();
});

describe('the first view of a conversation', () => {
  it('N13, U2: comes before the actions nobody sees yet; they follow once it is painted', async () => {
    await openWindow(main, <Talk />);
    const frames: FrameRequestCallback[] = [];
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation((run) => frames.push(run));
    await act(() => openConversation(conversationId));
    expect(articles()).toHaveLength(4);
    expect(copies()).toEqual([0, 0, 0, 1]);
    vi.restoreAllMocks();
    act(() => {
      for (const run of frames) run(0);
    });
    await settle();
    expect(copies()).toEqual([1, 1, 1, 1]);
  });
});
