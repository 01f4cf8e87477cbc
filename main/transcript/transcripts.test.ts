import { appendFileSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailureError } from '../../shared/model/failure';
import type { AgentId, MessageId, StepId } from '../../shared/model/ids';
import type { Step, TranscriptEntry } from '../../shared/model/transcript';
import { bigText } from './bigText';
import { makeRecord, makeTranscriptStep, makeTranscripts, place, systemError, type TranscriptTest } from './transcriptFixture';

let test: TranscriptTest;
beforeEach(() => {
  test = makeTranscripts();
});
afterEach(() => test.remove());

const stepEntry = (name: string, text = name): TranscriptEntry => ({ type: 'step', step: makeTranscriptStep(name, `${name}u`, text) });
const failedEntry = (parent: string): TranscriptEntry => ({
  type: 'failed',
  parentId: `msg_${parent}` as MessageId,
  turnId: 'trn_1' as never,
  failure: { code: 'quota', message: 'x', retryable: false },
  createdAt: 1,
});
const ref = (name: string, file = 1) => ({ stepId: `stp_${name}` as StepId, file });
const textsOf = (steps: readonly Step[]) => steps.map(({ content }) => (content[0]?.type === 'text' ? content[0].text : '?'));
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
  return undefined;
};

describe('appending', () => {
  it('X1, X2: one file an agent, one document at every boundary, read again after a start', async () => {
    const transcripts = test.again();
    const other = { ...place, agentId: 'Other' as AgentId };
    for (const name of ['a', 'b']) {
      expect(transcripts.append(place, stepEntry(name))).toEqual({ file: 1 });
      expect(JSON.parse(test.text())).toMatchObject({ version: 1, conversationId: 'cnv_1', agentId: 'helper', segment: 1 });
    }
    transcripts.append(other, stepEntry('c'));
    expect(test.names()).toEqual(['%4fther.json', 'helper.json']);
    const again = test.again();
    expect(textsOf(await again.steps(place, [ref('a'), ref('b'), ref('c'), ref('z')]))).toEqual(['a', 'b']);
    expect(textsOf(await again.steps(other, [ref('c')]))).toEqual(['c']);
    expect((await again.findStep(place, 'stp_b' as StepId))?.file).toBe(1);
    expect(await again.findStep(place, 'stp_c' as StepId)).toBeUndefined();
  });

  it('X5, N8: a step costs one write and one flush of its own bytes, however long the file is', () => {
    const transcripts = test.again();
    const cost = () => {
      test.watched.calls.length = 0;
      transcripts.append(place, stepEntry('s', 'x'.repeat(2000)));
      return test.watched.calls.map(({ name, bytes }) => `${name} ${bytes}`);
    };
    transcripts.open(place);
    transcripts.append(place, stepEntry('first'));
    const early = cost();
    for (let n = 0; n < 400; n++) transcripts.append(place, stepEntry(`n${n}`, 'y'.repeat(20_000)));
    expect(test.text().length).toBeGreaterThan(8_000_000);
    expect(cost()).toEqual(early);
    expect(early.map((call) => call.split(' ')[0])).toEqual(['open', 'size', 'write', 'flush']);
    const bytes = Number(early[2]?.split(' ')[1]);
    expect(bytes).toBeLessThanOrEqual(1.1 * JSON.stringify(stepEntry('s', 'x'.repeat(2000))).length);
  });

  it('X8: failures stand until a step or a retry, records with their undo, over a start', () => {
    const transcripts = test.again();
    transcripts.append(place, failedEntry('au'));
    transcripts.append(place, failedEntry('bu'));
    transcripts.append(place, failedEntry('cu'));
    transcripts.append(place, stepEntry('a'));
    transcripts.append(place, { type: 'retried', parentId: 'msg_bu' as MessageId, createdAt: 2 });
    transcripts.append(place, { type: 'record', record: makeRecord('1', 'a') });
    transcripts.append(place, { type: 'undo', recordId: makeRecord('1', 'a').id, createdAt: 3 });
    for (const each of [transcripts, test.again()]) {
      const { standing } = each.open(place);
      expect([...standing.failed.keys()]).toEqual(['msg_cu']);
      expect([...standing.records.values()]).toEqual([{ ...makeRecord('1', 'a'), undone: true, changedAt: 3 }]);
    }
  });

  it('R3: what someone else wrote or removed meanwhile is seen, not written over', async () => {
    const transcripts = test.again();
    transcripts.append(place, stepEntry('a'));
    test.again().append(place, stepEntry('b'));
    transcripts.append(place, stepEntry('c'));
    expect(textsOf(await test.again().steps(place, [ref('a'), ref('b'), ref('c')]))).toEqual(['a', 'b', 'c']);
    rmSync(test.file());
    transcripts.append(place, stepEntry('d'));
    expect(textsOf(await transcripts.steps(place, [ref('a'), ref('d')]))).toEqual(['d']);
    rmSync(join(test.folder, 'transcripts'), { recursive: true });
    transcripts.append(place, stepEntry('e'));
    renameSync(test.folder, `${test.folder}-away`);
    expect(codeOf(() => transcripts.append(place, stepEntry('f')))).toBe('workspaceGone');
    expect(existsSync(test.folder)).toBe(false);
    renameSync(`${test.folder}-away`, test.folder);
    transcripts.append(place, stepEntry('g'));
    expect(textsOf(await transcripts.steps(place, [ref('e'), ref('f'), ref('g')]))).toEqual(['e', 'g']);
  });
});

