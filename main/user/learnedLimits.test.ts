import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Logger } from '../lib/logger';
import { type LearnedLimits, openLearnedLimits } from './learnedLimits';

let folder: string;
let file: string;
let warned: string[];
let time: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-limits-'));
  file = join(folder, 'limits.json');
  warned = [];
  time = 1_000;
});
afterEach(() => rmSync(folder, { recursive: true }));

const logger: Logger = { log: (_level, text) => void warned.push(text), with: () => logger };
const written = (limits: LearnedLimits) => limits.forget('nobody/nothing');
const open = () => openLearnedLimits({ file, logger, now: () => time });
const here = 'http://127.0.0.1:8080/v1';

it('L7: a learned number is kept per provider and model with its date, and survives a restart', async () => {
  const limits = open();
  limits.learn('local/m1', here, { window: 4096, listed: { window: 32_768 } });
  time = 2_000;
  limits.learn('local/m2', here, { window: 8192, bodyLimit: 1_000_000 });
  await written(limits);
  const again = open();
  expect(again.of('local/m1', here)).toMatchObject({ window: { value: 4096, at: 1_000, listed: 32_768 } });
  expect(again.of('local/m2', here)).toMatchObject({ window: { value: 8192, at: 2_000 }, bodyLimit: { value: 1_000_000, at: 2_000 } });
  expect(again.of('local/m3', here)).toEqual({});
  expect(statSync(file).mode & 0o077).toBe(0);
});

it('L7: what one address taught says nothing of another', () => {
  const limits = open();
  limits.learn('local/m1', here, { window: 4096 });
  expect(limits.of('local/m1', 'http://10.0.0.2:8080/v1')).toEqual({});
  expect(limits.of('local/m1', here)).toMatchObject({ window: { value: 4096, at: 1_000 } });
});

it('L7: the newest window counts, larger or smaller; of bodies the smallest', () => {
  const limits = open();
  limits.learn('p/m', here, { window: 4096, bodyLimit: 5_000_000 });
  time = 2_000;
  limits.learn('p/m', here, { window: 8192, bodyLimit: 9_000_000 });
  expect(limits.of('p/m', here)).toMatchObject({ window: { value: 8192, at: 2_000 }, bodyLimit: { value: 5_000_000, at: 1_000 } });
  limits.learn('p/m', here, { bodyLimit: 2_000_000 });
  expect(limits.of('p/m', here).bodyLimit).toEqual({ value: 2_000_000, at: 2_000 });
});

it('S10, P7: that no images are taken is kept with what the list said then, and of image counts the smallest', async () => {
  const limits = open();
  limits.learn('p/m', here, { noImages: true, listed: { window: 8192, vision: true } });
  time = 2_000;
  limits.learn('p/m', here, { window: 4096, maxImages: 8 });
  time = 3_000;
  limits.learn('p/m', here, { maxImages: 20 });
  limits.learn('p/m', here, { maxImages: 0 });
  await written(limits);
  expect(open().of('p/m', here)).toMatchObject({
    noImages: { at: 1_000, listed: true },
    maxImages: { value: 8, at: 2_000 },
    window: { value: 4096, at: 2_000 },
  });
  expect(limits.of('p/m', 'http://10.0.0.2:8080/v1')).toEqual({});
  limits.learn('p/m', here, { noImages: true, listed: { vision: false } });
  expect(limits.of('p/m', here).noImages).toEqual({ at: 3_000, listed: false });
  await limits.forget('p/m');
  expect(open().of('p/m', here)).toEqual({});
});

it('L7: numbers that cannot be a limit are not taken', () => {
  const limits = open();
  for (const window of [0, -1, 20, 12.5, Number.NaN, Number.POSITIVE_INFINITY]) limits.learn('p/m', here, { window });
  limits.learn('p/m', here, { bodyLimit: 100 });
  expect(limits.of('p/m', here)).toEqual({});
});

it('L7: forgotten is forgotten, also after a restart', async () => {
  const limits = open();
  limits.learn('p/m', here, { window: 4096 });
  limits.learn('p/m', 'http://other/v1', { window: 4096 });
  limits.learn('p/kept', here, { window: 4096 });
  await limits.forget('p/m');
  expect(limits.of('p/m', here)).toEqual({});
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, limits: [{ model: 'p/kept' }] });
  await limits.forget('p/never');
});

it('L7: the file is bounded: those learned last stay', async () => {
  const limits = open();
  for (let number = 0; number < 510; number++) limits.learn(`p/${number}`, here, { window: 1000 + number });
  await written(limits);
  const { limits: kept } = JSON.parse(readFileSync(file, 'utf8')) as { limits: { model: string }[] };
  expect(kept).toHaveLength(500);
  expect(kept[0]?.model).toBe('p/10');
  expect(open().of('p/509', here).window?.value).toBe(1509);
});

it('R3: entries that are not understood are left out, a broken file is kept aside, one of another version left alone', async () => {
  const good = { model: 'p/m', address: here, window: { value: 4096, at: 5 } };
  writeFileSync(file, JSON.stringify({ version: 1, limits: [{ model: 7 }, good, { ...good, model: 'p/n', window: { value: 'x' } }] }));
  expect(open().of('p/m', here)).toMatchObject({ window: { value: 4096, at: 5 } });
  expect(open().of('p/n', here)).toEqual({});

  writeFileSync(file, '{"version": 1, "limits": [');
  const broken = open();
  broken.learn('p/m', here, { window: 8192 });
  await written(broken);
  expect(readFileSync(`${file}.broken`, 'utf8')).toBe('{"version": 1, "limits": [');
  expect(open().of('p/m', here).window?.value).toBe(8192);

  writeFileSync(file, '{"version": 2, "limits": "anything"}');
  const newer = open();
  newer.learn('p/m', here, { window: 8192 });
  await written(newer);
  expect(newer.of('p/m', here).window?.value).toBe(8192);
  expect(readFileSync(file, 'utf8')).toBe('{"version": 2, "limits": "anything"}');
});

it('L7: what cannot be written holds for this run, with a line in the log', async () => {
  mkdirSync(file);
  const limits = open();
  limits.learn('p/m', here, { window: 8192 });
  await written(limits);
  expect(limits.of('p/m', here).window?.value).toBe(8192);
  expect(warned.length).toBeGreaterThan(0);
});
