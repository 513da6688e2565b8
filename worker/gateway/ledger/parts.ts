// The parts of an open ledger: accounts, entries, savings, usage, reservations, leases, archive and deletion, with their alarms.
import { Accounts } from './accounts.ts';
import { AlarmScheduler } from './alarm-scheduler.ts';
import { LedgerArchive } from './archive.ts';
import { Deletion } from './deletion.ts';
import { Entries } from './entries.ts';
import { LeaseStore } from './lease-store.ts';
import { Reservations } from './reservations.ts';
import { Savings } from './savings.ts';
import { UsageCounters } from './usage-counters.ts';

/** Bindings of a ledger. The database receives usage, the bucket old entries. */
export interface LedgerEnv {
  DB: D1Database;
  ROWS: R2Bucket;
  MAINTENANCE?: string;
}

/** Creates the parts of an open ledger. @param expire - marks reservations that were not settled in time as unclear */
export function createParts(
  storage: DurableObjectStorage,
  { DB: db, ROWS }: LedgerEnv,
  now: () => number,
  expire: () => void,
) {
  const { sql } = storage;
  const accounts = new Accounts(sql);
  const entries = new Entries(sql);
  const savings = new Savings(sql, entries);
  const archive = new LedgerArchive(storage, entries, ROWS, now);
  const usage = new UsageCounters(sql, { db, now });
  const reservations = new Reservations(sql, { accounts, entries, usage });
  const deletion = new Deletion(now, { accounts, archive, reservations, usage });
  const appendSavings = () => storage.transactionSync(() => savings.appendEntries(now()));
  const alarms = new AlarmScheduler(
    [
      { dueAt: () => reservations.getNextExpiry(), run: expire },
      { dueAt: () => usage.dueAt(), run: () => usage.rollUp(accounts.getTeam().id) },
      { dueAt: () => savings.dueAt(), run: appendSavings },
      { dueAt: () => archive.dueAt(), run: () => archive.run() },
      { dueAt: () => deletion.dueAt(), run: () => deletion.run() },
    ],
    (at) => void storage.setAlarm(at),
  );
  const leases = new LeaseStore(sql, accounts);
  return { accounts, entries, savings, archive, usage, reservations, leases, deletion, alarms };
}

export type Parts = ReturnType<typeof createParts>;
