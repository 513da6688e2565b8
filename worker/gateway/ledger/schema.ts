// Tables of a ledger's Durable Object.
// Written in SQL: the statements run for every paid call, and drizzle takes ten times as long to build one as SQLite to run it
// (docs/decisions/0010-generated-migrations.md).
import { recordedSources } from '../../../shared/sources.ts';
import { migrateStorage } from '../../db/object-schema.ts';

/** The part of a Durable Object's storage that a ledger uses. */
export type LedgerStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

/** Credits per day until the admin sets a budget: enough to try the product, without a costly mistake. */
const FIRST_DAY_CAP = 1000;

const VERSION_1 = `
  -- A cap that is NULL does not exist. Top-up credits are spent once a cap of the team is reached; top_up is their rest.
  -- Entries up to archived_through are in R2, or only in the sums if the team is deleted. closed_at: when the team was deleted,
  -- milliseconds since 1970; 0 if it was not. deleted_before: the day before which ended reservations are deleted.
  CREATE TABLE team (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL,
    day_cap INTEGER,
    month_cap INTEGER,
    spending INTEGER NOT NULL,
    top_up INTEGER NOT NULL CHECK (top_up >= 0),
    archived_through INTEGER NOT NULL DEFAULT 0,
    closed_at INTEGER NOT NULL DEFAULT 0,
    deleted_before TEXT NOT NULL DEFAULT ''
  ) STRICT;

  -- Tokens with settings. Other tokens have no caps and the default rate.
  CREATE TABLE tokens (
    token TEXT PRIMARY KEY,
    day_cap INTEGER,
    month_cap INTEGER,
    revoked INTEGER NOT NULL,
    rate_per_minute INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Credits by account and day. The account '' is the team, others are tokens, enrichments and schedules. Reserved credits
  -- are those of open reservations.
  -- from_top_ups: how many of the team's spent and reserved credits came from top-ups.
  CREATE TABLE totals (
    account TEXT NOT NULL,
    day TEXT NOT NULL,
    spent INTEGER NOT NULL,
    from_top_ups INTEGER NOT NULL CHECK (from_top_ups >= 0),
    saved INTEGER NOT NULL,
    PRIMARY KEY (account, day)
  ) STRICT, WITHOUT ROWID;

  -- One row for each reservation with a price. charged is NULL while it is open, and never exceeds credits unless an admin has
  -- accepted the disputed rest; source is '' for programs and bulk orders, spreadsheet where the person or none is
  -- known; account is that of an enrichment or schedule.
  CREATE TABLE reservations (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    token TEXT NOT NULL,
    account TEXT,
    operation TEXT NOT NULL,
    family TEXT NOT NULL,
    subject TEXT NOT NULL,
    credits INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'unclear', 'reconciled', 'settled')),
    charged INTEGER,
    source TEXT NOT NULL,
    spreadsheet TEXT NOT NULL,
    disputed INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX disputed_reservations ON reservations (at) WHERE disputed > 0;
  -- An ended reservation has no index: it would be a second row of every settlement.
  CREATE INDEX open_reservations ON reservations (at) WHERE state = 'open';
  CREATE INDEX unclear_reservations ON reservations (at) WHERE state = 'unclear';
  -- Reservations of data requests, which last for hours.
  CREATE INDEX lasting_reservations ON reservations (token, at) WHERE state = 'open' AND operation = 'bulk';

  CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
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
    note TEXT,
    source TEXT
  ) STRICT;
  CREATE UNIQUE INDEX top_ups ON entries (reference) WHERE kind = 'top_up';
  CREATE UNIQUE INDEX savings_once ON entries (reference) WHERE kind = 'saved' AND reference IS NOT NULL;

  -- Calls granted to a token, or to a counter such as those of assistants, in its last window; as of that window only.
  CREATE TABLE leases (
    token TEXT PRIMARY KEY,
    window INTEGER NOT NULL,
    granted INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- changes counts the updates of a row. changed_at is the first update that D1 does not have, also
  -- in hours; NULL if D1 is up to date. The credits and savings of a source are a part of those of the row. spreadsheet: ''
  -- where the person or none is known.
  CREATE TABLE usage (
    day TEXT NOT NULL,
    token TEXT NOT NULL,
    spreadsheet TEXT NOT NULL,
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
    formula_spent INTEGER NOT NULL,
    formula_saved INTEGER NOT NULL,
    table_spent INTEGER NOT NULL,
    table_saved INTEGER NOT NULL,
    schedule_spent INTEGER NOT NULL,
    schedule_saved INTEGER NOT NULL,
    assistant_spent INTEGER NOT NULL,
    assistant_saved INTEGER NOT NULL,
    PRIMARY KEY (day, token, spreadsheet, family, operation)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_to_roll_up ON usage (changed_at) WHERE changed_at IS NOT NULL;

  -- Calls of an hour, a start in milliseconds since 1970. durations: their histogram, a JSON array.
  CREATE TABLE hours (
    hour INTEGER PRIMARY KEY,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    latency_ms INTEGER NOT NULL,
    durations TEXT NOT NULL
  ) STRICT;

  -- Savings of an hour, a start in milliseconds since 1970. They become entries when it has ended.
  CREATE TABLE savings (
    hour INTEGER NOT NULL,
    token TEXT NOT NULL,
    operation TEXT NOT NULL,
    family TEXT NOT NULL,
    saved INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (hour, token, operation, family)
  ) STRICT, WITHOUT ROWID;

  -- First and last entry of each object in R2.
  CREATE TABLE archives (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  -- Archived entries by month; '' stands for none.
  CREATE TABLE archived_sums (
    month TEXT NOT NULL,
    kind TEXT NOT NULL,
    token TEXT NOT NULL,
    operation TEXT NOT NULL,
    family TEXT NOT NULL,
    credits INTEGER NOT NULL,
    saved INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    PRIMARY KEY (month, kind, token, operation, family)
  ) STRICT, WITHOUT ROWID;
`;

/** Tells whether a ledger was opened, without writing anything. */
export function hasTables({ sql }: Pick<LedgerStorage, 'sql'>): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'team'").toArray().length > 0;
}

/** Migration steps by version. A change of the tables adds a step. */
const STEPS = [VERSION_1];

/** Columns of the table `usage` with the credits and the savings of each source. */
export const sourceColumns = recordedSources.flatMap(
  (source) => [`${source}_spent`, `${source}_saved`] as const,
);
export type SourceColumn = (typeof sourceColumns)[number];

/**
 * Migrates the tables to this Worker's version.
 * @param team - id of the team. The platform may leave it out, but not on the first start of the object
 * @throws NewerStorageError if a newer Worker has written them
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
