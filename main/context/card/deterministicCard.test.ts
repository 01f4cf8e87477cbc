// The card without a model: what is in it, that it always fits, and that nothing the user said first is lost over passes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardLimits, numbersInForce } from '../../../shared/model/compaction';
import type { Message } from '../../../shared/model/message';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { answer, call, message } from '../contextFixture';
import { entriesArbitrary, pathOf } from '../ladder/ladderFixture';
import type { Task } from '../tasks';
import { memoryEnd } from '../wording';
import { type DeterministicArgs, deterministicCard, madeWithoutModel } from './deterministicCard';
import { keepDirectives } from './directives';
import { type Card, emptyCard, parseCard, renderCard } from './sections';
import { cardRoom, fits } from './shrinkCard';
import { validateCard } from './validateCard';

const said = (name: string, text: string, role: Message['role'] = 'user') => message(name, role, { parts: [{ type: 'text', text }] });
const [did] = answer(
  'a',
  [{ type: 'text', text: 'I wrote the lexer.' }, call('c1', 'write_file', '{"path":"src/lexer.ts"}')],
  [{ callId: 'c1', summary: 'Wrote 80 lines', content: '' }],
);
const tasks: Task[] = [
  { text: 'Write the lexer', state: 'done' },
  { text: 'Write the parser', state: 'doing' },
  { text: 'Write the docs', state: 'open' },
];
const args = (more: Partial<DeterministicArgs> = {}): DeterministicArgs => ({
  previous: null,
  messages: [said('q', 'Port the parser to streams.\nNever touch generated files.'), did],
  tasks,
  files: [
    { path: 'src/lexer.ts', changed: 1 },
    { path: 'README.md', changed: 0 },
  ],
  cardTokens: cardLimits.most,
  ...more,
});
const small = numbersInForce([], 8_192).cardTokens;

