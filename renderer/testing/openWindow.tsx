// A window over main in memory: connects the slices, shows a view, and cleans up after itself.
import { act, cleanup, type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import type { ConversationId } from '../../shared/model/ids';
import { words } from '../i18n';
import { setClient } from '../state/client';
import { flushDraft } from '../state/composerSlice';
import { resetExport } from '../state/exportSlice';
import { resetForks } from '../state/forkSlice';
import { resetImports } from '../state/importSlice';
import { resetLeaving } from '../state/leavingSlice';
import { resetMemory } from '../state/memorySlice';
import { startSync } from '../state/sync';
import { openConversation, startNewConversation } from '../state/talkSlice';
import { resetTrash } from '../state/trashSlice';
import { foldAll } from '../state/unfolded';
import type { FakeMain } from './fakeMain';

/** Lets everything that already happened reach the screen: answers, events, frames. */
export async function settle(): Promise<void> {
  await act(async () => {
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

export async function openWindow(main: FakeMain, view: ReactNode, conversationId?: ConversationId): Promise<RenderResult> {
  setClient(main.bridge);
  startNewConversation();
  await startSync();
  if (conversationId) await openConversation(conversationId);
  const shown = render(<I18nextProvider i18n={words}>{view}</I18nextProvider>);
  await settle();
  return shown;
}

export function closeWindow(): void {
  cleanup();
  // Dialogs outlive the window they stand in.
  resetTrash();
  resetForks();
  resetImports();
  resetExport();
  resetLeaving();
  resetMemory();
  foldAll();
  flushDraft();
}
