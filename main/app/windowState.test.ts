import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clampToDisplays, readWindowState, saveWindowState } from './windowState';

const laptop = { x: 0, y: 0, width: 1440, height: 900 };
const second = { x: 1440, y: 0, width: 1920, height: 1080 };

it('U6: a window on a display that is gone comes back centred, at a size that fits', () => {
  const state = { x: 2000, y: 100, width: 1800, height: 1000, maximized: false };
  expect(clampToDisplays(state, [laptop, second])).toEqual(state);
  expect(clampToDisplays(state, [laptop])).toEqual({ width: 1440, height: 900, maximized: false });
  expect(clampToDisplays({ ...state, x: 10, width: 100, height: 50 }, [laptop])).toEqual({
    x: 10,
    y: 100,
    width: 640,
    height: 480,
    maximized: false,
  });
});

it('U6, R3: size, place and maximized survive a restart; a damaged file is the default', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bough-window-'));
  const file = join(folder, 'window.json');
  const state = { x: 5, y: 6, width: 1000, height: 700, maximized: true };
  await saveWindowState(file, state);
  expect(readWindowState(file)).toEqual(state);
  writeFileSync(file, '{"width": ');
  expect(readWindowState(file)).toMatchObject({ width: 1280, height: 800 });
  rmSync(folder, { recursive: true });
});
