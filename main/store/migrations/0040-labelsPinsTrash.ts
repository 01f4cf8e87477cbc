// Labels and pins of messages (T10, L15), what lies in the trash (T8), and what forks share and where they came from (T9).
export const labelsPinsTrash = {
  version: 40,
  sql: /* sql */ `
CREATE TABLE labels (
  message_id TEXT PRIMARY KEY NOT NULL,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX labels_of ON labels (conversation_id);

CREATE TABLE pins (
  message_id TEXT PRIMARY KEY NOT NULL,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pins_of ON pins (conversation_id);

-- One deletion: a subtree by its topmost message, or a whole conversation (message_id is NULL). Rows of messages and conversations name it in
-- trash_id. tip_id: where the tip was, so that undo puts it back.
CREATE TABLE trash (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  message_id TEXT,
  parent_id TEXT,
  tip_id TEXT,
  messages INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX trash_of ON trash (conversation_id);

-- A copy made by a fork has no content of its own: it is that of the row named here, until that row is deleted for good (T9).
ALTER TABLE messages ADD COLUMN content_seq INTEGER;
CREATE INDEX messages_content ON messages (content_seq) WHERE content_seq IS NOT NULL;
-- The id a step has in its file, where the file came from another conversation: its lines are copied as they are.
ALTER TABLE transcript_steps ADD COLUMN stored_as TEXT;

CREATE INDEX conversations_forks ON conversations (forked_from) WHERE forked_from IS NOT NULL;
`,
} as const;
