// @vitest-environment happy-dom
import { fireEvent, render, screen, within } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { words } from '../../i18n';
import { somePages } from '../../testing/memoryFixture';
import { closeWindow, settle } from '../../testing/openWindow';
import { PageGrid } from './PageGrid';

const copied: string[] = [];
/** Texts by the address of their blob; what is not here is gone. */
const texts = new Map<string, string>();
const pages = somePages(3);
const addressOf = (at: number) => `app://bough/blob/${pages[at]?.textHash}?mime=text%2Fplain`;

beforeEach(() => {
  copied.length = 0;
  texts.clear();
  for (const at of [0, 1, 2]) texts.set(addressOf(at), `¶user█words of page ${at + 1}`);
  vi.stubGlobal('fetch', async (address: string) => new Response(texts.get(address) ?? '', { status: texts.has(address) ? 200 : 404 }));
});
afterEach(() => {
  closeWindow();
  vi.unstubAllGlobals();
});

const thumbnail = (at: number) => screen.getByRole('button', { name: `Page ${at} of 3`, hidden: true });
async function open(at: number): Promise<void> {
  render(
    <I18nextProvider i18n={words}>
      <PageGrid
        pages={pages}
        onCopy={async (text) => {
          copied.push(text);
          return true;
        }}
      />
    </I18nextProvider>,
  );
  thumbnail(at).focus();
  fireEvent.click(thumbnail(at));
  await settle();
}
const dialog = () => screen.getByRole('dialog');
const button = (name: string | RegExp) => within(dialog()).getByRole('button', { name });
const picture = () => within(dialog()).getByRole<HTMLImageElement>('img');
const pane = () => within(dialog()).getByRole('group', { name: 'Picture' });
const text = () => within(dialog()).getByRole('group', { name: 'Text' });
async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
  await settle();
}

it('M7: of many pages the first are shown, the rest on demand; a tall one is cut where it is small', () => {
  const many = somePages(40).map((page) => ({ ...page, width: 768, height: 2048 }));
  render(
    <I18nextProvider i18n={words}>
      <PageGrid pages={many} onCopy={async () => true} />
    </I18nextProvider>,
  );
  const count = () => within(screen.getByRole('list', { name: 'Pages' })).getAllByRole('button').length;
  expect(count()).toBe(12);
  fireEvent.click(screen.getByRole('button', { name: 'Show all pages (40)' }));
  expect(count()).toBe(40);
  expect(screen.queryByRole('button', { name: /Show all/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Page 40 of 40' }).querySelector('img')?.style.aspectRatio).toBe('768 / 960');
});

describe('the viewer of pages', () => {
  it('M7: shows a page with its text, line breaks as lines; the text is copied', async () => {
    await open(2);
    expect(dialog().textContent).toContain('Page 2 of 3');
    expect(picture().alt).toBe('Page 2 of 3');
    expect(dialog().textContent).toMatch(/1,932 × 1,932 pixels.*12,000 characters/);
    expect(text().querySelector('pre')?.textContent).toBe('¶user\nwords of page 2');
    fireEvent.click(button('Copy the text'));
    await settle();
    expect(copied).toEqual(['¶user\nwords of page 2']);
    expect(button('Copied')).toBeTruthy();
  });

  it('M7: arrows, Page Up and Page Down, Home and End turn the pages and stop at the ends; focus stays', async () => {
    await open(1);
    expect(document.activeElement).toBe(pane());
    const seen: string[] = [];
    for (const key of ['ArrowRight', 'PageDown', 'ArrowRight', 'ArrowLeft', 'Home', 'PageUp', 'End']) {
      await press(key);
      seen.push(picture().alt.slice(5, 6));
    }
    expect(seen).toEqual(['2', '3', '3', '2', '1', '1', '3']);
    expect(document.activeElement).toBe(pane());
    expect(text().textContent).toContain('words of page 3');
    expect(button('Next page').getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(button('Previous page'));
    await settle();
    expect(within(dialog()).getByText('2 / 3')).toBeTruthy();
  });

  it('M7: in the text the keys that scroll scroll it, arrows still turn the page', async () => {
    await open(1);
    text().focus();
    for (const key of ['PageDown', 'End']) await press(key);
    expect(picture().alt).toBe('Page 1 of 3');
    await press('ArrowRight');
    expect(picture().alt).toBe('Page 2 of 3');
    expect(document.activeElement).toBe(text());
  });

  it('M7: plus, minus, 0 and F change the size; from 1:1 on pixels stay whole; keys with Ctrl are not taken', async () => {
    await open(1);
    const sizes: string[] = [];
    const note = () => sizes.push(`${picture().style.width}${picture().hasAttribute('data-whole-pixels') ? ' whole' : ''}`);
    // Without a layout nothing is known of the room: the page fits as it is.
    note();
    await press('+');
    note();
    await press('=', { ctrlKey: true });
    note();
    await press('+');
    note();
    await press('0');
    note();
    await press('=');
    await press('а', { code: 'KeyF' });
    note();
    expect(sizes).toEqual(['1932px whole', '3864px whole', '3864px whole', '5796px whole', '1932px whole', '1932px whole']);
    fireEvent.click(button('Larger'));
    expect(button('200%. Back to 100 %')).toBeTruthy();
    await press('-');
    expect(button('Smaller').getAttribute('aria-disabled')).toBe('true');
  });

  it('M7: the wheel with Ctrl changes the size, without it scrolls; a double click leads to 1:1 and back', async () => {
    await open(1);
    const wheel = (deltaY: number, ctrlKey = false) =>
      fireEvent(pane(), Object.assign(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }), { ctrlKey }));
    wheel(-120);
    expect(picture().style.width).toBe('1932px');
    wheel(-50, true);
    expect(picture().style.width).toBe('1932px');
    wheel(-50, true);
    expect(picture().style.width).toBe('3864px');
    fireEvent.doubleClick(pane());
    expect(picture().style.width).toBe('1932px');
  });

  it('M7: Escape closes it, and focus is where it was', async () => {
    await open(3);
    await press('Escape');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(thumbnail(3));
  });

  it('R3: a lost picture says so and its text stays; a lost text says so; another page has both', async () => {
    texts.delete(addressOf(1));
    await open(1);
    fireEvent.error(picture());
    expect(pane().textContent).toBe('This page is no longer in the workspace.');
    expect(text().textContent).toContain('words of page 1');
    await press('ArrowRight');
    expect(picture().alt).toBe('Page 2 of 3');
    expect(text().textContent).toBe('The text of this page is no longer in the workspace.');
    expect(within(dialog()).queryByRole('button', { name: 'Copy the text' })).toBeNull();
    await press('ArrowLeft');
    expect(pane().textContent).toContain('no longer');
  });
});
