-- The ranking of a preview as it was when its first page was asked.
CREATE TABLE snapshots (
  token TEXT PRIMARY KEY,
  -- Digest of the path and body that it answers.
  asked TEXT NOT NULL,
  -- JSON: [[id, score], …]
  ranking TEXT NOT NULL,
  -- Milliseconds since 1970.
  kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
