// What a transcript meets over a long life: sealing that has to wait, damage in what is never changed, workspaces that are only read.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailureError } from '../../shared/model/failure';
import type { AgentId, MessageId, StepId } from '../../shared/model/ids';
import type { TranscriptEntry } from '../../shared/model/transcript';
import { bigText } from './bigText';
import { makeRecord, makeTranscriptStep, makeTranscripts, place, systemError, type TranscriptTest } from './transcriptFixture';
import type { Transcripts } from './transcripts';

let test: TranscriptTest;
beforeEach(() => {
  test = makeTranscripts();
});
afterEach(() => test.remove());

const stepEntry = (name: string, text = name): TranscriptEntry => ({ type: 'step', step: makeTranscriptStep(name, `${name}u`, text) });
const ref = (name: string, file = 1) => ({ stepId: `stp_${name}` as StepId, file });
const fill = (transcripts: Transcripts, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => transcripts.append(place, stepEntry(`s${from + n}`, 'z'.repeat(500))).file);
const foldsStart: TranscriptEntry = { type: 'record', record: makeRecord('1', 's2', { folded: ['msg_s0' as MessageId] }) };

describe('sealing that has to wait', () => {
  it('X5: while work in the background holds it, a file is not sealed; at the next boundary after it is', () => {
    const transcripts = test.again({ sealAbove: 2000 });
    const release = transcripts.hold(place, 'a pass');
    const other = transcripts.hold(place, 'another');
    expect(fill(transcripts, 0, 6)).toEqual([1, 1, 1, 1, 1, 1]);
    release();
    fill(transcripts, 6, 1);
    expect(test.names()).toEqual(['helper.json']);
    other();
    fill(transcripts, 7, 1);
    expect(test.names()).toEqual(['helper.1.json', 'helper.json']);
    transcripts.hold({ ...place, agentId: 'other' as AgentId }, 'not this one');
    expect(fill(transcripts, 8, 6).at(-1)).toBeGreaterThan(2);
  });

  it('X5: a record that folded the start while it was held, or before a crash, still seals', () => {
    const transcripts = test.again();
    fill(transcripts, 0, 3);
    const release = transcripts.hold(place, 'a pass');
    transcripts.append(place, foldsStart);
    expect(test.names()).toEqual(['helper.json']);
    test.again().append(place, stepEntry('after'));
    expect(test.names()).toEqual(['helper.1.json', 'helper.json']);
    release();
    // The record goes along, and folds the start of no later file.
    expect(fill(transcripts, 4, 2)).toEqual([2, 2]);
  });

  it('X5: a hand-made pass that folds the start: the file is sealed, the record stands, every step is found and the next pass works', async () => {
    const transcripts = test.again();
    const files = fill(transcripts, 0, 3);
    transcripts.append(place, foldsStart);
    const sealed = test.text('helper.1.json');
    files.push(...fill(transcripts, 3, 2));
    const next = makeRecord('2', 's4', { folded: ['msg_s2', 'msg_s3'] as MessageId[], previousId: makeRecord('1', '').id });
    transcripts.append(place, { type: 'record', record: next });
    expect(test.names()).toEqual(['helper.1.json', 'helper.2.json', 'helper.json']);
    expect(test.text('helper.1.json')).toBe(sealed);
    const again = test.again();
    expect([...again.open(place).standing.records.keys()]).toEqual(['rec_1', 'rec_2']);
    const found = await again.steps(
      place,
      files.map((file, n) => ref(`s${n}`, file)),
    );
    expect(found.map(({ id }) => id)).toEqual(['stp_s0', 'stp_s1', 'stp_s2', 'stp_s3', 'stp_s4']);
    again.append(place, { type: 'undo', recordId: next.id, createdAt: 2 });
    expect(test.again().open(place).standing.records.get(next.id)?.undone).toBe(true);
  });

  it('X5: above the length that is said, a notice names what is in the way, once', () => {
    const transcripts = test.again({ sealAbove: 1000, sayAbove: 3000 });
    const release = transcripts.hold(place, 'a long search');
    fill(transcripts, 0, 3);
    expect(test.notices).toEqual([]);
    fill(transcripts, 3, 6);
    expect(test.notices).toMatchObject([{ kind: 'long', why: 'a long search' }]);
    release();
    test.watched.failNext = (name) => (name === 'rename' ? systemError('EACCES') : undefined);
    const stuck = test.again({ sealAbove: 1000, sayAbove: 3000 });
    fill(stuck, 9, 3);
    expect(test.notices.slice(1)).toMatchObject([{ kind: 'long', why: 'EACCES' }]);
  });
});

