// Where an imported conversation came from, so that a second import knows it (I3).
export const importSources = {
  version: 70,
  sql: /* sql */ `
CREATE TABLE import_sources (
  seq INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL UNIQUE REFERENCES conversations (id) ON DELETE CASCADE,
  format TEXT NOT NULL,
  source_id TEXT NOT NULL,
  imported_at INTEGER NOT NULL
) STRICT;
CREATE INDEX import_sources_known ON import_sources (format, source_id);
`,
} as const;
