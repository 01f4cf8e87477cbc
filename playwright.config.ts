// The tests of the real window. They start the built app by themselves: `npm run test:e2e` sets up and builds first.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/e2e',
  // One window at a time where it counts: two on one display take each other's pointer and focus.
  workers: process.env.CI ? 1 : 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // What passes only then is told by name, and few may (docs/decisions/020).
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  globalTimeout: 35 * 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
});