describe('a write that fails', () => {
  it('X2, R3: at any call of an append: the file is a document without it, and the next append goes on', async () => {
    for (const [name, code, expected] of [
      ['open', 'EACCES', 'workspaceReadOnly'],
      ['write', 'ENOSPC', 'diskFull'],
      ['flush', 'ENOSPC', 'diskFull'],
    ] as const) {
      const transcripts = test.again();
      transcripts.append(place, stepEntry(`before-${name}`));
      const before = test.text();
      let failed = false;
      test.watched.failNext = (call) => {
        if (call !== name || failed) return undefined;
        failed = true;
        return systemError(code);
      };
      expect(codeOf(() => transcripts.append(place, stepEntry('lost')))).toBe(expected);
      test.watched.failNext = null;
      expect(test.text()).toBe(before);
      transcripts.append(place, stepEntry(`after-${name}`));
      expect(textsOf(await transcripts.steps(place, [ref(`before-${name}`), ref('lost'), ref(`after-${name}`)]))).toEqual([
        `before-${name}`,
        `after-${name}`,
      ]);
    }
    expect(test.notices).toEqual([]);
  });

  it('X2, R3: a write that stops half way and cannot be taken back is cut at the next opening', async () => {
    const transcripts = test.again();
    transcripts.append(place, stepEntry('a'));
    const { write } = test.watched.disk;
    test.watched.disk.write = (file, bytes, position) => {
      const done = write(file, bytes.subarray(0, Math.floor(bytes.length / 2)), position);
      test.watched.failNext = () => systemError('ENOSPC');
      return done;
    };
    expect(codeOf(() => transcripts.append(place, stepEntry('b')))).toBe('diskFull');
    test.watched.failNext = null;
    test.watched.disk.write = write;
    const again = test.again();
    again.append(place, stepEntry('c'));
    expect(JSON.parse(test.text()).entries).toHaveLength(2);
    expect(textsOf(await again.steps(place, [ref('a'), ref('b'), ref('c')]))).toEqual(['a', 'c']);
    expect(test.notices).toEqual([]);
  });
});

