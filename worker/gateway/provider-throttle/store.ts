// What the gate keeps over a restart: the pace that it learnt, the count of credits, and unclear reservations.
import type { BalancePeriod } from './balance-tracker.ts';
import { openTables, type ThrottleStorage } from './schema.ts';
import type { ReservationRef, Resolution, UnclearReservation } from './types.ts';

/** Of unclear reservations, open and resolved each; of more than these nothing is told, and they stay unclear. */
const MAX_RESERVATIONS = 1_000;
/** So many are told at once. */
const MAX_TOLD = 100;

type CountRow = {
  start: number;
  sure: number;
  charged: number;
  unclear: number;
  lowest: number | null;
  lowest_at: number | null;
  heard_from: number;
  holds_all_from: number;
  drift: number;
  unresolved: number;
  matched: number;
  reported_at: number;
};

type ResolutionRow = { team: string; id: string; credits: number; resolved: Resolution['resolved'] };

/** The gate's storage. It is read when the gate starts, and written only where something changes. */
export class ThrottleStore {
  readonly #sql: SqlStorage;
  #saved: BalancePeriod | undefined;
  #open: number;
  #resolved: Resolution[];

  constructor(storage: ThrottleStorage) {
    openTables(storage);
    const { sql } = storage;
    this.#sql = sql;
    this.#saved = this.#readCount();
    this.#open = sql
      .exec<{ open: number }>('SELECT count(*) AS open FROM unclear WHERE resolved IS NULL')
      .one().open;
    this.#resolved = this.#readResolved();
  }

  /** Calls a second that the provider allows, as far as it was learnt. */
  readLimit(): number | undefined {
    const [row] = this.#sql.exec<{ limit_per_s: number }>('SELECT limit_per_s FROM pace').toArray();
    return row?.limit_per_s;
  }

  saveLimit(perS: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO pace (only, limit_per_s) VALUES (1, ?)', perS);
  }

  /** The count as it was saved. */
  readBalanceState(): BalancePeriod | undefined {
    return this.#saved === undefined ? undefined : { ...this.#saved };
  }

  #readCount(): BalancePeriod | undefined {
    const [row] = this.#sql.exec<CountRow>('SELECT * FROM balance').toArray();
    if (row === undefined) return undefined;
    const { start, charged, unclear, lowest, drift, unresolved } = row;
    return {
      start,
      sure: row.sure === 1,
      charged,
      unclear,
      lowest,
      lowestAt: row.lowest_at,
      heardFrom: row.heard_from,
      holdsAllFrom: row.holds_all_from,
      drift,
      unresolved,
      matched: row.matched === 1,
      reportedAt: row.reported_at,
    };
  }

  /** Saves the count; that the same was heard again is no change. @returns whether it was written */
  saveBalanceState(count: BalancePeriod): boolean {
    const { reportedAt, heardFrom } = this.#saved ?? count;
    if (this.#saved !== undefined && isSame({ ...count, reportedAt, heardFrom }, this.#saved)) return false;
    this.#saved = { ...count };
    this.#sql.exec(
      `INSERT OR REPLACE INTO balance (only, start, sure, charged, unclear, lowest, lowest_at, heard_from,
         holds_all_from, drift, unresolved, matched, reported_at) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      count.start,
      Number(count.sure),
      count.charged,
      count.unclear,
      count.lowest,
      count.lowestAt,
      count.heardFrom,
      count.holdsAllFrom,
      count.drift,
      count.unresolved,
      Number(count.matched),
      count.reportedAt,
    );
    return true;
  }

  /** Adds reservations of which nobody knows whether they were charged. */
  addUnclear(reservations: readonly UnclearReservation[]): void {
    for (const { team, id, credits } of reservations) {
      if (this.#open >= MAX_RESERVATIONS) return;
      const added = this.#sql
        .exec(
          'INSERT OR IGNORE INTO unclear (team, id, credits) VALUES (?, ?, ?) RETURNING position',
          team,
          id,
          credits,
        )
        .toArray();
      this.#open += added.length;
    }
  }

  /** Of the unclear ones it will not become known any more. */
  deleteUnclear(): void {
    if (this.#open === 0) return;
    this.#sql.exec('DELETE FROM unclear WHERE resolved IS NULL');
    this.#open = 0;
  }

  /** Of the unclear ones it has become known. */
  resolveUnclear(resolved: Resolution['resolved']): void {
    if (this.#open === 0) return;
    this.#open = 0;
    this.#sql.exec('UPDATE unclear SET resolved = ? WHERE resolved IS NULL', resolved);
    this.#sql.exec(
      'DELETE FROM unclear WHERE position NOT IN (SELECT position FROM unclear ORDER BY position DESC LIMIT ?)',
      MAX_RESERVATIONS,
    );
    this.#resolved = this.#readResolved();
  }

  /** What has become known and was not acknowledged: the oldest of it. */
  listResolved(): Resolution[] {
    return this.#resolved.slice(0, MAX_TOLD);
  }

  #readResolved(): Resolution[] {
    return this.#sql
      .exec<ResolutionRow>(
        'SELECT team, id, credits, resolved FROM unclear WHERE resolved IS NOT NULL ORDER BY position',
      )
      .toArray();
  }

  /** Forgets what has become known of some reservations: the ledger has it. */
  acknowledge(names: readonly ReservationRef[]): void {
    for (const { team, id } of names) {
      this.#sql.exec('DELETE FROM unclear WHERE team = ? AND id = ? AND resolved IS NOT NULL', team, id);
    }
    this.#resolved = this.#readResolved();
  }
}

function isSame(one: BalancePeriod, other: BalancePeriod): boolean {
  return Object.entries(one).every(([name, value]) => value === Reflect.get(other, name));
}
