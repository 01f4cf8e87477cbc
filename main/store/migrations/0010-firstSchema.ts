// The first schema. Never edited once released: what comes later is a new numbered file.
export const firstSchema = {
  version: 10,
  sql: /* sql */ `
CREATE TABLE meta (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE conversations (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL DEFAULT '',
  title_source TEXT NOT NULL DEFAULT 'none' CHECK (title_source IN ('none', 'auto', 'user')),
  tip_id TEXT,
  agent_id TEXT,
  pinned_at INTEGER,
  archived_at INTEGER,
  forked_from TEXT,
  forked_message TEXT,
  created_at INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0,
  trash_id TEXT
) STRICT;
CREATE INDEX conversations_shown ON conversations (archived_at IS NOT NULL, pinned_at DESC, updated_at DESC, seq DESC);

-- Truth: id, conversation_id, parent_id, role, order by seq, content and facts. A message that is one text keeps it in text, and parts is
-- NULL; any other content is JSON in parts. Derived, and rebuilt when in doubt: ordinal, depth, jump_id, recovered.
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  parent_id TEXT,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'digest')),
  status TEXT NOT NULL DEFAULT 'complete' CHECK (status IN ('complete', 'interrupted')),
  agent_id TEXT,
  turn_id TEXT,
  model TEXT,
  text TEXT,
  parts TEXT,
  usage TEXT,
  meta TEXT,
  created_at INTEGER NOT NULL DEFAULT 0,
  ordinal INTEGER,
  depth INTEGER,
  jump_id TEXT,
  recovered INTEGER NOT NULL DEFAULT 0,
  trash_id TEXT
) STRICT;
-- Children in order, the last place as their number, and the roots that damage made, which have a parent and do not stand under it.
CREATE INDEX messages_tree ON messages (conversation_id, recovered, parent_id, ordinal);
-- Empty but after another program has written: then the conversation's derived columns are rebuilt.
CREATE INDEX messages_underived ON messages (conversation_id) WHERE depth IS NULL;
CREATE TRIGGER messages_parent_changed AFTER UPDATE OF parent_id, conversation_id ON messages
WHEN OLD.parent_id IS NOT NEW.parent_id OR OLD.conversation_id IS NOT NEW.conversation_id BEGIN
  UPDATE messages SET depth = NULL WHERE seq = NEW.seq
    OR seq = (SELECT seq FROM messages WHERE conversation_id = OLD.conversation_id AND seq <> NEW.seq LIMIT 1);
END;
CREATE TRIGGER messages_deleted AFTER DELETE ON messages BEGIN
  UPDATE messages SET depth = NULL WHERE seq = (SELECT seq FROM messages WHERE conversation_id = OLD.conversation_id LIMIT 1);
END;

CREATE TABLE branch_tips (
  conversation_id TEXT NOT NULL,
  child_id TEXT NOT NULL,
  tip_id TEXT NOT NULL,
  turn_id TEXT,
  PRIMARY KEY (conversation_id, child_id)
) STRICT;

CREATE TABLE live_steps (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  parent_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  model TEXT NOT NULL,
  local INTEGER NOT NULL DEFAULT 0,
  parts TEXT NOT NULL DEFAULT '[]',
  calls TEXT NOT NULL DEFAULT '[]',
  started_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX live_steps_place ON live_steps (conversation_id, parent_id);

CREATE TABLE failed_turns (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  parent_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  model TEXT,
  failure TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (conversation_id, parent_id, agent_id)
) STRICT;

CREATE TABLE drafts (
  key TEXT PRIMARY KEY NOT NULL,
  draft TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE conversation_agents (
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  agent_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  PRIMARY KEY (conversation_id, agent_id)
) STRICT;

CREATE TABLE blobs (
  hash TEXT PRIMARY KEY NOT NULL,
  size INTEGER NOT NULL,
  mime TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`,
} as const;
