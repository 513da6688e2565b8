ALTER TABLE teams ADD COLUMN background_refresh INTEGER NOT NULL DEFAULT 0;

ALTER TABLE tokens ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN families TEXT;
ALTER TABLE tokens ADD COLUMN operations TEXT;
ALTER TABLE tokens ADD COLUMN rate_per_minute INTEGER NOT NULL DEFAULT 6000;

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE erasures (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  subject TEXT NOT NULL,
  removed TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE erased_keys (
  pseudonym TEXT PRIMARY KEY,
  erasure_id TEXT NOT NULL REFERENCES erasures (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE remembered_rows (
  pseudonym TEXT NOT NULL,
  name TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (pseudonym, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX remembered_rows_by_expiry ON remembered_rows (expires_at);

CREATE TABLE usage_days (
  day TEXT NOT NULL,
  team_id TEXT NOT NULL,
  token_id TEXT NOT NULL,
  family TEXT NOT NULL,
  operation TEXT NOT NULL,
  hit INTEGER NOT NULL,
  stale INTEGER NOT NULL,
  coalesced INTEGER NOT NULL,
  fetched INTEGER NOT NULL,
  not_found INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  credits INTEGER NOT NULL,
  saved INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  PRIMARY KEY (day, team_id, token_id, family, operation)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
