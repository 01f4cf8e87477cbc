// @vitest-environment happy-dom
// What stands over the talk (U1).
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../shared/model/ids';
import { chooseModel } from '../../state/nextAgent';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, type FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { AgentChip } from './AgentChip';
import { TalkTitle } from './TalkTitle';

let main: FakeMain;
let conversationId: ConversationId;
const inputsOf = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const title = () => screen.getByRole('heading', { level: 1 });
const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Conversation title' });
const openMenu = async () => {
  fireEvent.keyDown(screen.getByRole('button', { name: /choose who answers next/ }), { key: 'Enter' });
  await settle();
};

beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
});
afterEach(closeWindow);

describe('the head of the talk', () => {
  it('U1, U7: a double click or Enter renames the conversation in place, and the focus comes back', async () => {
    await openWindow(main, <TalkTitle />, conversationId);
    fireEvent.click(screen.getByRole('button', { name: 'A talk' }), { detail: 1 });
    expect(screen.queryByRole('textbox')).toBeNull();
    fireEvent.doubleClick(screen.getByRole('button', { name: 'A talk' }));
    expect(document.activeElement).toBe(box());
    fireEvent.change(box(), { target: { value: 'A better title' } });
    fireEvent.keyDown(box(), { key: 'Enter' });
    await settle();
    expect(inputsOf('conversations.rename')).toEqual([{ conversationId, title: 'A better title' }]);
    expect(title().textContent).toBe('A better title');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'A better title' }));
    fireEvent.click(document.activeElement!, { detail: 0 });
    expect(box().value).toBe('A better title');
  });

  it('U4, U1: an Enter of an input method does not end the rename, Escape leaves the title as it was', async () => {
    await openWindow(main, <TalkTitle />, conversationId);
    fireEvent.doubleClick(screen.getByRole('button', { name: 'A talk' }));
    fireEvent.change(box(), { target: { value: '日本' } });
    fireEvent.keyDown(box(), { key: 'Enter', isComposing: true });
    fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 });
    expect(box().value).toBe('日本');
    fireEvent.keyDown(box(), { key: 'Escape' });
    await settle();
    expect(inputsOf('conversations.rename')).toEqual([]);
    expect(title().textContent).toBe('A talk');
  });

  it('A1: the chip names who answers next and changes the agent of this conversation', async () => {
    await openWindow(main, <AgentChip />, conversationId);
    expect(screen.getByRole('button', { name: 'Helper, m1: choose who answers next' })).toBeTruthy();
    await openMenu();
    fireEvent.click(screen.getByRole('menuitemcheckbox', { name: /^Demo/ }));
    await settle();
    expect(inputsOf('conversations.setAgent')).toEqual([{ conversationId, agentId: 'demo' }]);
    expect(screen.getByRole('button', { name: 'Demo, demo: choose who answers next' })).toBeTruthy();
  });

  it('A1, P1: the chip tells the two models of the demo apart', async () => {
    const [, demo] = main.settings.agents;
    main.settings = { ...main.settings, agents: [{ ...demo!, name: 'Trial' }] };
    main.conversations.set(conversationId, { ...main.conversations.get(conversationId)!, agentId: demo!.id });
    await openWindow(main, <AgentChip />, conversationId);
    const chip = screen.getByRole('button', { name: /choose who answers next/ });
    expect(chip.textContent).toBe('TTrialDemosmall window');
    await act(() => chooseModel(demo!.id, 'demo/demo-large'));
    expect(chip.textContent).toBe('TTrialDemolarge window');
  });

  it('A1, P2: a model chosen here is the agent’s from then on', async () => {
    await openWindow(main, <AgentChip />, conversationId);
    await openMenu();
    fireEvent.click(screen.getByRole('menuitemcheckbox', { name: /^m2/ }));
    await settle();
    expect(inputsOf('agents.setModel')).toEqual([{ agentId: 'helper', model: 'local/m2' }]);
    expect(screen.getByRole('button', { name: 'Helper, m2: choose who answers next' })).toBeTruthy();
  });

  it('W2: an agent that is unknown here is named as such', async () => {
    main.conversations.set(conversationId, { ...main.conversations.get(conversationId)!, agentId: 'from-elsewhere' as never });
    await openWindow(main, <AgentChip />, conversationId);
    expect(screen.getByRole('button', { name: /from-elsewhere is not known here/ })).toBeTruthy();
  });
});
