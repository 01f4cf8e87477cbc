// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeFailure } from '../shared/model/failure';
import { App } from './App';
import { focusComposerEvent } from './focusEvents';
import { announce } from './state/announceSlice';
import { showFailure, showNotice } from './state/appSlice';
import { createFakeMain } from './testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, makeAttachment } from './testing/fakeMain';
import { installLayout } from './testing/layout';
import { closeWindow, openWindow, settle } from './testing/openWindow';
import { resetWindow } from './testing/resetWindow';

let main: FakeMain;
let layout: ReturnType<typeof installLayout>;
const user = userEvent.setup({ delay: null });
const calls = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const kept = () => calls('workspace.saveInterface').filter((input) => !('lastConversationId' in (input as object)));
const area = (name: string) => screen.queryByRole('complementary', { name });
const press = async (code: string, more: Partial<KeyboardEventInit> = {}) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { code, ctrlKey: true, ...more });
  await settle();
};
const setWidth = async (width: number) => {
  Object.defineProperty(window, 'innerWidth', { configurable: true, writable: true, value: width });
  fireEvent(window, new Event('resize'));
  await settle();
};
/** Settings and the first run are chunks of their own. */
const chunk = { timeout: 15_000 };
const show = () => openWindow(main, <App />);

beforeEach(() => {
  main = createFakeMain();
  layout = installLayout(() => 80);
  Object.defineProperty(window, 'innerWidth', { configurable: true, writable: true, value: 1280 });
});
afterEach(() => {
  closeWindow();
  resetWindow();
  layout.restore();
  delete document.documentElement.dataset.theme;
});

