CREATE TABLE tables (
  id TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  token_id TEXT NOT NULL,
  title TEXT NOT NULL,
  family TEXT NOT NULL,
  spreadsheet_id TEXT NOT NULL,
  sheet_id INTEGER NOT NULL,
  heading_row INTEGER NOT NULL,
  "columns" TEXT NOT NULL,
  source TEXT NOT NULL,
  request_id TEXT,
  mode TEXT NOT NULL CHECK (mode IN ('append', 'update')),
  push INTEGER NOT NULL,
  as_of INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tables_by_request ON tables (request_id) WHERE request_id IS NOT NULL;

CREATE TABLE changes (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id TEXT NOT NULL REFERENCES teams (id),
  kind TEXT NOT NULL CHECK (kind IN ('request', 'table')),
  subject TEXT NOT NULL,
  run TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL,
  UNIQUE (team_id, kind, subject, run)
) STRICT;

CREATE INDEX changes_by_team ON changes (team_id, number);

CREATE TABLE pushes (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL,
  table_id TEXT NOT NULL,
  rows_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'failed')),
  after TEXT,
  landed INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  due_at INTEGER,
  UNIQUE (team_id, table_id, rows_id)
) STRICT;

CREATE INDEX pushes_due ON pushes (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE schedules (
  team_id TEXT NOT NULL REFERENCES teams (id),
  table_id TEXT NOT NULL,
  token_id TEXT NOT NULL,
  every TEXT NOT NULL CHECK (every IN ('hour', 'day', 'week')),
  max_credits INTEGER NOT NULL,
  query TEXT,
  state TEXT NOT NULL CHECK (state IN ('on', 'paused', 'stopped')),
  problem TEXT,
  next_at INTEGER,
  run_id TEXT,
  leased_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, table_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE table_runs (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL,
  table_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed')),
  since INTEGER NOT NULL,
  request_id TEXT,
  pages INTEGER,
  page INTEGER NOT NULL DEFAULT 0,
  snapshot TEXT,
  rows INTEGER NOT NULL DEFAULT 0,
  credits INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  cleared_at INTEGER
) STRICT;

CREATE INDEX table_runs_by_table ON table_runs (team_id, table_id, started_at);
CREATE INDEX table_runs_by_request ON table_runs (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX table_runs_with_rows ON table_runs (started_at) WHERE cleared_at IS NULL;
CREATE INDEX table_runs_cleared ON table_runs (cleared_at) WHERE cleared_at IS NOT NULL;

CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  url TEXT NOT NULL,
  kinds TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_at INTEGER,
  last_delivered INTEGER
) STRICT;

CREATE INDEX alerts_by_team ON alerts (team_id);

CREATE TABLE alert_messages (
  id TEXT PRIMARY KEY,
  alert_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  UNIQUE (alert_id, subject)
) STRICT;

CREATE INDEX alert_messages_due ON alert_messages (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE dead_letters_of_all (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('hook', 'relay', 'alert', 'push')),
  request_id TEXT NOT NULL,
  body TEXT NOT NULL,
  error TEXT NOT NULL,
  replayed_at INTEGER
) STRICT;

INSERT INTO dead_letters_of_all SELECT id, at, kind, request_id, body, error, replayed_at FROM dead_letters;
DROP TABLE dead_letters;
ALTER TABLE dead_letters_of_all RENAME TO dead_letters;
CREATE INDEX dead_letters_by_time ON dead_letters (at, id);
