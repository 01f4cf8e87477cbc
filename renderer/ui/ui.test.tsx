// @vitest-environment happy-dom
// The components that have no file of tests to themselves: what they say, their keys and their names (U6, U7).
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureCodes, makeFailure } from '../../shared/model/failure';
import { focusComposerEvent } from '../focusEvents';
import { words } from '../i18n';
import { Button } from './Button';
import { Combobox } from './Combobox';
import { Dialog } from './Dialog';
import { ErrorBoundary } from './ErrorBoundary';
import { FailureText, remedyOf } from './FailureText';
import { formatBytes, formatCompact, formatList, formatSeries } from './format';
import { IconButton } from './IconButton';
import { learnLayout, writeKeys } from './keys';
import { Skeleton } from './Skeleton';
import { TooltipLayer } from './TooltipLayer';

const user = userEvent.setup({ delay: null });
const show = (view: ReactNode) => render(<I18nextProvider i18n={words}>{view}</I18nextProvider>);
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const options = [
  { value: 'a/gpt', label: 'gpt', group: 'OpenAI' },
  { value: 'b/gemma', label: 'gemma', group: 'Local' },
  { value: 'b/qwen', label: 'qwen', group: 'Local' },
];
function Choice() {
  const [value, setValue] = useState<string | null>(null);
  return (
    <Combobox
      label="Model"
      value={value}
      options={options}
      onChange={setValue}
      placeholder="Choose"
      searchLabel="Search"
      noMatch="No match"
    />
  );
}

function Two() {
  const [open, setOpen] = useState(0);
  return (
    <>
      <Button onClick={() => setOpen(1)}>First</Button>
      {open > 0 ? (
        <Dialog title="Outer" closeLabel="Close" onClose={() => setOpen(0)}>
          <Button onClick={() => setOpen(2)}>Second</Button>
          {open > 1 ? <Dialog title="Inner" closeLabel="Close inner" onClose={() => setOpen(1)} /> : null}
        </Dialog>
      ) : null}
    </>
  );
}

let broken = false;
function Area() {
  if (broken) throw new Error('no such row');
  return <p>All is well</p>;
}

