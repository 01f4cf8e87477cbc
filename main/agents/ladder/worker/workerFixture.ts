// A folder that a worker may read and what it must not, and the models that answer for it.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProviderId } from '../../../../shared/model/ids';
import type { ModelInfo } from '../../../../shared/model/provider';
import { defaultPreferences } from '../../../../shared/model/settings';
import { nothingLearned } from '../../../user/limitsFixture';
import { createModelDirectory } from '../../modelDirectory';

export function makeWorkerFiles(): { workspace: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'bough-worker-'));
  const workspace = join(folder, 'workspace');
  mkdirSync(join(workspace, '.bough'), { recursive: true });
  mkdirSync(join(workspace, 'src'));
  writeFileSync(join(workspace, 'src/lexer.ts'), 'one\ntwo with the-key-of-bough\nthree\nfour\n');
  writeFileSync(join(workspace, 'src/big.ts'), 'const value = compute(1);\n'.repeat(5_000));
  writeFileSync(join(workspace, 'picture.bin'), Buffer.from([1, 0, 2, 0]));
  writeFileSync(join(workspace, '.bough/secret.txt'), 'xyzzy-of-bough');
  writeFileSync(join(folder, 'outside.txt'), 'plugh-outside');
  symlinkSync(join(folder, 'outside.txt'), join(workspace, 'link.txt'));
  return { workspace, remove: () => rmSync(folder, { recursive: true }) };
}

/** A provider at this address, with the model `m1`, and one of Gemini with `m3`. */
export const directoryAt = (url: string, info: Partial<ModelInfo>) =>
  createModelDirectory({
    settings: () => ({
      version: 1,
      providers: [
        {
          id: 'local' as ProviderId,
          name: 'Local',
          kind: 'openai-chat',
          baseUrl: `${url}/v1`,
          models: [{ id: 'm1', contextWindow: 200_000, inputPrice: 1, outputPrice: 10, ...info }],
        },
        { id: 'gemini' as ProviderId, name: 'Gemini', kind: 'gemini', baseUrl: url, models: [{ id: 'm3', contextWindow: 200_000 }] },
      ],
      agents: [],
      roles: {},
      compaction: {},
      preferences: defaultPreferences,
      onboarded: true,
    }),
    keyOf: async ({ kind }) => (kind === 'gemini' ? 'a-key-of-tests' : null),
    readBlob: () => Promise.reject(new Error('no blobs')),
    usedAgent: () => undefined,
    limits: nothingLearned,
  });
