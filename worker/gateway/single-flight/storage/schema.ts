// SQLite tables of a single-flight object.

// The statements are plain SQL: they run for every paid call, and drizzle takes ten times as long to build one as SQLite to
// run it (docs/decisions/0010-generated-migrations.md).
import { migrateStorage } from '../../../db/object-schema.ts';

/** The part of a Durable Object's storage that the single flight uses. */
export type SingleFlightStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

const VERSION_1 = `
  -- Answers of the provider. pseudonyms: of the people and companies in it; kv_entries: to write; stored: 0 until KV has
  -- them; 1 from the start if the end of their purchase tells; other_references: of everybody else in the answer, between
  -- spaces; purchase, charged: the purchase that the answer has ended, and its price. The text is the last column, because
  -- SQLite reads the columns before it without it.
  CREATE TABLE answers (
    name TEXT PRIMARY KEY, fetched_at INTEGER NOT NULL, stored INTEGER NOT NULL, pseudonyms TEXT NOT NULL,
    kv_entries TEXT NOT NULL, other_references TEXT NOT NULL, purchase TEXT, charged INTEGER, text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Further parts of answers that are too long for one value.
  CREATE TABLE answer_parts (
    name TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (name, part)
  ) STRICT, WITHOUT ROWID;
  -- The copies in KV of answers that are no longer stored here, so that an erasure finds them without listing KV.
  CREATE TABLE copies (
    name TEXT NOT NULL, fetched_at INTEGER NOT NULL, kept_until INTEGER NOT NULL, pseudonyms TEXT NOT NULL,
    kv_entries TEXT NOT NULL, other_references TEXT NOT NULL, PRIMARY KEY (name, fetched_at)
  ) STRICT, WITHOUT ROWID;
  -- Reservations of paid calls, from the sent mark until their ledgers have confirmed the settlement and KV has the answer. A
  -- sent one that its answer names has ended with the price there, which saves a write for each purchase. charged: NULL is
  -- unclear; name: NULL once it has ended in this table; at, credits: NULL if it was not sent.
  CREATE TABLE purchases (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('sent', 'ended')), charged INTEGER,
    name TEXT, at INTEGER, credits INTEGER, granted_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Calls that may have been charged although no answer came.
  CREATE TABLE unclear (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Background calls. source: NULL for programs.
  CREATE TABLE background_calls (
    name TEXT PRIMARY KEY, call TEXT NOT NULL, team TEXT NOT NULL, token TEXT NOT NULL, source TEXT, spreadsheet TEXT,
    requested_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Pseudonyms of erased keys.
  CREATE TABLE erased (pseudonym TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- identity: the provider's; erased: set once earlier erasures are loaded.
  CREATE TABLE properties (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** By version; append a step to change the tables. */
const STEPS = [VERSION_1];

/** Migrates the tables to this Worker's version. @throws NewerStorageError if a newer Worker has written them */
export function openTables(storage: SingleFlightStorage): void {
  migrateStorage(storage, 'SingleFlightObject', STEPS);
}
