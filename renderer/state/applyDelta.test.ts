// Streamed text put together from deltas, in every way a stream can be cut and repeated.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentId, ConversationId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { LiveCall, LiveStep } from '../../shared/model/live';
import { applyCall, applyDelta, applyPart, type StepDelta } from './applyDelta';

const blank: LiveStep = {
  id: 'stp_1' as StepId,
  conversationId: 'cnv_1' as ConversationId,
  parentId: 'msg_1' as MessageId,
  turnId: 'trn_1' as TurnId,
  agentId: 'helper' as AgentId,
  model: 'local/m1',
  parts: [],
  calls: [],
  phase: 'waiting',
  startedAt: 0,
};
const delta = (index: number, kind: StepDelta['kind'], offset: number, text: string): StepDelta => ({
  type: 'stepDelta',
  stepId: blank.id,
  conversationId: blank.conversationId,
  index,
  kind,
  offset,
  text,
});

/** The parts of an answer, each cut at the given places. */
const answer = fc.array(
  fc.record({
    kind: fc.constantFrom('text' as const, 'reasoning' as const),
    text: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
    cuts: fc.array(fc.nat(60), { maxLength: 8 }),
  }),
  {
    minLength: 1,
    maxLength: 4,
  },
);
function deltasOf(parts: { kind: StepDelta['kind']; text: string; cuts: number[] }[]): StepDelta[] {
  return parts.flatMap(({ kind, text, cuts }, index) => {
    const places = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].sort((a, b) => a - b);
    return places.slice(0, -1).map((from, at) => delta(index, kind, from, text.slice(from, places[at + 1])));
  });
}

describe('applyDelta', () => {
  it('U2: any split of an answer, with any delta repeated any number of times later, gives the same text', () => {
    fc.assert(
      fc.property(answer, fc.array(fc.nat(1000), { maxLength: 20 }), (parts, repeats) => {
        const stream = deltasOf(parts);
        const order: number[] = [];
        for (const [at] of stream.entries()) {
          order.push(at);
          // Repeats of what came before, as after a refetch that overlaps the stream.
          for (const repeat of repeats) if (repeat % stream.length <= at && repeat % 3 === at % 3) order.push(repeat % stream.length);
        }
        let step: LiveStep | null = blank;
        for (const at of order) step = step && applyDelta(step, stream[at]!);
        expect(step?.parts.map((part) => ('text' in part ? [part.type, part.text] : []))).toEqual(
          parts.map(({ kind, text }) => [kind, text]),
        );
        expect(step?.phase).toBe('streaming');
      }),
      { numRuns: 500 },
    );
  });

  it('U2: a missing piece is noticed, never papered over', () => {
    fc.assert(
      fc.property(answer, fc.nat(1000), (parts, pick) => {
        const stream = deltasOf(parts);
        fc.pre(stream.length > 1);
        const lost = pick % (stream.length - 1);
        // The tail of a part that is followed by another part cannot be missed here: the count of batches tells (sync).
        fc.pre(
          (stream[lost]!.offset === 0 && stream[lost + 1]!.index !== stream[lost]!.index) ||
            stream[lost + 1]!.index === stream[lost]!.index,
        );
        let step: LiveStep | null = blank;
        for (const [at, piece] of stream.entries()) if (at !== lost) step = step && applyDelta(step, piece);
        expect(step).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('U2: a delta that says nothing new gives back the same step, so that nothing is drawn', () => {
    const step = applyDelta(blank, delta(0, 'text', 0, 'Hello'))!;
    expect(applyDelta(step, delta(0, 'text', 0, 'Hello'))).toBe(step);
    expect(applyDelta(step, delta(0, 'text', 2, 'll'))).toBe(step);
  });

  it('P5: text that arrives ends the waiting and the retry on screen', () => {
    const retrying: LiveStep = {
      ...blank,
      phase: 'retrying',
      retry: { attempt: 1, at: 1, failure: { code: 'rateLimited', message: 'x', retryable: true } },
    };
    expect(applyDelta(retrying, delta(0, 'text', 0, 'Hi'))).toMatchObject({ phase: 'streaming', retry: undefined });
  });
});

const written = (offset: number, text: string, index = 0): StepDelta => ({
  ...delta(index, 'toolCall', offset, text),
  call: { callId: 'tmp', name: 'read_file' },
});
const whole = { type: 'toolCall', callId: 'call_1', name: 'read_file', arguments: '{"path":"a"}' } as const;
const running: LiveCall = { callId: 'call_1', state: 'running', startedAt: 5 };

describe('calls of a step', () => {
  it('A5, X9: arguments grow like text, in any split and repeated, under the call’s name', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(200)), (text, cuts) => {
        const places = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].sort((a, b) => a - b);
        let step: LiveStep | null = blank;
        for (const [at, from] of places.slice(0, -1).entries()) {
          const piece = written(from, text.slice(from, places[at + 1]));
          step = step && applyDelta(step, piece);
          step = step && applyDelta(step, piece);
        }
        expect(step?.parts).toEqual([{ type: 'toolCall', callId: 'tmp', name: 'read_file', arguments: text }]);
      }),
    );
  });

  it('A5: a piece whose beginning is missing asks for the view', () => {
    expect(applyDelta(blank, written(3, 'x'))).toBeNull();
    expect(applyDelta(blank, written(0, 'x', 1))).toBeNull();
    expect(applyPart(blank, 1, whole)).toBeNull();
    expect(applyCall(blank, running)).toBeNull();
  });

  it('A5: a part set whole takes the place of what was written so far; told again it changes nothing', () => {
    const step = applyPart(applyDelta(blank, written(0, '{"pa'))!, 0, whole)!;
    expect(step.parts).toEqual([whole]);
    expect(applyPart(step, 0, { ...whole })).toBe(step);
  });

  it('A5, X9: the first call that changes ends the model’s part, and what is late of that changes nothing', () => {
    const step = applyCall(applyPart(blank, 0, whole)!, { callId: 'call_1', state: 'waiting' })!;
    expect(step.phase).toBe('tools');
    expect(applyDelta(step, written(0, 'late and much longer than what is there'))).toBe(step);
    expect(applyPart(step, 0, { ...whole, arguments: 'late' })).toBe(step);
  });

  it('A4, A5: a call goes through its states; told again nothing changes, and a finished one stays finished', () => {
    let step = applyPart(blank, 0, whole)!;
    const states: LiveCall[] = [
      { callId: 'call_1', state: 'waiting' },
      { callId: 'call_1', state: 'waiting', needs: [{ kind: 'host', host: 'a', isPrivate: false, addresses: [] }] },
      { callId: 'call_1', state: 'approved' },
      running,
      { callId: 'call_1', state: 'done', summary: 'Read a' },
    ];
    for (const call of states) {
      step = applyCall(step, call)!;
      expect(step.calls).toEqual([call]);
      expect(applyCall(step, { ...call })).toBe(step);
    }
    for (const call of states) expect(applyCall(step, call)).toBe(step);
  });
});
