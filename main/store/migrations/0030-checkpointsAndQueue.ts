// Checkpoints name messages (C2); queued messages wait for a turn (A6).
export const checkpointsAndQueue = {
  version: 30,
  sql: /* sql */ `
CREATE TABLE checkpoints (
  seq INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  message_id TEXT NOT NULL,
  label TEXT NOT NULL,
  made_by TEXT NOT NULL CHECK (made_by IN ('agent', 'user')),
  created_at INTEGER NOT NULL,
  UNIQUE (message_id, label)
) STRICT;
CREATE INDEX checkpoints_of ON checkpoints (conversation_id);

CREATE TABLE queued_messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  turn_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('queue', 'steer')),
  text TEXT NOT NULL,
  attachments TEXT NOT NULL DEFAULT '[]',
  held INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX queued_messages_of ON queued_messages (conversation_id);
`,
} as const;
