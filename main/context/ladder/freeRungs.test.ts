// The two free rungs: what they may leave out, what never, and when it is worth it (L2, L3).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactionDefaults } from '../../../shared/model/compaction';
import type { MessageId } from '../../../shared/model/ids';
import { planDropImages } from './dropImages';
import { type ElideArgs, planElide } from './elide';
import { contextOf, type Entry, entriesArbitrary, id, pathOf, recordOf } from './ladderFixture';

const numbers = compactionDefaults;
const call = (tokens: number, more: Partial<Extract<Entry, { kind: 'call' }>> = {}): Entry => ({ kind: 'call', tokens, ...more });
const user = (tokens = 10): Entry => ({ kind: 'user', tokens });
const many = (count: number, tokens: number) => Array.from({ length: count }, () => call(tokens));
const elide = (entries: Entry[], more: Partial<ElideArgs> = {}) => {
  const { sent, layout } = contextOf(pathOf(entries));
  return planElide({ sent, before: layout.path.elided, pins: new Set(), numbers, scale: 1, occasion: 'pass', ...more });
};
const callsOf = (plan: ReturnType<typeof elide>) => plan?.elided.map(({ callId }) => callId) ?? [];

describe('eliding results', () => {
  it('L2: old ones by distance in tokens, not those within the newest 16,000', () => {
    const plan = elide([user(), ...many(10, 3000)]);
    expect(callsOf(plan)).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(plan?.saves).toBeGreaterThan(11_500);
  });

  it('L2: the distance is scaled by what the provider counts', () => {
    expect(callsOf(elide([user(), ...many(10, 3000)], { scale: 2 }))).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']);
  });

  it('L2: never errors, pinned ones, checkpoints, rewinds, what was recalled, and what is small', () => {
    const entries = [
      user(),
      call(5000, { isError: true }),
      call(5000),
      call(5000, { name: 'rewind' }),
      call(5000, { name: 'checkpoint' }),
      call(5000, { name: 'recall' }),
      call(40),
      call(5000),
      ...many(6, 3000),
    ];
    expect(callsOf(elide(entries, { pins: new Set([id(2)]) }))).toEqual(['c7']);
  });

  it('L2: at any age a read that a newer one of the same file took over, and what the tool called useless', () => {
    const entries = [
      user(),
      call(3000, { path: 'a' }),
      call(3000, { path: './a' }),
      call(3000, { path: 'b' }),
      call(2500, { useless: true }),
    ];
    expect(callsOf(elide(entries))).toEqual(['c1', 'c4']);
  });

  it('L2: in a pass the least saving is enough, outside it must be a quarter of what follows, by hand anything is', () => {
    expect(callsOf(elide([user(), call(3000), ...many(6, 3000)]))).toEqual([]);
    expect(callsOf(elide([user(), call(3000), ...many(6, 3000)], { occasion: 'hand' }))).toEqual(['c1']);
    const long = [user(), ...many(2, 2500), { kind: 'answer' as const, tokens: 40_000 }];
    expect(callsOf(elide(long))).toEqual(['c1', 'c2']);
    expect(callsOf(elide(long, { occasion: 'free' }))).toEqual([]);
    expect(callsOf(elide([user(), ...many(4, 2500), { kind: 'answer' as const, tokens: 17_000 }], { occasion: 'free' }))).toEqual([
      'c1',
      'c2',
      'c3',
      'c4',
    ]);
  });

  it('L2: once left out it stays out, and is not weighed again', () => {
    const made = pathOf([user(), ...many(10, 3000)]);
    const first = elide([user(), ...many(10, 3000)]);
    const context = contextOf(made, { records: [recordOf('1', 4, { kind: 'free', elided: first?.elided ?? [] })] });
    expect(
      planElide({ sent: context.sent, before: context.layout.path.elided, pins: new Set(), numbers, scale: 1, occasion: 'hand' }),
    ).toBeNull();
    const text = JSON.stringify(context.request);
    expect(text).toContain('did 2 [content left out]');
    expect(text).not.toContain('r2 r2');
  });

  it('L2: always: whatever the history, only what may go goes, its call and summary stay, and the order of messages', () => {
    fc.assert(
      fc.property(entriesArbitrary, fc.integer({ min: 0, max: 3000 }), (entries, protectTokens) => {
        const made = pathOf(entries);
        const full = contextOf(made);
        const plan = planElide({
          sent: full.sent,
          before: [],
          pins: new Set(),
          numbers: { ...numbers, protectTokens, minSavings: 0 },
          scale: 1,
          occasion: 'hand',
        });
        const elided = plan?.elided ?? [];
        for (const { messageId } of elided) {
          const entry = entries[Number(messageId.slice('msg_m'.length))];
          expect(entry).toMatchObject({ kind: 'call' });
          if (entry?.kind === 'call')
            expect([entry.isError, ['rewind', 'recall'].includes(entry.name ?? ''), entry.tokens >= 45]).toEqual([false, false, true]);
        }
        const lean = contextOf(made, { records: [recordOf('1', entries.length - 1, { kind: 'free', elided })] });
        expect(lean.request.messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual(
          full.request.messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)]),
        );
        expect(contextOf(made, { records: [recordOf('1', entries.length - 1, { kind: 'free', elided, undone: true })] }).request).toEqual(
          full.request,
        );
      }),
    );
  });
});

describe('dropping images', () => {
  const drop = (entries: Entry[], pins: MessageId[] = []) =>
    planDropImages({ sent: contextOf(pathOf(entries)).sent, before: [], pins: new Set(pins), numbers, scale: 1 });
  const shot = () => call(10, { image: true });
  const shown = (): Entry => ({ kind: 'user', tokens: 10, image: true });

  it('L3: old ones beyond the newest three; never of the first request, the turn in progress, or pinned', () => {
    const entries = [
      shown(),
      shot(),
      shown(),
      shot(),
      shown(),
      { kind: 'answer' as const, tokens: 20_000 },
      shown(),
      shot(),
      shown(),
      shot(),
    ];
    const plan = drop(entries);
    expect(plan.tool.map(({ messageId }) => messageId)).toEqual([id(1), id(3)]);
    expect(plan.user.map(({ messageId }) => messageId)).toEqual([id(2), id(4)]);
    expect(drop(entries, [id(3)]).tool.map(({ messageId }) => messageId)).toEqual([id(1)]);
    expect(drop([shown(), shot(), shown()])).toEqual({ tool: [], user: [] });
  });

  it('L3: a placeholder names it, in messages and in results', () => {
    const made = pathOf([user(), { kind: 'user', tokens: 10, image: true }, shot()]);
    const { tool, user: own } = { tool: contextOf(made).sent[2]?.images ?? [], user: contextOf(made).sent[1]?.images ?? [] };
    const droppedImages = [...own.map(({ hash }) => ({ messageId: id(1), hash })), ...tool.map(({ hash }) => ({ messageId: id(2), hash }))];
    const text = JSON.stringify(contextOf(made, { records: [recordOf('1', 2, { kind: 'free', droppedImages })] }).request);
    expect(text).toContain('[Image \\"pic1.png\\" was shown here and is left out.]');
    expect(text).toContain('[Image \\"shot2.png\\" was shown here and is left out.]');
    expect(text).not.toContain('"type":"image"');
  });
});
