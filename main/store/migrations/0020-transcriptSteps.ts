// Which file of an agent's transcript holds which step, and which message shows it (X3, X5).
export const transcriptSteps = {
  version: 20,
  sql: /* sql */ `
CREATE TABLE transcript_steps (
  step_id TEXT PRIMARY KEY NOT NULL,
  message_id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  agent_id TEXT NOT NULL,
  file INTEGER NOT NULL
) STRICT;
CREATE INDEX transcript_steps_file ON transcript_steps (conversation_id, agent_id, file);
`,
} as const;