describe('the window', () => {
  it('U1, U7: has its areas as landmarks, the side panel hidden until asked for', async () => {
    await show();
    expect(area('Sidebar')).toBeTruthy();
    expect(screen.getByRole('main', { name: 'Conversation' })).toBeTruthy();
    expect(area('Side panel')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show side panel' }));
    expect(within(screen.getByRole('tablist', { name: 'Side panel' })).getByRole('tab', { name: 'Files' })).toBeTruthy();
  });

  it('U1, U6: Mod+B and Mod+Shift+B show and hide the areas, and the workspace keeps it', async () => {
    await show();
    await press('KeyB');
    expect(area('Sidebar')).toBeNull();
    await press('KeyB', { shiftKey: true });
    expect(area('Side panel')).toBeTruthy();
    expect(kept()).toEqual([{ sidebarOpen: false }, { panelOpen: true }]);
    await user.click(screen.getByRole('button', { name: 'Show sidebar' }));
    expect(area('Sidebar')).toBeTruthy();
  });

  it('U1: opens as the workspace kept it', async () => {
    main.settings.workspace.interface = { sidebarOpen: false, panelOpen: true, panelWidth: 500 };
    await show();
    expect(area('Sidebar')).toBeNull();
    expect(area('Side panel')?.style.width).toBe('500px');
  });

  it('U1, U5: the side panel shows the tab that was chosen last, also after a restart', async () => {
    main.settings.workspace.interface = { panelOpen: true };
    await show();
    await user.click(screen.getByRole('tab', { name: 'Files' }));
    expect(kept()).toEqual([{ panelTab: 'files' }]);
    closeWindow();
    resetWindow();
    main.settings.workspace.interface = { panelOpen: true, panelTab: 'files' };
    await show();
    expect(screen.getByRole('tab', { name: 'Files' }).getAttribute('aria-selected')).toBe('true');
  });

  it('U1, U7: a width is set by keyboard within its limits and kept', async () => {
    await show();
    const splitter = screen.getByRole('separator', { name: 'Sidebar width' });
    fireEvent.keyDown(splitter, { key: 'ArrowRight' });
    fireEvent.keyDown(splitter, { key: 'End' });
    fireEvent.keyDown(splitter, { key: 'Enter' });
    await settle();
    expect(kept()).toEqual([{ sidebarWidth: 280 }, { sidebarWidth: 420 }, { sidebarWidth: 264 }]);
    expect(splitter.getAttribute('aria-valuenow')).toBe('264');
  });

  it('U1, U7: in a narrow window an area lies over the talk until Escape', async () => {
    await show();
    await setWidth(800);
    expect(area('Sidebar')).toBeNull();
    await press('KeyB');
    expect(area('Sidebar')?.contains(document.activeElement)).toBe(true);
    expect(document.querySelector('main')?.hasAttribute('inert')).toBe(true);
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    await settle();
    expect(area('Sidebar')).toBeNull();
    expect(kept()).toEqual([]);
    await setWidth(1280);
    expect(area('Sidebar')).toBeTruthy();
  });

  it('U1: at 200 % text a window counts as half as wide', async () => {
    main.settings.preferences.textSize = 200;
    await show();
    expect(document.documentElement.style.getPropertyValue('--text-scale')).toBe('2');
    expect(area('Sidebar')).toBeNull();
  });

  it('U1: follows the chosen theme and reduced motion', async () => {
    main.settings.preferences = { ...main.settings.preferences, theme: 'dark', reducedMotion: 'on' };
    await show();
    expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', motion: 'reduce' });
    act(() =>
      main.emit({
        type: 'settingsChanged',
        settings: { ...main.settings, preferences: { ...main.settings.preferences, theme: 'light', reducedMotion: 'system' } },
      }),
    );
    await settle();
    expect(document.documentElement.dataset.theme).toBe('light');
    expect(document.documentElement.dataset.motion).toBeUndefined();
  });

  it('U6: shortcuts start a conversation, find, open the nth and go to the composer', async () => {
    addConversation(main, { title: 'First', updatedAt: Date.now() });
    const { id } = addConversation(main, { title: 'Second', updatedAt: Date.now() - 1000 });
    const focused = vi.fn();
    window.addEventListener(focusComposerEvent, focused);
    await show();
    await press('KeyB');
    await press('KeyF', { shiftKey: true });
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search' }));
    await press('Digit2');
    expect(calls('talk.open')).toMatchObject([{ conversationId: id }]);
    await press('KeyN');
    await press('KeyL');
    window.removeEventListener(focusComposerEvent, focused);
    expect(focused).toHaveBeenCalledTimes(3);
    expect(document.querySelector('nav a[aria-current]')).toBeNull();
  });

  it('U6: keys that were chosen hold at once, and their old ones no longer', async () => {
    await show();
    const preferences = { ...main.settings.preferences, shortcuts: { sidebar: 'Mod+KeyJ', panel: null } };
    act(() => main.emit({ type: 'settingsChanged', settings: { ...main.settings, preferences } }));
    await settle();
    await press('KeyB');
    await press('KeyB', { shiftKey: true });
    expect([area('Sidebar') !== null, area('Side panel')]).toEqual([true, null]);
    await press('KeyJ');
    expect(area('Sidebar')).toBeNull();
    expect(screen.getByRole('button', { name: 'Show sidebar' }).getAttribute('data-tooltip-keys')).toBe('Mod+KeyJ');
  });

  it('U6: goes to the next and the previous conversation of the list, round its ends', async () => {
    for (const [at, title] of ['First', 'Second', 'Third'].entries()) addConversation(main, { title, updatedAt: Date.now() - at });
    await show();
    const opened = () => document.querySelector('nav a[aria-current]')?.textContent;
    const seen: unknown[] = [];
    for (const code of ['BracketRight', 'BracketRight', 'BracketLeft', 'BracketLeft']) {
      await press(code);
      seen.push(opened());
    }
    expect(seen).toEqual(['First', 'Second', 'First', 'Third'].map((title) => expect.stringContaining(title)));
  });

  it('U4, U6: no shortcut fires inside an input method or while something else took the keys', async () => {
    await show();
    await press('KeyB', { isComposing: true });
    const taken = new KeyboardEvent('keydown', { code: 'KeyB', ctrlKey: true, bubbles: true, cancelable: true });
    taken.preventDefault();
    document.body.dispatchEvent(taken);
    await settle();
    expect(area('Sidebar')).toBeTruthy();
  });

  it('U1: the window is titled by what is open and its workspace', async () => {
    const { id } = addConversation(main, { title: 'Release notes' });
    await show();
    expect(document.title).toBe('thesis – Bough');
    await user.click(screen.getByRole('link', { name: 'Release notes' }));
    await settle();
    expect(calls('talk.open')).toMatchObject([{ conversationId: id }]);
    expect(document.title).toBe('Release notes – thesis – Bough');
  });

  it('U6: what the application menu asks is done', async () => {
    await show();
    act(() => main.emit({ type: 'command', command: 'sidebar', window: 1 }));
    await settle();
    expect(area('Sidebar')).toBeNull();
    // Another window of this workspace hears it, too.
    act(() => main.emit({ type: 'command', command: 'sidebar', window: 2 }));
    await settle();
    expect(area('Sidebar')).toBeNull();
  });

  it('U6, U7: Mod+, opens Settings over the window, shortcuts rest meanwhile, and focus comes back', async () => {
    await show();
    const opener = screen.getByRole('button', { name: 'Settings' });
    opener.focus();
    await press('Comma');
    await vi.waitFor(() => screen.getByRole('dialog', { name: 'Settings' }), chunk);
    await press('KeyB');
    await user.keyboard('{Escape}');
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(area('Sidebar')).toBeTruthy();
    expect(document.activeElement).toBe(opener);
  });

  it('U8: the first run takes the whole window, and its end leads to it', async () => {
    main.settings = { ...main.settings, onboarded: false };
    await show();
    await vi.waitFor(() => screen.getByRole('heading', { name: 'Welcome to Bough' }), chunk);
    expect(area('Sidebar')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Try the demo' }));
    await settle();
    expect(area('Sidebar')).toBeTruthy();
  });

  it('W4: a workspace that does not open is said instead of an empty list', async () => {
    main.workspace = { ...main.workspace, status: 'failed', failure: makeFailure('workspaceGone', 'gone') };
    main.settings = { ...main.settings, onboarded: false };
    await show();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This folder is gone');
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('W4: a read-only workspace says so for as long as it is', async () => {
    main.workspace = { ...main.workspace, status: 'readOnly', failure: makeFailure('workspaceReadOnly', 'm') };
    await show();
    const banner = screen.getAllByRole('status').find((status) => status.textContent?.includes('Read-only: nothing is saved.'));
    expect(banner).toBeTruthy();
    main.workspace = { ...main.workspace, status: 'open', failure: undefined };
    await user.click(within(banner!).getByRole('button', { name: 'Try again' }));
    await settle();
    expect(screen.queryByText('Read-only: nothing is saved.')).toBeNull();
  });

  it('W2, U6: a broken settings file is said with place and cause, and can be found', async () => {
    main.settings = {
      ...main.settings,
      writable: false,
      problems: [{ file: 'user', path: 'providers.0.kind', message: 'Expected one of openai-chat, gemini.' }],
    };
    await show();
    expect(screen.getByText('Parts of a settings file could not be used.')).toBeTruthy();
    expect(screen.getByText('settings.json · providers.0.kind')).toBeTruthy();
    expect(screen.getByText(/Expected one of openai-chat/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Reveal file' }));
    expect(calls('settings.revealFile')).toHaveLength(1);
  });

  it('U6: notices are in a status region, failures in an alert, each can be dismissed', async () => {
    await show();
    act(() => {
      showNotice({ code: 'answersRecovered', values: { count: 2 }, tone: 'info' });
      showNotice({ code: 'backupSkipped', values: { needed: 5 * 1024 ** 2, free: 1024 ** 2 }, tone: 'warning' });
      showFailure(new Error('the port broke'));
    });
    const status = screen
      .getAllByRole('status')
      .map((region) => region.textContent)
      .join();
    expect(status).toContain('while 2 answers were being written');
    expect(status).toContain('it needs 5 MB, and 1 MB are free');
    expect(screen.getByRole('alert').textContent).toContain('the port broke');
    for (const button of screen.getAllByRole('button', { name: 'Dismiss' })) await user.click(button);
    expect(screen.queryByText(/the port broke/)).toBeNull();
  });

  it('U6: a notice that comes again is shown once', async () => {
    await show();
    const again = () => showNotice({ code: 'answersRecovered', values: { count: 2 }, tone: 'info' });
    act(again);
    act(again);
    act(() => showNotice({ code: 'answersRecovered', values: { count: 3 }, tone: 'info' }));
    expect(screen.getAllByText(/answers were being written/)).toHaveLength(2);
  });

  it('U7: start, end and failure of an answer are announced, its text never', async () => {
    const { container } = await show();
    const region = () => container.querySelector('[aria-live="polite"][aria-atomic]')?.textContent;
    act(() => announce('started'));
    expect(region()).toBe('The answer has started.');
    act(() => announce('failed'));
    expect(region()).toBe('The answer failed.');
  });

  it('U1: the files of the conversation lead to their message', async () => {
    const { id } = addConversation(main, { title: 'With files' });
    addMessage(main, { conversationId: id, role: 'user', parts: [makeAttachment('notes.txt', 'text/plain', 4096)] });
    addMessage(main, { conversationId: id, role: 'assistant', text: 'Read.' });
    main.settings.workspace.interface = { panelOpen: true, lastConversationId: id };
    await openWindow(main, <App />, id);
    expect(screen.getByRole('tree', { name: 'Branches' })).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'Files' }));
    await settle();
    const row = within(screen.getByRole('list', { name: 'Files in this conversation' })).getByRole('button', {
      name: 'Go to the message with notes.txt',
    });
    expect(row.textContent).toContain('4 kB');
    await user.click(row);
    expect(calls('talk.open').at(-1)).toMatchObject({ conversationId: id, offset: 0 });
  });
});
