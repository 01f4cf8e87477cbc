// Unit and property tests: everything beside the code; the real window is tested by Playwright in e2e/.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['scripts/setup/vitestSetUp.mjs'],
    pool: 'forks',
    testTimeout: 20_000,
    allowOnly: false,
    // A property that failed has a counterexample, which another try would not draw again (docs/decisions/020).
    retry: process.env.CI ? { count: 1, condition: /^(?!Property failed)/ } : 0,
    projects: [
      // Files without state of their own share a process: modules are loaded once.
      { extends: true, test: { name: 'core', include: ['{shared,preload,main,scripts,e2e}/**/*.test.ts'], isolate: false } },
      // The window's state lives in modules: a file of tests gets its own, so none sees what another one left.
      { extends: true, test: { name: 'window', include: ['renderer/**/*.test.{ts,tsx}'], isolate: true } },
    ],
  },
});
