// SQLite tables of a single-flight object.

// The statements are plain SQL: they run for every paid call, and drizzle takes ten times as long to build one as SQLite to
// run it (docs/decisions/0010-generated-migrations.md).
import { migrateStorage } from '../../../db/object-schema.ts';

/** The part of a Durable Object's storage that the single flight uses. */
export type SingleFlightStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

const VERSION_1 = `
  -- Answers of the provider. who: pseudonyms of the people and companies in it; places: KV keys to write; stored: 1 once KV
  -- has them; refs: references of everybody else in the answer, between spaces. The text is the last column, because SQLite
  -- reads the columns before it without it.
  CREATE TABLE answers (
    name TEXT PRIMARY KEY, fetched_at INTEGER NOT NULL, stored INTEGER NOT NULL, who TEXT NOT NULL, places TEXT NOT NULL,
    refs TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Further parts of answers that are too long for one value.
  CREATE TABLE answer_rests (
    name TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (name, part)
  ) STRICT, WITHOUT ROWID;
  -- The copies in KV of answers that are no longer stored here, so that an erasure finds them without listing KV.
  CREATE TABLE copies (
    name TEXT NOT NULL, fetched_at INTEGER NOT NULL, kept_until INTEGER NOT NULL, who TEXT NOT NULL, places TEXT NOT NULL,
    refs TEXT NOT NULL, PRIMARY KEY (name, fetched_at)
  ) STRICT, WITHOUT ROWID;
  -- Paid calls that are in flight, and their reservations.
  CREATE TABLE sent (
    name TEXT PRIMARY KEY, at INTEGER NOT NULL, team TEXT NOT NULL, reservation TEXT NOT NULL, credits INTEGER NOT NULL,
    granted_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Calls that may have been charged although no answer came.
  CREATE TABLE unclear (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Background calls. source: NULL for programs.
  CREATE TABLE background_calls (
    name TEXT PRIMARY KEY, call TEXT NOT NULL, team TEXT NOT NULL, token TEXT NOT NULL, source TEXT, spreadsheet TEXT,
    asked_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Settlements that ledgers have not confirmed. charged: null is unclear.
  CREATE TABLE settlements (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, charged INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Pseudonyms of erased keys.
  CREATE TABLE erased (pseudonym TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- identity: the provider's; erased: set once earlier erasures are loaded.
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** By version; append a step to change the tables. */
const STEPS = [VERSION_1];

/** Migrates the tables to this Worker's version. @throws NewerStorageError if a newer Worker has written them */
export function openTables(storage: SingleFlightStorage): void {
  migrateStorage(storage, 'SingleFlightObject', STEPS);
}
