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
