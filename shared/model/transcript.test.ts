import { describe, expect, it } from 'vitest';
import type { MessageId, RecordId, StepId, TurnId } from './ids';
import { type MemoryRecord, memoryOnPath } from './memoryRecord';
import { entriesOf, foldTranscript, type Step, type TranscriptEntry, type TranscriptHead } from './transcript';

const head: TranscriptHead = { version: 1, conversationId: 'cnv_1' as never, agentId: 'a' as never, segment: 1 };
const msg = (name: string) => `msg_${name}` as MessageId;
const rec = (name: string) => `rec_${name}` as RecordId;
const step = (name: string, parent: string, text = name): Step => ({
  id: `stp_${name}` as StepId,
  messageId: msg(name),
  parentId: msg(parent),
  turnId: 'trn_1' as TurnId,
  model: 'p/m',
  content: [{ type: 'text', text }],
  results: [],
  createdAt: 1,
});
const record = (name: string, anchor: string, more: Partial<MemoryRecord> = {}): MemoryRecord => ({
  id: rec(name),
  kind: 'card',
  anchorId: msg(anchor),
  folded: [],
  elided: [],
  droppedImages: [],
  wordingVersion: 1,
  receipt: { trigger: 'hand', tokensBefore: 2, tokensAfter: 1, bytesBefore: 2, bytesAfter: 1, kept: [], durationMs: 0, createdAt: 1 },
  ...more,
});
const failed = (parent: string): TranscriptEntry => ({
  type: 'failed',
  parentId: msg(parent),
  turnId: 'trn_1' as TurnId,
  failure: { code: 'quota', message: 'x', retryable: false },
  createdAt: 1,
});

describe('the fold', () => {
  it('X3, X8: steps by id, the later of two; a failure until its step or its retry', () => {
    const fold = foldTranscript(head, [
      failed('u'),
      failed('v'),
      failed('w'),
      { type: 'step', step: step('a', 'u', 'old') },
      { type: 'step', step: step('a', 'u', 'new') },
      { type: 'retried', parentId: msg('v'), createdAt: 2 },
    ]);
    expect([...fold.steps.values()]).toEqual([step('a', 'u', 'new')]);
    expect([...fold.failed.keys()]).toEqual([msg('w')]);
  });

  it('X5: what stands, folded anew, stands again', () => {
    const fold = foldTranscript(head, [
      { type: 'record', record: record('1', 'a') },
      { type: 'record', record: record('2', 'b') },
      { type: 'undo', recordId: rec('1'), createdAt: 1 },
      { type: 'undo', recordId: rec('2'), createdAt: 1 },
      { type: 'redo', recordId: rec('2'), createdAt: 1 },
      { type: 'undo', recordId: rec('none'), createdAt: 1 },
      failed('u'),
    ]);
    expect([...fold.records.values()]).toEqual([record('1', 'a', { undone: true, changedAt: 1 }), record('2', 'b', { changedAt: 1 })]);
    const { records, failed: failures } = foldTranscript(head, entriesOf(fold));
    expect({ records, failures }).toEqual({ records: fold.records, failures: fold.failed });
  });
});

describe('the anchor rule', () => {
  const path = (...names: string[]) => new Set(names.map(msg));
  const elision = { messageId: msg('a'), callId: 'c' };

  it('X3, L19: a record holds on every path with its anchor; a branch that left before has its full text', () => {
    const records = [record('1', 'a', { kind: 'free', elided: [elision] }), record('2', 'b'), record('3', 'c', { kind: 'pages' })];
    expect(memoryOnPath(path('a', 'b', 'c', 'x'), records, 1)).toMatchObject({ memory: { id: rec('3') }, elided: [elision] });
    expect(memoryOnPath(path('a', 'b', 'y'), records, 1).memory?.id).toBe(rec('2'));
    expect(memoryOnPath(path('a', 'z'), records, 1)).toMatchObject({ memory: null, holding: [{ id: rec('1') }] });
    expect(memoryOnPath(path('q'), records, 1)).toEqual({
      memory: null,
      folded: new Set(),
      holding: [],
      elided: [],
      droppedImages: [],
      unread: [],
      undone: [],
      unsuited: [],
    });
  });

  it('L19: a memory stands for what those it was made over fold, too, also when one of them is undone; a ring ends', () => {
    const first = record('1', 'a', { folded: [msg('a')], undone: true });
    const second = record('2', 'b', { folded: [msg('b')], previousId: rec('1') });
    const edit = record('3', 'b', { kind: 'edit', previousId: rec('2') });
    const all = path('a', 'b', 'c');
    expect(memoryOnPath(all, [first, second, edit], 1).folded).toEqual(path('b', 'a'));
    expect(memoryOnPath(all, [first, second, { ...edit, undone: true }], 1)).toMatchObject({
      memory: { id: rec('2') },
      undone: [{ id: rec('1') }, { id: rec('3') }],
    });
    expect(memoryOnPath(all, [{ ...first, previousId: rec('2') }, second], 1).folded).toEqual(path('b', 'a'));
  });

  it('L19: the memory that reaches furthest holds, also where one over a shorter way was made later; of the same reach the later one', () => {
    const [far, near, edit] = [record('1', 'd'), record('2', 'b'), record('3', 'd', { kind: 'edit', previousId: rec('1') })];
    expect(memoryOnPath(path('a', 'b', 'c', 'd'), [far, near], 1).memory?.id).toBe(rec('1'));
    expect(memoryOnPath(path('a', 'b', 'c', 'd'), [far, edit, near], 1).memory?.id).toBe(rec('3'));
    expect(memoryOnPath(path('a', 'b', 'c', 'd'), [{ ...far, undone: true }, near], 1).memory?.id).toBe(rec('2'));
    expect(memoryOnPath(path('a', 'b', 'x'), [far, near], 1).memory?.id).toBe(rec('2'));
  });

  it('L19, L9: an undone one applies nowhere; one of a version not known here is not replayed, and that is said', () => {
    const records = [record('1', 'a'), record('2', 'a', { undone: true }), record('3', 'a', { wordingVersion: 2 })];
    expect(memoryOnPath(path('a'), records, 1)).toMatchObject({ memory: { id: rec('1') }, unread: [{ id: rec('3') }] });
  });
});
