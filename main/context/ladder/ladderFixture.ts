// Paths of turns, steps and results of any size, built as a request builds them, for tests of the rungs.
import fc from 'fast-check';
import type { MessageId, RecordId, TurnId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { Message } from '../../../shared/model/message';
import type { ModelInfo } from '../../../shared/model/provider';
import type { Step } from '../../../shared/model/transcript';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { type BuiltContext, buildContext } from '../buildRequest';
import { agent, answer, call, image, message } from '../contextFixture';
import { wordingVersion } from '../wording';

/** Text of about `tokens` by estimate. */
export function words(tokens: number, word = 'word'): string {
  const one = estimateTokens(`${word} `.repeat(200)) / 200;
  return `${word} `.repeat(Math.max(1, Math.round(tokens / one)));
}

export type Entry =
  | { kind: 'user'; tokens: number; image?: boolean }
  /** A step that answers, without calls. */
  | { kind: 'answer'; tokens: number }
  /** A step with one result. */
  | {
      kind: 'call';
      tokens: number;
      isError?: boolean;
      useless?: boolean;
      path?: string;
      name?: string;
      image?: boolean;
      reported?: number;
    };

export type Made = { path: Message[]; steps: Map<MessageId, Step> };

/** A user message begins a turn; messages are named `m0`, `m1` …, calls `c0` … after them. */
export function pathOf(entries: readonly Entry[]): Made {
  const path: Message[] = [];
  const steps = new Map<MessageId, Step>();
  let turn = 0;
  for (const [at, entry] of entries.entries()) {
    const name = `m${at}`;
    if (entry.kind === 'user') turn++;
    const more = { turnId: `trn_${turn}` as TurnId, createdAt: at, parentId: path.at(-1)?.id ?? null };
    if (entry.kind === 'user') {
      path.push(
        message(name, 'user', {
          ...more,
          parts: [{ type: 'text', text: words(entry.tokens, `u${at}`) }, ...(entry.image ? [image(`pic${at}`)] : [])],
        }),
      );
      continue;
    }
    const [made, step] =
      entry.kind === 'answer' ? answer(name, [{ type: 'text', text: words(entry.tokens, `a${at}`) }], [], more) : called(entry, at, more);
    path.push(made);
    steps.set(made.id, { ...step, turnId: more.turnId });
  }
  return { path, steps };
}

function called(entry: Extract<Entry, { kind: 'call' }>, at: number, more: Partial<Message>): [Message, Step] {
  const { tokens, isError, useless, path = `f${at}`, name = 'read_file', image: shows, reported } = entry;
  const usage = reported === undefined ? {} : { usage: { input: reported, output: 0 } };
  return answer(
    `m${at}`,
    [call(`c${at}`, name, JSON.stringify({ path }))],
    [
      {
        callId: `c${at}`,
        summary: `did ${at}`,
        content: words(tokens, `r${at}`),
        ...(isError ? { isError } : {}),
        ...(useless ? { useless } : {}),
        ...(shows ? { images: [image(`shot${at}`)] } : {}),
      },
    ],
    { ...more, ...usage },
  );
}

export type ContextOptions = { records?: readonly MemoryRecord[]; pins?: readonly MessageId[]; model?: Partial<ModelInfo> };

export function contextOf({ path, steps }: Made, { records = [], pins = [], model }: ContextOptions = {}): BuiltContext {
  return buildContext({ path, agent, model: { id: 'm', vision: true, ...model }, texts: new Map(), steps, records, pins: new Set(pins) });
}

export const id = (at: number) => `msg_m${at}` as MessageId;

export function recordOf(name: string, anchorAt: number, more: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    id: `rec_${name}` as RecordId,
    kind: 'card',
    anchorId: id(anchorAt),
    folded: [],
    elided: [],
    droppedImages: [],
    wordingVersion,
    receipt: { trigger: 'hand', tokensBefore: 0, tokensAfter: 0, bytesBefore: 0, bytesAfter: 0, kept: [], durationMs: 0, createdAt: 0 },
    ...more,
  };
}

export const entryArbitrary: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ kind: fc.constant('user' as const), tokens: fc.integer({ min: 1, max: 400 }), image: fc.boolean() }),
  fc.record({ kind: fc.constant('answer' as const), tokens: fc.integer({ min: 1, max: 800 }) }),
  fc.record({
    kind: fc.constant('call' as const),
    tokens: fc.integer({ min: 1, max: 3000 }),
    isError: fc.boolean(),
    useless: fc.boolean(),
    path: fc.constantFrom('a', 'b', 'c', 'd/e'),
    name: fc.constantFrom('read_file', 'read_file', 'run_command', 'rewind', 'recall'),
    image: fc.boolean(),
  }),
);

/** Begins with a request. */
export const entriesArbitrary = fc
  .tuple(fc.integer({ min: 1, max: 300 }), fc.array(entryArbitrary, { maxLength: 24 }))
  .map(([tokens, rest]): Entry[] => [{ kind: 'user', tokens }, ...rest]);
