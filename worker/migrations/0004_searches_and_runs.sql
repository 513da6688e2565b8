ALTER TABLE erasures ADD COLUMN gone_by INTEGER;

CREATE INDEX erasures_by_gone ON erasures (gone_by);

CREATE TABLE searches (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  token_id TEXT REFERENCES tokens (id),
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  family TEXT NOT NULL,
  query TEXT NOT NULL,
  sort TEXT,
  columns TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX searches_by_owner ON searches (team_id, coalesce(token_id, ''), folded_name);

CREATE TABLE runs (
  team_id TEXT NOT NULL REFERENCES teams (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  family TEXT NOT NULL,
  rows INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  credits INTEGER NOT NULL,
  saved INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  problem TEXT,
  noted_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX runs_by_time ON runs (team_id, noted_at);
