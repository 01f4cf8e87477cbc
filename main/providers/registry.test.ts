import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { providerKinds } from '../../shared/model/provider';
import { getProvider } from './registry';

it('P1: every kind of provider has its adapter', async () => {
  for (const kind of providerKinds)
    expect(await getProvider(kind)).toMatchObject({ stream: expect.any(Function), listModels: expect.any(Function) });
});

it('P1: nothing loads an adapter or its library before it is asked for', () => {
  const root = resolve(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/(\.test|Fixture)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(30);
  const importsAtOnce = (pattern: string) =>
    files.filter((file) =>
      new RegExp(`^(?:import|export) (?!type )[^;]*from '${pattern}'`, 'm').test(readFileSync(resolve(root, file), 'utf8')),
    );
  const libraries = importsAtOnce("(?:openai|@google/genai[^']*)");
  expect(libraries.sort()).toEqual(['providers/gemini/gemini.ts', 'providers/openai/client.ts']);
  const adapters = importsAtOnce("[^']*(?:/chat|/responses|/client|/models|/gemini|/demo)").filter(
    (file) => !/^providers\/(openai|gemini|demo)\//.test(file),
  );
  // The demo's two facts are data, not its adapter.
  expect(adapters).toEqual(['providers/catalog.ts']);
});
