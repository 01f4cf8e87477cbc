// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../shared/model/ids';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, type FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Composer } from './Composer';

let main: FakeMain;
let conversationId: ConversationId;
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const inputsOf = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);

beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
});
afterEach(closeWindow);

describe('the ring', () => {
  it('U4: the ring is a meter with its text, and opens the blocks by name', async () => {
    await openWindow(main, <Composer />, conversationId);
    const meter = screen.getByRole('meter', { name: 'Context' });
    expect(['min', 'max', 'now', 'text'].map((part) => meter.getAttribute(`aria-value${part}`))).toEqual([
      '0',
      '32000',
      '5200',
      '5,200 of 32,000 tokens, 16 %',
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Context' }));
    await settle();
    expect(screen.getByRole('dialog', { name: 'Context' }).textContent).toMatch(
      /System prompt520.*Messages4,680.*Kept for the answer4,000/,
    );
  });

  it('U4, U7: the blocks come while the pointer rests on the ring, and the box keeps the focus; a click keeps them', async () => {
    await openWindow(main, <Composer />, conversationId);
    const button = screen.getByRole('button', { name: 'Context' });
    const ring = button.parentElement!;
    box().focus();
    fireEvent.pointerEnter(ring);
    await screen.findByRole('dialog', { name: 'Context' });
    expect(document.activeElement).toBe(box());
    fireEvent.pointerLeave(ring);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Context' })).toBeNull());
    expect(document.activeElement).toBe(box());
    fireEvent.pointerEnter(ring);
    await screen.findByRole('dialog', { name: 'Context' });
    fireEvent.click(button);
    fireEvent.pointerLeave(ring);
    fireEvent.pointerEnter(ring);
    fireEvent.click(button);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Context' })).toBeNull());
  });

  it('P2, U4: an unknown window is said, and can be typed in', async () => {
    main.context = { tokens: 900, window: null };
    await openWindow(main, <Composer />, conversationId);
    expect(screen.getByRole('meter', { name: 'Context' }).getAttribute('aria-valuetext')).toContain('not known');
    fireEvent.click(screen.getByRole('button', { name: 'Context' }));
    await settle();
    const field = screen.getByRole('textbox', { name: 'Window in tokens' });
    fireEvent.change(field, { target: { value: 'many' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await settle();
    expect(inputsOf('settings.saveModel')).toEqual([]);
    fireEvent.change(field, { target: { value: '32 000' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await settle();
    expect(inputsOf('settings.saveModel')).toEqual([{ providerId: 'local', model: { id: 'm1', contextWindow: 32_000 } }]);
    expect(screen.getByRole('meter', { name: 'Context' }).getAttribute('aria-valuemax')).toBe('32000');
  });
});
