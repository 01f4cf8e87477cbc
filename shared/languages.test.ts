import { expect, it } from 'vitest';
import { languageFor } from './languages';

const known = ['en', 'ru', 'zh', 'pt-BR'];
it.each([
  ['ru', 'en-US', 'ru'],
  ['system', 'ru-RU', 'ru'],
  ['system', 'zh-CN', 'zh'],
  ['system', 'pt-BR', 'pt-BR'],
  ['system', 'pt', 'en'],
  ['ja', 'ru', 'en'],
  ['', 'ru', 'en'],
])('U1: a choice of %j on a system in %s reads %s', (preference, system, tag) => {
  expect(languageFor(preference, system, known)).toBe(tag);
});
