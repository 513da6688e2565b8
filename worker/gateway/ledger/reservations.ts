// Reservations from the hold to what came of it: held → settled, or held → unclear → settled or reconciled.

import type { Family } from '../../../shared/families/index.ts';
import { logError } from '../../http/log.ts';
import type { OperationName } from '../provider-call.ts';
import type { Accounts } from './accounts.ts';
import type { Entries } from './entries.ts';
import { startOfDay, toDay } from './periods.ts';
import type { EntryKind, Reservation, ReserveOutcome, Settlement } from './types.ts';
import type { UsageCounters } from './usage-counters.ts';

/**
 * After this time nobody expects an answer any more: the provider may have charged what nobody heard of. Holds of data
 * requests last until their request tells what came of it, which takes hours: each has a row in D1 that sees to it.
 */
export const RESERVATION_TTL_MS = 60_000;

/** So many holds expire in one go, so that others get a turn between. */
const EXPIRE_AT_ONCE = 1000;

/**
 * `reconciled`: the admin said what became of an unclear one. What the provider really charged still overrules that;
 * only `settled` is final.
 */
type State = 'held' | 'unclear' | 'reconciled' | 'settled';

type ReservationRow = {
  id: string;
  at: number;
  token: string;
  operation: OperationName;
  family: Family;
  subject: string;
  credits: number;
  state: State;
  charged: number | null;
};

/** What a posting is booked in. */
export interface LedgerStores {
  accounts: Accounts;
  entries: Entries;
  usage: UsageCounters;
}

/** The reservations of one ledger. */
export class Reservations {
  readonly #sql: SqlStorage;
  readonly #books: LedgerStores;

  constructor(sql: SqlStorage, books: LedgerStores) {
    this.#sql = sql;
    this.#books = books;
  }

