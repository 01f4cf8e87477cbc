// @vitest-environment happy-dom
// What events lead to beside the talk: what a screen reader is told, and the dots of the conversation list.
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeMain } from '../testing/fakeBridge';
import { setCall, setPart } from '../testing/fakeCalls';
import { addConversation, addMessage, type FakeMain, failStep, finishStep, startStep } from '../testing/fakeMain';
import { settle } from '../testing/openWindow';
import { resetWindow } from '../testing/resetWindow';
import { type Announcement, useAnnounced } from './announceSlice';
import { setClient } from './client';
import { useActivity } from './conversationsSlice';
import { startSync } from './sync';
import { openConversation, startNewConversation } from './talkSlice';

let main: FakeMain;
beforeEach(async () => {
  main = createFakeMain();
  setClient(main.bridge);
  resetWindow();
  startNewConversation();
  await startSync();
});
afterEach(() => startNewConversation());

function conversation(title: string) {
  const { id } = addConversation(main, { title });
  const prompt = addMessage(main, { conversationId: id, role: 'user', text: title });
  return { id, prompt: prompt.id };
}
/** All that is announced from now on. */
function listen(): Announcement[] {
  const heard: Announcement[] = [];
  let last = -1;
  renderHook(() => {
    const { what, count } = useAnnounced();
    if (count !== last && last !== -1 && what) heard.push(what);
    last = count;
  });
  return heard;
}
const dotOf = (id: Parameters<typeof useActivity>[0]) => renderHook(() => useActivity(id)).result.current;
const needs = [{ kind: 'command' as const, line: 'x', folder: '/w' }];

describe('events', () => {
  it('U7: a turn of many steps is announced once at its start and once at its end', async () => {
    const { id, prompt } = conversation('a');
    await openConversation(id);
    const heard = listen();
    const turnId = main.newId('trn');
    let parentId = prompt;
    for (let at = 0; at < 4; at++) {
      const step = startStep(main, id, parentId, { turnId });
      await settle();
      finishStep(main, step.id, { parts: [{ type: 'text', text: `${at}` }] }, at < 3 || undefined);
      await settle();
      parentId = main.conversations.get(id)!.tipId!;
    }
    await settle();
    expect(heard).toEqual(['started', 'ended']);
    const step = startStep(main, id, parentId);
    await settle();
    failStep(main, step.id, { code: 'timeout', message: 'x', retryable: true });
    await settle();
    expect(heard).toEqual(['started', 'ended', 'started', 'failed']);
  });

  it('A4: that an agent waits for the user is announced once, and seen on a conversation that is not open', async () => {
    const [open, other] = [conversation('open'), conversation('other')];
    await openConversation(open.id);
    const heard = listen();
    for (const { id, prompt } of [open, other]) {
      const step = startStep(main, id, prompt);
      await settle();
      setPart(main, step.id, 0, { type: 'toolCall', callId: '1', name: 'run_command', arguments: '{}' });
      for (let times = 0; times < 2; times++) setCall(main, step.id, '1', { state: 'waiting', needs });
      await settle();
    }
    expect(heard.filter((what) => what === 'needsYou')).toHaveLength(1);
    expect([dotOf(open.id), dotOf(other.id)]).toEqual(['needsYou', 'needsYou']);
  });

  it('A4, X9: a window that opens later knows from the view that a call waits', async () => {
    const { id, prompt } = conversation('a');
    startStep(main, id, prompt, {
      phase: 'tools',
      parts: [{ type: 'toolCall', callId: '1', name: 'run_command', arguments: '{}' }],
      calls: [{ callId: '1', state: 'waiting', needs }],
    });
    await settle();
    resetWindow();
    await openConversation(id);
    expect(dotOf(id)).toBe('needsYou');
  });

  it('S10, U4: another model of an agent asks anew what of the memory is sent; other settings do not', async () => {
    const { id } = conversation('a');
    await openConversation(id);
    await settle();
    const asked = () => main.calls.filter(({ name }) => name === 'memory.marks').length;
    const before = asked();
    const change = async (settings: Partial<typeof main.settings>) => {
      main.settings = { ...main.settings, ...settings };
      main.emit({ type: 'settingsChanged', settings: main.settings });
      await settle();
    };
    await change({ preferences: { ...main.settings.preferences, theme: 'dark' } });
    expect(asked()).toBe(before);
    await change({ agents: main.settings.agents.map((agent) => ({ ...agent, model: 'local/other' as typeof agent.model })) });
    expect(asked()).toBe(before + 1);
  });
});
