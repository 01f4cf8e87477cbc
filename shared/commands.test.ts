import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, type CommandError, commandTable, nearestTo, parseCommand, quoteLabel } from './commands';

const command = (text: string, labels?: string[]) => {
  const parsed = parseCommand(text, labels);
  return parsed?.type === 'command' ? parsed.command : parsed;
};
const error = (text: string) => {
  const parsed = parseCommand(text);
  return parsed?.type === 'error' ? parsed.error : parsed;
};

describe('parseCommand', () => {
  it.each<[string, Command]>([
    ['/checkpoint before tests', { name: 'checkpoint', label: 'before tests' }],
    ['/checkpoint "before tests"', { name: 'checkpoint', label: 'before tests' }],
    ['/rewind start', { name: 'rewind', label: 'start', digest: '' }],
    ['/rewind start the cache was fine', { name: 'rewind', label: 'start', digest: 'the cache was fine' }],
    ['/rewind “before tests” nothing found', { name: 'rewind', label: 'before tests', digest: 'nothing found' }],
    ['/retry', { name: 'retry' }],
    ['/agent', { name: 'agent', agent: null }],
    ['/agent Code reviewer', { name: 'agent', agent: 'Code reviewer' }],
    ['/model local/qwen/qwen3 ', { name: 'model', model: 'local/qwen/qwen3' }],
    ['/title  Notes on   trees', { name: 'title', title: 'Notes on   trees' }],
    ['/tree', { name: 'tree' }],
    ['/branch', { name: 'branch', label: null }],
    ['/branch plan B', { name: 'branch', label: 'plan B' }],
    ['/search winter moss', { name: 'search', words: 'winter moss' }],
    ['/search', { name: 'search', words: '' }],
    ['/compact', { name: 'compact', rung: null, focus: null }],
    ['/compact SUMMARY', { name: 'compact', rung: 'summary', focus: null }],
    ['/compact summary keep  the numbers', { name: 'compact', rung: 'summary', focus: 'keep  the numbers' }],
    ['/compact the parser, summary of it', { name: 'compact', rung: null, focus: 'the parser, summary of it' }],
    ['/compact snapshots', { name: 'compact', rung: null, focus: 'snapshots' }],
    ['/compact snapshot ', { name: 'compact', rung: 'snapshot', focus: null }],
    ['/shake', { name: 'shake', what: null }],
    ['/shake Results', { name: 'shake', what: 'results' }],
    ['/context', { name: 'context' }],
    ['/undo-compact', { name: 'undo-compact' }],
    ['/HELP\n', { name: 'help' }],
  ])('K1: %s is a command', (text, expected) => {
    expect(command(text)).toEqual(expected);
  });

  it('C1, K1: a live label needs no quotation marks, and the longest that fits is meant', () => {
    const labels = ['before', 'before tests'];
    expect(command('/rewind before tests all green', labels)).toEqual({ name: 'rewind', label: 'before tests', digest: 'all green' });
    expect(command('/rewind before all green', labels)).toEqual({ name: 'rewind', label: 'before', digest: 'all green' });
    expect(command('/rewind before testsuite', labels)).toEqual({ name: 'rewind', label: 'before', digest: 'testsuite' });
  });

  it.each<[string, CommandError]>([
    ['/retyr', { type: 'unknown', typed: 'retyr', nearest: 'retry' }],
    ['/tilte x', { type: 'unknown', typed: 'tilte', nearest: 'title' }],
    ['/chekpoint x', { type: 'unknown', typed: 'chekpoint', nearest: 'checkpoint' }],
    ['/re', { type: 'unknown', typed: 're', nearest: 'rewind' }],
    ['/helpme', { type: 'unknown', typed: 'helpme', nearest: 'help' }],
    ['/xyzzy', { type: 'unknown', typed: 'xyzzy', nearest: null }],
    ['/constructor', { type: 'unknown', typed: 'constructor', nearest: null }],
    ['/über', { type: 'unknown', typed: 'über', nearest: null }],
    ['/checkpoint', { type: 'missing', name: 'checkpoint' }],
    ['/checkpoint ""', { type: 'missing', name: 'checkpoint' }],
    ['/checkpoint "a" b', { type: 'extra', name: 'checkpoint' }],
    [`/checkpoint ${'x'.repeat(81)}`, { type: 'longLabel', name: 'checkpoint' }],
    ['/rewind "a b', { type: 'unclosed', name: 'rewind' }],
    ['/rewind', { type: 'missing', name: 'rewind' }],
    ['/title ', { type: 'missing', name: 'title' }],
    ['/retry now', { type: 'extra', name: 'retry' }],
    ['/compact snapshot the parser', { type: 'noFocus', name: 'compact' }],
    ['/compact images of the moon', { type: 'noFocus', name: 'compact' }],
    [`/compact ${'x'.repeat(2001)}`, { type: 'longFocus', name: 'compact' }],
    ['/compcat', { type: 'unknown', typed: 'compcat', nearest: 'compact' }],
    ['/undo', { type: 'unknown', typed: 'undo', nearest: 'undo-compact' }],
    ['/shake it', { type: 'extra', name: 'shake' }],
    ['/shake results images', { type: 'extra', name: 'shake' }],
    ['/context now', { type: 'extra', name: 'context' }],
    ['/undo-compact 2', { type: 'extra', name: 'undo-compact' }],
    ['/title one\ntwo', { type: 'manyLines', name: 'title' }],
  ])('K1: %j is an error in place', (text, expected) => {
    expect(error(text)).toEqual(expected);
  });

  it.each([
    ['/export', { name: 'export', format: null, scope: null }],
    ['/export md', { name: 'export', format: 'markdown', scope: null }],
    ['/export tree PDF', { name: 'export', format: 'pdf', scope: 'tree' }],
    ['/export jsonl path', { name: 'export', format: 'jsonl', scope: 'path' }],
  ] as const)('K1, I1: %j says what to export', (text, command) => {
    expect(parseCommand(text)).toEqual({ type: 'command', command });
  });
  it.each(['/export docx', '/export md html', '/export tree path', '/export subtree'])('K1, I1: %j is too much', (text) => {
    expect(parseCommand(text)).toEqual({ type: 'error', error: { type: 'extra', name: 'export' } });
  });

  it.each(['', '/', '//help', ' /help', '/usr/bin is a path', '/etc/', '/2 is a half', '/-', 'see /help', '\n/help', '/dear\nreader'])(
    'K1: %j is a message',
    (text) => {
      expect(parseCommand(text)).toBeNull();
    },
  );

  it('K1: whatever is typed, no line that names a command counts as a message, and nothing throws', () => {
    const names = fc.constantFrom(...commandTable.map(({ name }) => name));
    const ending = fc.oneof(
      fc.constant(''),
      fc.string({ unit: 'binary' }).map((text) => ` ${text}`),
    );
    fc.assert(
      fc.property(names, ending, fc.array(fc.string()), (name, rest, labels) => {
        expect(parseCommand(`/${name}${rest}`, labels)).not.toBeNull();
      }),
    );
    const any = fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => parseCommand(text)).not.toThrow();
    });
    fc.assert(any);
  });

  it('C1: every label that can be given can be named again, with any words behind it', () => {
    const label = fc
      .string({ minLength: 1, maxLength: 80, unit: 'grapheme' })
      .map((text) => text.trim())
      .filter(
        (text) => text !== '' && text.length <= 80 && !/[\n\r\u2028\u2029]/.test(text) && !(text.includes('"') && text.includes('”')),
      );
    fc.assert(
      fc.property(label, fc.constantFrom('', 'words', '"more" words'), (name, digest) => {
        expect(command(`/rewind ${quoteLabel(name)} ${digest}`, [name])).toEqual({ name: 'rewind', label: name, digest });
      }),
    );
  });

  it('K1: the nearest match is found among any names, and none is forced', () => {
    expect(nearestTo('reveiwer', ['Helper', 'Reviewer'])).toBe('Reviewer');
    expect(nearestTo('zzz', ['Helper', 'Reviewer'])).toBeNull();
    expect(nearestTo('', ['Helper'])).toBeNull();
  });
});
