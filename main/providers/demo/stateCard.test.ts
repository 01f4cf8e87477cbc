import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cardPrompt } from '../../context/card/prompts';
import { validateCard } from '../../context/card/validateCard';
import { cardOf, cardStep, isForCard } from './stateCard';

const promptOf = (digest: string, more: Partial<Parameters<typeof cardPrompt>[0]> = {}) =>
  cardPrompt({ digest, previous: null, cardTokens: 1_200, files: [], ...more });
const stepOf = (user: string) => cardStep({ messages: [{ role: 'user', parts: [{ type: 'text', text: user }] }] });

it('P1, M1: asked for a state card it answers with a valid one, made of what it was told', () => {
  const { system, user } = promptOf('[User]\n| Plant an oak\n| and water it\n[Assistant]\n| Planted.\n[User]\n| Now a birch', {
    tasks: [{ text: 'Dig', state: 'open' }],
    files: [{ path: 'trees.md', changed: 1 }],
  });
  expect(isForCard({ system })).toBe(true);
  const { text, calls } = stepOf(user);
  expect(calls).toEqual([]);
  expect(validateCard(text, { cardTokens: 1_200 })).toMatchObject({
    ok: true,
    card: { task: 'Asked first: Plant an oak', directives: '- "Plant an oak"\n- "Now a birch"', files: '- `trees.md`' },
  });
  const again = promptOf('[User]\n| Go on', { previous: { ...emptyOf(text), task: 'Asked first: Plant an oak' } });
  expect(stepOf(again.user).text).toMatch(/^## Task\nAsked first: Plant an oak\n/);
});

it('P1, M2: what stays beside the card tells its task, and is not quoted in it', () => {
  const { user } = promptOf('[User]\n| Now a birch', { staying: ['[User]', '| Plant an oak', '[User]', '| And a lime'] });
  const { text } = stepOf(user);
  expect(text).toMatch(/^## Task\nAsked first: Plant an oak\n/);
  expect(text).toContain('- "Now a birch"');
  expect(text).not.toContain('lime');
});

const emptyOf = (text: string) => {
  const checked = validateCard(text, { cardTokens: 1_200 });
  if (!checked.ok) throw new Error('no card');
  return checked.card;
};

it('P1, M5: whatever it was told, its card is valid', () => {
  const line = fc.constantFrom(
    '[User]',
    '[Assistant]',
    '| hi',
    '|',
    '| ## Task',
    '[Files, the last touched first]',
    '| a.ts (read)',
    '',
    '[Previous card]',
    '[Conversation]',
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          line,
          fc.string({ maxLength: 300 }).map((text) => `| ${text.replaceAll(/[[\]\n]/g, ' ')}`),
        ),
        { maxLength: 40 },
      ),
      (lines) => {
        expect(validateCard(cardOf(lines.join('\n')), { cardTokens: 1_200 })).toMatchObject({ ok: true });
      },
    ),
  );
});
