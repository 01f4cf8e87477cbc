// Unit and property tests: everything beside the code; the real window is tested by Playwright in e2e/.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{shared,preload,main,renderer,scripts,e2e}/**/*.test.{ts,tsx}'],
    globalSetup: ['scripts/setup/vitestSetUp.mjs'],
    isolate: false,
    pool: 'forks',
    testTimeout: 20_000,
    allowOnly: false,
  },
});
