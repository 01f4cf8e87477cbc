import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ProviderId } from '../../shared/model/ids';
import type { ProviderConfig, ProviderKind } from '../../shared/model/provider';
import { createLogger, createRedactor } from '../lib/logger';
import { type Keychain, openSecrets } from './secrets';

let folder: string;
let file: string;
const lines: string[] = [];
const redactor = createRedactor();
const logger = createLogger({ now: () => 0, sink: (line) => lines.push(line), redactor });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-secrets-'));
  file = join(folder, 'secrets.json');
  lines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Reverses the text: enough to see that what is on disk is not the key. The real keychain is tested in the window. */
const keychain: Keychain = {
  available: async () => true,
  encrypt: async (text) => [...text].reverse().join(''),
  decrypt: async (text) => [...text].reverse().join(''),
};
const none: Keychain = {
  available: async () => false,
  encrypt: () => Promise.reject(new Error('no')),
  decrypt: () => Promise.reject(new Error('locked')),
};
const provider = (apiKey?: string): ProviderConfig => ({
  id: 'p' as ProviderId,
  name: 'P',
  kind: 'openai-chat' as ProviderKind,
  models: [],
  ...(apiKey ? { apiKey } : {}),
});
const open = (chain: Keychain, env: NodeJS.ProcessEnv = {}) => openSecrets(file, { keychain: chain, redactor, logger, env });

it('W3, Z3: a key is encrypted on disk, given back after a restart, and cut from logs', async () => {
  await open(keychain).set('p', 'sk-very-secret-key', 'keychain');
  expect(readFileSync(file, 'utf8')).not.toContain('sk-very-secret-key');
  expect(statSync(file).mode & 0o077).toBe(0);
  const again = open(keychain);
  expect(again.sourceOf(provider())).toEqual({ source: 'keychain' });
  expect(await again.keyOf(provider())).toBe('sk-very-secret-key');
  logger.log('warn', 'talk', { text: 'it said sk-very-secret-key' });
  expect(lines.join('')).not.toContain('sk-very-secret-key');
});

it('W3: without a keychain a key is refused, unless the user chose plain text or this run only', async () => {
  const secrets = open(none);
  await expect(secrets.set('p', 'key-one-two', 'keychain')).rejects.toMatchObject({ failure: { code: 'keychainUnavailable' } });
  expect(existsSync(file)).toBe(false);
  await secrets.set('p', 'key-one-two', 'session');
  expect(existsSync(file)).toBe(false);
  expect(await secrets.keyOf(provider())).toBe('key-one-two');
  expect(await open(none).keyOf(provider())).toBeNull();
  await secrets.set('p', 'key-one-two', 'plain');
  expect(await open(none).keyOf(provider())).toBe('key-one-two');
  await secrets.clear('p');
  expect(await open(none).keyOf(provider())).toBeNull();
});

it('W3: a locked keychain is said, never taken for a missing key', async () => {
  await open(keychain).set('p', 'key-one-two', 'keychain');
  await expect(open(none).keyOf(provider())).rejects.toMatchObject({ failure: { code: 'keychainUnavailable', retryable: true } });
});

it('W3: ${NAME} reads the environment, anything else in settings.json is the key itself', async () => {
  const secrets = open(none, { MY_KEY: 'from-env' });
  expect(secrets.sourceOf(provider('${MY_KEY}'))).toEqual({ source: 'environment', variable: 'MY_KEY' });
  expect(await secrets.keyOf(provider('${MY_KEY}'))).toBe('from-env');
  expect(await secrets.keyOf(provider('${OTHER}'))).toBeNull();
  expect(await secrets.keyOf(provider('literal'))).toBe('literal');
  expect(secrets.sourceOf(provider('literal'))).toEqual({ source: 'settingsFile' });
});

it('R3: a damaged file of keys is kept aside, and new keys can be stored', async () => {
  writeFileSync(file, '{"version": 1, "keys": {');
  const secrets = open(keychain);
  await secrets.set('p', 'key-one-two', 'plain');
  expect(readFileSync(`${file}.broken`, 'utf8')).toBe('{"version": 1, "keys": {');
  expect(await secrets.keyOf(provider())).toBe('key-one-two');
});
