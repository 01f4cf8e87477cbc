// The documented schema of a transcript is the one that the program reads with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { transcriptJsonSchema } from './transcriptSchema';

it('X3: docs/transcript.schema.json is up to date (npx vitest run scripts/transcriptSchema.test.ts -u)', async () => {
  await expect(transcriptJsonSchema()).toMatchFileSnapshot('../docs/transcript.schema.json');
});

it('X3: it names every kind of entry and every field of a step, and formats.md the same', () => {
  const formats = readFileSync(join(import.meta.dirname, '../docs/formats.md'), 'utf8');
  const schema = transcriptJsonSchema();
  const words = 'step record undo redo failed retried content results moved stored durationMs vendor images interrupted';
  for (const word of words.split(' ')) {
    expect(schema, word).toContain(`"${word}"`);
    expect(formats, word).toContain(word);
  }
});
