import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentionedAgents } from './mentions';
import type { AgentId } from './model/ids';

const agent = (name: string, id = name) => ({ id: id as AgentId, name });
const agents = [
  agent('Helper'),
  agent('Reviewer'),
  agent('Helper Two'),
  agent('助手'),
  agent('Élodie'),
  agent('C++ (fast)'),
  agent('code-bot'),
];
const found = (text: string) => mentionedAgents(text, agents);

describe('mentionedAgents', () => {
  it.each<[string, string, string[]]>([
    ['a name at the start', '@Helper what is this?', ['Helper']],
    ['whatever its case', 'ask @hELPER', ['Helper']],
    ['several, in order of appearance', '@Reviewer after @Helper', ['Reviewer', 'Helper']],
    ['each once', '@Helper, @helper and @Reviewer', ['Helper', 'Reviewer']],
    ['the longest name that fits', '@Helper Two go', ['Helper Two']],
    ['a shorter one where the longer does not fit', '@Helper Twofold', ['Helper']],
    ['any space inside a name but a line break', '@helper \t two and @Helper\nTwo', ['Helper Two', 'Helper']],
    ['names with signs', 'for @C++ (fast)!', ['C++ (fast)']],
    ['names with a hyphen', '@code-bot', ['code-bot']],
    ['before punctuation', '(@Helper) "@Reviewer"; @Élodie\'s', ['Helper', 'Reviewer', 'Élodie']],
    ['in text without spaces', 'これを@助手お願い、次は@Helperさん', ['助手', 'Helper']],
    ['letters with a combining accent', '@E\u0301lodie', ['Élodie']],
    ['beside an opened quotation or list sign', '- @Helper\n> @Reviewer', ['Helper', 'Reviewer']],
  ])('A1: it finds %s', (_what, text, names) => {
    expect(found(text)).toEqual(names);
  });

  it.each([
    ['an e-mail address', 'write to ada@helper.org or ada.b@Helper'],
    ['a web address', 'see https://example.org/@Helper'],
    ['the scope of a package', 'npm i @helper/core @helper-tools @helper.org'],
    ['a longer word', '@Helpers @Reviewer_2 @Helper9'],
    ['an escaped sign', '\\@Helper'],
    ['two signs', '@@Helper'],
    ['inline code', 'run `@Helper` and ``a ` @Reviewer``'],
    ['a fence', 'see\n```ts\n@Helper()\nclass {}\n```'],
    ['a fence that is still open', '~~~\n@Helper\n``\n@Reviewer'],
    ['a fence of more signs around one of less', '````\n```\n@Helper\n```\n@Reviewer\n````'],
    ['a space after the sign', '@ Helper'],
    ['an agent that is not there', '@Nobody'],
  ])('A1: %s addresses nobody', (_what, text) => {
    expect(found(text)).toEqual([]);
  });

  it('A1: what follows code is read again', () => {
    expect(found('```\n@Helper\n```\n@Reviewer')).toEqual(['Reviewer']);
    expect(found('`@Helper` @Reviewer `x`')).toEqual(['Reviewer']);
    expect(found('one ` sign\n\n@Helper and ` another')).toEqual(['Helper']);
    expect(found('an inline ```fence``` @Helper')).toEqual(['Helper']);
  });

  it('A1: of two agents with one name the first answers; an agent without a name cannot be addressed', () => {
    expect(mentionedAgents('@Helper @ ', [agent('Helper', 'a'), agent('helper', 'b'), agent(' ', 'c')])).toEqual(['a']);
  });

  it('A1: for any text and any names it never throws and names only agents that are there, each once', () => {
    const names = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('a', 'a b', '.*', '[', '(?:', '`')), {
      maxLength: 6,
    });
    const pieces = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('@', '@a', '`', '```', '\n', '\n\n', '~~~', ' ', '\\'),
    );
    fc.assert(
      fc.property(names, fc.array(pieces, { maxLength: 30 }), (given, text) => {
        const known = given.map((name, index) => agent(name, `agent${index}`));
        const answer = mentionedAgents(text.join('') + given.map((name) => ` @${name}`).join(''), known);
        expect(new Set(answer).size).toBe(answer.length);
        expect(known.map(({ id }) => id)).toEqual(expect.arrayContaining(answer));
      }),
    );
  });

  it('A1: megabytes with many signs are read at once', () => {
    const text = `${'`'.repeat(3)} @ \` `.repeat(200_000);
    const before = performance.now();
    expect(found(`${text}\n\n@Helper`)).toEqual(['Helper']);
    expect(performance.now() - before).toBeLessThan(3000);
  });
});
