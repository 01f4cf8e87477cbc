// Receipts of passes (L17), also of those that committed nothing, and the words that ended a pause (L12).
export const passReceipts = {
  version: 80,
  sql: /* sql */ `
CREATE TABLE pass_receipts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  agent_id TEXT NOT NULL,
  head_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  record_id TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('committed', 'failed', 'thrash', 'resumed')),
  trigger TEXT NOT NULL,
  model TEXT NOT NULL,
  detail TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pass_receipts_of ON pass_receipts (conversation_id, agent_id, seq);
CREATE INDEX pass_receipts_head ON pass_receipts (head_id);
`,
} as const;