describe('FailureText', () => {
  it('U6, Z3: shows what happened, what to do, and the provider’s own words as text, never as markup', () => {
    const text = '<img src=x onerror=alert(1)> quota exceeded';
    show(
      <FailureText
        failure={makeFailure('rateLimited', 'm', { detail: { provider: 'Groq', status: 429, providerText: text, retryAfterMs: 1500 } })}
      />,
    );
    expect(screen.getByText('Groq takes no more requests right now')).toBeTruthy();
    expect(screen.getByText(/It asked to wait 2 seconds/)).toBeTruthy();
    expect(screen.getByRole('figure').textContent).toContain(text);
    expect(screen.getByRole('figure').textContent).toContain('HTTP 429');
    expect(document.querySelector('img')).toBeNull();
  });

  it('U6: every code reads as whole sentences when no detail is known', () => {
    for (const code of failureCodes) {
      const { container } = show(<FailureText failure={makeFailure(code, '')} />);
      expect(container.textContent, code).not.toMatch(/\{\{|undefined|failure:| {2}/);
      expect(container.querySelectorAll('p').length, code).toBe(2);
      cleanup();
    }
  });

  it('U6: a size is written with its unit', () => {
    show(
      <FailureText failure={makeFailure('fileTooLarge', '', { detail: { path: 'a.pdf', size: 60 * 1024 ** 2, limit: 50 * 1024 ** 2 } })} />,
    );
    expect(screen.getByText('It has 60 MB; the limit is 50 MB.')).toBeTruthy();
  });

  it('U6: says where a failure is mended', () => {
    expect(remedyOf(makeFailure('badKey', ''))).toBe('provider');
    expect(remedyOf(makeFailure('serverError', '', { retryable: true }))).toBe('retry');
    expect(remedyOf(makeFailure('refused', ''))).toBe('none');
  });
});

describe('TooltipLayer', () => {
  it('U7: shows an icon button’s name and keys after a moment, and Escape hides it', () => {
    vi.useFakeTimers();
    show(
      <>
        <IconButton label="Hide sidebar" keys="Mod+B">
          <svg aria-hidden="true" />
        </IconButton>
        <TooltipLayer />
      </>,
    );
    fireEvent.pointerOver(screen.getByRole('button', { name: 'Hide sidebar' }));
    expect(screen.queryByText('Hide sidebar')).toBeNull();
    act(() => void vi.advanceTimersByTime(600));
    expect(screen.getByText('Hide sidebar').textContent).toBe('Hide sidebarCtrl+B');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.queryByText('Hide sidebar')).toBeNull();
  });

  it('U1: a button whose popover is open shows no bubble over it', () => {
    vi.useFakeTimers();
    show(
      <>
        <IconButton label="Label" aria-haspopup="dialog" aria-expanded>
          <svg aria-hidden="true" />
        </IconButton>
        <IconButton label="Pin" aria-haspopup="dialog" aria-expanded={false}>
          <svg aria-hidden="true" />
        </IconButton>
        <TooltipLayer />
      </>,
    );
    fireEvent.pointerOver(screen.getByRole('button', { name: 'Label' }));
    act(() => void vi.advanceTimersByTime(600));
    expect(screen.queryByText('Label')).toBeNull();
    fireEvent.pointerOver(screen.getByRole('button', { name: 'Pin' }));
    act(() => void vi.advanceTimersByTime(600));
    expect(screen.getByText('Pin')).toBeTruthy();
  });

  it('U1: a title that is not cut needs no tooltip', () => {
    vi.useFakeTimers();
    show(
      <>
        <span data-tooltip="The whole title" data-tooltip-truncated="">
          Title
        </span>
        <TooltipLayer />
      </>,
    );
    const title = screen.getByText('Title');
    fireEvent.pointerOver(title);
    act(() => void vi.advanceTimersByTime(600));
    expect(screen.queryByText('The whole title')).toBeNull();
    Object.defineProperty(title, 'scrollWidth', { value: 500 });
    fireEvent.pointerOver(title);
    act(() => void vi.advanceTimersByTime(600));
    expect(screen.getByText('The whole title')).toBeTruthy();
  });
});

describe('Combobox', () => {
  it('U7: is narrowed by typing, walked by arrows and chosen by Enter; focus comes back', async () => {
    show(<Choice />);
    await user.click(screen.getByRole('button', { name: 'Model' }));
    const search = screen.getByRole('combobox', { name: 'Search' });
    expect(document.activeElement).toBe(search);
    await user.type(search, 'local');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['gemma', 'qwen']);
    await user.keyboard('{ArrowDown}');
    expect(document.getElementById(search.getAttribute('aria-activedescendant') ?? '')?.textContent).toBe('qwen');
    fireEvent.keyDown(search, { key: 'Enter', isComposing: true });
    expect(screen.getByRole('listbox')).toBeTruthy();
    await user.keyboard('{Enter}');
    const button = screen.getByRole('button', { name: 'Model: qwen' });
    await vi.waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('U6: says when nothing matches', async () => {
    show(<Choice />);
    await user.click(screen.getByRole('button', { name: 'Model' }));
    await user.type(screen.getByRole('combobox'), 'zzz');
    expect(screen.getByRole('status').textContent).toBe('No match');
  });
});

describe('Dialog', () => {
  it('U7: Escape closes only the dialog on top, and each gives focus back', async () => {
    show(<Two />);
    await user.click(screen.getByRole('button', { name: 'First' }));
    await user.click(screen.getByRole('button', { name: 'Second' }));
    await user.keyboard('{Escape}');
    const outer = screen.getByRole('dialog', { name: 'Outer' });
    expect(screen.queryByRole('dialog', { name: 'Inner' })).toBeNull();
    await vi.waitFor(() => expect(document.activeElement).toBe(within(outer).getByRole('button', { name: 'Second' })));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'First' })));
  });
});

