// One change of the settings at a time: busy while main works on it, and its failure where the change was made.
import { useState } from 'react';
import type { Failure } from '../../shared/model/failure';
import type { SettingsView } from '../../shared/model/settings';
import { failureOf } from '../bridge';
import { setSettings } from './appSlice';

export type Save = { busy: boolean; failure: Failure | null; run(call: () => Promise<SettingsView>): Promise<boolean>; clear(): void };

export function useSave(): Save {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async (call: () => Promise<SettingsView>) => {
    setBusy(true);
    setFailure(null);
    try {
      setSettings(await call());
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run, clear: () => setFailure(null) };
}
