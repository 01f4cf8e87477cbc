// A provider while it is being set up: what was typed, whether it can be saved, and how its key is to be kept (W3). Pure.
import type { ProviderId } from '../../shared/model/ids';
import { type ModelInfo, type ProviderKind, providerConfigSchema } from '../../shared/model/provider';
import type { SettingsView } from '../../shared/model/settings';
import type { ProviderPreset } from './providerPresets';

export type KeyStorage = 'keychain' | 'plain' | 'session';
export type KnownProvider = SettingsView['providers'][number];

export type ProviderDraft = {
  /** Null until it is saved for the first time. */
  id: ProviderId | null;
  name: string;
  kind: ProviderKind;
  baseUrl: string;
  /** As typed; empty leaves what is stored. */
  key: string;
  /** The stored key is to be forgotten. */
  clearKey: boolean;
  /** The person's answer where there is no keychain. */
  storage: KeyStorage | null;
  headers?: Record<string, string> | undefined;
  models: ModelInfo[];
  includeUsage?: boolean | undefined;
};

export function draftOfPreset(preset: ProviderPreset): ProviderDraft {
  return { id: null, name: preset.name, kind: preset.kind, baseUrl: preset.baseUrl, key: '', clearKey: false, storage: null, models: [] };
}
export function draftOfProvider(provider: KnownProvider): ProviderDraft {
  const { id, name, kind, baseUrl = '', headers, models, includeUsage } = provider;
  return { id, name, kind, baseUrl, key: '', clearKey: false, storage: null, headers, models, includeUsage };
}

/** `OPENAI_API_KEY` out of `${OPENAI_API_KEY}`. */
export function variableOf(key: string): string | null {
  return /^\$\{(\w+)\}$/.exec(key.trim())?.[1] ?? null;
}

export type DraftProblem = { field: 'name' | 'baseUrl' | 'key' | 'storage'; code: 'missing' | 'notUrl' | 'noBaseUrl' | 'choose' };

/** What keeps it from being saved or tested. `keychain` null: not asked yet. */
export function problemsOf(draft: ProviderDraft, keychain: boolean | null): DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (draft.name.trim() === '') problems.push({ field: 'name', code: 'missing' });
  const url = draft.baseUrl.trim();
  if (url !== '' && !looksLikeUrl(url)) problems.push({ field: 'baseUrl', code: 'notUrl' });
  if (needsStorageChoice(draft, keychain) && draft.storage === null) problems.push({ field: 'storage', code: 'choose' });
  return problems;
}

function looksLikeUrl(text: string): boolean {
  try {
    const url = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
  } catch {
    return false;
  }
}

/** A key that is a secret, and no keychain to keep it: the person is asked (W3). */
export function needsStorageChoice(draft: ProviderDraft, keychain: boolean | null): boolean {
  return draft.key.trim() !== '' && variableOf(draft.key) === null && keychain === false;
}

/** An id from the name that no other provider has. */
export function idFor(name: string, taken: readonly string[], fallback: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-');
  const base = plain.replace(/^-+|-+$/g, '').slice(0, 40) || fallback;
  let id = base;
  for (let n = 2; taken.includes(id); n++) id = `${base}-${n}`;
  return id;
}

type Input = { provider: Omit<KnownProvider, 'keySource' | 'keyVariable'>; key: KeyChange };
export type KeyChange = { action: 'keep' } | { action: 'clear' } | { action: 'set'; value: string; storage: KeyStorage };

function keyChangeOf(draft: ProviderDraft, keychain: boolean | null): KeyChange {
  const value = draft.key.trim();
  if (value === '') return { action: draft.clearKey ? 'clear' : 'keep' };
  // A variable's name is no secret; it is written into the settings file as it stands.
  if (variableOf(value)) return { action: 'set', value, storage: 'plain' };
  return { action: 'set', value, storage: keychain === false ? (draft.storage ?? 'session') : 'keychain' };
}

/** What main is asked to save or test. */
export function inputOf(draft: ProviderDraft, taken: readonly string[], keychain: boolean | null): Input {
  const provider = providerConfigSchema.parse({
    id: draft.id ?? idFor(draft.name, taken, 'provider'),
    name: draft.name.trim(),
    kind: draft.kind,
    ...(draft.baseUrl.trim() && draft.kind !== 'demo' ? { baseUrl: draft.baseUrl.trim() } : {}),
    ...(draft.headers ? { headers: draft.headers } : {}),
    ...(draft.includeUsage === undefined ? {} : { includeUsage: draft.includeUsage }),
    models: draft.models,
  });
  return { provider, key: keyChangeOf(draft, keychain) };
}
