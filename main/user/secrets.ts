// API keys (W3): in the user-data folder, encrypted by the keychain; or, where the user said so, as plain text; or for this run only.
import { readFileSync, renameSync } from 'node:fs';
import * as z from 'zod/mini';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { KeySource, ProviderConfig } from '../../shared/model/provider';
import { writeAtomic } from '../lib/atomicFile';
import type { Logger, Redactor } from '../lib/logger';
import { createSequential } from '../lib/sequential';
import { systemCode, throwFileFailure } from '../lib/systemError';

const storedKey = z.object({ storage: z.enum(['keychain', 'plain']), value: z.string() });
const secretsSchema = z.object({ version: z.literal(1), keys: z.record(z.string(), storedKey) });
export type Keychain = {
  /** False without a keychain, and with Chromium's `basic_text`, which only hides the key. */
  available(): Promise<boolean>;
  /** Base64 of the encrypted text; rejects when the keychain refuses. */
  encrypt(text: string): Promise<string>;
  decrypt(base64: string): Promise<string>;
};

type StoredKey = z.infer<typeof storedKey>;
export type KeyStorage = 'keychain' | 'plain' | 'session';

export type Secrets = {
  keychain: Keychain;
  sourceOf(provider: ProviderConfig): { source: KeySource; variable?: string };
  /** The key as it is sent; null when there is none. Rejects with `keychainUnavailable` when it is stored but cannot be read. */
  keyOf(provider: ProviderConfig): Promise<string | null>;
  set(providerId: string, value: string, storage: KeyStorage): Promise<void>;
  clear(providerId: string): Promise<void>;
};

/** The name in `${NAME}`, when a key reads the environment. */
function environmentName(apiKey: string): string | null {
  return /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(apiKey)?.[1] ?? null;
}

export function openSecrets(
  file: string,
  deps: { keychain: Keychain; redactor: Redactor; logger: Logger; env: NodeJS.ProcessEnv },
): Secrets {
  const { keychain, redactor, logger, env } = deps;
  const session = new Map<string, string>();
  const stored = new Map<string, StoredKey>(Object.entries(readSecrets(file, logger)));
  const decrypted = new Map<string, string>();
  const inOrder = createSequential();
  const known = (key: string) => {
    redactor.add(key);
    return key;
  };
  const write = async () => {
    try {
      await writeAtomic(file, `${JSON.stringify({ version: 1, keys: Object.fromEntries(stored) }, null, 2)}\n`, { mode: 0o600 });
    } catch (error) {
      throwFileFailure(error, file);
    }
  };

  return {
    keychain,
    sourceOf: (provider) => {
      if (session.has(provider.id)) return { source: 'session' };
      const entry = stored.get(provider.id);
      if (entry) return { source: entry.storage };
      if (!provider.apiKey) return { source: 'none' };
      const variable = environmentName(provider.apiKey);
      return variable ? { source: 'environment', variable } : { source: 'settingsFile' };
    },
    keyOf: async (provider) => {
      const own = session.get(provider.id) ?? decrypted.get(provider.id);
      if (own) return own;
      const entry = stored.get(provider.id);
      if (entry?.storage === 'plain') return known(entry.value);
      if (entry) return decryptKey(provider, entry, keychain, (key) => decrypted.set(provider.id, known(key)));
      if (!provider.apiKey) return null;
      const variable = environmentName(provider.apiKey);
      const key = variable ? env[variable] : provider.apiKey;
      return key ? known(key) : null;
    },
    set: (providerId, value, storage) =>
      inOrder.run(async () => {
        known(value);
        if (storage === 'session') {
          session.set(providerId, value);
          if (stored.delete(providerId)) await write();
          return;
        }
        if (storage === 'keychain' && !(await keychain.available())) {
          throw new FailureError(makeFailure('keychainUnavailable', 'This system has no keychain that could encrypt the key.'));
        }
        stored.set(providerId, { storage, value: storage === 'keychain' ? await keychain.encrypt(value) : value });
        session.delete(providerId);
        decrypted.delete(providerId);
        await write();
      }),
    clear: (providerId) =>
      inOrder.run(async () => {
        session.delete(providerId);
        decrypted.delete(providerId);
        if (stored.delete(providerId)) await write();
      }),
  };
}

async function decryptKey(provider: ProviderConfig, entry: StoredKey, keychain: Keychain, keep: (key: string) => void): Promise<string> {
  try {
    const key = await keychain.decrypt(entry.value);
    keep(key);
    return key;
  } catch (error) {
    throw new FailureError(
      makeFailure('keychainUnavailable', `The keychain does not give out the key of ${provider.name}. Unlock it, or enter the key again.`, {
        retryable: true,
        detail: { provider: provider.name },
      }),
      { cause: error },
    );
  }
}

/** A file that cannot be understood is kept aside as `<file>.broken`, so that storing a key does not write over it. */
function readSecrets(file: string, logger: Logger): Record<string, StoredKey> {
  try {
    return z.parse(secretsSchema, JSON.parse(readFileSync(file, 'utf8'))).keys;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    logger.log('warn', 'stored keys cannot be read', { cause: error });
    if (systemCode(error) === undefined) renameSync(file, `${file}.broken`);
    return {};
  }
}
