// Random entries of a transcript, for property tests.
import fc from 'fast-check';
import type { BlobHash, MessageId, RecordId, StepId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import { callOutcomes } from '../../shared/model/message';
import type { Step, StepPart, TranscriptEntry } from '../../shared/model/transcript';

/** Anything a model may say: line ends, quotes, NULs, halves of pairs, what looks like the file's own closing. */
const said = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\n]}', '"}\n', '\u0000', '\ud800', '\u2028', ',\n{"type":"step"'),
);
const small = fc.integer({ min: 0, max: 5 });
const hash = small.map((n) => `${n}`.repeat(64) as BlobHash);
const message = small.map((n) => `msg_${n}` as MessageId);
const vendor = fc.option(fc.record({ family: fc.constantFrom('openai', 'gemini'), json: said }), { nil: undefined });

const part: fc.Arbitrary<StepPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: said, vendor }),
  fc.record({ type: fc.constant('reasoning' as const), text: said, source: fc.option(said, { nil: undefined }), vendor }),
  fc.record({ type: fc.constant('image' as const), hash, mime: said, name: said, size: small }),
  fc.record({ type: fc.constant('toolCall' as const), callId: said, name: said, arguments: said, vendor }),
  fc.record({ type: fc.constant('raw' as const), source: said, json: said }),
  fc.record({ type: fc.constant('vendor' as const), vendor: fc.record({ family: said, json: said }) }),
);
const result = fc.record(
  { callId: said, summary: said, content: said, isError: fc.boolean(), outcome: fc.constantFrom(...callOutcomes) },
  { requiredKeys: ['callId', 'summary'] },
);

export const step: fc.Arbitrary<Step> = fc
  .record(
    {
      n: small,
      parentId: message,
      model: said,
      content: fc.array(part, { maxLength: 3 }),
      results: fc.array(result, { maxLength: 2 }),
      usage: fc.record({ input: small, output: small }),
      interrupted: fc.boolean(),
      finish: fc.constantFrom('length' as const, 'filtered' as const),
      createdAt: small,
    },
    { requiredKeys: ['n', 'parentId', 'model', 'content', 'results', 'createdAt'] },
  )
  .map(({ n, ...rest }) => ({
    id: `stp_${n}` as StepId,
    messageId: `msg_${n}` as MessageId,
    turnId: 'trn_1' as TurnId,
    ...rest,
  }));

const id = small.map((n) => `rec_${n}` as RecordId);
export const record: fc.Arbitrary<MemoryRecord> = fc.record(
  {
    id,
    kind: fc.constantFrom('free' as const, 'card' as const, 'pages' as const, 'edit' as const, 'trim' as const),
    anchorId: message,
    previousId: id,
    folded: fc.array(message, { maxLength: 2 }),
    elided: fc.array(fc.record({ messageId: message, callId: said }), { maxLength: 2 }),
    droppedImages: fc.array(fc.record({ messageId: message, hash }), { maxLength: 2 }),
    body: fc.record({
      text: said,
      pages: fc.array(fc.record({ hash, width: small, height: small }), { maxLength: 1 }),
      files: fc.array(fc.record({ path: said, text: said, from: small, to: small }), { maxLength: 1 }),
      references: fc.array(fc.record({ path: said, why: said }), { maxLength: 1 }),
    }),
    wordingVersion: fc.integer({ min: 1, max: 3 }),
    receipt: fc.record({
      trigger: fc.constant('hand' as const),
      tokensBefore: small,
      tokensAfter: small,
      bytesBefore: small,
      bytesAfter: small,
      kept: fc.array(message, { maxLength: 1 }),
      durationMs: small,
      createdAt: small,
    }),
    undone: fc.boolean(),
  },
  {
    requiredKeys: ['id', 'kind', 'anchorId', 'folded', 'elided', 'droppedImages', 'wordingVersion', 'receipt'],
  },
);

export const entry: fc.Arbitrary<TranscriptEntry> = fc.oneof(
  { weight: 4, arbitrary: step.map((value): TranscriptEntry => ({ type: 'step', step: value })) },
  record.map((value): TranscriptEntry => ({ type: 'record', record: value })),
  fc.record({ type: fc.constantFrom('undo' as const, 'redo' as const), recordId: id, createdAt: small }),
  fc.record({
    type: fc.constant('failed' as const),
    parentId: message,
    turnId: fc.constant('trn_1' as TurnId),
    failure: fc.record({ code: fc.constant('rateLimited' as const), message: said, retryable: fc.boolean() }),
    createdAt: small,
  }),
  fc.record({ type: fc.constant('retried' as const), parentId: message, createdAt: small }),
);
