// Preferences that a command changes, away from the settings.
import type { Preferences } from '../../shared/model/settings';
import { appState, setSettings, showFailure } from './appSlice';
import { client } from './client';

/** Percent of the normal text size. */
export const textSizes = [80, 90, 100, 110, 125, 150, 175, 200];
const usualSize = 100;

export function savePreferences(change: Partial<Preferences>): void {
  void client().settings.savePreferences(change).then(setSettings).catch(showFailure);
}

/** The next size in this direction, 0 the usual one; null when there is none. */
export function nextTextSize(direction: -1 | 0 | 1): number | null {
  const now = appState().settings?.preferences.textSize ?? usualSize;
  if (direction === 0) return now === usualSize ? null : usualSize;
  const beyond = textSizes.filter((size) => (direction > 0 ? size > now : size < now));
  return beyond.at(direction > 0 ? 0 : -1) ?? null;
}
export function changeTextSize(direction: -1 | 0 | 1): void {
  const textSize = nextTextSize(direction);
  if (textSize !== null) savePreferences({ textSize });
}