  #find(id: string): ReservationRow | undefined {
    return this.#sql.exec<ReservationRow>('SELECT * FROM holds WHERE id = ?', id).toArray()[0];
  }

  /**
   * Holds the price of a call, if it may be spent. One that was held is answered so again; a refusal is no promise and
   * not remembered. What costs nothing is let through unless the token is revoked, and leaves no row.
   */
  reserve(reservation: Reservation, now: number): ReserveOutcome {
    const { id, token, credits } = reservation;
    if (this.#find(id) !== undefined) return 'held';
    const outcome = this.#judge(token, credits, now);
    if (outcome === 'held' && credits > 0) this.#hold(reservation, now);
    return outcome;
  }

  #judge(token: string, credits: number, now: number): ReserveOutcome {
    const { accounts } = this.#books;
    const { revoked, spending, remaining } = accounts.getSpendingStatus(token, now);
    if (revoked) return 'unauthorised';
    if (credits === 0) return 'held';
    if (!spending) return 'spending_off';
    if (credits <= remaining) return 'held';
    return credits <= accounts.getMaxRemaining(token, now) ? 'wait' : 'over_budget';
  }

  #hold({ id, token, operation, family, subject, credits }: Reservation, now: number): void {
    this.#sql.exec(
      `INSERT INTO holds (id, at, token, operation, family, subject, credits, state, charged)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'held', NULL)`,
      id,
      now,
      token,
      operation,
      family,
      subject,
      credits,
    );
    this.#books.accounts.post(token, now, { held: credits, spent: 0 });
  }

  /**
   * Posts what came of a hold, booked to the time of the reservation. Posted once, however often it is said; what the
   * provider charged for an unclear one corrects it. A hold that nobody knows leaves nothing to book to: it is logged.
   */
  settle({ id, charged }: Settlement, now: number): void {
    const hold = this.#find(id);
    if (hold === undefined) {
      if (charged === 0) return;
      logError('unknown_settlement', undefined, { reservation: id, charged });
    } else if (charged === 'unclear') {
      if (hold.state === 'held') this.#unclear(hold, now);
    } else if (hold.state === 'held') {
      this.#post(hold, charged > 0 ? 'charge' : undefined, charged, now);
      this.#end(hold, 'settled', charged);
    } else if (hold.state !== 'settled') this.#correct(hold, charged, 'settled', now);
  }

  /** Ends holds that are too old to be settled. */
  expire(now: number): void {
    const old = this.#sql
      .exec<ReservationRow>(
        "SELECT * FROM holds WHERE state = 'held' AND operation <> 'bulk' AND at <= ? ORDER BY at LIMIT ?",
        now - RESERVATION_TTL_MS,
        EXPIRE_AT_ONCE,
      )
      .toArray();
    for (const hold of old) this.#unclear(hold, now, 'not settled in time');
  }

  /** When the next hold gets too old, milliseconds since 1970; undefined if none is open. */
  getNextExpiry(): number | undefined {
    const [first] = this.#sql
      .exec<{ at: number }>(
        "SELECT at FROM holds WHERE state = 'held' AND operation <> 'bulk' ORDER BY at LIMIT 1",
      )
      .toArray();
    return first === undefined ? undefined : first.at + RESERVATION_TTL_MS;
  }

  /**
   * Says what became of unclear calls.
   * @param references - ids of reservations; those that are not unclear are left as they are
   * @returns how many there were
   */
  reconcile(references: readonly string[], charged: boolean, now: number): number {
    let unclear = 0;
    for (const id of references) {
      const hold = this.#find(id);
      if (hold?.state !== 'unclear') continue;
      this.#correct(hold, charged ? hold.credits : 0, 'reconciled', now);
      unclear += 1;
    }
    return unclear;
  }

  #unclear(hold: ReservationRow, now: number, note?: string): void {
    this.#post(hold, 'unclear', hold.credits, now, note);
    this.#end(hold, 'unclear', hold.credits);
  }

  #correct(hold: ReservationRow, charged: number, state: State, now: number): void {
    this.#post(hold, 'correction', charged - (hold.charged ?? 0), now);
    this.#end(hold, state, charged);
  }

  /** Books credits of a hold, and writes the line that says so, where there is one to write. */
  #post(
    hold: ReservationRow,
    kind: EntryKind | undefined,
    credits: number,
    now: number,
    note?: string,
  ): void {
    const { accounts, entries, usage } = this.#books;
    const day = toDay(hold.at);
    accounts.post(hold.token, hold.at, { held: hold.state === 'held' ? -hold.credits : 0, spent: credits });
    if (credits !== 0) usage.addCredits(day, hold, credits, now);
    if (kind === undefined) return;
    const { token, operation, family, subject, id } = hold;
    entries.append({
      at: now,
      day,
      kind,
      token,
      operation,
      family,
      subject,
      reference: id,
      credits,
      saved: 0,
      calls: kind === 'correction' ? 0 : 1,
      ...(note === undefined ? {} : { note }),
    });
  }

  #end({ id }: ReservationRow, state: State, charged: number): void {
    this.#sql.exec('UPDATE holds SET state = ?, charged = ? WHERE id = ?', state, charged, id);
  }

  /** Credits that are held, and those whose charge nobody knows. */
  getOpenCredits(): { held: number; unclear: number } {
    const rows = this.#sql
      .exec<{ state: State; credits: number }>(
        "SELECT state, sum(credits) AS credits FROM holds WHERE state IN ('held', 'unclear') GROUP BY state",
      )
      .toArray();
    const of = (wanted: State) => rows.find(({ state }) => state === wanted)?.credits ?? 0;
    return { held: of('held'), unclear: of('unclear') };
  }

  /**
   * Forgets holds of before a day that came to their end.
   * @returns the days before it of which some hold is still there
   */
  deleteBefore(day: string): string[] {
    const before = startOfDay(day);
    this.#sql.exec("DELETE FROM holds WHERE state IN ('reconciled', 'settled') AND at < ?", before);
    const left = this.#sql.exec<{ day: string }>(
      `SELECT DISTINCT date(at / 1000, 'unixepoch') AS day FROM holds
         WHERE state IN ('held', 'unclear') AND at < ?`,
      before,
    );
    return left.toArray().map((row) => row.day);
  }
}
