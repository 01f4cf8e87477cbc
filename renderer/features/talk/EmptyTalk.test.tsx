// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, type FakeMain } from '../../testing/fakeMain';
import { installLayout } from '../../testing/layout';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Talk } from './Talk';

let main: FakeMain;
let layout: ReturnType<typeof installLayout>;
const articles = () => within(screen.getByRole('feed', { name: 'Messages' })).getAllByRole('article');

beforeEach(() => {
  main = createFakeMain();
  addConversation(main, { title: 'A talk' });
  layout = installLayout(() => 100);
});
afterEach(() => {
  closeWindow();
  layout.restore();
});

describe('an empty conversation', () => {
  it('U8: an empty conversation says what it is for, and a starter begins it with the agent that is ready', async () => {
    await openWindow(main, <Talk />);
    fireEvent.click(screen.getByRole('button', { name: /Plan something/ }));
    await settle();
    expect(main.calls.find((call) => call.name === 'turn.start')?.input).toMatchObject({ conversationId: null, agentId: 'helper' });
    expect(articles()[0]?.textContent).toContain('Help me plan');
  });

  it('U8, P1: with the demo the starters are what the demo can show', async () => {
    main.settings = { ...main.settings, agents: main.settings.agents.filter((agent) => agent.id === 'demo') };
    await openWindow(main, <Talk />);
    const starters = within(screen.getByRole('region', { name: 'Starters' })).getAllByRole('button');
    expect(starters).toHaveLength(4);
    expect(screen.queryByRole('button', { name: /Plan something/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /See what an answer can hold/ }));
    await settle();
    expect(articles()[0]?.textContent).toContain('Show everything');
  });

  it('U8, P1: the demo says how large its window is, and leads to the other size', async () => {
    main.settings = { ...main.settings, agents: main.settings.agents.filter((agent) => agent.id === 'demo') };
    await openWindow(main, <Talk />);
    expect(screen.getByText(/context window is small/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Use the large window' }));
    await settle();
    expect(main.settings.agents[0]?.model).toBe('demo/demo-large');
    expect(screen.getByText(/context window is large/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Use the small window' }));
    await settle();
    expect(main.settings.agents[0]?.model).toBe('demo/demo');
  });

  it('U8: without a model a starter only fills the draft, and the way to a model is shown', async () => {
    main.settings = { ...main.settings, agents: main.settings.agents.map((agent) => ({ ...agent, model: null })) };
    await openWindow(main, <Talk />);
    const { composerState, writeDraft } = await import('../../state/composerSlice');
    fireEvent.click(screen.getByRole('button', { name: /Plan something/ }));
    await settle();
    expect(main.calls.some((call) => call.name === 'turn.start')).toBe(false);
    expect(composerState().draft.text).toContain('Help me plan');
    expect(screen.getByRole('button', { name: 'Choose a model' })).toBeTruthy();
    act(() => writeDraft(''));
  });
});
