// The SQL schema of data requests.

/** Creates the tables if they don't exist. */
export const TABLES = `
  CREATE TABLE IF NOT EXISTS requests (
    id TEXT PRIMARY KEY,
    family TEXT NOT NULL,
    price INTEGER NOT NULL,
    -- The selection as JSON; the keys of a list are in asked.
    selection TEXT NOT NULL,
    -- Only one of several requests with the same identity can run.
    identity TEXT,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- When processing continues, by this machine's clock; null if nothing is left to do.
    next_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    webhook TEXT,
    webhook_at INTEGER,
    webhook_attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS one_runs ON requests (identity) WHERE state IN ('waiting', 'writing');
  CREATE INDEX IF NOT EXISTS by_work ON requests (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_webhook ON requests (webhook_at) WHERE webhook_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_age ON requests (created_at);
  CREATE TABLE IF NOT EXISTS asked (
    request TEXT NOT NULL, piece INTEGER NOT NULL, keys TEXT NOT NULL, PRIMARY KEY (request, piece)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parts (
    request TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, ids TEXT NOT NULL, records INTEGER,
    PRIMARY KEY (request, number)
  ) STRICT, WITHOUT ROWID;
`;
