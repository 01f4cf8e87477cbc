// What undo needs beside the rows themselves, what emptying has still to do, and what it looks for (T8).
export const trashKept = {
  version: 60,
  sql: /* sql */ `
-- moved_tip: where the deletion put the tip; kept: what it took out of other tables, as JSON. From emptying = 1 on there is no way back.
ALTER TABLE trash ADD COLUMN moved_tip TEXT;
ALTER TABLE trash ADD COLUMN kept TEXT;
ALTER TABLE trash ADD COLUMN emptying INTEGER NOT NULL DEFAULT 0;
-- A row is in the trash when its trash_id names a row of the table trash. An id that names none is left over from an undo or a crash.
CREATE INDEX messages_trashed ON messages (trash_id) WHERE trash_id IS NOT NULL;

-- Rows in the trash have no place in the tree: taking them out for good leaves it as it is.
DROP TRIGGER messages_deleted;
CREATE TRIGGER messages_deleted AFTER DELETE ON messages
WHEN NOT EXISTS (SELECT 1 FROM trash WHERE id = OLD.trash_id)
  AND NOT EXISTS (SELECT 1 FROM conversations WHERE id = OLD.conversation_id AND trash_id IS NOT NULL) BEGIN
  UPDATE messages SET depth = NULL WHERE seq = (SELECT seq FROM messages WHERE conversation_id = OLD.conversation_id LIMIT 1);
END;

-- Blobs that something deleted for good referred to: whether anything else does is still to be looked at.
CREATE TABLE loose_blobs (
  hash TEXT PRIMARY KEY NOT NULL
) STRICT;
`,
} as const;
