// @vitest-environment happy-dom
// The card of a call that waits for the user's word (A4): what it says, what its answers send, and that none is given by accident.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../../shared/model/ids';
import type { LiveStep } from '../../../../shared/model/live';
import type { ToolNeed } from '../../../../shared/model/tool';
import { useActivity } from '../../../state/conversationsSlice';
import { createFakeMain } from '../../../testing/fakeBridge';
import { setCall, setPart } from '../../../testing/fakeCalls';
import { addConversation, addMessage, type FakeMain, finishStep, startStep } from '../../../testing/fakeMain';
import { installLayout } from '../../../testing/layout';
import { closeWindow, openWindow, settle } from '../../../testing/openWindow';
import { Talk } from '../Talk';

let main: FakeMain;
let conversationId: ConversationId;
let step: LiveStep;
let layout: ReturnType<typeof installLayout>;

function Dot() {
  return <output>{useActivity(conversationId)}</output>;
}

beforeEach(async () => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  layout = installLayout(() => 100);
  const { id } = addMessage(main, { conversationId, role: 'user', text: 'go' });
  step = startStep(main, conversationId, id);
  await openWindow(
    main,
    <>
      <input aria-label="Elsewhere" />
      <Dot />
      <Talk />
    </>,
    conversationId,
  );
});
afterEach(() => {
  closeWindow();
  layout.restore();
});

async function asks(name: string, given: unknown, needs: ToolNeed[], callId = '1', preview?: string) {
  setPart(main, step.id, main.live.get(step.id)!.parts.length, { type: 'toolCall', callId, name, arguments: JSON.stringify(given) });
  setCall(main, step.id, callId, { state: 'waiting', needs, preview });
  await settle();
  return screen.getAllByRole('dialog', { name: 'Approve tool' }).at(-1)!;
}
const command: ToolNeed = { kind: 'command', line: 'rm -rf build && npm ci', folder: '/home/ada/thesis' };
const button = (card: HTMLElement, name: string) => within(card).getByRole<HTMLButtonElement>('button', { name });
const ready = (card: HTMLElement) => waitFor(() => expect(button(card, 'Allow once').disabled).toBe(false));
const answers = () => main.calls.filter((call) => call.name === 'approvals.answer').map((call) => call.input);

