// The tables of a flight.
// The statements are SQL: they run for every paid call, and drizzle takes ten times as long to build one as SQLite to run it
// (docs/decisions/0010-generated-migrations.md).
import { migrateStorage } from '../../../db/object-schema.ts';

/** What a Durable Object's storage gives a flight. */
export type SingleFlightStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

const VERSION_1 = `
  -- What the provider answered. Who: the pseudonyms of whoever is in it; places: where KV is to have it; stored is 1 when KV
  -- has. The text stands last: what comes before it is read without it.
  CREATE TABLE answers (
    name TEXT PRIMARY KEY, fetched_at INTEGER NOT NULL, stored INTEGER NOT NULL, who TEXT NOT NULL, places TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- What of an answer is too long for one value.
  CREATE TABLE answer_rests (
    name TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (name, part)
  ) STRICT, WITHOUT ROWID;
  -- Paid calls that were sent and not heard of yet, and the price that is held for each.
  CREATE TABLE sent (
    name TEXT PRIMARY KEY, at INTEGER NOT NULL, team TEXT NOT NULL, reservation TEXT NOT NULL, credits INTEGER NOT NULL,
    granted_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Calls that may have been charged although no answer came.
  CREATE TABLE unclear (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Calls that go on without anybody waiting.
  CREATE TABLE standing (
    name TEXT PRIMARY KEY, call TEXT NOT NULL, team TEXT NOT NULL, token TEXT NOT NULL, asked_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- What ledgers have still to be told.
  CREATE TABLE settlements (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, charged INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Pseudonyms of keys that are refused for ever.
  CREATE TABLE erased (pseudonym TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- The provider's identity, and whether earlier erasures are known.
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** By version; a change of the tables is a further step. */
const STEPS = [VERSION_1];

/** Brings the tables up to this Worker's version. @throws NewerStorageError where a newer Worker has written them */
export function openTables(storage: SingleFlightStorage): void {
  migrateStorage(storage, 'SingleFlightObject', STEPS);
}
