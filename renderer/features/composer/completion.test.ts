import { describe, expect, it } from 'vitest';
import type { AgentId } from '../../../shared/model/ids';
import { isWhole, optionsFor, type Sources, triggerAt } from './completion';

const agent = (name: string) => ({ id: name as AgentId, name });
const model = (ref: string) => ({ ref, id: ref.slice(ref.indexOf('/') + 1), providerName: 'Local' });
const sources: Sources = {
  agents: [agent('Helper'), agent('Reviewer'), agent('Helper Two')],
  models: [model('local/m1'), model('local/qwen/qwen3-coder'), model('demo/demo')],
  labels: ['start', 'before tests', 'say "hi"'],
};
/** `|` is the caret. */
const at = (marked: string) => {
  const caret = marked.indexOf('|');
  return triggerAt(marked.replace('|', ''), caret);
};
const offered = (marked: string) => {
  const trigger = at(marked);
  return trigger ? optionsFor(trigger, sources).map((option) => option.insert) : null;
};

describe('completion', () => {
  it.each([
    [
      '/|',
      [
        '/checkpoint ',
        '/rewind ',
        '/retry',
        '/fork ',
        '/export ',
        '/agent ',
        '/model ',
        '/title ',
        '/label ',
        '/tree',
        '/branch ',
        '/search ',
        '/compact ',
        '/shake ',
        '/context',
        '/undo-compact',
        '/help',
      ],
    ],
    ['/re|', ['/rewind ', '/retry', '/tree']],
    ['/RET|', ['/retry']],
    ['/und|', ['/undo-compact']],
    ['/undo-c|', ['/undo-compact']],
    ['/compact |', ['elide', 'images', 'snapshot', 'summary ']],
    ['/compact s|', ['snapshot', 'summary ']],
    ['/compact summary the parser|', []],
    ['/compact elide|', []],
    ['/shake |', ['results', 'images']],
    ['/agent |', ['Helper', 'Reviewer', 'Helper Two']],
    ['/agent two|', ['Helper Two']],
    ['/model co|', ['local/qwen/qwen3-coder']],
    ['/model wen3|', ['local/qwen/qwen3-coder']],
    ['/model local/|', ['local/m1', 'local/qwen/qwen3-coder']],
    ['/rewind |', ['“say "hi"” ', '"before tests" ', 'start ']],
    ['/rewind "bef|', ['"before tests" ']],
    ['@|', ['@Helper ', '@Reviewer ', '@Helper Two ']],
    ['ask @rev| about it', ['@Reviewer ']],
    ['ask @helper t|', ['@Helper Two ']],
    ['two lines\n@tw|', ['@Helper Two ']],
  ])('U4: %s offers what fits', (marked, inserts) => {
    expect(offered(marked)).toEqual(inserts);
  });

  it.each([
    'text |',
    '/re| more',
    '/re|\nmore',
    ' /re|',
    '//re|',
    '/usr/b|',
    '/title He|',
    '/rewind start and then|',
    'mail ada@hel|',
    '@ |',
    '@Hel|per',
    '`@|`',
    '```\n@|',
    '@Nobody|',
    '@Reviewer|',
    '/agent Reviewer|',
    'x|/re',
  ])('U4: %s offers nothing', (marked) => {
    expect(offered(marked) ?? []).toEqual([]);
  });

  it('U4: what is typed in full is known to be whole, so that Enter means it', () => {
    const whole = (marked: string) => {
      const trigger = at(marked);
      const [first] = trigger ? optionsFor(trigger, sources) : [];
      return trigger && first ? isWhole(trigger, first) : null;
    };
    expect(['/retry|', '/retr|', '@Helper|', '@help|', '/model local/m|'].map(whole)).toEqual([true, false, true, false, false]);
  });

  it('U4, N18: a long draft is looked at only around the caret', () => {
    const text = `${'word @ '.repeat(500_000)}@hel`;
    const before = performance.now();
    expect(triggerAt(text, text.length)).toMatchObject({ kind: 'mention', query: 'hel' });
    expect(triggerAt(`/${text}`, text.length + 1)).toMatchObject({ kind: 'mention' });
    expect(performance.now() - before).toBeLessThan(500);
  });
});
