// One conversation in main's memory and rows of one height, made anew for each test of what stands in the talk.
import { afterEach, beforeEach } from 'vitest';
import type { ConversationId } from '../../shared/model/ids';
import { createFakeMain } from './fakeBridge';
import { addConversation, type FakeMain } from './fakeMain';
import { installLayout } from './layout';
import { closeWindow } from './openWindow';

/** `begin` is given both before each test. */
export function withTalk(begin: (main: FakeMain, conversationId: ConversationId) => void): void {
  let layout: ReturnType<typeof installLayout>;
  beforeEach(() => {
    const main = createFakeMain();
    layout = installLayout(() => 100);
    begin(main, addConversation(main, { title: 'A talk' }).id);
  });
  afterEach(() => {
    closeWindow();
    layout.restore();
  });
}
