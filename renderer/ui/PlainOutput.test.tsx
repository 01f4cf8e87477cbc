// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, expect, it } from 'vitest';
import { words } from '../i18n';
import { PlainOutput } from './PlainOutput';

afterEach(cleanup);

function show(text: string) {
  render(
    <I18nextProvider i18n={words}>
      <PlainOutput text={text} label="Result" />
    </I18nextProvider>,
  );
  return screen.getByRole('group', { name: 'Result' });
}
const more = () => screen.queryByRole('button', { name: /^Show all/ });

it('A5, R4: of a very long text the beginning is drawn, and all of it when it is asked for', () => {
  const text = `${'a line of words\n'.repeat(20_000)}the end`;
  const box = show(text);
  expect(box.textContent?.length).toBeLessThan(60_000);
  expect(text.startsWith(box.firstChild?.textContent ?? '?')).toBe(true);
  expect(more()?.textContent).toBe('Show all (320,007 characters)');
  act(() => more()?.click());
  expect(box.textContent).toBe(text);
  expect(more()).toBeNull();
});

it('A5, R4: a line of megabytes is laid out in pieces, so that it takes no minute; its text stays as it is', () => {
  const text = `short\n${'z'.repeat(10_500)}\nand\n${'\u{1F600}'.repeat(9000)}.\nend`;
  const box = show(text);
  expect(box.textContent).toBe(text);
  expect(more()).toBeNull();
  const lines = [...box.childNodes].map(({ textContent }) => textContent ?? '');
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(4000);
  for (const line of lines) expect(line).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
});

it('A5: an ordinary text is one node', () => {
  expect(show('two\nlines').childNodes).toHaveLength(1);
});

it('A5: the beginning does not end in half a character', () => {
  const box = show(`${'a'.repeat(49_999)}${'\u{1F600}'.repeat(100)}`);
  expect([...box.childNodes].map(({ textContent }) => textContent).join('')).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
});
