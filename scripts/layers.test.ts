// The layer check must fail when it should: each case is a small tree outside the app with one forbidden import.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { cruiseLayers, LAYERS } from './checks/layers.mjs';

const roots: string[] = [];

function tree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'bough-layers-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** The names of the rules that the tree breaks. */
async function broken(files: Record<string, string>): Promise<string[]> {
  const { problems } = await cruiseLayers(tree(files));
  return problems.map((problem) => /\(([\w/-]+)\)$/.exec(problem)?.[1] ?? problem);
}

/** One file that imports another, both existing. */
const importing = (from: string, to: string, how = (path: string) => `import { x } from '${path}';\nconsole.log(x);`) => {
  const up = '../'.repeat(from.split('/').length - 1);
  return { [from]: how(`${up || './'}${to.replace(/\.tsx?$/, '')}`), [to]: 'export const x = 1;\nexport type X = number;\n' };
};

/** One file that imports a package that exists. */
const importingPackage = (from: string, name: string) => ({
  [from]: `import x from '${name}';\nconsole.log(x);`,
  [`node_modules/${name}/index.js`]: 'module.exports = 1;',
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0' }),
});

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

describe('layers', () => {
  // All of the project is parsed: that takes its time on a busy machine.
  it('every layer of the app is looked at', { timeout: 120_000 }, async () => {
    const { modules } = await cruiseLayers();
    for (const layer of LAYERS) expect(modules.filter((path) => path.startsWith(`${layer}/`)).length).toBeGreaterThan(0);
  });

  it.each([
    ['shared/a.ts', 'main/lib/b.ts', 'layer-shared'],
    ['preload/index.ts', 'main/lib/b.ts', 'layer-preload'],
    ['renderer/a.ts', 'main/lib/b.ts', 'layer-renderer'],
    ['renderer/a.ts', 'preload/b.ts', 'layer-renderer'],
    ['main/lib/a.ts', 'main/store/b.ts', 'layer-main/lib'],
    ['main/store/a.ts', 'main/transcript/b.ts', 'layer-main/store'],
    ['main/transcript/a.ts', 'main/store/b.ts', 'layer-main/transcript'],
    ['main/workspace/a.ts', 'main/agents/b.ts', 'layer-main/workspace'],
    ['main/store/a.ts', 'main/workspace/b.ts', 'layer-main/store'],
    ['main/context/a.ts', 'main/providers/b.ts', 'layer-main/context'],
    ['main/context/a.ts', 'main/store/b.ts', 'layer-main/context'],
    ['main/providers/a.ts', 'main/context/plan.ts', 'layer-main/providers'],
    ['main/interchange/a.ts', 'main/store/b.ts', 'layer-main/interchange'],
    ['main/agents/a.ts', 'main/ipc/b.ts', 'layer-main/agents'],
    ['main/agents/a.ts', 'main/workspace/b.ts', 'layer-main/agents'],
    ['main/ipc/a.ts', 'main/app/b.ts', 'layer-main/ipc'],
    ['main/workers/a.ts', 'main/agents/b.ts', 'layer-main/workers'],
    ['main/app/a.ts', 'main/store/b.ts', 'layer-main/app'],
    ['main/ipc/talk.ts', 'main/ipc/settings.ts', 'siblings-ipc'],
    ['main/agents/tools/readFile.ts', 'main/agents/tools/writeFile.ts', 'siblings-tools'],
    ['main/context/rungs/elide.ts', 'main/context/rungs/snapshot.ts', 'siblings-rungs'],
    ['main/interchange/import/chatgpt.ts', 'main/interchange/import/claude.ts', 'siblings-import-formats'],
    ['renderer/features/talk/Talk.tsx', 'renderer/features/composer/Composer.tsx', 'siblings-features'],
    ['renderer/ui/Button.tsx', 'renderer/state/talk.ts', 'ui-is-dumb'],
    ['renderer/state/talk.ts', 'renderer/features/talk/Talk.tsx', 'state-below-features'],
    ['main/lib/a.ts', 'main/lib/a.test.ts', 'no-tests-in-the-app'],
    ['main/store/open.ts', 'main/store/storeFixture.ts', 'no-tests-in-the-app'],
    ['renderer/bridge.ts', 'renderer/testing/fakeBridge.ts', 'no-tests-in-the-app'],
    ['main/user/a.ts', 'main/workspace/b.ts', 'layer-main/user'],
    ['main/attachments/a.ts', 'main/store/b.ts', 'layer-main/attachments'],
    ['main/ipc/talk.ts', 'main/ipc/router.ts', 'siblings-ipc'],
    ['main/agents/a.ts', 'main/index.ts', 'layer-main/agents'],
    ['main/novelty/a.ts', 'main/store/b.ts', 'no-row'],
  ])('%s may not import %s', async (from, to, rule) => {
    expect(await broken(importing(from, to))).toContain(rule);
  });

  it.each([
    ['main/agents/a.ts', 'main/providers/b.ts'],
    ['main/ipc/talk.ts', 'main/ipc/gate.ts'],
    ['main/ipc/router.ts', 'main/ipc/talk.ts'],
    ['main/ipc/gate.ts', 'main/ipc/router.ts'],
    ['main/providers/a.ts', 'main/context/snapshot/billing.ts'],
    ['renderer/App.tsx', 'renderer/features/talk/Talk.tsx'],
    ['renderer/features/talk/Talk.tsx', 'renderer/features/talk/Row.tsx'],
    ['renderer/features/talk/Talk.tsx', 'renderer/ui/Button.tsx'],
    ['main/index.ts', 'main/store/open.ts'],
    ['main/store/a.test.ts', 'e2e/fixtures/scriptedServer.ts'],
  ])('%s may import %s', async (from, to) => {
    expect(await broken(importing(from, to))).toEqual([]);
  });

  it.each([
    ['main/agents/a.ts', 'openai', 'only-model-sdks'],
    ['main/context/a.ts', '@google/genai', 'only-model-sdks'],
    ['main/agents/a.ts', 'better-sqlite3', 'only-sqlite'],
    ['main/store/a.ts', 'electron', 'only-electron'],
    ['main/ipc/talk.ts', 'electron', 'only-electron'],
    ['renderer/state/client.ts', '@orpc/client', 'only-rpc-client'],
    ['shared/a.ts', 'ulid', 'shared-is-pure'],
    ['renderer/a.ts', 'node:fs', 'renderer-without-node'],
  ])('%s may not import the package %s', async (from, name, rule) => {
    expect(
      await broken(name.startsWith('node:') ? { [from]: `import x from '${name}';\nconsole.log(x);` } : importingPackage(from, name)),
    ).toContain(rule);
  });

  it.each([
    ['main/store/a.ts', 'better-sqlite3'],
    ['main/providers/openai/a.ts', 'openai'],
    ['main/ipc/gate.ts', 'electron'],
    ['main/app/window.ts', 'electron'],
    ['renderer/bridge.ts', '@orpc/client'],
  ])('%s may import the package %s', async (from, name) => {
    expect(await broken(importingPackage(from, name))).toEqual([]);
  });

  it('type-only, dynamic and re-exporting imports count as well', async () => {
    const typeOnly = (path: string) => `import type { X } from '${path}';\nexport const y: X = 1;`;
    const dynamic = (path: string) => `export const load = () => import('${path}');`;
    const again = (path: string) => `export { x } from '${path}';`;
    for (const how of [typeOnly, dynamic, again]) {
      expect(await broken(importing('renderer/a.tsx', 'main/lib/b.ts', how))).toContain('layer-renderer');
    }
  });

  it('a cycle is refused', async () => {
    const files = {
      'shared/a.ts': "import { b } from './b';\nexport const a = () => b;",
      'shared/b.ts': "import { a } from './a';\nexport const b = () => a;",
    };
    expect(await broken(files)).toContain('no-cycles');
  });

  it('an import that leads nowhere is refused', async () => {
    expect(await broken({ 'shared/a.ts': "import { b } from './gone';\nconsole.log(b);" })).toEqual(['resolvable']);
  });
});
