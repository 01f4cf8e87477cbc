// Setting up one provider: the draft, its test against the real server, and saving it; nothing typed is lost on an error.
import { useState } from 'react';
import type { ProviderTest } from '../../shared/contract';
import type { Failure } from '../../shared/model/failure';
import type { ProviderId } from '../../shared/model/ids';
import { failureOf } from '../bridge';
import { loadModels, setSettings, useSettings } from './appSlice';
import { client } from './client';
import { type DraftProblem, inputOf, type ProviderDraft, problemsOf, variableOf } from './providerDraft';

export type ProviderSetUp = {
  draft: ProviderDraft;
  change(change: Partial<ProviderDraft>): void;
  dirty: boolean;
  /** Null until a secret was typed: on Linux the question may open a dialog of the system. */
  keychain: boolean | null;
  /** Shown only once saving or testing was tried, each with what keeps it from being done. */
  problems: DraftProblem[];
  busy: 'test' | 'save' | null;
  tested: ProviderTest | null;
  failure: Failure | null;
  test(): Promise<ProviderTest | null>;
  save(): Promise<ProviderId | null>;
};

/** A test keeps nothing, so it does not wait for the answer how to keep the key. */
function problemsFor(what: 'test' | 'save', draft: ProviderDraft, keychain: boolean | null): DraftProblem[] {
  return problemsOf(draft, keychain).filter((problem) => what === 'save' || problem.field !== 'storage');
}

export function useProviderDraft(initial: ProviderDraft): ProviderSetUp {
  const settings = useSettings();
  const taken = settings?.providers.map((provider) => provider.id) ?? [];
  const [draft, setDraft] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const [keychain, setKeychain] = useState<boolean | null>(null);
  const [tried, setTried] = useState<'test' | 'save' | null>(null);
  const [busy, setBusy] = useState<'test' | 'save' | null>(null);
  const [tested, setTested] = useState<ProviderTest | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const askKeychain = async (): Promise<boolean> => {
    if (keychain !== null) return keychain;
    const available = await client()
      .settings.askKeychain()
      .then((answer) => answer.available)
      .catch(() => false);
    setKeychain(available);
    return available;
  };
  const change = (next: Partial<ProviderDraft>) => {
    setDraft((old) => ({ ...old, ...next }));
    setFailure(null);
    // A name and the answer how to keep the key change nothing of what the server said.
    if (Object.keys(next).some((field) => field !== 'name' && field !== 'storage')) setTested(null);
    const secret = next.key !== undefined && next.key.trim() !== '' && variableOf(next.key) === null;
    // Half a `${NAME}` is no secret yet.
    if (secret && !next.key?.startsWith('$')) void askKeychain();
  };
  const attempt = async <T>(what: 'test' | 'save', call: (input: ReturnType<typeof inputOf>) => Promise<T>): Promise<T | null> => {
    const secret = draft.key.trim() !== '' && variableOf(draft.key) === null;
    const available = secret ? await askKeychain() : keychain;
    setTried(what);
    const inTheWay = problemsFor(what, draft, available);
    if (inTheWay.length > 0) return null;
    setBusy(what);
    setFailure(null);
    try {
      return await call(inputOf(draft, taken, available));
    } catch (error) {
      setFailure(failureOf(error));
      return null;
    } finally {
      setBusy(null);
    }
  };
  const test = () =>
    attempt('test', async (input) => {
      const result = await client().settings.testProvider(input);
      setTested(result);
      return result;
    });
  const save = () =>
    attempt('save', async (input) => {
      setSettings(await client().settings.saveProvider(input));
      const now: ProviderDraft = { ...draft, id: input.provider.id, key: '', clearKey: false };
      setDraft(now);
      setSaved(now);
      setTried(null);
      void loadModels(true);
      return input.provider.id;
    });
  return {
    draft,
    change,
    dirty: JSON.stringify(draft) !== JSON.stringify(saved),
    keychain,
    problems: tried ? problemsFor(tried, draft, keychain) : [],
    busy,
    tested,
    failure,
    test,
    save,
  };
}
