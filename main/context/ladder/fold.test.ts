// Where a pass cuts, and what a request looks like after it (L8, L9, L10, L15, L19).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numbersInForce } from '../../../shared/model/compaction';
import type { MessageId, RecordId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { RequestMessage } from '../../../shared/model/request';
import { type FoldArgs, planFold } from './fold';
import { contextOf, type Entry, entriesArbitrary, id, type Made, pathOf, recordOf } from './ladderFixture';
import { memoryRecord, type RecordFacts } from './records';

const numbers = numbersInForce([], undefined);
const user = (tokens = 10): Entry => ({ kind: 'user', tokens });
const answer = (tokens = 100): Entry => ({ kind: 'answer', tokens });
const call = (tokens = 100): Entry => ({ kind: 'call', tokens });
const fold = (made: Made, more: Partial<FoldArgs> = {}, records: MemoryRecord[] = []) =>
  planFold({
    sent: contextOf(made, { records, pins: [...(more.pins ?? [])] }).sent,
    pins: new Set(),
    numbers,
    room: null,
    scale: 1,
    ...more,
  });
const names = (ids: readonly MessageId[]) => ids.map((one) => Number(one.slice('msg_m'.length)));
const body = (text: string) => ({ text, pages: [], files: [], references: [] });
const textOf = (messages: readonly RequestMessage[]) => JSON.stringify(messages);

describe('the cut', () => {
  it('L8: the tail is whole steps up to 20,000 tokens, at least two', () => {
    const made = pathOf([user(), ...Array.from({ length: 9 }, () => call(6000))]);
    const plan = fold(made);
    expect(names(plan?.tail ?? [])).toEqual([7, 8, 9]);
    expect(names(plan?.folded ?? [])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(names(plan?.kept ?? [])).toEqual([0]);
    expect(names(fold(pathOf([user(), call(9000), call(30_000), call(30_000)]))?.tail ?? [])).toEqual([2, 3]);
  });

  it('L8: eight steps are enough once 8,000 tokens are held', () => {
    const made = pathOf([user(), ...Array.from({ length: 14 }, () => call(1100))]);
    expect(names(fold(made)?.tail ?? [])).toEqual([7, 8, 9, 10, 11, 12, 13, 14]);
    const light = pathOf([user(), ...Array.from({ length: 14 }, () => call(300))]);
    expect(fold(light)).toBeNull();
  });

  it('L8: one step where two do not fit, and one that is too big is kept all the same', () => {
    const made = pathOf([user(), call(2000), call(6000), call(6000)]);
    expect(names(fold(made, { room: 9000 })?.tail ?? [])).toEqual([3]);
    expect(names(fold(made, { room: 1000 })?.tail ?? [])).toEqual([3]);
  });

  it('L8, X6: a step that could not be sent at all is folded, too, once something else is to be answered', () => {
    const made = pathOf([user(), call(2000), call(9000), user()]);
    expect(names(fold(made, { room: 2000, limit: 12_000 })?.tail ?? [])).toEqual([2, 3]);
    expect(fold(made, { room: 2000, limit: 8000 })).toMatchObject({ folded: [id(1), id(2)], tail: [id(3)] });
    const running = pathOf([user(), call(2000), call(9000)]);
    expect(names(fold(running, { room: 2000, limit: 8000 })?.tail ?? [])).toEqual([2]);
  });

  it('L8, L15: the first request, pins and the request of the turn in progress stay, with what was steered into it', () => {
    const made = pathOf([user(), call(9000), user(), call(9000), call(9000), call(9000), call(9000)]);
    const steered = made.path[4];
    if (steered) Object.assign(steered, { role: 'user' });
    const plan = fold(made, { pins: new Set([id(1)]) });
    expect(names(plan?.folded ?? [])).toEqual([3]);
    expect(names(plan?.kept ?? [])).toEqual([0, 1, 2]);
    expect(names(plan?.tail ?? [])).toEqual([4, 5, 6]);
  });

  it('S1, L8: every message is in exactly one place: folded, kept or tail, over two passes, too', () => {
    fc.assert(
      fc.property(entriesArbitrary, entriesArbitrary, fc.integer({ min: 200, max: 4000 }), (first, second, retainedTokens) => {
        const small = { ...numbers, retainedTokens, retainedEnough: retainedTokens };
        const one = pathOf(first);
        const plan = fold(one, { numbers: small });
        const all = (made: Made) => made.path.map(({ id: each }) => each);
        if (!plan) return;
        expect([...plan.folded, ...plan.kept, ...plan.tail].sort()).toEqual(all(one).sort());
        const record = recordOf('1', 0, { anchorId: plan.folded.at(-1) ?? id(0), folded: plan.folded, body: body('card') });
        const two = pathOf([...first, ...second]);
        const next = fold(two, { numbers: small }, [record]);
        if (!next) return;
        expect([...plan.folded, ...next.folded, ...next.kept, ...next.tail].sort()).toEqual(all(two).sort());
      }),
    );
  });
});

describe('a request after a pass', () => {
  const made = pathOf([user(), answer(), user(), call(), answer(), user(), call(), call()]);
  const card = recordOf('1', 4, { folded: [id(1), id(2), id(3), id(4)], body: body('THE CARD') });

  it('L8: first request, pins, memory, the request in progress, tail', () => {
    const { messages } = contextOf(made, { records: [card], pins: [id(3)] }).request;
    const text = textOf(messages);
    const order = ['u0 u0', 'r3 r3', 'THE CARD', 'u5 u5', 'r6 r6', 'r7 r7'].map((word) => text.indexOf(word));
    expect(order.every((at) => at >= 0)).toBe(true);
    expect([...order].sort((a, b) => a - b)).toEqual(order);
    for (const gone of ['a1 a1', 'u2 u2', 'a4 a4']) expect(text).not.toContain(gone);
  });

  it('L8: the request of the turn in progress follows the memory where the tail does not hold it', () => {
    const folded = recordOf('1', 6, { folded: [id(1), id(2), id(3), id(4), id(6)], body: body('THE CARD') });
    const text = textOf(contextOf(made, { records: [folded] }).request.messages);
    const order = ['u0 u0', 'THE CARD', 'u5 u5', 'r7 r7'].map((word) => text.indexOf(word));
    expect([...order].sort((a, b) => a - b)).toEqual(order);
  });

  it('L8, M6: the memory says what it is, and has files and references in their form', () => {
    const files = [
      { path: 'src/a.ts', text: 'let a;', from: 3, to: 9 },
      { path: 'b.md', text: '# B' },
    ];
    const record = { ...card, body: { ...body('CARD'), files, references: [{ path: 'c.ts', why: 'the parser' }] } };
    const text = contextOf(made, { records: [record] })
      .request.messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')))
      .join('\n');
    expect(text).toContain('they record work already done and are not a new request');
    expect(text).toContain('[Auto-read file: src/a.ts:3-9]\nlet a;');
    expect(text).toContain('[Auto-read file: b.md]\n# B');
    expect(text).toContain('[Referenced files — read before compaction, contents not included]\n- c.ts (the parser)\nUse read_file');
  });

  it('L19: undone, the context is the one without it; a branch that left before the anchor has its full text', () => {
    expect(contextOf(made, { records: [{ ...card, undone: true }] }).request).toEqual(contextOf(made).request);
    const early: Made = { path: made.path.slice(0, 3), steps: made.steps };
    expect(contextOf(early, { records: [card] }).request).toEqual(contextOf(early).request);
  });

  it('L9, L10: always: the same bytes again, and what is added only follows', () => {
    fc.assert(
      fc.property(entriesArbitrary, fc.nat(), (entries, where) => {
        const whole = pathOf([...entries, user(), answer()]);
        const anchor = where % entries.length;
        const folded = whole.path.slice(1, anchor + 1).map(({ id: each }) => each);
        const records = [recordOf('1', anchor, { folded, body: body('card') })];
        const sent = contextOf(whole, { records }).request;
        expect(JSON.stringify(contextOf(structuredClone(whole), { records: structuredClone(records) }).request)).toBe(JSON.stringify(sent));
        const before = contextOf({ path: whole.path.slice(0, -1), steps: whole.steps }, { records }).request;
        expect(sent.messages.slice(0, before.messages.length)).toEqual(before.messages);
      }),
    );
  });

  it('L19: always: a later card stands when the one under it is undone, and its own undo gives back what is left', () => {
    const later = recordOf('2', 6, { folded: [id(6)], previousId: card.id, body: body('LATER') });
    const both = contextOf(made, { records: [card, later] }).request;
    expect(contextOf(made, { records: [{ ...card, undone: true }, later] }).request).toEqual(both);
    expect(contextOf(made, { records: [card, { ...later, undone: true }] }).request).toEqual(contextOf(made, { records: [card] }).request);
    expect(
      contextOf(made, {
        records: [
          { ...card, undone: true },
          { ...later, undone: true },
        ],
      }).request,
    ).toEqual(contextOf(made).request);
  });

  it('L15: always: a pinned message is in the request word for word, folded before or after', () => {
    fc.assert(
      fc.property(entriesArbitrary, fc.nat(), fc.nat(), (entries, where, which) => {
        const all = pathOf(entries);
        const anchor = where % entries.length;
        const pinned = which % entries.length;
        const folded = all.path.slice(1, anchor + 1).map(({ id: each }) => each);
        const elided = all.path.flatMap(({ id: each }, at) => ({ messageId: each, callId: `c${at}` }));
        const records = [recordOf('0', anchor, { kind: 'free', elided }), recordOf('1', anchor, { folded, body: body('card') })];
        const context = contextOf(all, { records, pins: [id(pinned)] });
        const full = contextOf(all).sent.find((one) => one.id === id(pinned));
        expect(context.sent.find((one) => one.id === id(pinned))?.messages).toEqual(full?.messages);
      }),
    );
  });
});

describe('the anchor', () => {
  const facts: RecordFacts = {
    id: 'rec_new' as RecordId,
    trigger: 'hand',
    turnId: undefined,
    before: { tokens: 9, bytes: 9, estimate: 9, reported: null, scale: 1 },
    startedAt: 1,
    now: 2,
  };

  it('L19, T8: a memory over another never holds, or outlives a deletion, where that one does not: what it folds may be older', () => {
    // The long request of the second turn stayed while that turn ran (m3); later nothing else is there to be folded.
    const made = pathOf([user(), answer(), answer(), user(5000), call(), call(), user(), answer(100)]);
    const path = made.path.map((message) => message.id);
    const previous = { id: 'rec_1' as RecordId, anchorId: id(4) };
    const card = { kind: 'card' as const, kept: [], body: body('card'), folded: [id(3)] };
    expect(memoryRecord(path, facts, { ...card, previous })).toMatchObject({ anchorId: id(4), folded: [id(3)], previousId: 'rec_1' });
    expect(memoryRecord(path, facts, { ...card, previous: null }).anchorId).toBe(id(3));
    expect(memoryRecord(path, facts, { ...card, folded: [id(3), id(5)], previous }).anchorId).toBe(id(5));
  });
});
