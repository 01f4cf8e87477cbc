// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCorpus } from './bench/streamCorpus';
import { clearCompiled } from './compile';
import { clearDocuments, compileDocument } from './document';
import { randomMarkdown } from './randomMarkdown';
import { StreamDocument } from './streamDocument';
import { prefixes } from './testing';

const options = { breaks: false };

function stream(text: string, step: number, each?: (document: StreamDocument) => void): StreamDocument {
  const made = new StreamDocument(options);
  for (let end = step; end < text.length + step; end += step) {
    made.update(text.slice(0, end));
    each?.(made);
  }
  return made;
}

afterEach(() => {
  clearCompiled();
  clearDocuments();
});

describe('a text that is still being written', () => {
  it('U2: always ends as the same nodes as the text read at once, however it arrived', () => {
    fc.assert(
      fc.property(randomMarkdown, ([text, cuts]) => {
        const made = new StreamDocument(options);
        for (const prefix of prefixes(text, cuts)) made.update(prefix);
        expect(made.finish(text)).toEqual(compileDocument(text, options));
      }),
      { numRuns: 25 },
    );
  });

  it('U3, N12: a block that has settled is never replaced, removed or reordered while the text grows', () => {
    fc.assert(
      fc.property(randomMarkdown, ([text, cuts]) => {
        const made = new StreamDocument(options);
        let before: readonly unknown[] = [];
        for (const prefix of prefixes(text, cuts)) {
          made.update(prefix);
          expect(made.settled.length).toBeGreaterThanOrEqual(before.length);
          for (const [at, node] of before.entries()) expect(made.settled[at]).toBe(node);
          before = made.settled;
        }
      }),
      { numRuns: 25 },
    );
  });

  it('U2, N12: what settles in an ordinary answer is what the finished text shows', () => {
    const text = makeCorpus('typical', 9_000);
    const made = stream(text, 97);
    const whole = compileDocument(text, options);
    expect(made.settled.length).toBeGreaterThan(20);
    expect(made.settled.map((node) => node.key)).toEqual(whole.slice(0, made.settled.length).map((node) => node.key));
  });

  it('N12: finishing keeps the identity of every settled node, so that nothing is drawn again', () => {
    const text = makeCorpus('typical', 8_000);
    const made = stream(text, 200);
    clearCompiled();
    const finished = made.finish(text);
    expect(made.settled.length).toBeGreaterThan(10);
    for (const [at, node] of made.settled.entries()) expect(finished[at]).toBe(node);
  });

  it.each(['fence', 'paragraph', 'html', 'list'] as const)('N12: inside one long open %s all but the end keeps its identity', (kind) => {
    const text = makeCorpus(kind, 12_000);
    const seen = new Set<unknown>();
    let added = 0;
    let chunks = 0;
    stream(text, 200, (made) => {
      chunks++;
      const parts: readonly unknown[] = made.tail.flatMap((node): readonly unknown[] => {
        if (node.kind === 'list') return node.items;
        return node.kind === 'code' ? node.chunks : [node];
      });
      for (const part of parts) {
        if (!seen.has(part)) added++;
        seen.add(part);
      }
    });
    // Each chunk makes a new end and settles at most a few parts; a renderer that starts over would make hundreds.
    expect(added / chunks).toBeLessThan(6);
  });

  it('U2: a definition that comes later is used once the text is finished', () => {
    const text = 'See [the paper][p] and [^n].\n\nMore text.\n\n[p]: https://a.example/paper\n\n[^n]: A note.\n';
    const made = stream(text, 10);
    const html = made.finish(text).map((node) => ('html' in node ? node.html : ''));
    expect(html[0]).toContain('href="https://a.example/paper"');
    expect(html[0]).toContain('#fn-n');
    expect(html[1]).toBe(made.settled[1]?.kind === 'html' ? made.settled[1].html : undefined);
  });

  it('U2: a mark that is half open is closed while it is the end of the text', () => {
    const made = stream('Some **bol', 4);
    expect(made.tail).toMatchObject([{ html: '<p>Some <strong>bol</strong></p>\n' }]);
  });

  it('U2: a text that is replaced starts over', () => {
    const made = stream('# One\n\nTwo\n\nThree\n', 3);
    made.update('Other');
    expect(made.settled).toEqual([]);
    expect(made.tail).toMatchObject([{ html: '<p>Other</p>\n' }]);
  });

  it('U2: line ends of every kind are one kind, wherever a chunk cuts them', () => {
    const text = 'a\r\n\r\n```\r\nx\r\ny\r\n```\r\n\r\nb\rc';
    const made = stream(text, 1);
    expect(made.finish(text)).toEqual(compileDocument('a\n\n```\nx\ny\n```\n\nb\nc', options));
  });

  it('U2: an open fence shows its lines and closes into the same chunks', () => {
    const body = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n');
    const open = stream(`\`\`\`ts\n${body}`, 37);
    expect(open.tail).toMatchObject([{ kind: 'code', language: 'ts', open: true }]);
    const [node] = open.tail;
    expect(node?.kind === 'code' ? node.chunks.join('\n') : '').toBe(body);
    const [closed] = open.finish(`\`\`\`ts\n${body}\n\`\`\`\n`);
    expect(closed).toMatchObject({ kind: 'code', open: false, chunks: node?.kind === 'code' ? node.chunks : [] });
  });
});
