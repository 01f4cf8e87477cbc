// Every sample beside the counts that an independent script made of it. Real files of other programs stay where they are.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { countsOf, readImport, sampleFolder, sharedFolder } from './importFixture';

const expectedSchema = z.object({
  format: z.string(),
  file: z.string(),
  conversations: z.array(
    z.looseObject({
      title: z.nullable(z.string()),
      skipped: z.boolean(),
      firstUserText: z.optional(z.nullable(z.string())),
      lastPathText: z.optional(z.nullable(z.string())),
    }),
  ),
});
type Expected = z.infer<typeof expectedSchema>;

const samplesIn = (folder: string): Expected[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.expect.json'))
    .map((name) => expectedSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));

const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
const byTitle = (a: { title: string | null }, b: { title: string | null }) => ((a.title ?? '') < (b.title ?? '') ? -1 : 1);

async function compare(folder: string, { file, format, conversations }: Expected): Promise<void> {
  const read = await readImport(join(folder, file));
  expect(read.problems).toEqual([]);
  expect(read.formats).toEqual([format]);
  // What is listed but not there is known at the end only: a file is read once, as a stream.
  expect(read.skipped.map(({ title }) => title).sort()).toEqual(
    conversations
      .filter(({ skipped }) => skipped)
      .map(({ title }) => title)
      .sort(),
  );
  const found = read.conversations.map(countsOf).sort(byTitle);
  const wanted = conversations.filter(({ skipped }) => !skipped).sort(byTitle);
  for (const [at, { skipped, note, firstUserText, lastPathText, ...counts }] of wanted.entries()) {
    expect(found[at]).toMatchObject(counts);
    expect(plain(found[at]?.firstUserText).startsWith(plain(firstUserText)), `${file}: ${firstUserText}`).toBe(true);
    expect(plain(found[at]?.lastPathText).startsWith(plain(lastPathText)), `${file}: ${found[at]?.lastPathText}`).toBe(true);
  }
  expect(found).toHaveLength(wanted.length);
}

describe('samples of the project', () => {
  it.each(samplesIn(sampleFolder))('I3, I4, T7: $file is read as its counts say', (expected) => compare(sampleFolder, expected));
});

describe('samples beside the project', () => {
  const isThere = existsSync(sharedFolder);
  it(`I3, I4, T7: files of other programs are read as their counts say (${isThere ? 'there' : 'not there: nothing to compare'})`, async () => {
    for (const expected of isThere ? samplesIn(sharedFolder) : []) await compare(sharedFolder, expected);
  });
});
