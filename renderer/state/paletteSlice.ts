// The command palette (U6): whether it is open, what it asks, and what was chosen last, which the workspace keeps.
import { create } from 'zustand';
import type { WindowCommandId } from '../../shared/windowCommands';
import { failureOf } from '../bridge';
import { appState, showFailure } from './appSlice';
import { client } from './client';

type PaletteState = {
  open: boolean;
  /** The command that asks for its words. */
  asking: WindowCommandId | null;
  recent: readonly string[] | null;
};
const usePalette = create<PaletteState>(() => ({ open: false, asking: null, recent: null }));

export const usePaletteOpen = () => usePalette((state) => state.open);
export const usePaletteAsking = () => usePalette((state) => state.asking);
export const paletteState = () => usePalette.getState();

export function resetPalette(): void {
  usePalette.setState({ open: false, asking: null, recent: null });
}
/** With a command: at once with its question. */
export function openPalette(asking: WindowCommandId | null = null): void {
  usePalette.setState({ open: true, asking });
}
export function closePalette(): void {
  usePalette.setState({ open: false, asking: null });
}
export function askInPalette(asking: WindowCommandId | null): void {
  usePalette.setState({ asking });
}

const kept = 8;
export const recentChoices = (): readonly string[] =>
  usePalette.getState().recent ?? appState().settings?.workspace.interface.recentCommands ?? [];

export function noteChosen(key: string): void {
  const recent = [key, ...recentChoices().filter((each) => each !== key)].slice(0, kept);
  usePalette.setState({ recent });
  void client()
    .workspace.saveInterface({ recentCommands: recent })
    .catch((error: unknown) => {
      if (failureOf(error).code !== 'workspaceReadOnly') showFailure(error);
    });
}
