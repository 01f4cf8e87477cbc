// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { bundledLanguages, showWordsOf, words } from '../../i18n';
import { formatDuration } from './formatDuration';

const t = (key: string, values: Record<string, string | number>) => words.t(key, { ns: 'talk', ...values });

afterEach(() => showWordsOf('en', 'en'));

it('U1: a duration is written in the language of the window, its tenths too', async () => {
  expect([1240, 61_000].map((time) => formatDuration(time, t, true))).toEqual(['1.2 s', '1 min 1 s']);
  await showWordsOf('system', 'ru-RU');
  expect([1240, 1000, 61_000].map((time) => formatDuration(time, t, true))).toEqual(['1,2 с', '1,0 с', '1 мин 1 с']);
  expect(formatDuration(1240, t)).toBe('1 с');
});

it('U1: Russian counts in its own plural forms, and a language is named as it names itself', async () => {
  await showWordsOf('ru', 'en-US');
  const said = (count: number) => words.t('fork:messages', { count });
  expect([1, 2, 5, 21].map(said)).toEqual(['1 сообщение', '2 сообщения', '5 сообщений', '21 сообщение']);
  expect(bundledLanguages()).toContainEqual({ tag: 'ru', name: 'Русский' });
});
