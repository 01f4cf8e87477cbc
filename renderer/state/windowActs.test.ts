// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { windowCommands } from '../../shared/windowCommands';
import { words } from '../i18n';
import { createFakeMain } from '../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, startStep } from '../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../testing/openWindow';
import { resetWindow } from '../testing/resetWindow';
import { runWindowCommand, whyNot } from './windowActs';

let main: FakeMain;
const calls = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const reasons = () => Object.fromEntries(windowCommands.map(({ id }) => [id, whyNot(id)]));

async function show(readOnly = false) {
  if (readOnly) main.workspace = { ...main.workspace, status: 'readOnly' };
  const { id: conversationId } = addConversation(main, { title: 'Rivers' });
  const question = addMessage(main, { conversationId, role: 'user', text: 'What do otters eat?' });
  const answer = addMessage(main, { conversationId, role: 'assistant', text: 'Fish.', parentId: question.id });
  await openWindow(main, null, conversationId);
  return { conversationId, question, answer };
}

beforeEach(() => {
  main = createFakeMain();
});
afterEach(() => {
  closeWindow();
  resetWindow();
});

describe('commands of the window', () => {
  it('U6: what cannot be run says why in words, and does nothing', async () => {
    await openWindow(main, null);
    const before = main.calls.length;
    for (const [id, why] of Object.entries(reasons())) {
      if (why === null) continue;
      expect([id, words.exists(`palette:why.${why}`)]).toEqual([id, true]);
      expect(runWindowCommand(id as Parameters<typeof whyNot>[0])).toBe(false);
    }
    expect(main.calls.length).toBe(before);
    expect(reasons()).toMatchObject({ regenerate: 'noConversation', find: 'noConversation', stop: 'notRunning', themeSystem: 'already' });
  });

  it('U6, W4: in a read-only workspace nothing that writes can be run', async () => {
    await show(true);
    const writing = ['title', 'fork', 'import', 'deleteConversation', 'regenerate', 'label', 'checkpoint', 'rewind', 'deleteMessage'];
    expect(writing.filter((id) => reasons()[id] !== 'readOnly')).toEqual([]);
    expect(reasons()).toMatchObject({ export: null, copyAnswer: null, find: null });
  });

  it('U6: they act on the last message and the last answer', async () => {
    const { conversationId, answer } = await show();
    runWindowCommand('copyAnswer');
    runWindowCommand('pinMessage');
    runWindowCommand('deleteMessage');
    runWindowCommand('regenerate');
    await settle();
    expect(calls('app.copyText')).toEqual([{ text: 'Fish.' }]);
    expect(calls('pins.set')).toEqual([{ conversationId, messageId: answer.id }]);
    expect(calls('trash.count')).toEqual([{ conversationId, messageId: answer.id }]);
    expect(calls('turn.regenerate')).toEqual([{ conversationId, messageId: answer.id }]);
  });

  it('U6: while an answer is written it can be stopped, and no other one begun', async () => {
    const { conversationId, answer } = await show();
    startStep(main, conversationId, answer.id);
    await settle();
    expect(reasons()).toMatchObject({ stop: null, regenerate: 'running', continue: 'running' });
    runWindowCommand('stop');
    await settle();
    expect(calls('turn.stop')).toMatchObject([{ conversationId }]);
  });

  it('U6: text grows and shrinks by steps, and stops at the ends', async () => {
    main.settings.preferences.textSize = 175;
    await openWindow(main, null);
    runWindowCommand('textLarger');
    await settle();
    expect(main.settings.preferences.textSize).toBe(200);
    expect(whyNot('textLarger')).toBe('already');
    runWindowCommand('textUsual');
    await settle();
    runWindowCommand('textSmaller');
    await settle();
    expect(calls('settings.savePreferences')).toEqual([{ textSize: 200 }, { textSize: 100 }, { textSize: 90 }]);
  });
});
