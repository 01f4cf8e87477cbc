import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RecordId } from '../../shared/model/ids';
import { anchorsOf } from './anchors';
import { makeRecord, makeTranscriptStep, makeTranscripts, place, type TranscriptTest } from './transcriptFixture';

let test: TranscriptTest;
beforeEach(() => {
  test = makeTranscripts();
});
afterEach(() => test.remove());

it('U5, L19: where records are anchored that hold; an undone one does not', () => {
  const transcripts = test.again();
  transcripts.append(place, { type: 'step', step: makeTranscriptStep('a', 'au', 'text') });
  for (const [name, anchor] of [
    ['1', 'a'],
    ['2', 'b'],
  ] as const)
    transcripts.append(place, { type: 'record', record: makeRecord(name, anchor) });
  expect(anchorsOf(transcripts, place)).toEqual(['msg_a', 'msg_b']);
  transcripts.append(place, { type: 'undo', recordId: 'rec_1' as RecordId, createdAt: 2 });
  expect(anchorsOf(transcripts, place)).toEqual(['msg_b']);
  expect(anchorsOf(test.again(), place)).toEqual(['msg_b']);
});

it('X8: a transcript of a newer version hides the memory in it alone', () => {
  test.again().append(place, { type: 'step', step: makeTranscriptStep('a', 'au', 'text') });
  writeFileSync(test.file(), test.text().replace('"version":1', '"version":99'));
  expect(anchorsOf(test.again(), place)).toEqual([]);
});
