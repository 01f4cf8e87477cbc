// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../shared/model/ids';
import { editLastPrompt } from '../../state/talkActs';
import { addConversation, addMessage, type FakeMain, failStep, makeAttachment, startStep } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { withTalk } from '../../testing/withTalk';
import { Talk } from './Talk';

let main: FakeMain;
let conversationId: ConversationId;
const article = (at: number) => within(screen.getByRole('feed')).getAllByRole('article').at(at)!;
const button = (at: number, name: string) => within(article(at)).getByRole('button', { name });
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message' });
const type = (text: string) => fireEvent.input(box(), { target: { value: text } });
const inputsOf = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const click = async (element: HTMLElement) => {
  fireEvent.click(element);
  await settle();
};

withTalk((fake, id) => {
  [main, conversationId] = [fake, id];
});
const talk = () => {
  const prompt = addMessage(main, { conversationId, role: 'user', text: 'first try' });
  const answer = addMessage(main, { conversationId, role: 'assistant', text: 'an answer' });
  return { prompt, answer };
};

describe('versions of a message', () => {
  it('T5, U7: an edited prompt becomes a sibling that is answered; the focus goes into the editor and back to the message', async () => {
    const { prompt } = talk();
    await openWindow(main, <Talk />, conversationId);
    await click(button(0, 'Edit'));
    expect(document.activeElement).toBe(box());
    expect([box().value, box().selectionStart]).toEqual(['first try', 9]);
    type('second try');
    fireEvent.keyDown(box(), { key: 'Enter', ctrlKey: true });
    await settle();
    expect(inputsOf('turn.edit')).toEqual([{ conversationId, messageId: prompt.id, text: 'second try', attachments: [] }]);
    expect(article(0).textContent).toContain('second try');
    expect(article(0).textContent).toContain('2 / 2');
    expect(document.activeElement).toBe(article(0));
    expect(main.messages.get(prompt.id)).toMatchObject({ parts: [{ text: 'first try' }] });
    await click(button(0, 'Previous version'));
    expect(article(0).textContent).toContain('first try');
    expect(article(1).textContent).toContain('an answer');
  });

  it('K1: a command in an edited prompt is an error in place, its text kept; // and a space make it a message', async () => {
    const { prompt } = talk();
    await openWindow(main, <Talk />, conversationId);
    await click(button(0, 'Edit'));
    for (const text of ['/help', '/rewind clean', '/hlep']) {
      type(text);
      await click(screen.getByRole('button', { name: 'Send edit' }));
      expect(screen.getByRole('alert').textContent).toContain('Commands work in the message box');
      expect([box().value, box().getAttribute('aria-invalid')]).toEqual([text, 'true']);
    }
    type('//help');
    expect(screen.queryByRole('alert')).toBeNull();
    await click(screen.getByRole('button', { name: 'Send edit' }));
    expect(inputsOf('turn.edit')).toEqual([{ conversationId, messageId: prompt.id, text: '//help', attachments: [] }]);
  });

  it('K1: an answer that is edited is not sent, so a line of it may look like a command', async () => {
    const { answer } = talk();
    await openWindow(main, <Talk />, conversationId);
    await click(button(1, 'Edit'));
    type('/help');
    await click(screen.getByRole('button', { name: 'Send edit' }));
    expect(inputsOf('turn.editAnswer')).toEqual([{ conversationId, messageId: answer.id, text: '/help' }]);
  });

  it('T5: an answer edited by hand is a version with its mark, and nothing is sent', async () => {
    const { answer } = talk();
    await openWindow(main, <Talk />, conversationId);
    await click(button(1, 'Edit'));
    type('a better answer');
    await click(screen.getByRole('button', { name: 'Send edit' }));
    expect(inputsOf('turn.editAnswer')).toEqual([{ conversationId, messageId: answer.id, text: 'a better answer' }]);
    expect(main.live.size).toBe(0);
    expect(article(1).textContent).toContain('a better answer');
    expect(article(1).textContent).toContain('Edited by hand');
    expect(article(1).textContent).toContain('2 / 2');
  });

  it('T5, U4: Escape leaves the editor without losing what was typed; it can be taken back', async () => {
    talk();
    await openWindow(main, <Talk />, conversationId);
    await click(button(0, 'Edit'));
    type('half a thought');
    fireEvent.keyDown(box(), { key: 'Escape' });
    await settle();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(document.activeElement).toBe(article(0));
    await click(button(0, 'Edit'));
    expect(box().value).toBe('half a thought');
    await click(screen.getByRole('button', { name: 'Start over' }));
    expect(box().value).toBe('first try');
    await click(screen.getByRole('button', { name: 'Cancel' }));
    expect(inputsOf('turn.edit')).toEqual([]);
  });

  it('T5: attachments go along with an edit, and can be taken off', async () => {
    const [kept, dropped] = [makeAttachment('a.txt', 'text/plain', 10), makeAttachment('b.txt', 'text/plain', 10)];
    addMessage(main, { conversationId, role: 'user', parts: [kept, dropped, { type: 'text', text: 'look' }] });
    await openWindow(main, <Talk />, conversationId);
    await click(button(0, 'Edit'));
    await click(screen.getByRole('button', { name: 'Remove b.txt' }));
    await click(screen.getByRole('button', { name: 'Send edit' }));
    expect(inputsOf('turn.edit')).toMatchObject([{ text: 'look', attachments: [kept] }]);
  });

  it('T5, U6: when main refuses an edit the editor stays open with its text', async () => {
    talk();
    main.failNext.set('turn.edit', { code: 'diskFull', message: 'full', retryable: true });
    await openWindow(main, <Talk />, conversationId);
    await click(button(0, 'Edit'));
    type('precious words');
    await click(screen.getByRole('button', { name: 'Send edit' }));
    expect(box().value).toBe('precious words');
  });

  it('U4: in the editor an Enter that belongs to an input method sends nothing', async () => {
    talk();
    await openWindow(main, <Talk />, conversationId);
    await click(button(0, 'Edit'));
    type('にほん');
    fireEvent.compositionStart(box());
    fireEvent.keyDown(box(), { key: 'Enter', ctrlKey: true, isComposing: true });
    fireEvent.keyDown(box(), { key: 'Escape', keyCode: 229 });
    await settle();
    expect(inputsOf('turn.edit')).toEqual([]);
    expect(box().value).toBe('にほん');
  });

  it('U4: the newest prompt can be edited from elsewhere, if it is loaded, and is brought into view', async () => {
    talk();
    for (let more = 0; more < 300; more++) addMessage(main, { conversationId, role: 'assistant', text: `step ${more}` });
    await openWindow(main, <Talk />, conversationId);
    expect(editLastPrompt()).toBe(false);
    addMessage(main, { conversationId, role: 'user', text: 'the newest' });
    for (let more = 0; more < 20; more++) addMessage(main, { conversationId, role: 'assistant', text: `later ${more}` });
    main.emit({ type: 'talkChanged', conversationId });
    await settle();
    act(() => void editLastPrompt());
    await settle();
    expect(box().value).toBe('the newest');
    const row = box().closest<HTMLElement>('[data-index]')!;
    const y = Number.parseFloat(row.style.top) - screen.getByRole('feed').scrollTop;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(600);
  });

  it('T6: previous and next stop at the first and the last version, and ask main by parent and message', async () => {
    const { prompt } = talk();
    const second = addMessage(main, { conversationId, role: 'assistant', parentId: prompt.id, text: 'another answer' });
    await openWindow(main, <Talk />, conversationId);
    expect(button(1, 'Next version')).toHaveProperty('disabled', true);
    await click(button(1, 'Previous version'));
    expect(inputsOf('tree.goToSibling')).toEqual([{ conversationId, parentId: prompt.id, from: second.id, direction: 'previous' }]);
    expect(article(1).textContent).toContain('an answer');
    expect(article(1).textContent).toContain('1 / 2');
    expect(button(1, 'Previous version')).toHaveProperty('disabled', true);
  });

  it('T6, T12: a failed answer counts as a version, and its switcher leads back to the answer before', async () => {
    const { prompt } = talk();
    main.conversations.set(conversationId, { ...main.conversations.get(conversationId)!, tipId: prompt.id });
    failStep(main, startStep(main, conversationId, prompt.id).id, { code: 'serverError', message: 'x', retryable: true });
    await openWindow(main, <Talk />, conversationId);
    expect(article(1).textContent).toContain('2 / 2');
    await click(button(1, 'Previous version'));
    expect(inputsOf('tree.goToSibling')).toEqual([{ conversationId, parentId: prompt.id, from: null, direction: 'previous' }]);
    expect(article(1).textContent).toContain('an answer');
  });

  it('T4, T6: Branch from here moves the tip to the message; there the branches below are counted, and Forward goes on', async () => {
    const { prompt } = talk();
    addMessage(main, { conversationId, role: 'assistant', parentId: prompt.id, text: 'another answer' });
    await openWindow(main, <Talk />, conversationId);
    await click(button(0, 'Branch from here'));
    expect(inputsOf('tree.goTo')).toEqual([{ conversationId, messageId: prompt.id }]);
    expect(article(0).textContent).toContain('2 branches go on from here');
    await click(button(0, 'Forward'));
    expect(article(1).textContent).toContain('another answer');
    expect(main.messages.size).toBe(3);
  });

  it('T5, A1: Regenerate asks for another answer; a prompt without an answer offers it too', async () => {
    const { answer } = talk();
    await openWindow(main, <Talk />, conversationId);
    expect(within(article(0)).queryByRole('button', { name: 'Regenerate' })).toBeNull();
    await click(button(1, 'Regenerate'));
    expect(inputsOf('turn.regenerate')).toEqual([{ conversationId, messageId: answer.id }]);
    expect(article(1).textContent).toContain('2 / 2');
    closeWindow();
    main.live.clear();
    const lone = addConversation(main, {});
    addMessage(main, { conversationId: lone.id, role: 'user', text: 'unanswered' });
    await openWindow(main, <Talk />, lone.id);
    await click(button(0, 'Regenerate'));
    expect(main.live.size).toBe(1);
  });

  it('U2: Copy gives the Markdown as it was written', async () => {
    addMessage(main, { conversationId, role: 'user', text: '**bold** and `code`' });
    await openWindow(main, <Talk />, conversationId);
    await click(button(0, 'Copy'));
    expect(inputsOf('app.copyText')).toEqual([{ text: '**bold** and `code`' }]);
  });

  it('W4: in a read-only workspace messages can be read and copied, not changed', async () => {
    talk();
    main.workspace = { ...main.workspace, status: 'readOnly' };
    await openWindow(main, <Talk />, conversationId);
    const names = within(article(1))
      .getAllByRole('button')
      .map((one) => one.getAttribute('aria-label'));
    expect(names).toEqual(['Copy', 'Details']);
  });
});
