// What a team's ledger keeps, as the tables of its Durable Object.
// The statements are SQL: they run for every paid call, and drizzle takes ten times as long to build one as SQLite to run it
// (docs/decisions/0010-generated-migrations.md).
import { migrateStorage } from '../../db/object-schema.ts';

/** What a Durable Object's storage gives a ledger. */
export type LedgerStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

/** Credits a day until the admin has set a budget: enough to try, too little to regret. */
const FIRST_DAY_CAP = 1000;

const VERSION_1 = `
  -- Caps that are NULL are none. A top-up is spent when a cap of the team is reached; top_up is what is left of all.
  CREATE TABLE team (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL,
    day_cap INTEGER,
    month_cap INTEGER,
    spending INTEGER NOT NULL,
    top_up INTEGER NOT NULL CHECK (top_up >= 0)
  ) STRICT;

  -- Tokens for which something was set; the others have no caps, and the usual rate.
  CREATE TABLE tokens (
    token TEXT PRIMARY KEY,
    day_cap INTEGER,
    month_cap INTEGER,
    revoked INTEGER NOT NULL,
    rate_per_minute INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Credits by account and period. The account '' is the team, others are tokens; a period is a day or a month.
  -- topped: how many of the spent and held ones were taken from top-ups; only the team's.
  CREATE TABLE totals (
    account TEXT NOT NULL,
    period TEXT NOT NULL,
    spent INTEGER NOT NULL,
    held INTEGER NOT NULL CHECK (held >= 0),
    topped INTEGER NOT NULL CHECK (topped >= 0),
    saved INTEGER NOT NULL,
    PRIMARY KEY (account, period)
  ) STRICT, WITHOUT ROWID;

  -- One row a reservation that costs something. charged is NULL as long as it is held.
  CREATE TABLE holds (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    token TEXT NOT NULL,
    operation TEXT NOT NULL,
    family TEXT NOT NULL,
    subject TEXT NOT NULL,
    credits INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('held', 'unclear', 'reconciled', 'settled')),
    charged INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX holds_by_state ON holds (state, at);
  -- Holds that last for hours: those of data requests.
  CREATE INDEX lasting_holds ON holds (token, at) WHERE state = 'held' AND operation = 'bulk';

  CREATE TABLE entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    token TEXT,
    operation TEXT,
    family TEXT,
    subject TEXT,
    reference TEXT,
    credits INTEGER NOT NULL,
    saved INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    note TEXT
  ) STRICT;
  CREATE INDEX entries_by_subject ON entries (subject) WHERE subject IS NOT NULL;
  CREATE UNIQUE INDEX top_ups ON entries (reference) WHERE kind = 'top_up';

  -- Calls let in by token in its current window.
  CREATE TABLE leases (
    token TEXT PRIMARY KEY,
    window INTEGER NOT NULL,
    granted INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- changes counts up with each change; changed_at is when the first came that D1 does not have, NULL if it has all.
  CREATE TABLE usage (
    day TEXT NOT NULL,
    token TEXT NOT NULL,
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
    changes INTEGER NOT NULL,
    changed_at INTEGER,
    PRIMARY KEY (day, token, family, operation)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_to_roll_up ON usage (changed_at) WHERE changed_at IS NOT NULL;
`;

/** By version; a change of the tables is a further step. */
const STEPS = [VERSION_1];

/**
 * Brings the tables up to this Worker's version.
 * @param team - id of the team; undefined where the platform does not tell, which can only be after it once did
 * @throws NewerStorageError where a newer Worker has written them
 */
export function openTables(storage: LedgerStorage, team: string | undefined): void {
  migrateStorage(storage, 'LedgerObject', STEPS);
  if (team === undefined) return;
  storage.sql.exec(
    'INSERT OR IGNORE INTO team (only, id, day_cap, month_cap, spending, top_up) VALUES (1, ?, ?, NULL, 1, 0)',
    team,
    FIRST_DAY_CAP,
  );
}
