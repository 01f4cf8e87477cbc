import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldTranscript, type TranscriptEntry, type TranscriptHead } from '../../shared/model/transcript';
import { sourceOf } from './lines';
import { entry } from './transcriptArbitrary';
import { appendix, closing, fileText, parseTranscript } from './transcriptFile';
import { place } from './transcriptFixture';

const head: TranscriptHead = { version: 1, ...place, segment: 1 };
const lines = (entries: readonly TranscriptEntry[]) => entries.map((one) => JSON.stringify(one));
const bytesOf = (entries: readonly TranscriptEntry[]) => Buffer.from(fileText(head, lines(entries)));
/** As JSON keeps it: keys that are undefined go. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const bufferOf = (text: string) => sourceOf(Buffer.from(text));
function read(bytes: Buffer) {
  const parsed = parseTranscript(sourceOf(bytes));
  // The same however it is read: in pieces far shorter than a line, or in one.
  for (const chunk of [1, 7, 64]) expect(parseTranscript(sourceOf(bytes), chunk)).toEqual(parsed);
  if (parsed.status !== 'read') throw new Error(parsed.status);
  return { ...parsed, entries: parsed.entries.map((one) => one.entry) };
}

describe('the bytes of a transcript', () => {
  it('X2, X3: always: it is one JSON document, and the fold of what is read is the fold of what was written', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        const bytes = bytesOf(entries);
        expect(JSON.parse(bytes.toString())).toEqual({ ...head, entries: plain(entries) });
        const parsed = read(bytes);
        expect(parsed).toMatchObject({ state: 'whole', skipped: 0, head, end: bytes.length - closing.length });
        expect(foldTranscript(parsed.head, parsed.entries)).toEqual(foldTranscript(head, plain(entries)));
      }),
    );
  });

  it('X2: always: appending over the closing gives the file of all entries', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        let bytes = bytesOf([]);
        for (const [index, line] of lines(entries).entries()) {
          const { end } = read(bytes);
          bytes = Buffer.concat([bytes.subarray(0, end), Buffer.from(appendix(line, index === 0))]);
        }
        expect(bytes.equals(bytesOf(entries))).toBe(true);
      }),
    );
  });

  it('X2, R2: always: the last write cut anywhere, filled with NULs anywhere, opens before it or with it', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 3 }), entry, fc.oneof(fc.nat(4), fc.nat(100_000)), fc.nat(2), (old, added, at, how) => {
        const before = bytesOf(old);
        const whole = bytesOf([...old, added]);
        const start = before.length - closing.length;
        const cut = start + (at % (whole.length - start + 1));
        const torn = [
          whole.subarray(0, cut),
          // The size was written, the content was not.
          Buffer.concat([whole.subarray(0, cut), Buffer.alloc(whole.length - cut)]),
          // The later blocks were written, the earlier ones hold what was there before.
          Buffer.concat([Buffer.concat([before, Buffer.alloc(whole.length)]).subarray(0, cut), whole.subarray(cut)]),
        ][how]!;
        const parsed = read(torn);
        const length = parsed.entries.length;
        expect(parsed.skipped).toBe(0);
        expect([old.length, old.length + 1]).toContain(length);
        expect(parsed.entries).toEqual(plain([...old, added].slice(0, length)));
        // Cut there and closed, it is the file of that boundary; where a line end stands for the comma, it is written anew.
        const closed = Buffer.concat([torn.subarray(0, parsed.end), Buffer.from(closing)]);
        if (parsed.state === 'damaged') expect([length, closed.length]).toEqual([old.length + 1, whole.length]);
        else expect(closed.equals(length === old.length ? before : whole)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('X10: always: a bad line in the middle or at a closed end is counted, and the others are read', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(2), (entries, where, how) => {
        const all = lines(entries);
        const index = where % all.length;
        all[index] = ['{"type":"step","step":7}', '{"type":"unknown"}', `${all[index]!.slice(0, -2)}x`][how]!;
        const parsed = read(Buffer.from(fileText(head, all)));
        expect(parsed).toMatchObject({ state: 'damaged', skipped: 1 });
        expect(parsed.entries).toEqual(plain(entries.filter((_, other) => other !== index)));
      }),
    );
  });

  it('X10: bytes that are no UTF-8 are damage, not another text', () => {
    const bytes = bytesOf([
      {
        type: 'failed',
        parentId: 'msg_1',
        turnId: 'trn_1',
        failure: { code: 'quota', message: 'abc', retryable: false },
        createdAt: 1,
      } as never,
      { type: 'retried', parentId: 'msg_2' as never, createdAt: 1 },
    ]);
    bytes[bytes.indexOf('abc') + 1] = 0xff;
    expect(read(bytes)).toMatchObject({ state: 'damaged', skipped: 1, entries: [{ type: 'retried' }] });
  });

  it('X3: a newer version and a head that makes no sense are told apart', () => {
    const text = fileText(head, []);
    expect(parseTranscript(bufferOf(text.replace('"version":1', '"version":2')))).toEqual({ status: 'newer' });
    expect(parseTranscript(bufferOf(text.replace('"version":1', '"version":2,"more":{}')))).toEqual({ status: 'newer' });
    for (const bad of ['', '\0\0\0\0', '{}', '[]', 'null', text.slice(0, 20), text.replace('"version":1', '"version":"1"')]) {
      expect(parseTranscript(bufferOf(bad))).toEqual({ status: 'unreadable' });
    }
  });

  it('X2: an editor that adds a line end does no harm', () => {
    const text = fileText(head, lines([{ type: 'retried', parentId: 'msg_1' as never, createdAt: 1 }]));
    expect(read(Buffer.from(`${text}\n`))).toMatchObject({ skipped: 0, entries: [{ type: 'retried' }] });
  });
});
