// What the provider throttle stores: the reported rate limit, the count of credits, and unclear reservations.
import * as z from 'zod';
import { openTables, type ThrottleStorage } from './schema.ts';
import type { ReservationRef, Resolution, UnclearReservation } from './types.ts';

/** Maximum of open and of resolved unclear reservations. Any beyond it stay unclear. */
const MAX_RESERVATIONS = 1_000;
const MAX_RESOLUTIONS = 100;

/**
 * The stored count of credits. A period lasts from one moment without calls in flight to the next. Credits, and milliseconds
 * since 1970.
 */
const balancePeriod = z.object({
  /** The balance when the period began. */
  start: z.number(),
  /** False if other calls were in flight when `start` was reported: it may include their charges. */
  isStartExact: z.boolean(),
  /** Credits known to be charged in the period. */
  charged: z.number(),
  /** Credits of unclear calls in the period. */
  unclear: z.number(),
  /** The lowest balance reported in the period. Responses to concurrent calls arrive in any order. */
  lowestBalance: z.number().nullable(),
  /** When the lowest balance was reported. */
  lowestAt: z.number().nullable(),
  /** When the latest call that reported a balance in this period was granted. */
  latestGrantAt: z.number(),
  /** Only a call granted at this time or later reports a balance that includes all charges of the period. */
  completeFromGrantAt: z.number(),
  /** Credits that others spent in earlier periods. */
  drift: z.number(),
  /** Unclear credits of earlier periods that could not be resolved. */
  unresolved: z.number(),
  /** Whether the provider's count has matched ours exactly in a period with charges. */
  hasMatched: z.boolean(),
  /** When a balance was last reported. */
  reportedAt: z.number(),
});
export type BalancePeriod = z.infer<typeof balancePeriod>;

type ResolutionRow = { team: string; id: string; credits: number; resolved: Resolution['resolved'] };

/** Storage of the provider throttle. It is read when the object starts, and written only when something changes. */
export class ThrottleStore {
  readonly #sql: SqlStorage;
  #saved: BalancePeriod | undefined;
  #open: number;
  #resolved: Resolution[];

  constructor(storage: ThrottleStorage) {
    openTables(storage);
    const { sql } = storage;
    this.#sql = sql;
    this.#saved = this.#readBalance();
    this.#open = sql
      .exec<{ open: number }>('SELECT count(*) AS open FROM unclear WHERE resolved IS NULL')
      .one().open;
    this.#resolved = this.#readResolved();
  }

  /** Reads the calls a second that the provider has reported; undefined if it has not. */
  readLimit(): number | undefined {
    const [row] = this.#sql.exec<{ limit_per_s: number }>('SELECT limit_per_s FROM pace').toArray();
    return row?.limit_per_s;
  }

  saveLimit(perS: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO pace (only, limit_per_s) VALUES (1, ?)', perS);
  }

  getBalance(): BalancePeriod | undefined {
    return this.#saved === undefined ? undefined : { ...this.#saved };
  }

  #readBalance(): BalancePeriod | undefined {
    const [row] = this.#sql.exec<{ period: string }>('SELECT period FROM balance').toArray();
    return row && balancePeriod.parse(JSON.parse(row.period));
  }

  /** Saves the balance period if it has changed. @returns whether it was written */
  saveBalance(period: BalancePeriod): boolean {
    const { reportedAt, latestGrantAt } = this.#saved ?? period;
    if (this.#saved !== undefined && isSame({ ...period, reportedAt, latestGrantAt }, this.#saved))
      return false;
    this.#saved = { ...period };
    const text = JSON.stringify(period);
    this.#sql.exec('INSERT OR REPLACE INTO balance (only, period) VALUES (1, ?)', text);
    return true;
  }

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

  /** Deletes the open unclear reservations, which can't be resolved any more. */
  deleteUnclear(): void {
    if (this.#open === 0) return;
    this.#sql.exec('DELETE FROM unclear WHERE resolved IS NULL');
    this.#open = 0;
  }

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

  /** Lists the oldest resolutions that were not acknowledged. */
  listResolved(): Resolution[] {
    return this.#resolved.slice(0, MAX_RESOLUTIONS);
  }

  #readResolved(): Resolution[] {
    return this.#sql
      .exec<ResolutionRow>(
        'SELECT team, id, credits, resolved FROM unclear WHERE resolved IS NOT NULL ORDER BY position',
      )
      .toArray();
  }

  /** Deletes resolutions that the ledgers have received. */
  acknowledge(references: readonly ReservationRef[]): void {
    for (const { team, id } of references) {
      this.#sql.exec('DELETE FROM unclear WHERE team = ? AND id = ? AND resolved IS NOT NULL', team, id);
    }
    this.#resolved = this.#readResolved();
  }
}

function isSame(period: BalancePeriod, other: BalancePeriod): boolean {
  return Object.entries(period).every(([name, value]) => value === Reflect.get(other, name));
}
