// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkCode, countLines } from './codeChunks';
import { canHighlight, highlight, knownColours, splitHighlighted } from './highlight';
import { highlightNow } from './highlighter';
import { findLanguage, languageLabel } from './languages';

function plain(html: string): string {
  const box = document.createElement('div');
  box.innerHTML = html;
  return box.textContent ?? '';
}

describe('code', () => {
  it('U2: chunks are always whole lines that join to the code again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', 'bb', ' '), maxLength: 400 }), (text) => {
        const chunks = chunkCode(text);
        expect(chunks.join('\n')).toBe(text);
        expect(countLines(chunks)).toBe(text.split('\n').length);
      }),
    );
  });

  it('U2: colours cut at chunk borders say the same text, with every span closed', async () => {
    const text = `${'// one\n'.repeat(20)}const a = \`${'line\n'.repeat(50)}\`;\n/* ${'more\n'.repeat(40)} */`;
    const chunks = chunkCode(text);
    const parts = splitHighlighted((await highlightNow('ts', text)) ?? '', chunks);
    expect(parts.map(plain)).toEqual(chunks);
    for (const part of parts) expect(part.match(/<span/g)?.length ?? 0).toBe(part.match(/<\/span>/g)?.length ?? 0);
  });

  it('U2: colours are kept by the block they belong to', async () => {
    const parts = await highlight('key of a block', 'python', ['def f():\n    return 1']);
    expect(parts?.[0]).toContain('hljs-keyword');
    expect(knownColours('key of a block')).toBe(parts);
  });

  it('U2: unknown languages and giants stay plain', async () => {
    expect(canHighlight('klingon')).toBe(false);
    expect(await highlight('k', 'klingon', ['x'])).toBeNull();
    expect(await highlight('g', 'ts', ['x'.repeat(400_000)])).toBeNull();
  });

  it('U2: languages are found by the names people use, and every grammar loads', async () => {
    for (const name of ['ts', 'py', 'c++', 'c#', 'sh', 'html', 'yml', 'rs']) {
      const language = findLanguage(name);
      expect(language, name).toBeDefined();
      expect(typeof (await language?.load())?.default).toBe('function');
    }
    expect(languageLabel('tsx')).toBe('TSX');
    expect(languageLabel('py')).toBe('Python');
    expect(languageLabel('klingon')).toBe('klingon');
    expect(languageLabel('text')).toBe('');
  });
});
