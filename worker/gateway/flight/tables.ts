// The tables of a flight.

/** What a Durable Object's storage gives a flight. */
export type FlightStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

const TABLES = `
  -- What the provider answered. Who: the pseudonyms of whoever is in it; places: where KV is to have it; stored is 1 when KV
  -- has. The text stands last: what comes before it is read without it.
  CREATE TABLE IF NOT EXISTS answers (
    name TEXT PRIMARY KEY, fetched_at INTEGER NOT NULL, stored INTEGER NOT NULL, who TEXT NOT NULL, places TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- What of an answer is too long for one value.
  CREATE TABLE IF NOT EXISTS answer_rests (
    name TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (name, part)
  ) STRICT, WITHOUT ROWID;
  -- Paid calls that were sent and not heard of yet, and the price that is held for each.
  CREATE TABLE IF NOT EXISTS sent (
    name TEXT PRIMARY KEY, at INTEGER NOT NULL, team TEXT NOT NULL, reservation TEXT NOT NULL, credits INTEGER NOT NULL,
    granted_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Calls that may have been charged although no answer came.
  CREATE TABLE IF NOT EXISTS unclear (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Calls that go on without anybody waiting.
  CREATE TABLE IF NOT EXISTS standing (
    name TEXT PRIMARY KEY, call TEXT NOT NULL, team TEXT NOT NULL, token TEXT NOT NULL, asked_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- What ledgers have still to be told.
  CREATE TABLE IF NOT EXISTS settlements (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, charged INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Pseudonyms of keys that are refused for ever.
  CREATE TABLE IF NOT EXISTS erased (pseudonym TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- The provider's identity, and whether earlier erasures are known.
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Makes the tables where they are not there yet. */
export function openTables({ sql }: FlightStorage): void {
  sql.exec(TABLES);
}
