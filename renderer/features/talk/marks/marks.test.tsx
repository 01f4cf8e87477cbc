// @vitest-environment happy-dom
// Labels and pins on messages of the talk (T10), set from their actions and always in sight.
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../shared/model/failure';
import type { ConversationId } from '../../../../shared/model/ids';
import { addMessage, type FakeMain } from '../../../testing/fakeMain';
import { openWindow, settle } from '../../../testing/openWindow';
import { withTalk } from '../../../testing/withTalk';
import { Talk } from '../Talk';

let main: FakeMain;
let conversationId: ConversationId;

withTalk((fake, id) => {
  [main, conversationId] = [fake, id];
});
const article = (at: number) => within(screen.getAllByRole('article')[at]!);
const open = () => openWindow(main, <Talk />, conversationId);
async function press(button: HTMLElement) {
  fireEvent.click(button);
  await settle();
}

describe('labels and pins', () => {
  it('T10, U2: a message gets a label by its action, shown in place; another takes its place, and it can be removed', async () => {
    const message = addMessage(main, { conversationId, role: 'user', text: 'one' });
    await open();
    await press(article(0).getByRole('button', { name: 'Label' }));
    const form = () => within(screen.getByRole('dialog', { name: 'Label of this message' }));
    expect(form().getByRole<HTMLButtonElement>('button', { name: 'Set label' }).disabled).toBe(true);
    fireEvent.change(form().getByRole('textbox', { name: 'Label' }), { target: { value: ' the idea ' } });
    await press(form().getByRole('button', { name: 'Set label' }));
    expect(main.labels).toEqual([{ messageId: message.id, label: 'the idea' }]);
    expect(article(0).getByText('the idea')).toBeTruthy();
    await press(article(0).getByRole('button', { name: 'Label' }));
    expect(form().getByRole<HTMLInputElement>('textbox', { name: 'Label' }).value).toBe('the idea');
    await press(form().getByRole('button', { name: 'Remove label' }));
    expect(main.labels).toEqual([]);
    expect(article(0).queryByText('the idea')).toBeNull();
  });

  it('T10: a label that is refused says why, and the field stays', async () => {
    addMessage(main, { conversationId, role: 'user', text: 'one' });
    await open();
    await press(article(0).getByRole('button', { name: 'Label' }));
    const form = within(screen.getByRole('dialog', { name: 'Label of this message' }));
    fireEvent.change(form.getByRole('textbox', { name: 'Label' }), { target: { value: 'x' } });
    main.failNext.set('labels.set', makeFailure('diskFull', 'The disk is full.'));
    await press(form.getByRole('button', { name: 'Set label' }));
    expect(form.getByRole('alert').textContent).not.toBe('');
  });

  it('T10, U2, U7: a pin is set and taken away by one button that says its state', async () => {
    const message = addMessage(main, { conversationId, role: 'assistant', text: 'an answer' });
    await open();
    const pin = () => article(0).getByRole('button', { name: 'Pin' });
    expect(pin().getAttribute('aria-pressed')).toBe('false');
    await press(pin());
    expect(main.pins).toEqual([message.id]);
    expect(pin().getAttribute('aria-pressed')).toBe('true');
    expect(article(0).getByText('Pinned')).toBeTruthy();
    await press(pin());
    expect(main.pins).toEqual([]);
  });

  it('W4: a workspace that is only read offers none of them', async () => {
    main.workspace = { ...main.workspace, status: 'readOnly' };
    addMessage(main, { conversationId, role: 'user', text: 'one' });
    await open();
    for (const name of ['Label', 'Pin', 'Delete']) expect(article(0).queryByRole('button', { name })).toBeNull();
  });
});
