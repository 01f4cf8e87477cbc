// Which keys mean which command now: the usual ones and what the person chose (U6).
import { useMemo } from 'react';
import { type ChosenKeys, keysInUse, type WindowCommandId } from '../../shared/windowCommands';
import { isMac } from '../platform';
import { appState, useSettings } from './appSlice';

const none: ChosenKeys = {};
export const chosenKeys = (): ChosenKeys => appState().settings?.preferences.shortcuts ?? none;
export const useChosenKeys = (): ChosenKeys => useSettings()?.preferences.shortcuts ?? none;

export function useKeysInUse(): ReadonlyMap<WindowCommandId, string> {
  const chosen = useChosenKeys();
  return useMemo(() => keysInUse(chosen, isMac), [chosen]);
}
/** As `Kbd` and tooltips take them; undefined where the command has none. */
export const useKeysOf = (id: WindowCommandId): string | undefined => useKeysInUse().get(id);
