// The set-up is right when the built app opens a window from a fresh checkout with no variable set.
import { expect } from '@playwright/test';
import { test } from './fixtures/app';

test('U6: the app opens its window on the folders it is given', async ({ start }) => {
  const { app, page, folders } = await start();
  await expect(page).toHaveTitle(/Bough$/);
  expect(await app.evaluate(({ app: electron }) => electron.getPath('userData'))).toBe(folders.userData);
});
