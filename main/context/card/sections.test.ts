// The card is written in one order and read in any.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardOfText, cardSections, emptyCard, parseCard, renderCard } from './sections';

const whole = `## Task
Port the parser to streams.

## User directives
- "Never touch generated files."
> ## Task
> is not a heading here

## Decisions
- A state machine, because the grammar is regular.

## Completed
### Lexer
Works; surrogates were the problem.

### Tests
12 of 12.

## Current work
### Parser
Goal: streams. Done: blocks. Not started: tables.

## Files and artifacts
- src/parser.ts

## Verified
- \`npm test\`: 12 passed

## Open questions
- Tabs?

## Next step
Write parseTable.`;

describe('the card', () => {
  it('M1: has nine sections in a fixed order, and comes back as it was written', () => {
    expect(cardSections.map(({ heading }) => heading)).toEqual([
      'Task',
      'User directives',
      'Decisions',
      'Completed',
      'Current work',
      'Files and artifacts',
      'Verified',
      'Open questions',
      'Next step',
    ]);
    const card = parseCard(whole);
    expect(renderCard(card)).toBe(whole);
    expect(card.completed).toEqual([
      { name: 'Lexer', text: 'Works; surrogates were the problem.' },
      { name: 'Tests', text: '12 of 12.' },
    ]);
    expect(card.directives).toContain('> ## Task');
  });

  it('M1: empty sections are left out', () => {
    expect(renderCard({ ...emptyCard(), next: 'Stop.', task: 'Go.' })).toBe('## Task\nGo.\n\n## Next step\nStop.');
    expect(renderCard(parseCard('## Task\n\n## Decisions\n  \n## Next step\nGo'))).toBe('## Next step\nGo');
  });

  it.each([
    ['another order', '## Next step\nStop.\n## Task\nGo.'],
    ['another level', '# Task\nGo.\n# Next step\nStop.'],
    ['a deep level', '#### Task\nGo.\n#### Next step\nStop.'],
    ['capitals, numbers, colons, bold', '## 1. TASK:\nGo.\n## **Next Step**\nStop.'],
    ['bold lines', '**Task**\nGo.\n\n**Next step:**\nStop.'],
    ['a fence around it', '```markdown\n## Task\nGo.\n\n## Next step\nStop.\n```'],
    ['words around a fence', 'Here it is:\n\n```\n## Task\nGo.\n## Next step\nStop.\n```\nAnything else?'],
    ['words before', 'Sure! The card:\n\n## Task\nGo.\n## Next step\nStop.'],
    ['other line ends', '## Task\r\nGo.\r\n## Next step\r\nStop.\r\n'],
    ['a section in two places', '## Task\nGo.\n## Next step\n## Decisions\n\n## Next step\nStop.'],
  ])('M3: is read with %s', (_, text) => {
    expect(parseCard(text)).toEqual({ ...emptyCard(), task: 'Go.', next: 'Stop.' });
  });

  it('M3: keeps what stands under headings it does not know', () => {
    const card = parseCard('## Task\nGo.\n## Remarks\nBeware.\n### Deep\nMore.');
    expect(card.task).toBe('Go.\n**Remarks**\nBeware.\n### Deep\nMore.');
  });

  it('M1: a part named like a section is a part; so is code with headings no card', () => {
    const card = parseCard('## Completed\nAll of it.\n### Files\nmoved\n#### Task\ndeep\n## Verified\n```\n## Task\nno\n```');
    expect(card.completed).toEqual([
      { name: '', text: 'All of it.' },
      { name: 'Files', text: 'moved\n#### Task\ndeep' },
    ]);
    expect(card.verified).toBe('```\n## Task\nno\n```');
    expect(card.task).toBe('');
  });

  it('M3: a fence that never ends swallows nothing', () => {
    expect(parseCard('## Task\n```ts\nGo.\n## Next step\nStop.')).toEqual({ ...emptyCard(), task: 'Go.', next: 'Stop.' });
  });

  it('M1: what was read once is read the same again, whatever it was', () => {
    const line = fc.oneof(
      fc.constantFrom(...cardSections.map(({ heading }) => `## ${heading}`)),
      fc.constantFrom(
        '# Task',
        '### Files',
        '#### deep',
        '```',
        '~~~',
        '```ts',
        '',
        '  ',
        '- item',
        '> quoted',
        '**Task**',
        '# Other',
        '## ',
        '#',
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const card = parseCard(lines.join('\n'));
        expect(parseCard(renderCard(card))).toEqual(card);
      }),
      { numRuns: 1000 },
    );
  });

  it('M7: of a card that was written by hand nothing is lost', () => {
    expect(cardOfText(whole)).toEqual(parseCard(whole));
    expect(cardOfText('The port is 8080.\n# Mine\nUse it.')).toEqual({
      ...emptyCard(),
      directives: 'The port is 8080.\n**Mine**\nUse it.',
    });
    expect(cardOfText('By the way.\n\n# Task\nGo.\n# User directives\n- a')).toEqual({
      ...emptyCard(),
      task: 'Go.',
      directives: 'By the way.\n\n- a',
    });
    expect(cardOfText(' \n ')).toBe(null);
    const line = fc.constantFrom(
      '# Task',
      '## Files',
      '**Next step**',
      '# Mine',
      '### deep',
      'word one',
      '- two',
      '',
      '> three',
      '1. four',
    );
    const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z]+/g) ?? []);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const card = cardOfText(lines.join('\n')) ?? emptyCard();
        const kept = wordsOf(renderCard(card));
        const titles = wordsOf('Task Files Next step');
        for (const each of wordsOf(lines.join(' '))) expect(kept.has(each) || titles.has(each)).toBe(true);
        expect(cardOfText(renderCard(card)) ?? emptyCard()).toEqual(card);
      }),
    );
  });
});
