// The JSON schema of a transcript file, made from the schemas that the program reads with, for programs of others (docs/formats.md).
import * as z from 'zod/mini';
import { transcriptEntrySchema, transcriptHeadSchema, transcriptVersion } from '../shared/model/transcript';

/** As text, the way it lies in `docs/transcript.schema.json`. */
export function transcriptJsonSchema(): string {
  // What may be written is what is read: ids are checked as text and only then become ids.
  const head = z.toJSONSchema(transcriptHeadSchema, { io: 'input' });
  const { $schema: _, ...entry } = z.toJSONSchema(transcriptEntrySchema, { io: 'input' });
  const schema = {
    ...head,
    title: 'Bough transcript',
    description: `What one agent exchanged with its model in one conversation. Version ${transcriptVersion}; docs/formats.md explains it.`,
    properties: { ...head.properties, entries: { type: 'array', items: entry } },
    required: [...(head.required ?? []), 'entries'],
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