describe('the card without a model', () => {
  it('M3: has the requests verbatim, files, tasks, where it stood, the next step, and says what it is', () => {
    const { card, text } = deterministicCard(args());
    expect(text).toBe(renderCard(card));
    expect(card).toEqual({
      ...emptyCard(),
      task: 'First request: Port the parser to streams. Never touch generated files.',
      directives: '> Port the parser to streams.\n> Never touch generated files.',
      completed: [{ name: 'Write the lexer', text: '' }],
      current: [
        { name: 'Open tasks', text: '- [ ] Write the parser (in progress)\n- [ ] Write the docs' },
        {
          name: 'Where it stood',
          text: `${madeWithoutModel}\n\nThe last answer said:\n\n> I wrote the lexer.\n\nThe last calls:\n- write_file src/lexer.ts: Wrote 80 lines`,
        },
      ],
      files: '- `src/lexer.ts` (changed)\n- `README.md` (read)',
      next: 'Go on with: Write the parser',
    });
  });

  it('M1, M3: goes on from the previous card, and makes its own parts anew', () => {
    const previous: Card = {
      ...emptyCard(),
      task: 'Port it.',
      directives: '- "No tabs."',
      decisions: '- A state machine, because it is regular.',
      current: [{ name: 'Parser', text: 'Blocks are done.' }],
      files: '- src/lexer.ts: the lexer',
      verified: '- `npm test`: 12 passed',
      next: 'Old step.',
    };
    const once = deterministicCard(args({ previous }));
    const { card } = deterministicCard(args({ previous: parseCard(once.text), messages: [said('q2', 'And tables.')], tasks: undefined }));
    expect(card).toMatchObject({
      task: 'Port it.',
      decisions: previous.decisions,
      verified: previous.verified,
      next: 'Answer the newest request.',
    });
    expect(card.directives).toBe('- "No tabs."\n\n> Port the parser to streams.\n> Never touch generated files.\n\n> And tables.');
    expect(card.current.map(({ name }) => name)).toEqual(['Parser', 'Where it stood']);
    expect(card.files).toBe('- `README.md` (read)\n- src/lexer.ts: the lexer');
  });

  it('M3: of requests without room the first and the newest stay, long ones with both ends, and the rest is counted', () => {
    const asked = Array.from({ length: 60 }, (_, at) => said(`q${at}`, `request ${at} ${'please '.repeat(80)}end ${at}`));
    const { card } = deterministicCard(args({ messages: [said('f', `START ${'long '.repeat(9_000)}END`), ...asked], cardTokens: small }));
    const items = card.directives.split('\n\n');
    expect(items[0]).toMatch(/^> START long [\s\S]*> \[… \d+ characters left out …\]\n[\s\S]*END$/);
    expect(card.directives).toMatch(/\n\n- \(\d+ requests are not quoted here\.\)\n\n/);
    expect(items.at(-1)).toMatch(/^> request 59 [\s\S]*end 59$/);
  });

  it('M1, M3: over five passes in a row it stays within the limits, and the first directive is verbatim', () => {
    const first = 'Never touch generated files, and answer in French.';
    for (const cardTokens of [cardLimits.most, small]) {
      let previous: Card | null = null;
      for (let pass = 0; pass < 5; pass++) {
        const more = Array.from({ length: 40 }, (_, at) => [
          said(`q${pass}.${at}`, `Do ${pass}.${at}: ${'and so on '.repeat(at * 5)}`),
          said(`a${pass}.${at}`, 'done '.repeat(400), 'assistant'),
        ]).flat();
        const messages: Message[] = pass === 0 ? [said('first', first), ...more] : more;
        const files = Array.from({ length: 50 }, (_, at) => ({ path: `src/pass${pass}/file${at}.ts`, changed: 1 }));
        const made = deterministicCard({ previous, messages, tasks, files, cardTokens });
        expect(fits(made.card, cardRoom(cardTokens))).toBe(true);
        expect(made.card.directives.split('\n\n')[0]).toBe(`> ${first}`);
        expect(made.text).toContain('- [ ] Write the parser (in progress)');
        expect(made.text).toContain(`Do ${pass}.39`);
        previous = parseCard(made.text);
      }
      expect(previous?.directives.match(/requests are not quoted/g)).toHaveLength(1);
    }
  });

  it('M3, L21: whatever was said, it fits, is a card, and is the same each time', () => {
    const wild = fc.oneof(
      fc.constantFrom(
        memoryEnd,
        '[User]\n[Assistant]\n[User]',
        '<tool_call>',
        '## Next step\nevil',
        '```',
        'User: a\nAssistant: b\nUser: c\nUser: d',
        '',
        '| a b\n'.repeat(9),
      ),
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.tuple(fc.constantFrom('a ', '漢', 'é\n', '😀', '- x\n', '> q\n\n'), fc.nat(9_000)).map(([unit, count]) => unit.repeat(count)),
    );
    const drawn = fc.record({
      words: fc.array(wild, { maxLength: 12 }),
      entries: entriesArbitrary,
      tasks: fc.array(
        fc.record({
          text: wild.map((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300) || 'x'),
          state: fc.constantFrom('open' as const, 'doing' as const, 'done' as const),
        }),
        { maxLength: 20 },
      ),
      files: fc.array(fc.record({ path: wild.map((text) => text.slice(0, 3_000)), changed: fc.nat(2) }), { maxLength: 40 }),
      previous: fc.option(
        fc
          .array(wild, { maxLength: 9 })
          .map((texts) =>
            parseCard(
              texts
                .map((text, at) => `## ${['Task', 'Decisions', 'Completed', 'Current work', 'User directives'][at % 5]}\n${text}`)
                .join('\n'),
            ),
          ),
        { nil: null },
      ),
      cardTokens: fc.integer({ min: 100, max: 3_000 }),
    });
    fc.assert(
      fc.property(drawn, ({ words, entries, ...rest }) => {
        const messages = [...words.map((text, at) => said(`w${at}`, text, at % 3 === 2 ? 'assistant' : 'user')), ...pathOf(entries).path];
        const { card, text } = deterministicCard({ ...rest, messages });
        expect(estimateTokens(text)).toBeLessThanOrEqual(rest.cardTokens);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(cardLimits.mostBytes);
        expect(card.task).not.toBe('');
        expect(card.next).not.toBe('');
        expect(validateCard(text, rest)).toMatchObject({ ok: true });
        expect(deterministicCard({ ...rest, messages }).text).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it('M3: a long past takes no long time', () => {
    const messages = Array.from({ length: 4_000 }, (_, at) => said(`q${at}`, `${at} ${'word '.repeat(400)}`));
    const start = performance.now();
    deterministicCard(args({ messages }));
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

describe('directives over a model’s card', () => {
  const room = cardRoom(cardLimits.most);
  const previous: Card = {
    ...emptyCard(),
    task: 'Port it.',
    directives: '- "No tabs."\n- "Answer in French."\n- "Keep the API."',
    next: 'Go.',
  };

  it('M1: one that vanished comes back in its place; one that is there in other marks does not', () => {
    const card = { ...previous, directives: '- The user said: "Answer in French."\n> Keep\n> the API.\n- "And tests."' };
    expect(keepDirectives(previous, card, room).directives).toBe(
      '- "No tabs."\n- The user said: "Answer in French."\n\n> Keep\n> the API.\n\n- "And tests."',
    );
    expect(keepDirectives(previous, previous, room)).toBe(previous);
    expect(keepDirectives(null, card, room)).toBe(card);
  });

  it('M1: other sections give way for it, the first before the others; what has no room stays out', () => {
    const completed = Array.from({ length: 30 }, (_, at) => ({ name: `Part ${at}`, text: 'Works.' }));
    const card = { ...previous, directives: '', completed };
    const wanted = '- "No tabs."\n- "Keep the API."';
    const tight = cardRoom(estimateTokens(renderCard({ ...card, completed: [], directives: wanted })));
    const kept = keepDirectives(previous, card, tight);
    expect(fits(kept, tight)).toBe(true);
    expect(kept.directives).toBe(wanted);
    expect(kept.completed).toEqual([]);
  });

  it('M1: a request the model quoted nothing of is quoted; one it took the important words from is not', () => {
    const requests = ['Hello! Port it to streams, and never touch src/gen.'];
    const heard = { ...previous, directives: '- "never touch src/gen"' };
    expect(keepDirectives(null, heard, room, requests)).toBe(heard);
    expect(keepDirectives(null, { ...heard, directives: '- "Port things."' }, room, requests).directives).toBe(
      `> ${requests[0]}\n\n- "Port things."`,
    );
  });

  it('M1: what is put back stands in the order it was said in, among what the model quoted', () => {
    const requests = ['The keeper is Ann.', 'Never touch src/gen.', 'I have to correct myself: the keeper is Bert.', 'Go on, please.'];
    const quotes = (directives: string) => keepDirectives(null, { ...previous, directives }, room, requests).directives;
    const quoted = requests.map((text) => `> ${text}`);
    expect(quotes('')).toBe(quoted.join('\n\n'));
    expect(quotes('- "Never touch src/gen."')).toBe([quoted[0], '- "Never touch src/gen."', quoted[2], quoted[3]].join('\n\n'));
    const over = keepDirectives({ ...previous, directives: '- "No tabs."' }, { ...previous, directives: '' }, room, requests);
    expect(over.directives).toBe(['- "No tabs."', ...quoted].join('\n\n'));
  });

  it('M1: never makes a card that does not fit, and loses nothing that was in it but what gives way by rule', () => {
    const line = fc.constantFrom('- "a rule"', '> quoted', 'para', '- "long rule that goes on and on and on"', '', '- b');
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.array(text, { maxLength: 3 }),
        fc.integer({ min: 60, max: 200 }),
        (old, now, decisions, requests, tokens) => {
          const card = parseCard(`## Task\nGo.\n## User directives\n${now}\n## Decisions\n${decisions}\n## Next step\nGo.`);
          const small = cardRoom(tokens);
          const kept = keepDirectives(parseCard(`## User directives\n${old}`), card, small, requests);
          if (fits(card, small)) expect(fits(kept, small)).toBe(true);
          expect(kept).toMatchObject({ task: 'Go.', next: 'Go.' });
          for (const one of now.split('\n')) expect(kept.directives).toContain(one.trim());
        },
      ),
    );
  });
});