describe('Dialog, opened from what is gone', () => {
  it('U7: gives the focus to the message box', async () => {
    // What the test before has closed is over.
    await new Promise(requestAnimationFrame);
    const asked = vi.fn();
    window.addEventListener(focusComposerEvent, asked);
    const { rerender } = show(<Button>An entry</Button>);
    screen.getByRole('button', { name: 'An entry' }).focus();
    rerender(<Dialog title="Question" closeLabel="Close" onClose={() => undefined} />);
    await new Promise(requestAnimationFrame);
    expect(asked).not.toHaveBeenCalled();
    rerender(<p>Done</p>);
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
    window.removeEventListener(focusComposerEvent, asked);
  });
});

describe('the rest of the kit', () => {
  it('U6: a bug in one area shows its cause there, and the area can be drawn anew', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    broken = true;
    show(
      <ErrorBoundary
        fallback={(error, retry) => (
          <Button
            onClick={() => {
              broken = false;
              retry();
            }}
          >
            {error.message}
          </Button>
        )}
      >
        <Area />
      </ErrorBoundary>,
    );
    said.mockRestore();
    await user.click(screen.getByRole('button', { name: 'no such row' }));
    expect(screen.getByText('All is well')).toBeTruthy();
  });

  it('U1: a skeleton waits 300 ms, so that a fast answer does not flicker', () => {
    vi.useFakeTimers();
    show(<Skeleton label="Loading" />);
    act(() => void vi.advanceTimersByTime(250));
    expect(screen.queryByRole('status')).toBeNull();
    act(() => void vi.advanceTimersByTime(100));
    expect(screen.getByRole('status').textContent).toBe('Loading');
  });

  it('U6: a busy button takes no second click and keeps its words', async () => {
    const onClick = vi.fn();
    show(
      <Button busy onClick={onClick}>
        Save
      </Button>,
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(onClick).not.toHaveBeenCalled();
  });

  it('U6: keys are written as they stand on the present layout, and by their usual names where it is not told', async () => {
    const german = new Map([
      ['KeyZ', 'y'],
      ['BracketLeft', 'ü'],
    ]);
    Object.defineProperty(navigator, 'keyboard', { configurable: true, value: { getLayoutMap: async () => german } });
    await learnLayout();
    expect(writeKeys('Mod+Shift+KeyZ', false)).toBe('Ctrl+Shift+Y');
    expect(writeKeys('Mod+BracketLeft', true)).toBe('⌘Ü');
    Object.defineProperty(navigator, 'keyboard', {
      configurable: true,
      value: { getLayoutMap: () => Promise.reject(new DOMException('not told')) },
    });
    await learnLayout();
    expect(writeKeys('Mod+Shift+KeyZ', false)).toBe('Ctrl+Shift+Z');
    Reflect.deleteProperty(navigator, 'keyboard');
  });

  it('U1, U6: keys and sizes are written as the platform and the language do', () => {
    expect(writeKeys('Mod+Shift+B', true)).toBe('⌘⇧B');
    expect(writeKeys('Mod+Shift+B', false)).toBe('Ctrl+Shift+B');
    expect(writeKeys('Mod+Shift+KeyB', true)).toBe('⌘⇧B');
    expect(writeKeys('Mod+BracketLeft', false)).toBe('Ctrl+[');
    expect(formatBytes(0, 'en')).toBe('0 bytes');
    expect(formatBytes(1536, 'en')).toBe('2 kB');
    expect(['en', 'ru', 'zh'].map((language) => formatCompact(3511, language))).toEqual(['3.5K', '3,5\u00a0тыс.', '3,511']);
    expect(formatSeries(['A', 'B'], 'en', 'disjunction')).toBe('A or B');
    expect(formatSeries(['LM Studio', 'Bough'], 'zh', 'disjunction')).toBe('LM Studio 或 Bough');
    expect(formatSeries(['两条消息', '3 张图片'], 'zh', 'conjunction')).toBe('两条消息和 3 张图片');
    expect(formatSeries(['A', 'B'], 'ja', 'disjunction')).toBe('AまたはB');
    expect(formatBytes(1.5 * 1024 ** 2, 'ru')).toBe('1,5 МБ');
    expect(['en', 'ru', 'zh', 'ja'].map((language) => formatList(['a', 'b', 'c'], language))).toEqual([
      'a, b, c',
      'a, b, c',
      'a、b、c',
      'a、b、c',
    ]);
  });
});
