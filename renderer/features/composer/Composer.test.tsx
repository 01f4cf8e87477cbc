// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attachmentLimits } from '../../../shared/model/draft';
import type { ConversationId } from '../../../shared/model/ids';
import { importState, leaveImport } from '../../state/importSlice';
import { openConversation, startNewConversation } from '../../state/talkSlice';
import { talkState } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, changeSettings, type FakeMain, makeAttachment, startStep } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Composer } from './Composer';

let main: FakeMain;
let conversationId: ConversationId;
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const type = (text: string) => fireEvent.input(box(), { target: { value: text } });
const inputsOf = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const sent = () => inputsOf('turn.start');
const press = async (init: KeyboardEventInit & { keyCode?: number }) => {
  const went = fireEvent.keyDown(box(), init);
  await settle();
  return went;
};
const paste = async (data: { text?: string; files?: File[] }) => {
  fireEvent.paste(box(), { clipboardData: { files: data.files ?? [], getData: () => data.text ?? '' } });
  await settle();
};
const files = () => within(screen.getByRole('list', { name: 'Attached files' }));

beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
});
afterEach(closeWindow);

describe('Composer', () => {
  it('U4: Enter sends the text and clears the box once main has recorded it; Shift+Enter does not', async () => {
    await openWindow(main, <Composer />, conversationId);
    type('hello');
    expect(await press({ key: 'Enter', shiftKey: true })).toBe(true);
    expect(sent()).toEqual([]);
    await press({ key: 'Enter' });
    expect(sent()).toEqual([{ conversationId, text: 'hello', attachments: [], agentId: 'helper' }]);
    expect(box().value).toBe('');
    expect(main.drafts.get(conversationId)?.text).toBe('');
  });

  it('U4, U7: after a click on Send, and on Stop, the box has the focus', async () => {
    await openWindow(main, <Composer />, conversationId);
    type('hello');
    const send = screen.getByRole('button', { name: 'Send' });
    send.focus();
    fireEvent.click(send);
    await settle();
    expect(sent()).toHaveLength(1);
    expect(document.activeElement).toBe(box());
    const prompt = addMessage(main, { conversationId, role: 'user', text: 'go' });
    startStep(main, conversationId, prompt.id);
    await act(() => openConversation(conversationId));
    await settle();
    const stop = screen.getByRole('button', { name: 'Stop' });
    stop.focus();
    fireEvent.click(stop);
    await settle();
    expect(inputsOf('turn.stop')).toHaveLength(1);
    expect(document.activeElement).toBe(box());
  });

  it('U4: with the other preference Enter makes a line and Mod+Enter sends', async () => {
    main.settings = { ...main.settings, preferences: { ...main.settings.preferences, sendKey: 'modEnter' } };
    await openWindow(main, <Composer />, conversationId);
    type('hello');
    await press({ key: 'Enter' });
    expect(sent()).toEqual([]);
    await press({ key: 'Enter', ctrlKey: true });
    expect(sent()).toHaveLength(1);
  });

  // What browsers and input methods send around an Enter that confirms a candidate.
  it.each([
    ['Chromium: the key is part of the composition', ['start', 'text:日本', { key: 'Enter', isComposing: true, keyCode: 229 }, 'end'], []],
    [
      'Safari: the composition ends before its Enter, which has the code 229',
      ['start', 'text:日本', 'end', { key: 'Enter', keyCode: 229 }],
      [],
    ],
    ['the composition events are the only sign', ['start', 'text:日本', { key: 'Enter', keyCode: 13 }, 'end'], []],
    ['a key without any code but 229', ['text:日本', { key: 'Process', keyCode: 229 }], []],
    [
      'the next Enter after a finished composition sends all of it',
      ['start', 'text:日本', 'end', 'text:日本語', { key: 'Enter', keyCode: 13 }],
      ['日本語'],
    ],
    [
      'Korean: the last syllable is committed in the same turn as the Enter',
      ['start', 'text:안녕', 'end', 'silently:안녕하', { key: 'Enter', keyCode: 13 }],
      ['안녕하'],
    ],
    [
      'Escape inside a composition leaves the text alone',
      ['start', 'text:にほ', { key: 'Escape', isComposing: true, keyCode: 229 }, 'end'],
      [],
    ],
  ])('U4: %s', async (_name, steps, texts) => {
    await openWindow(main, <Composer />, conversationId);
    for (const step of steps) {
      if (step === 'start') fireEvent.compositionStart(box());
      else if (step === 'end') fireEvent.compositionEnd(box());
      else if (typeof step === 'string' && step.startsWith('text:')) type(step.slice(5));
      // The letters are in the box before any event told of them.
      else if (typeof step === 'string') box().value = step.slice(9);
      else await press(step as KeyboardEventInit);
    }
    await settle();
    expect(sent().map((input) => (input as { text: string }).text)).toEqual(texts);
    if (texts.length === 0) expect(box().value).not.toBe('');
  });

  it('U4: each conversation has its draft, which outlives a switch and a restart', async () => {
    const other = addConversation(main, { title: 'Another' });
    await openWindow(main, <Composer />, conversationId);
    type('for the first');
    await act(() => openConversation(other.id));
    await settle();
    expect(box().value).toBe('');
    type('for the other');
    await act(() => openConversation(conversationId));
    await settle();
    expect(box().value).toBe('for the first');
    closeWindow();
    expect(main.drafts.get(other.id)?.text).toBe('for the other');
    await openWindow(main, <Composer />, other.id);
    expect(box().value).toBe('for the other');
  });

  it('U4: what is typed while a message is being recorded stays, in the conversation it began', async () => {
    await openWindow(main, <Composer />);
    type('first');
    fireEvent.keyDown(box(), { key: 'Enter' });
    type('first and a second thought');
    await settle();
    expect(sent()).toMatchObject([{ text: 'first' }]);
    expect(talkState().conversationId).not.toBeNull();
    expect(box().value).toBe('and a second thought');
  });

  it('U4, U6: a refused message stays with the cause beside it', async () => {
    main.failNext.set('turn.start', { code: 'diskFull', message: 'full', retryable: true });
    await openWindow(main, <Composer />, conversationId);
    type('precious');
    await press({ key: 'Enter' });
    expect(box().value).toBe('precious');
    expect(screen.getByRole('alert').textContent).toContain('Your message is still here.');
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('U4: a long paste becomes a text file, and text again when asked', async () => {
    const long = 'line\n'.repeat(2000);
    await openWindow(main, <Composer />, conversationId);
    type('before ');
    await paste({ text: long });
    expect(box().value).toBe('before ');
    expect(files().getByText('Pasted text.txt')).toBeTruthy();
    box().setSelectionRange(7, 7);
    fireEvent.click(files().getByRole('button', { name: 'Paste as text' }));
    await settle();
    expect(box().value).toBe(`before ${long}`);
    expect(screen.queryByRole('list')).toBeNull();
    await paste({ text: 'short' });
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('U4, N18: a paste of 20,000 lines into the box, with long pastes left as text, is not measured line by line', async () => {
    main.settings = { ...main.settings, preferences: { ...main.settings.preferences, longPaste: 0 } };
    await openWindow(main, <Composer />, conversationId);
    let measured = 0;
    Object.defineProperty(box(), 'scrollHeight', { get: () => ++measured, configurable: true });
    const text = 'a line of a log file\n'.repeat(20_000);
    await paste({ text });
    type(text);
    expect(measured).toBe(0);
    expect(box().style.height).toBe(`${Math.round(window.innerHeight * 0.4)}px`);
    await press({ key: 'Enter' });
    expect((sent()[0] as { text: string }).text).toBe(text);
  });

  it('U4, N18: one line of megabytes becomes a file whatever the preference says: in the box it would freeze the window', async () => {
    main.settings = { ...main.settings, preferences: { ...main.settings.preferences, longPaste: 0 } };
    await openWindow(main, <Composer />, conversationId);
    await paste({ text: 'x'.repeat(1_000_000) });
    expect(box().value).toBe('');
    expect(files().getByText('Pasted text.txt')).toBeTruthy();
  });

  it('U4: pasted pictures are attached; where the clipboard has text too, the text is meant', async () => {
    await openWindow(main, <Composer />, conversationId);
    await paste({ files: [new File(['x'], 'image.png', { type: 'image/png' })], text: 'from a spreadsheet' });
    expect(screen.queryByRole('list')).toBeNull();
    await paste({ files: [new File(['x'], 'image.png', { type: 'image/png' })] });
    expect(files().getByRole('img', { name: 'image.png' })).toBeTruthy();
    await press({ key: 'Enter' });
    expect(sent()).toMatchObject([{ text: '', attachments: [{ type: 'image', name: 'image.png' }] }]);
  });

  it('U4: the ring is asked again after a file was attached, once main knows the draft with it', async () => {
    await openWindow(main, <Composer />, conversationId);
    const asked = inputsOf('talk.context').length;
    await paste({ files: [new File(['x'], 'notes.txt', { type: 'text/plain' })] });
    const names = main.calls.map((call) => call.name);
    expect(inputsOf('talk.context').length).toBeGreaterThan(asked);
    expect(names.lastIndexOf('drafts.save')).toBeLessThan(names.lastIndexOf('talk.context'));
    expect(main.drafts.get(conversationId)?.attachments).toMatchObject([{ name: 'notes.txt' }]);
  });

  it('U4: a refused file stays with its reason until it is dismissed; too large ones do not travel at all', async () => {
    await openWindow(main, <Composer />, conversationId);
    const huge = new File(['x'], 'huge.png', { type: 'image/png' });
    Object.defineProperty(huge, 'size', { value: attachmentLimits.image + 1 });
    await paste({ files: [new File(['x'], 'setup.exe'), huge] });
    expect(files().getByText('setup.exe was not attached')).toBeTruthy();
    expect(files().getByText('huge.png was not attached')).toBeTruthy();
    expect(inputsOf('attachments.addBytes')).toHaveLength(1);
    fireEvent.click(files().getByRole('button', { name: 'Dismiss setup.exe' }));
    fireEvent.click(files().getByRole('button', { name: 'Dismiss huge.png' }));
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('U4: no more files than a message takes', async () => {
    main.drafts.set(conversationId, {
      text: '',
      attachments: Array.from({ length: attachmentLimits.count }, (_, index) => makeAttachment(`${index}.txt`, 'text/plain', 1)),
    });
    await openWindow(main, <Composer />, conversationId);
    await paste({ files: [new File(['x'], 'one-more.txt')] });
    expect(files().getByText('one-more.txt was not attached')).toBeTruthy();
    expect(inputsOf('attachments.addBytes')).toHaveLength(0);
  });

  it('U4: files dragged over the window are announced, and attached where they fall', async () => {
    await openWindow(main, <Composer />, conversationId);
    const file = new File(['x'], 'notes.txt', { type: 'text/plain' });
    const dataTransfer = { types: ['Files'], items: [{ kind: 'file' }], files: [file], dropEffect: 'none' };
    fireEvent.dragEnter(document.body, { dataTransfer });
    expect(screen.getByText('Drop to attach 1 file to your message')).toBeTruthy();
    expect(fireEvent.dragOver(document.body, { dataTransfer })).toBe(false);
    fireEvent.drop(document.body, { dataTransfer });
    await settle();
    expect(screen.queryByText(/Drop to attach/)).toBeNull();
    expect(files().getByText('notes.txt')).toBeTruthy();
    expect(document.activeElement).toBe(box());
  });

  it('I3: an archive, or what falls on the list of conversations, is offered for import, and nothing is attached', async () => {
    await openWindow(
      main,
      <>
        <div data-drop="import">list</div>
        <Composer />
      </>,
      conversationId,
    );
    window.boughFiles = { pathOf: ({ name }) => `/home/ada/${name}`, give: async ({ name }) => `/home/ada/${name}` };
    const transfer = (name: string) => ({
      types: ['Files'],
      items: [{ kind: 'file' }],
      files: [new File(['x'], name)],
      dropEffect: 'none',
    });
    const drop = async (place: Element, name: string) => {
      const dataTransfer = transfer(name);
      fireEvent.dragEnter(place, { dataTransfer });
      const said = screen.getByText(/^Drop to/).textContent;
      fireEvent.drop(place, { dataTransfer });
      await settle();
      const { paths, open } = importState();
      leaveImport();
      return { said, open, paths };
    };
    expect(await drop(screen.getByText('list'), 'talks.json')).toEqual({
      said: 'Drop to import conversations',
      open: true,
      paths: ['/home/ada/talks.json'],
    });
    expect(await drop(document.body, 'export.zip')).toMatchObject({ open: true, paths: ['/home/ada/export.zip'] });
    expect(await drop(document.body, 'talks.json')).toMatchObject({ said: 'Drop to attach 1 file to your message', open: false });
    expect(inputsOf('attachments.addPath')).toEqual([{ path: '/home/ada/talks.json' }]);
    delete window.boughFiles;
  });

  it('U4, A6: while an answer runs here Stop stays in reach, typing goes on, and Enter sends nothing now', async () => {
    const prompt = addMessage(main, { conversationId, role: 'user', text: 'go' });
    const step = startStep(main, conversationId, prompt.id);
    await openWindow(main, <Composer />, conversationId);
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    type('next thing');
    await press({ key: 'Enter' });
    expect(sent()).toEqual([]);
    expect(inputsOf('queue.add')).toEqual([{ conversationId, text: 'next thing', attachments: [], mode: 'queue' }]);
    type('a draft');
    expect(screen.getByRole('status').textContent).toBe('Enter: after the answer · Ctrl+Enter: next step');
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await settle();
    expect(inputsOf('turn.stop')).toEqual([{ conversationId, stepId: step.id }]);
    expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', false);
  });

  it('U4, U6: Escape stops the answer, unless something nearer takes it', async () => {
    const prompt = addMessage(main, { conversationId, role: 'user', text: 'go' });
    startStep(main, conversationId, prompt.id);
    await openWindow(main, <Composer />, conversationId);
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.setAttribute('role', 'dialog');
    await press({ key: 'Escape' });
    dialog.remove();
    await press({ key: 'Escape', isComposing: true });
    expect(inputsOf('turn.stop')).toEqual([]);
    await press({ key: 'Escape' });
    expect(inputsOf('turn.stop')).toHaveLength(1);
  });

  it('U4: Up in an empty box edits the last prompt; in a box with text it moves the caret', async () => {
    const prompt = addMessage(main, { conversationId, role: 'user', text: 'go' });
    addMessage(main, { conversationId, role: 'assistant', text: 'went' });
    await openWindow(main, <Composer />, conversationId);
    type('x');
    expect(await press({ key: 'ArrowUp' })).toBe(true);
    expect(talkState().editing).toBeNull();
    type('');
    expect(await press({ key: 'ArrowUp' })).toBe(false);
    expect(talkState().editing).toBe(prompt.id);
  });

  it('P1, U4: the demo is said wherever it would answer', async () => {
    await openWindow(main, <Composer />, conversationId);
    expect(screen.queryByText('Demo')).toBeNull();
    main.conversations.set(conversationId, { ...main.conversations.get(conversationId)!, agentId: 'demo' as never });
    main.emit({ type: 'conversationChanged', conversation: main.conversations.get(conversationId)! });
    await settle();
    expect(screen.getAllByText('Demo').length).toBeGreaterThan(0);
  });

  it('W2, U8: with no model, or an agent that is not known here, the reason is said and nothing is sent', async () => {
    await openWindow(main, <Composer />, conversationId);
    act(() => void changeSettings(main, { agents: [] }));
    await settle();
    type('hello');
    await press({ key: 'Enter' });
    expect(sent()).toEqual([]);
    expect(screen.getByRole('status').textContent).toContain('not known here');
    act(() => startNewConversation());
    await settle();
    expect(screen.getByRole('status').textContent).toContain('no model is chosen');
  });

  it('W4: a read-only workspace says why nothing can be written', async () => {
    main.workspace = { ...main.workspace, status: 'readOnly' };
    await openWindow(main, <Composer />, conversationId);
    expect(box().disabled).toBe(true);
    expect(screen.getByRole('status').textContent).toContain('read-only');
  });
});
