// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId } from '../../../shared/model/ids';
import type { TouchedFile } from '../../../shared/model/touchedFile';
import { talkState } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, makeAttachment } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Files } from './Files';

let main: FakeMain;
let conversationId: ConversationId;
beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
});
afterEach(closeWindow);

const say = (text: string) => addMessage(main, { conversationId, role: 'user', text });
function touch(path: string, more: Partial<TouchedFile> = {}): TouchedFile {
  const [message] = main.messages.values();
  if (!message) throw new Error('say something first');
  return { path, read: 1, changed: 0, messageId: message.id, depth: 0, ...more };
}
const open = () => openWindow(main, <Files />, conversationId);
const rows = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));

describe('Files', () => {
  it('U1: says what it is for while there is nothing', async () => {
    say('Hi');
    await open();
    expect(screen.getByText('No files here yet')).toBeTruthy();
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('A5, U7: tells what was attached, and what agents touched and how often, in the order main gives', async () => {
    const file = makeAttachment('plan.txt', 'text/plain', 2048);
    addMessage(main, { conversationId, role: 'user', parts: [{ type: 'text', text: 'See' }, file] });
    main.touched = [touch('main/ipc/talk.ts', { read: 2, changed: 1 }), touch('/etc/hosts'), touch('README.md', { read: 0, changed: 3 })];
    await open();
    expect(screen.getAllByRole('heading').map((heading) => heading.textContent)).toEqual(['Attached', 'Touched by agents']);
    expect(rows('Files in this conversation')).toEqual(['Go to the message with plan.txt']);
    expect(rows('Files touched by agents')).toEqual([
      'Go to the last message that touched main/ipc/talk.ts: changed once, read 2 times',
      'Go to the last message that touched /etc/hosts: read once',
      'Go to the last message that touched README.md: changed 3 times',
    ]);
  });

  it('U1: a file leads to its message', async () => {
    for (let at = 0; at < 120; at++) say(`message ${at}`);
    main.touched = [touch('a.ts', { depth: 7 })];
    await open();
    expect(talkState().path.items.has(7)).toBe(false);
    fireEvent.click(screen.getByRole('button', { name: /a\.ts/ }));
    await settle();
    expect(talkState().path.items.has(7)).toBe(true);
    expect(talkState().anchor).toMatchObject({ kind: 'at', depth: 7 });
  });

  it('A5: looks again when the talk goes on, and shows what it had until then', async () => {
    say('Hi');
    main.touched = [touch('a.ts')];
    await open();
    main.touched = [touch('b.ts', { changed: 1, read: 0 }), touch('a.ts')];
    say('Go on');
    main.emit({ type: 'talkChanged', conversationId });
    await settle();
    expect(rows('Files touched by agents')).toHaveLength(2);
  });

  it('U1: with attachments alone it says that no agent touched a file', async () => {
    addMessage(main, { conversationId, role: 'user', parts: [makeAttachment('plan.txt', 'text/plain', 2048)] });
    await open();
    expect(screen.getByText('No agent has read or changed a file on this branch.')).toBeTruthy();
  });

  it('R3: when it cannot be read, says so, and reads again on demand', async () => {
    say('Hi');
    main.touched = [touch('a.ts')];
    main.failNext.set('talk.touchedFiles', makeFailure('databaseBusy', 'The database is busy.', { retryable: true }));
    await open();
    expect(screen.getByRole('alert').textContent).toContain('What agents touched could not be read');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(rows('Files touched by agents')).toHaveLength(1);
  });

  it('U5: of thousands the newest are drawn, and the rest on demand', async () => {
    say('Hi');
    main.touched = Array.from({ length: 1234 }, (_, at) => touch(`src/f${at}.ts`));
    await open();
    expect(rows('Files touched by agents')).toHaveLength(200);
    fireEvent.click(screen.getByRole('button', { name: 'Show all 1,234 files' }));
    expect(rows('Files touched by agents')).toHaveLength(1234);
  });
});