describe('opening', () => {
  it('X2: a torn end and one of NULs are cut back, without a word', async () => {
    const transcripts = test.again();
    transcripts.append(place, stepEntry('a'));
    const whole = readFileSync(test.file());
    for (const tail of [',\n{"type":"st', '\0'.repeat(5000), `,\n{"ty${'\0'.repeat(300)}`, '']) {
      writeFileSync(test.file(), whole);
      truncateSync(test.file(), whole.length - 3);
      appendFileSync(test.file(), tail);
      const again = test.again();
      again.append(place, stepEntry('b'));
      expect(textsOf(await again.steps(place, [ref('a'), ref('b')]))).toEqual(['a', 'b']);
      expect(JSON.parse(test.text()).entries).toHaveLength(2);
    }
    expect(test.names()).toEqual(['helper.json']);
    expect(test.notices).toEqual([]);
  });

  it('X10: bad entries are skipped aloud, the file is kept aside, the rest loads; once', async () => {
    const transcripts = test.again();
    for (const name of ['a', 'b', 'c']) transcripts.append(place, stepEntry(name));
    const damaged = test.text().replace('"id":"stp_b"', '"id":7');
    writeFileSync(test.file(), damaged);
    const again = test.again();
    expect(textsOf(await again.steps(place, [ref('a'), ref('b'), ref('c')]))).toEqual(['a', 'c']);
    expect(test.notices).toMatchObject([{ kind: 'repaired', count: 1 }]);
    expect(test.text('helper.aside-1.json')).toBe(damaged);
    expect(JSON.parse(test.text()).entries).toHaveLength(2);
    test.again().append(place, stepEntry('d'));
    expect(test.notices).toHaveLength(1);
  });

  it('X10: a file of another conversation or agent, or none at all, is never used and kept aside', async () => {
    const transcripts = test.again();
    transcripts.append(place, stepEntry('a'));
    const good = test.text();
    const foreign = [good.replace('cnv_1', 'cnv_2'), good.replace('"helper"', '"other"'), '', '\0'.repeat(4096), '{"version":1}'];
    for (const [index, bad] of foreign.entries()) {
      writeFileSync(test.file(), bad);
      const again = test.again();
      expect(await again.steps(place, [ref('a')])).toEqual([]);
      expect(test.text(`helper.aside-${index + 1}.json`)).toBe(bad);
    }
    expect(test.notices.map(({ kind }) => kind)).toEqual(foreign.map(() => 'setAside'));
  });

  it('X3: a file of a newer version is refused and stays as it is', () => {
    test.again().append(place, stepEntry('a'));
    const newer = test.text().replace('"version":1', '"version":9');
    writeFileSync(test.file(), newer);
    const transcripts = test.again();
    expect(codeOf(() => transcripts.open(place))).toBe('transcriptNewer');
    expect(codeOf(() => transcripts.append(place, stepEntry('b')))).toBe('transcriptNewer');
    expect(test.text()).toBe(newer);
    expect(test.names()).toEqual(['helper.json']);
  });
});

describe('long texts', () => {
  const long = `${'é'.repeat(bigText / 2)}!`;
  const step = makeTranscriptStep('a', 'u', long, {
    content: [
      { type: 'text', text: long, vendor: { family: 'gemini', json: '{"thoughtSignature":"a+/="}' } },
      { type: 'toolCall', callId: 'c', name: 'read', arguments: '{}' },
      { type: 'raw', source: 's', json: `"${long}"` },
      { type: 'text', text: `${'x'.repeat(bigText)}\ud800` },
    ],
    results: [{ callId: 'c', summary: 'read', content: `${long}2` }],
  });
  const blobFiles = () => /"moved":(\[[^\]]*\])/.exec(test.text())?.[1] ?? '[]';

  it('X4, X3: above 64 KiB they are in the blob store, and come back exactly', async () => {
    test.again().append(place, { type: 'step', step });
    // What UTF-8 cannot carry stays in the file, so that it comes back as it was.
    expect(test.text().length).toBeLessThan(bigText + 4000);
    const again = test.again();
    expect(await again.steps(place, [ref('a')])).toEqual([step]);
    expect((await again.findStep(place, step.id))?.step).toEqual(step);
    expect(JSON.parse(blobFiles())).toHaveLength(3);
    test.again().append(place, stepEntry('b', 'x'.repeat(bigText)));
    expect(JSON.parse(test.text()).entries[1].step.moved).toBeUndefined();
  });

  it('X4, X10: a lost one is a notice in its place, never a reference', async () => {
    const transcripts = test.again();
    transcripts.append(place, { type: 'step', step });
    const moved = JSON.parse(blobFiles()) as { hash: string }[];
    rmSync(join(test.folder, 'blobs'), { recursive: true });
    const [found] = await transcripts.steps(place, [ref('a')]);
    const text = JSON.stringify(found);
    for (const { hash } of moved) expect(text).not.toContain(hash);
    expect(found?.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('no longer') });
    expect(found?.content[2]).toMatchObject({ type: 'text', text: expect.stringContaining('no longer') });
    expect(found?.results[0]).toMatchObject({ summary: 'read', content: expect.stringContaining('no longer') });
  });
});