describe('ApprovalCard', () => {
  it('A4: says in words what the agent wants, with the whole command line and its folder', async () => {
    const card = await asks('run_command', { command: command.line }, [command]);
    expect(within(card).getByRole('heading', { name: 'Helper wants to run a command' })).toBeTruthy();
    expect(within(card).getByRole('group', { name: 'Command line' }).textContent).toBe('rm -rf build && npm ci');
    expect(card.textContent).toContain('In /home/ada/thesis');
    expect(card.textContent).toContain('“For this conversation” covers:this command line, exactly, in /home/ada/thesis');
    expect(card.getAttribute('aria-modal')).toBeNull();
    expect(screen.getAllByText('Waits for your decision').length).toBeGreaterThan(0);
  });

  it('A3, A4: says that a path is outside the workspace or guarded, and that a host is private', async () => {
    const edit = await asks('edit_file', { path: 'x', oldText: 'a', newText: 'b' }, [
      { kind: 'edit', path: '/etc/hosts', outside: true, guarded: true },
    ]);
    expect(within(edit).getByRole('group', { name: 'Path' }).textContent).toBe('/etc/hosts');
    expect(edit.textContent).toContain('Outside the workspace');
    expect(edit.textContent).toContain('Guarded');
    const host = await asks(
      'fetch_url',
      { url: 'http://nas/x' },
      [{ kind: 'host', host: 'nas', isPrivate: true, addresses: ['10.0.0.7'] }],
      '2',
    );
    expect(host.textContent).toContain('10.0.0.7');
    expect(host.textContent).toContain('http://nas/x');
    expect(host.textContent).toContain('requests to nas, not to where it redirects');
  });

  it('A4: an edit is shown before it is allowed', async () => {
    const needs: ToolNeed[] = [{ kind: 'edit', path: '/w/a.ts', outside: false, guarded: false }];
    const edit = await asks('edit_file', { path: 'a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\n' }, needs);
    const diff = await within(edit).findByRole('figure');
    expect([diff.querySelector('del')?.textContent, diff.querySelector('ins')?.textContent]).toEqual(['-two', '+2']);
    expect(edit.textContent).not.toContain('Outside');
    // Its path is said once.
    expect(edit.textContent?.split('/w/a.ts')).toHaveLength(2);
    expect(edit.textContent).toContain('covers:changing this file');
    const write = await asks('write_file', { path: 'b.ts', content: 'brand new' }, needs, '2');
    expect(within(write).getByRole('group', { name: 'New content of the file' }).textContent).toBe('brand new');
  });

  it('A4, A5: where main knows the file, its lines around the change are shown, with their numbers', async () => {
    const preview = '--- a.ts\n+++ a.ts\n@@ -40,3 +40,3 @@\n one\n-two\n+2\n three';
    const needs: ToolNeed[] = [{ kind: 'edit', path: '/w/a.ts', outside: false, guarded: false }];
    const edit = await asks('edit_file', { path: 'a.ts', oldText: 'two', newText: '2' }, needs, '1', preview);
    const diff = await within(edit).findByRole('figure');
    expect(diff.textContent).toContain('three');
    expect(diff.querySelector('figcaption')).toBeNull();
    expect([...diff.querySelectorAll('[aria-hidden]')].map((number) => number.textContent).join(',')).toBe('40,40,41,,,41,42,42');
    const write = await asks('write_file', { path: 'a.ts', content: 'one\n2\nthree' }, needs, '2', preview);
    expect((await within(write).findByRole('figure')).querySelector('del')?.textContent).toBe('-two');
    expect(within(write).queryByRole('group', { name: 'New content of the file' })).toBeNull();
  });

  it('A4: a click in the first moment cannot be meant for it; after that each answer is sent once', async () => {
    const card = await asks('run_command', { command: command.line }, [command]);
    fireEvent.click(button(card, 'Allow once'));
    fireEvent.submit(button(card, 'Deny').closest('form')!);
    await settle();
    expect(answers()).toEqual([]);
    await ready(card);
    fireEvent.click(button(card, 'Allow once'));
    fireEvent.click(button(card, 'Allow once'));
    fireEvent.click(button(card, 'Allow for this conversation'));
    await settle();
    expect(answers()).toEqual([{ conversationId, stepId: step.id, callId: '1', answer: { type: 'once' } }]);
    expect(screen.queryByRole('dialog', { name: 'Approve tool' })).toBeNull();
    expect(document.querySelector('[data-status]')?.getAttribute('data-status')).toBe('running');
  });

  it('A4: Enter in the field for words denies with them, Escape there empties it alone', async () => {
    const card = await asks('run_command', { command: command.line }, [command]);
    await ready(card);
    const words = within(card).getByRole<HTMLInputElement>('textbox');
    fireEvent.change(words, { target: { value: 'no' } });
    const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    act(() => void words.dispatchEvent(key));
    expect([words.value, key.defaultPrevented]).toEqual(['', true]);
    fireEvent.change(words, { target: { value: ' use pnpm ' } });
    fireEvent.submit(words.form!);
    await settle();
    expect(answers()).toEqual([{ conversationId, stepId: step.id, callId: '1', answer: { type: 'deny', words: 'use pnpm' } }]);
    expect(document.querySelector('summary')?.textContent).toContain('denied');
  });

  it('A4: allow for this conversation is sent as such; what main refuses is said in place, and can be answered again', async () => {
    const card = await asks('run_command', { command: command.line }, [command]);
    await ready(card);
    main.failNext.set('approvals.answer', { code: 'databaseBusy', message: 'x', retryable: true });
    fireEvent.click(button(card, 'Allow for this conversation'));
    await settle();
    expect(within(card).getByRole('alert')).toBeTruthy();
    fireEvent.click(button(card, 'Allow for this conversation'));
    await settle();
    expect(answers()).toHaveLength(2);
    expect(answers()[1]).toMatchObject({ answer: { type: 'conversation' } });
  });

  it('A4, U7: takes the focus from nobody who writes; else the card has it, never one of its buttons', async () => {
    act(() => screen.getByRole('textbox', { name: 'Elsewhere' }).focus());
    await asks('run_command', { command: 'a' }, [{ ...command, line: 'a' }]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Elsewhere');
    act(() => screen.getByRole('textbox', { name: 'Elsewhere' }).blur());
    const second = await asks('run_command', { command: 'b' }, [{ ...command, line: 'b' }], '2');
    expect(document.activeElement).toBe(second);
    for (const key of ['Enter', ' ', 'y', 'a']) fireEvent.keyDown(second, { key });
    await ready(second);
    for (const key of ['Enter', ' ', 'y', 'a']) fireEvent.keyDown(second, { key });
    await settle();
    expect(answers()).toEqual([]);
  });

  it('A4: the conversation says that it needs the user until the call is answered or its step is over', async () => {
    const dot = () => document.querySelector('output')?.textContent;
    await asks('run_command', { command: command.line }, [command]);
    expect(dot()).toBe('needsYou');
    setCall(main, step.id, '1', { state: 'approved', needs: undefined });
    await settle();
    expect(dot()).toBe('running');
    setCall(main, step.id, '1', { state: 'waiting', needs: [{ ...command, line: 'another' }] });
    await settle();
    expect(dot()).toBe('needsYou');
    act(() => finishStep(main, step.id));
    await settle();
    expect(dot()).toBe('');
  });

  it('A4, T12: a call that waits on another branch is said under the messages, with the way there', async () => {
    const prompt = step.parentId;
    act(() => finishStep(main, step.id, { parts: [{ type: 'text', text: 'done' }] }));
    await settle();
    step = startStep(main, conversationId, prompt);
    setPart(main, step.id, 0, { type: 'toolCall', callId: '1', name: 'run_command', arguments: '{}' });
    setCall(main, step.id, '1', { state: 'waiting', needs: [command] });
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByText('An agent on another branch waits for your decision.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    await settle();
    expect(screen.getByRole('dialog', { name: 'Approve tool' })).toBeTruthy();
    expect(screen.queryByText('An agent on another branch waits for your decision.')).toBeNull();
  });
});
