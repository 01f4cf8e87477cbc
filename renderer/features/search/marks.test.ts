// The colours of found texts are written out, because tokens do not reach a highlight: they must stay the tokens' own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const css = (...path: string[]) => readFileSync(join(import.meta.dirname, ...path), 'utf8');
const blockOf = (text: string, head: string) => text.slice(text.indexOf(`${head} {`)).split('}')[0] ?? '';

it.each(['light', 'dark'])('Q1, U7: found texts have the amber and the paper of the %s theme', (theme) => {
  const tokens = blockOf(css('..', '..', 'ui', 'tokens.css'), `[data-theme='${theme}']`);
  const token = (name: string) => new RegExp(`--${name}: (#[0-9a-f]+);`).exec(tokens)?.[1];
  const marks = css('marks.css');
  const before = theme === 'dark' ? "[data-theme='dark'] " : '';
  const found = blockOf(marks, `${before}::highlight(bough-find)`);
  const now = blockOf(marks, `${before}::highlight(bough-find-now)`);
  expect(found).toContain(`background-color: ${token('amber-soft')};`);
  expect(found).toContain(`text-decoration-color: ${token('amber')};`);
  expect(now).toContain(`background-color: ${token('amber')};`);
  expect(now).toContain(`color: ${token('paper')};`);
  expect(`${found}${now}`).not.toContain('var(');
});