describe('sealing', () => {
  const fill = (transcripts: ReturnType<TranscriptTest['again']>, from: number, count: number) =>
    Array.from({ length: count }, (_, n) => transcripts.append(place, stepEntry(`s${from + n}`, 'z'.repeat(500))).file);

  it('X5: above its size the file gets its number for good; records and failures go along, steps are found where they are', async () => {
    const transcripts = test.again({ sealAbove: 4000 });
    transcripts.append(place, { type: 'record', record: makeRecord('1', 's0') });
    transcripts.append(place, failedEntry('later'));
    const files = fill(transcripts, 0, 12);
    expect([files[0], files.at(-1)]).toEqual([1, 2]);
    expect(files).toEqual([...files].sort());
    expect(test.names()).toEqual(['helper.1.json', 'helper.2.json', 'helper.json']);
    const sealed = [test.text('helper.1.json'), test.text('helper.2.json')];
    const again = test.again({ sealAbove: 4000 });
    const { standing, file } = again.open(place);
    expect(file).toBe(3);
    expect([[...standing.records.keys()], [...standing.failed.keys()]]).toEqual([['rec_1'], ['msg_later']]);
    const found = await again.steps(
      place,
      files.map((of, n) => ref(`s${n}`, of)),
    );
    expect(found.map(({ id }) => id)).toEqual(files.map((_, n) => `stp_s${n}`));
    fill(again, 12, 6);
    expect([test.text('helper.1.json'), test.text('helper.2.json')]).toEqual(sealed);
  });

  it('X5: a record that folds the start of the file seals it; one that folds later messages does not', async () => {
    const transcripts = test.again();
    fill(transcripts, 0, 3);
    transcripts.append(place, { type: 'record', record: makeRecord('1', 's2', { folded: ['msg_s1' as MessageId] }) });
    expect(test.names()).toEqual(['helper.json']);
    transcripts.append(place, { type: 'record', record: makeRecord('2', 's2', { folded: ['msg_s0' as MessageId] }) });
    expect(test.names()).toEqual(['helper.1.json', 'helper.json']);
    expect([...transcripts.open(place).standing.records.keys()]).toEqual(['rec_1', 'rec_2']);
    expect(await test.again().findStep(place, 'stp_s2' as StepId)).toMatchObject({ file: 1, step: { id: 'stp_s2' } });
    expect(fill(transcripts, 3, 1)).toEqual([2]);
  });

  it('X5, R2: a stop between any two calls of sealing loses nothing', async () => {
    for (let stop = 1; stop < 30; stop++) {
      test.remove();
      test = makeTranscripts();
      const transcripts = test.again({ sealAbove: 2000 });
      transcripts.append(place, { type: 'record', record: makeRecord('1', 's0') });
      const first = fill(transcripts, 0, 2);
      test.watched.calls.length = 0;
      test.watched.failNext = (_, count) => (count > 4 + stop ? systemError('EIO') : undefined);
      first.push(...fill(transcripts, 2, 1));
      const calls = test.watched.calls.length;
      test.watched.failNext = null;
      const again = test.again({ sealAbove: 2000 });
      first.push(...fill(again, 3, 1));
      const found = await again.steps(
        place,
        first.map((of, n) => ref(`s${n}`, of)),
      );
      expect(found.map(({ id }) => id)).toEqual(['stp_s0', 'stp_s1', 'stp_s2', 'stp_s3']);
      expect([...again.open(place).standing.records.keys()]).toEqual(['rec_1']);
      expect(test.notices).toEqual([]);
      if (calls < 4 + stop) return;
    }
    throw new Error('sealing never came to its end');
  });

  it('X5, X10: a live file whose number is sealed already comes from elsewhere: it is kept aside, and never renamed over the sealed one', () => {
    const transcripts = test.again({ sealAbove: 4000 });
    fill(transcripts, 0, 10);
    const sealed = test.text('helper.1.json');
    copyFileSync(test.file('helper.1.json'), test.file());
    expect(test.again().open(place).file).toBe(test.names().includes('helper.2.json') ? 3 : 2);
    expect(test.text('helper.1.json')).toBe(sealed);
    expect(test.notices).toMatchObject([{ kind: 'setAside' }]);
  });
});
