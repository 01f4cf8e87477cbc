// @vitest-environment happy-dom
// What the open conversation shows when answers, events and choices cross each other.
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeMain } from '../testing/fakeBridge';
import { setCall, setPart, streamCall } from '../testing/fakeCalls';
import { addConversation, addMessage, type FakeMain, startStep, streamText } from '../testing/fakeMain';
import { setClient } from './client';
import { batchPerFrame } from './frameBatch';
import { updateLiveStep } from './talkLive';
import { openConversation, refreshTalk, startNewConversation, useEndingAt } from './talkSlice';
import { talkState } from './talkStore';

let main: FakeMain;
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

beforeEach(() => {
  main = createFakeMain();
  setClient(main.bridge);
  startNewConversation();
});
afterEach(() => startNewConversation());

function conversation(title: string) {
  const { id } = addConversation(main, { title });
  addMessage(main, { conversationId: id, role: 'user', text: title });
  return id;
}

describe('talkSlice', () => {
  it('N13, U1: of two conversations opened in turn the last one chosen is shown, whichever answer comes last', async () => {
    const [first, second] = [conversation('first'), conversation('second')];
    await Promise.all([openConversation(first), openConversation(second)]);
    expect(talkState()).toMatchObject({ conversationId: second, status: 'ready' });
  });

  it('U3: what is on screen stays until the next conversation is there', async () => {
    const [first, second] = [conversation('first'), conversation('second')];
    await openConversation(first);
    const opening = openConversation(second);
    expect(talkState()).toMatchObject({ conversationId: first, status: 'ready' });
    await opening;
    expect(talkState().conversationId).toBe(second);
  });

  it('U6: a new conversation begun while another opens is not replaced by it', async () => {
    const first = conversation('first');
    const opening = openConversation(first);
    startNewConversation();
    await opening;
    expect(talkState()).toMatchObject({ conversationId: null, status: 'new' });
  });

  it('N12: however many deltas arrive, the answer is drawn once a frame, with all of them', async () => {
    const id = conversation('a');
    const step = startStep(main, id, talkState().path.tipId ?? [...main.messages.keys()].at(-1)!);
    await openConversation(id);
    let draws = 0;
    renderHook(() => {
      draws++;
      return useEndingAt(talkState().path.length);
    });
    const before = draws;
    for (let at = 0; at < 100; at++)
      updateLiveStep(step.id, (known) => ({ ...known, parts: [{ type: 'text', text: 'x'.repeat(at + 1) }] }));
    await frame();
    await frame();
    expect(draws - before).toBeLessThanOrEqual(1);
    const { ending } = talkState();
    expect(ending?.type === 'live' && ending.step.parts[0]).toEqual({ type: 'text', text: 'x'.repeat(100) });
  });

  it('U2: a view that was on its way while text streamed does not take the newer text back', async () => {
    const id = conversation('a');
    const step = startStep(main, id, [...main.messages.keys()].at(-1)!);
    streamText(main, step.id, 'Hello');
    await openConversation(id);
    const refreshing = refreshTalk();
    updateLiveStep(step.id, (known) => ({ ...known, parts: [{ type: 'text', text: 'Hello world' }] }));
    await refreshing;
    const { ending } = talkState();
    expect(ending?.type === 'live' && ending.step.parts).toEqual([{ type: 'text', text: 'Hello world' }]);
  });

  it('P5: a try that begins anew takes back what the one before had written', async () => {
    const id = conversation('a');
    const step = startStep(main, id, [...main.messages.keys()].at(-1)!);
    streamCall(main, step.id, { callId: '1', name: 'x' }, '{"half');
    await openConversation(id);
    updateLiveStep(step.id, (known) => ({ ...known, parts: [{ type: 'text', text: 'Hello world' }] }));
    main.live.set(step.id, { ...main.live.get(step.id)!, phase: 'retrying', parts: [] });
    await refreshTalk();
    const { ending } = talkState();
    expect(ending?.type === 'live' && [ending.step.phase, ending.step.parts]).toEqual(['retrying', []]);
  });

  it('X9: a view that was on its way while a call ended does not make it run again; one that is ahead wins', async () => {
    const id = conversation('a');
    const step = startStep(main, id, [...main.messages.keys()].at(-1)!);
    setPart(main, step.id, 0, { type: 'toolCall', callId: '1', name: 'x', arguments: '{}' });
    setCall(main, step.id, '1', { state: 'running' });
    await openConversation(id);
    const refreshing = refreshTalk();
    updateLiveStep(step.id, (known) => ({ ...known, calls: [{ callId: '1', state: 'done', summary: 'Done' }] }));
    await refreshing;
    const stateOf = () => {
      const { ending } = talkState();
      return ending?.type === 'live' ? [ending.step.phase, ending.step.calls.map((call) => call.state)] : null;
    };
    expect(stateOf()).toEqual(['tools', ['done']]);
    // Nothing was heard since this view was asked for: it knows better.
    setCall(main, step.id, '1', { state: 'waiting' });
    await refreshTalk();
    expect(stateOf()).toEqual(['tools', ['waiting']]);
  });

  it('N12: what is asked for twice in a frame runs once, and at once when flushed', async () => {
    let runs = 0;
    const batch = batchPerFrame(() => {
      runs++;
    });
    batch.ask();
    batch.ask();
    batch.flush();
    expect(runs).toBe(1);
    await frame();
    expect(runs).toBe(1);
    batch.flush();
    expect(runs).toBe(1);
  });
});
