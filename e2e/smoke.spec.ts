// The set-up is right when the built app opens a window from a fresh checkout with no variable set.
import { expect, test } from '@playwright/test';
import { launchApp } from './launch';

test('the app opens its window', async () => {
  const { app, window, folders, close } = await launchApp();
  try {
    await window.waitForLoadState('domcontentloaded');
    await expect(window).toHaveTitle('Bough');
    expect(await app.evaluate(({ app: electron }) => electron.getPath('userData'))).toBe(folders.userData);
  } finally {
    await close();
  }
});
