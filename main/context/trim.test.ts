// Leaving out the oldest steps where nothing else can be done (X6).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageId, RecordId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { Message } from '../../shared/model/message';
import type { Step } from '../../shared/model/transcript';
import { buildContext } from './buildRequest';
import { agent, answer, call, message } from './contextFixture';
import { planRequestTrim, recordOfTrim } from './planRequestTrim';
import { protectedOf } from './trim';
import { wordingVersion } from './wording';

type Entry = { kind: 'user' | 'steered' | 'answer' | 'calls' | 'digest' | 'other'; size: number };
const entry: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constantFrom('user', 'steered', 'answer', 'calls', 'calls', 'digest', 'other'),
  size: fc.integer({ min: 1, max: 400 }),
});

/** A path that begins with a request. */
function pathOf(entries: readonly Entry[]): { path: Message[]; steps: Map<MessageId, Step> } {
  const path: Message[] = [];
  const steps = new Map<MessageId, Step>();
  let turn = 0;
  for (const [at, { kind, size }] of [{ kind: 'user' as const, size: 5 }, ...entries].entries()) {
    if (kind === 'user') turn++;
    const turnId = `trn_${turn}` as TurnId;
    const text = 'word '.repeat(size);
    const content = kind === 'calls' ? [call(`${at}`)] : [{ type: 'text' as const, text }];
    const results = kind === 'calls' ? [{ callId: `${at}`, summary: 's', content: text }] : [];
    if (kind === 'answer' || kind === 'calls') {
      const [made, step] = answer(`a${at}`, content, results, { turnId });
      path.push(made);
      steps.set(made.id, step);
      continue;
    }
    const role = kind === 'digest' ? 'digest' : kind === 'other' ? 'assistant' : 'user';
    path.push(
      message(`m${at}`, role, { turnId, parts: [{ type: 'text', text }], ...(kind === 'other' ? { agentId: 'you' as never } : {}) }),
    );
  }
  return { path, steps };
}

const contextOf = ({ path, steps }: ReturnType<typeof pathOf>, window: number, records: MemoryRecord[] = []) => {
  const model = { id: 'm', contextWindow: window, tools: true };
  const context = buildContext({ path, agent, model, texts: new Map(), steps, tools: [], records });
  return { context, plan: planRequestTrim({ context, agent, model }) };
};
const trimOf = (made: ReturnType<typeof contextOf>, id: string): MemoryRecord | null =>
  made.plan && recordOfTrim(made.plan, { id: `rec_${id}` as RecordId, turnId: undefined, createdAt: 1 });

describe('leaving out the oldest steps', () => {
  const path = fc.array(entry, { maxLength: 25 });
  const window = fc.integer({ min: 50, max: 6000 });

  it('X6: always: the result fits or only what is protected remains; no result is left without its call', () => {
    fc.assert(
      fc.property(path, window, (entries, size) => {
        const made = pathOf(entries);
        const first = contextOf(made, size);
        const record = trimOf(first, '1');
        if (!record || !first.plan) return;
        const { context } = contextOf(made, size, [record]);
        const stays = protectedOf(made.path);
        const left = made.path.filter(({ id }) => !context.leftOut.has(id)).map(({ id }) => id);
        for (const id of stays) expect(left).toContain(id);
        if (first.plan.tokensAfter > first.plan.room) expect(new Set(left)).toEqual(stays);
        expect(record.anchorId).toBe(record.folded.at(-1));
        const calls = new Set(
          context.request.messages.flatMap(({ parts }) => parts.flatMap((p) => (p.type === 'toolCall' ? p.callId : []))),
        );
        const results = context.request.messages.flatMap(({ parts }) => parts.flatMap((p) => (p.type === 'toolResult' ? p.callId : [])));
        expect(new Set(results)).toEqual(calls);
        // What a plan says is what is sent then: nothing more has to go.
        if (first.plan.tokensAfter <= first.plan.room) expect(contextOf(made, size, [record]).plan).toBeNull();
      }),
    );
  });

  it('X6, L9: always: the same after a reload, and undone the full text is back', () => {
    fc.assert(
      fc.property(path, window, (entries, size) => {
        const made = pathOf(entries);
        const full = contextOf(made, size);
        const record = trimOf(full, '1');
        if (!record) return;
        const sent = JSON.stringify(contextOf(made, size, [record]).context.request);
        const again = structuredClone(record);
        expect(JSON.stringify(contextOf(structuredClone(made), size, [again]).context.request)).toBe(sent);
        const undone = contextOf(made, size, [{ ...record, undone: true }]).context;
        expect([undone.request, undone.leftOut]).toEqual([full.context.request, full.context.leftOut]);
      }),
    );
  });

  it('X6: the second goes on from the first, and says how many are left out in all', () => {
    const made = pathOf(Array.from({ length: 12 }, () => ({ kind: 'answer' as const, size: 100 })));
    const record = trimOf(contextOf(made, 1500), '1');
    if (!record) throw new Error('nothing was left out');
    const longer = pathOf(Array.from({ length: 20 }, () => ({ kind: 'answer' as const, size: 100 })));
    const next = trimOf(contextOf(longer, 1500, [record]), '2');
    expect(next?.folded.some((id) => record.folded.includes(id))).toBe(false);
    const { context } = contextOf(longer, 1500, next ? [record, next] : []);
    expect(context.leftOut.size).toBe(record.folded.length + (next?.folded.length ?? 0));
    expect(JSON.stringify(context.request)).toContain(`[${context.leftOut.size} older messages that stood here are left out`);
  });

  it('X6, L19: it holds on paths with its anchor only; one of wording that is not known is not replayed', () => {
    const made = pathOf(Array.from({ length: 12 }, () => ({ kind: 'answer' as const, size: 100 })));
    const record = trimOf(contextOf(made, 1500), '1');
    if (!record) throw new Error('nothing was left out');
    const branch = { path: made.path.slice(0, 3), steps: made.steps };
    expect(contextOf(branch, 1500, [record]).context.leftOut.size).toBe(0);
    const later = { ...record, wordingVersion: wordingVersion + 1 };
    expect(contextOf(made, 1500, [later]).context.leftOut.size).toBe(0);
  });

  it('X6: nothing is left out without a known window', () => {
    const made = pathOf(Array.from({ length: 12 }, () => ({ kind: 'answer' as const, size: 4000 })));
    const context = buildContext({ path: made.path, agent, model: { id: 'm' }, texts: new Map(), steps: made.steps });
    expect(planRequestTrim({ context, agent, model: { id: 'm' } })).toBeNull();
  });
});
