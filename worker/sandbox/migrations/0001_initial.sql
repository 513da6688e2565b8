-- Tables of the sandbox: records, their keys and snapshots of previews.

CREATE TABLE records (
  family TEXT NOT NULL,
  id INTEGER NOT NULL,
  data TEXT NOT NULL,
  -- SHA-256 of data: an import that changes nothing writes nothing.
  hash TEXT NOT NULL,
  PRIMARY KEY (family, id)
) STRICT, WITHOUT ROWID;

-- The other keys that lead to a record; a value may lead to several.
CREATE TABLE record_keys (
  family TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (family, kind, value, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX record_keys_by_record ON record_keys (family, id);

-- Grows with each write that adds or changes records: indexes in memory belong to one version.
CREATE TABLE records_version (version INTEGER NOT NULL) STRICT;
INSERT INTO records_version (version) VALUES (0);

-- The ranking of a preview at the time of its first page.
CREATE TABLE snapshots (
  token TEXT PRIMARY KEY,
  -- Digest of the path and body that it answers.
  query_hash TEXT NOT NULL,
  -- JSON: [[id, score], …]
  ranking TEXT NOT NULL,
  -- Milliseconds since 1970.
  kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
