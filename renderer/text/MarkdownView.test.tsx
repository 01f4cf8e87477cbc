// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { attacks } from './attacks';
import { makeCorpus } from './bench/streamCorpus';
import { clearCompiled } from './compile';
import { clearDocuments } from './document';
import { loadFormulas } from './formulas';
import { MarkdownView } from './MarkdownView';
import { randomMarkdown } from './randomMarkdown';
import { findHarm, prefixes } from './testing';
import { UserText } from './UserText';
import { forgetWatched } from './watched';
import '../i18n';

afterEach(() => {
  cleanup();
  clearCompiled();
  clearDocuments();
  forgetWatched();
});

function streamInto(text: string, ends: readonly string[], onBlockRender?: (key: string) => void) {
  const view = render(<MarkdownView text="" streaming fold={false} onBlockRender={onBlockRender} />);
  for (const prefix of ends) view.rerender(<MarkdownView text={prefix} streaming fold={false} onBlockRender={onBlockRender} />);
  view.rerender(<MarkdownView text={text} fold={false} onBlockRender={onBlockRender} />);
  return view;
}

describe('Markdown on screen', () => {
  it('U2: the document a stream ends with is always the document of the finished text', async () => {
    await loadFormulas();
    fc.assert(
      fc.property(randomMarkdown, ([text, cuts]) => {
        const streamed = streamInto(text, prefixes(text, cuts)).container.innerHTML;
        cleanup();
        const once = render(<MarkdownView text={text} fold={false} />).container.innerHTML;
        cleanup();
        expect(streamed).toBe(once);
      }),
      { numRuns: 15 },
    );
  });

  it('N12, U3: settled blocks are not rendered again, neither by a chunk nor by the end', () => {
    const text = makeCorpus('typical', 6_000);
    const renders = new Map<string, number>();
    const count = (key: string) => renders.set(key, (renders.get(key) ?? 0) + 1);
    const ends = Array.from({ length: 30 }, (_, at) => text.slice(0, (at + 1) * 200));
    streamInto(text, ends, count);
    // Twice: once as the end of the text, once more when it settles with a definitive key.
    for (const [key, times] of renders) expect(times, key).toBeLessThanOrEqual(2);
    expect(renders.size).toBeGreaterThan(20);
  });

  it('Z2, Z4: no attack survives on screen, streamed or opened', async () => {
    await loadFormulas();
    for (const { name, text } of attacks) {
      const view = streamInto(text, prefixes(text, [0.2, 0.5, 0.7, 0.9]));
      const harm = findHarm(view.container).filter((one) => !one.startsWith('<button type="button" class="md-'));
      expect(harm, name).toEqual([]);
      cleanup();
    }
    expect(window).not.toHaveProperty('pwned');
  });

  it('Z1: a click opens permitted addresses through the one opener and never navigates', () => {
    const opened: string[] = [];
    render(
      <MarkdownView
        text={'[a](https://a.example/x) [b](mailto:x@a.example) [c](file:///etc/passwd)'}
        onOpenLink={(url) => opened.push(url)}
      />,
    );
    for (const name of ['a', 'b']) expect(fireEvent.click(screen.getByRole('link', { name }))).toBe(false);
    fireEvent.click(screen.getByText('c'));
    expect(opened).toEqual(['https://a.example/x', 'mailto:x@a.example']);
  });

  it('U2: GFM: tables with headers, task lists, strikethrough, autolinks', () => {
    render(<MarkdownView text={'| a | b |\n| - | -: |\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n~~gone~~ https://a.example'} />);
    expect(screen.getAllByRole('columnheader')).toHaveLength(2);
    expect(screen.getByRole('group', { name: 'Table' })).toHaveProperty('tabIndex', 0);
    expect(screen.getByRole('checkbox', { name: 'done' })).toHaveProperty('checked', true);
    expect(screen.getByRole('checkbox', { name: 'open' })).toHaveProperty('disabled', true);
    expect(document.querySelector('del')?.textContent).toBe('gone');
    expect(screen.getByRole('link').getAttribute('href')).toBe('https://a.example/');
  });

  it('U2: code has its language, is copied whole, and can be wrapped', async () => {
    const copied: string[] = [];
    const copy = async (text: string) => copied.push(text) > 0;
    render(<MarkdownView text={'```ts\nconst a = 1;\n\nconst b = 2;\n```'} onCopy={copy} />);
    expect(screen.getByText('TypeScript')).toBeDefined();
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Copy code' })));
    expect(copied).toEqual(['const a = 1;\n\nconst b = 2;']);
    expect(screen.getByRole('button', { name: 'Copy code' }).title).toBe('Copied');
    const wrap = screen.getByRole('button', { name: 'Wrap long lines' });
    fireEvent.click(wrap);
    expect(wrap.getAttribute('aria-pressed')).toBe('true');
  });

  it('U2: code is coloured after its fence has closed, and is the same text', async () => {
    const text = '```ts\nconst a = `one\ntwo`;\n```';
    const { container } = render(<MarkdownView text={text} />);
    expect(container.querySelector('.hljs-keyword')).toBeNull();
    await waitFor(() => expect(container.querySelector('.hljs-keyword')?.textContent).toBe('const'));
    expect(container.querySelector('pre')?.textContent).toBe('const a = `one\ntwo`;');
  });

  it('U2: long code starts folded in history and stays open when it was watched', () => {
    const text = `\`\`\`\n${'line\n'.repeat(200)}\`\`\``;
    const first = render(<MarkdownView text={text} />);
    expect(first.container.querySelectorAll('.md-lines')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Show all 200 lines' }));
    expect(first.container.querySelectorAll('.md-lines').length).toBeGreaterThan(5);
    cleanup();
    const second = render(<MarkdownView text={text.slice(0, 300)} streaming />);
    second.rerender(<MarkdownView text={text} />);
    expect(second.container.querySelectorAll('.md-lines').length).toBeGreaterThan(5);
    cleanup();
    // The stored message takes the place of the live answer: another component, the same text, and still nothing folds.
    const third = render(<MarkdownView text={text} />);
    expect(third.container.querySelectorAll('.md-lines').length).toBeGreaterThan(5);
  });

  it('U2, U7: formulas are drawn with MathML; prices and broken formulas stay as written', async () => {
    await loadFormulas();
    const { container } = render(<MarkdownView text={'Prices $5 and $10, but $e^x$.\n\n$$\n\\frac{1}{\n$$'} />);
    await waitFor(() => expect(container.querySelector('annotation')?.textContent).toBe('e^x'));
    expect(container.querySelector('p')?.textContent).toContain('Prices $5 and $10');
    expect(container.querySelector('.md-formula-source')?.textContent).toContain('\\frac{1}{');
    expect(container.querySelector('.md-formula-source')?.textContent).toContain('could not be drawn');
  });

  it('U2: each block has the direction of its own text', () => {
    const { container } = render(<MarkdownView text={'Latin\n\nשלום\n\n- אחת\n- שתיים'} />);
    const blocks = [...container.querySelectorAll('.md > *')];
    expect(blocks.map((block) => block.getAttribute('dir'))).toEqual(['auto', 'auto', 'auto']);
  });

  it('U2: a footnote mark leads to its note', () => {
    const { container } = render(<MarkdownView text={'Text[^a b] and[^n].\n\n[^n]: The note.'} />);
    const note = container.querySelector<HTMLElement>('[data-fn="n"]');
    let jumped = false;
    if (note) note.scrollIntoView = () => (jumped = true);
    fireEvent.click(screen.getByRole('link', { name: 'n' }));
    expect(jumped).toBe(true);
  });

  it('U2: what a person typed keeps its line breaks', () => {
    const { container } = render(<UserText text={'one\ntwo'} />);
    expect(container.querySelector('br')).not.toBeNull();
  });

  it.each([true, false])('U2: what no element of HTML is called is text, in an answer, too (streaming: %s)', (streaming) => {
    const text = 'Use List<String> and <T>.\n\n<thinking>\nfirst **this**\n</thinking>\n\nPress <kbd>K</kbd>, <b>now</b>.';
    const { container } = render(<MarkdownView text={text} streaming={streaming} />);
    const shown = container.textContent ?? '';
    for (const part of ['List<String> and <T>', '<thinking>', 'first this', '</thinking>', 'Press K, now.']) expect(shown).toContain(part);
    expect(container.querySelectorAll('kbd, b')).toHaveLength(2);
  });

  it('U2, Z2: markup in what a person typed is shown as typed, and nothing of it is missing', () => {
    const lines = [
      'a `vector<int>` and a vector<int>',
      '<div class="x">',
      '  <Foo bar={1} /> **bold** <!-- no -->',
      '</div>',
      '',
      '<script>alert(1)</script>',
    ];
    const { container } = render(<UserText text={lines.join('\n')} />);
    const shown = container.textContent ?? '';
    for (const part of [
      'vector<int> and a vector<int>',
      '<div class="x">',
      '<Foo bar={1} /> bold <!-- no -->',
      '</div>',
      '<script>alert(1)</script>',
    ])
      expect(shown).toContain(part);
    expect(container.querySelector('strong')?.textContent).toBe('bold');
    expect(container.querySelector('.x, script')).toBeNull();
  });

  it('N17: a finished text of book length grows in idle moments until all of it is there', async () => {
    const text = `${'words of a very long paragraph '.repeat(400)}\n\n`.repeat(20);
    const { container } = render(<MarkdownView text={`${text}The end.`} />);
    expect(container.textContent?.length).toBeLessThan(100_000);
    await waitFor(() => expect(container.textContent).toContain('The end.'), { timeout: 15_000 });
    expect(container.querySelectorAll('p')).toHaveLength(21);
  });

  it('N18: a pasted giant starts folded and unfolds in pieces that hold the whole text', async () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n');
    const { container } = render(<UserText text={text} />);
    expect(container.textContent?.length).toBeLessThan(2_000);
    fireEvent.click(screen.getByRole('button', { name: 'Show all 20,000 lines' }));
    await waitFor(() => expect(container.textContent).toContain('line 19999'));
    expect(screen.getByRole('button', { name: 'Show less' })).toBeDefined();
  });
});
