// What the search index covers (Q1). The index itself (FTS5) is derived: searchIndex.ts makes it, fills it in the background and makes it anew.
export const searchTables = {
  version: 50,
  sql: /* sql */ `
-- One row: rows of messages from low to high are in the index made by rules of this version; version 0 stands for no index.
CREATE TABLE search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  low INTEGER NOT NULL,
  high INTEGER NOT NULL
) STRICT;
INSERT INTO search_state (id, version, low, high) VALUES (1, 0, 0, 0);

-- Rows whose entry in the index is out of date: deleted, changed, or a new row in the place of a deleted one. A plain table, so that a deletion
-- never depends on the index and never pays for it. kept: a message too long to be indexed in one go, which stays here and is read instead.
CREATE TABLE search_stale (
  seq INTEGER PRIMARY KEY,
  kept INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TRIGGER search_deleted AFTER DELETE ON messages BEGIN
  INSERT OR REPLACE INTO search_stale (seq) VALUES (OLD.seq);
END;
CREATE TRIGGER search_changed AFTER UPDATE OF seq, text, parts ON messages BEGIN
  INSERT OR REPLACE INTO search_stale (seq) VALUES (OLD.seq), (NEW.seq);
END;
`,
} as const;
