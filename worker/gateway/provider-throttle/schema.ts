// Tables of the provider throttle's Durable Object.
// Written in SQL: the statements run for every paid call, and drizzle takes ten times as long to build one as SQLite to run it
// (docs/decisions/0010-generated-migrations.md).
import { migrateStorage } from '../../db/object-schema.ts';

/** The part of a Durable Object's storage that the throttle uses. */
export type ThrottleStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

const VERSION_1 = `
  CREATE TABLE pace (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    limit_per_s INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE balance (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    period TEXT NOT NULL
  ) STRICT;
  CREATE TABLE unclear (
    position INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    credits INTEGER NOT NULL,
    resolved TEXT CHECK (resolved IN ('charged', 'not_charged')),
    UNIQUE (team, id)
  ) STRICT;
`;

/** Migration steps by version. A change of the tables adds a step. */
const STEPS = [VERSION_1];

/** Migrates the tables to this Worker's version. @throws NewerStorageError if a newer Worker has written them */
export function openTables(storage: ThrottleStorage): void {
  migrateStorage(storage, 'ProviderThrottleObject', STEPS);
}