describe('what is left of a crash', () => {
  it('R2: files that were being made are gone at the next opening; nothing else is', () => {
    test.again().append(place, stepEntry('a'));
    const folder = join(test.folder, 'transcripts', 'cnv_1');
    for (const name of ['.helper.json.77.3.now.tmp', '.other.json.77.4.now.tmp', 'kept.now.tmp', '.kept'])
      writeFileSync(join(folder, name), 'x');
    test.again().open(place);
    expect(readdirSync(folder).sort()).toEqual(['.kept', 'helper.json', 'kept.now.tmp']);
  });
});

describe('damage in what is never changed', () => {
  const damage = (name: string) => writeFileSync(test.file(name), test.text(name).replace('"id":"stp_s0"', '"id":7'));

  it('X10: bad entries of a sealed file are said once in a run; the file stays as it is, the rest is read', async () => {
    const transcripts = test.again({ sealAbove: 2000 });
    const files = fill(transcripts, 0, 30);
    damage('helper.1.json');
    const before = test.text('helper.1.json');
    const again = test.again({ sealAbove: 2000 });
    const refs = files.map((file, n) => ref(`s${n}`, file));
    // More files than are kept open, so that each reading opens the damaged one anew.
    for (let turn = 0; turn < 3; turn++) expect((await again.steps(place, refs)).map(({ id }) => id)).not.toContain('stp_s0');
    expect((await again.steps(place, refs)).length).toBe(29);
    expect(new Set(files).size).toBeGreaterThan(8);
    expect(test.notices).toMatchObject([{ kind: 'skipped', count: 1 }]);
    expect(test.text('helper.1.json')).toBe(before);
    expect(test.names().some((name) => name.includes('aside'))).toBe(false);
  });

  it('X10, X7: a sealed file that is gone or nonsense is said; its steps are not found, the others are', async () => {
    const transcripts = test.again({ sealAbove: 2000 });
    const files = fill(transcripts, 0, 10);
    writeFileSync(test.file('helper.1.json'), 'nonsense');
    const again = test.again({ sealAbove: 2000 });
    const refs = files.map((file, n) => ref(`s${n}`, file));
    const found = await again.steps(place, refs);
    expect(found.map(({ id }) => id)).toEqual(refs.filter(({ file }) => file > 1).map(({ stepId }) => stepId));
    await again.steps(place, refs);
    expect(test.notices).toMatchObject([{ kind: 'unusable' }]);
  });

  it('X4: lost long texts are said once in a run, however often they are met', async () => {
    test.again().append(place, { type: 'step', step: makeTranscriptStep('a', 'u', 'x'.repeat(bigText + 1)) });
    rmSync(join(test.folder, 'blobs'), { recursive: true });
    const again = test.again();
    await again.steps(place, [ref('a')]);
    await again.steps(place, [ref('a')]);
    expect(test.notices).toMatchObject([{ kind: 'textLost', count: 1 }]);
  });
});

describe('a workspace that is only read', () => {
  it('W4: nothing is made, mended or moved, and appending is refused', async () => {
    const reader = test.again({ readOnly: true });
    expect(reader.open(place)).toMatchObject({ file: 1 });
    expect(await reader.steps(place, [ref('a')])).toEqual([]);
    expect(existsSync(join(test.folder, 'transcripts'))).toBe(false);
    const writer = test.again({ sealAbove: 2000 });
    const files = fill(writer, 0, 6);
    writer.append(place, { type: 'record', record: makeRecord('1', 's5') });
    const torn = `${test.text().slice(0, -3)},\n{"type":"st`;
    writeFileSync(test.file(), torn);
    const names = test.names();
    const again = test.again({ readOnly: true });
    expect([...again.open(place).standing.records.keys()]).toEqual(['rec_1']);
    const refs = files.map((file, n) => ref(`s${n}`, file));
    for (let turn = 0; turn < 2; turn++) expect(await again.steps(place, refs)).toHaveLength(6);
    expect(() => again.append(place, stepEntry('b'))).toThrow(FailureError);
    expect(test.names()).toEqual(names);
    expect(readFileSync(test.file(), 'utf8')).toBe(torn);
    expect(test.notices).toEqual([]);
  });

  it('W4, X10: damage is said and left as it is', async () => {
    fill(test.again(), 0, 3);
    const damaged = test.text().replace('"id":"stp_s1"', '"id":7');
    writeFileSync(test.file(), damaged);
    const reader = test.again({ readOnly: true });
    expect((await reader.steps(place, [ref('s0'), ref('s1'), ref('s2')])).map(({ id }) => id)).toEqual(['stp_s0', 'stp_s2']);
    writeFileSync(test.file(), 'nonsense');
    reader.open(place);
    expect(test.notices).toMatchObject([{ kind: 'skipped', count: 1 }, { kind: 'unusable' }]);
    expect(test.names()).toEqual(['helper.json']);
  });
});
