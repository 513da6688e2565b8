CREATE TABLE requests (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  token_id TEXT NOT NULL,
  family TEXT NOT NULL,
  kind TEXT NOT NULL,
  idempotency_key TEXT,
  order_hash TEXT NOT NULL,
  "columns" TEXT,
  origin TEXT NOT NULL,
  relay_url TEXT,
  asked INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('reserving', 'reserved', 'sending', 'submitted', 'running', 'ingesting',
    'ready', 'failed', 'cancelled', 'unclear')),
  watched INTEGER NOT NULL DEFAULT 1,
  provider_id TEXT,
  hook_hash TEXT,
  failure TEXT,
  rows INTEGER NOT NULL DEFAULT 0,
  charged INTEGER,
  turns INTEGER NOT NULL DEFAULT 0,
  run INTEGER NOT NULL DEFAULT 0,
  relay_tries INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ended_at INTEGER,
  due_at INTEGER,
  cleared_at INTEGER,
  UNIQUE (team_id, idempotency_key)
) STRICT;

CREATE INDEX requests_by_team ON requests (team_id, created_at);
CREATE INDEX requests_by_provider_id ON requests (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX requests_due ON requests (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX requests_by_creation ON requests (created_at, id);

CREATE TABLE request_files (
  request_id TEXT NOT NULL REFERENCES requests (id),
  file_index INTEGER NOT NULL,
  name TEXT NOT NULL,
  rows INTEGER,
  records INTEGER,
  bytes INTEGER,
  withheld INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (request_id, file_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE request_hooks (
  request_id TEXT NOT NULL REFERENCES requests (id),
  digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (request_id, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE request_tickets (
  hash TEXT PRIMARY KEY,
  request_id TEXT NOT NULL REFERENCES requests (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_secrets (
  team_id TEXT PRIMARY KEY REFERENCES teams (id),
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE dead_letters (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('hook', 'relay')),
  request_id TEXT NOT NULL,
  body TEXT NOT NULL,
  error TEXT NOT NULL,
  replayed_at INTEGER
) STRICT;

CREATE INDEX dead_letters_by_time ON dead_letters (at, id);
