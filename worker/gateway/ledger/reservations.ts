// Reservations and their states: open → settled, or open → unclear → settled or reconciled.

import type { RecordedSource } from '../../../shared/sources.ts';
import { logError } from '../../http/log.ts';
import { createBoundedCache } from '../../lib/bounded-cache.ts';
import type { Accounts } from './accounts.ts';
import type { Entries } from './entries.ts';
import { startOfDay, toDay } from './periods.ts';
import type {
  DisputedCharge,
  EntryKind,
  Reservation,
  ReserveOutcome,
  Settlement,
  UnclearCall,
  UnclearFilter,
} from './types.ts';
import type { UsageCounters } from './usage-counters.ts';

/**
 * An open reservation becomes unclear after this time: its caller is gone, and the provider may have charged the call.
 * Reservations of data requests have no limit, because a row in D1 tracks each of them for hours.
 */
export const RESERVATION_TTL_MS = 60_000;

const MAX_CACHED = 1000;
/** Maximum number of reservations that expire at once, so that other calls are not delayed. */
const EXPIRY_BATCH_SIZE = 1000;

/**
 * `reconciled`: the admin or the provider's balance has shown whether an unclear call was charged. A later settlement still
 * overrides this. Only `settled` is final.
 */
type State = 'open' | 'unclear' | 'reconciled' | 'settled';

type ReservationRow = UnclearCall & {
  /** Of an enrichment or schedule. */
  account: string | null;
  subject: string;
  source: RecordedSource | '';
  spreadsheet: string;
  state: State;
  charged: number | null;
  disputed: number;
};

interface LedgerStores {
  accounts: Accounts;
  entries: Entries;
  usage: UsageCounters;
}

export class Reservations {
  readonly #sql: SqlStorage;
  readonly #stores: LedgerStores;
  /** The last open reservations, because most are settled soon. */
  readonly #open = createBoundedCache<ReservationRow>(MAX_CACHED);

  constructor(sql: SqlStorage, stores: LedgerStores) {
    this.#sql = sql;
    this.#stores = stores;
  }

  /** Follows a transaction that was rolled back, because it may have made reservations. */
  reload(): void {
    this.#open.clear();
  }

  #find(id: string): ReservationRow | undefined {
    const open = this.#open.get(id);
    if (open !== undefined) return open;
    return this.#sql.exec<ReservationRow>('SELECT * FROM reservations WHERE id = ?', id).toArray()[0];
  }

  /**
   * Reserves the price of a call if the budget allows it. Idempotent. A refusal is not stored. Free calls of a token that is
   * not revoked always succeed and are not stored.
   *
   * Every reservation is ended by a settlement, or becomes unclear and stays spent until somebody knows better:
   *
   * | reservation of | ends when | where | settlement |
   * |---|---|---|---|
   * | a call | the ledger's answer is lost, so that it may exist | `CreditReserver` | 0 |
   * | | the call has ended, its payer has left, or the provider has changed | `Sender.send`, `#release` | 0 |
   * | | it was not sent, was refused or found nothing | `Sender.#handleFailure`, `#storeContent` | 0 |
   * | | the record has arrived, also of an erased person | `Sender.#storeContent` | its price |
   * | | the outcome is not known | `Sender.#handleFailure` | unclear |
   * | | own code fails | `Sender.#handleError` | 0 before it was sent, then unclear |
   * | | the object ended after the sent mark | `SingleFlightStore.#endSentCalls` | unclear |
   * | a data request | its creation was interrupted | `DataRequestService.#reserve`, `#deleteAbandoned` | 0 |
   * | | it ends; `charged` is 0 if it was cancelled before it was sent | `finishRequest` | charged, disputed |
   * | | the database is restored | `freezeOpenRequests`, `settleEnded`, {@link LedgerObject.recoverFromRestore} | unclear, charged, 0 |
   * | a call | no settlement has arrived in time | {@link Reservations.expire} | becomes unclear |
   * | an unclear call | the provider's balance or an admin tells | {@link Reservations.reconcile} | price or 0; a late settlement still wins |
   * | a settled one | an admin decides about its disputed credits | {@link Reservations.resolveDispute} | added or dropped |
   *
   * `Outbox` of the single flight repeats settlements until the ledger has stored them.
   */
  reserve(reservation: Reservation, now: number): ReserveOutcome {
    const { id, credits } = reservation;
    if (this.#find(id) !== undefined) return 'reserved';
    const outcome = this.#decide(reservation, now);
    if (outcome === 'reserved' && credits > 0) this.#insert(reservation, now);
    return outcome;
  }

  #decide({ token, credits, budget }: Reservation, now: number): ReserveOutcome {
    const { accounts } = this.#stores;
    const { revoked, spending, remaining } = accounts.getSpendingStatus(token, now, budget);
    if (revoked) return 'unauthorised';
    if (credits === 0) return 'reserved';
    if (!spending) return 'spending_off';
    if (credits <= remaining) return 'reserved';
    return credits <= accounts.getMaxRemaining(token, now, budget) ? 'wait' : 'over_budget';
  }

  #insert(reservation: Reservation, now: number): void {
    const { budget, source = '', spreadsheet = '', ...others } = reservation;
    const account = budget?.account ?? null;
    const usual = {
      at: now,
      account,
      source,
      spreadsheet,
      state: 'open',
      charged: null,
      disputed: 0,
    } as const;
    const row: ReservationRow = { ...others, ...usual };
    const { id, token, operation, family, subject, credits } = row;
    // First, because totals read from the storage contain the open reservations.
    this.#stores.accounts.post(token, account, now, { reserved: credits, spent: 0 });
    this.#open.set(id, row);
    this.#sql.exec(
      `INSERT INTO reservations
         (id, at, token, account, operation, family, subject, credits, state, charged, source, spreadsheet)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'open', NULL, ?, ?)`,
      id,
      now,
      token,
      account,
      operation,
      family,
      subject,
      credits,
      source,
      spreadsheet,
    );
  }

  /**
   * Books the final price of a reservation, at most the reserved credits, to the day of the reservation. The rest is recorded
   * as disputed. Idempotent. Corrects an unclear or reconciled reservation. Nothing can be booked for an unknown one, so it is
   * logged.
   */
  settle({ id, charged, disputed = 0 }: Settlement, now: number): void {
    const row = this.#find(id);
    if (row === undefined) {
      if (charged === 0) return;
      logError('unknown_settlement', undefined, { reservation: id, charged });
    } else if (charged === 'unclear') {
      if (row.state === 'open') this.#markUnclear(row, now);
    } else if (row.state !== 'settled') {
      const booked = Math.min(charged, row.credits);
      if (row.state === 'open') this.#post(row, booked > 0 ? 'charge' : undefined, booked, now);
      else this.#post(row, 'correction', booked - (row.charged ?? 0), now);
      this.#setState(row, 'settled', booked);
      this.#dispute(row, charged - booked + disputed, now);
    }
  }

  #dispute(row: ReservationRow, credits: number, now: number): void {
    if (credits === 0) return;
    logError('settlement_disputed', undefined, { reservation: row.id, reserved: row.credits, credits });
    this.#append(row, 'disputed', 0, now, `${credits} credits beyond the reservation`);
    this.#sql.exec('UPDATE reservations SET disputed = ? WHERE id = ?', credits, row.id);
  }

  /**
   * Decides about the disputed credits of a reservation: books them to its day, even above the caps, or drops them.
   * @returns the credits; 0 if none are disputed
   */
  resolveDispute(id: string, accepted: boolean, now: number): number {
    const row = this.#find(id);
    if (row === undefined || row.disputed === 0) return 0;
    const { disputed, charged } = row;
    if (accepted) {
      this.#post(row, 'correction', disputed, now, 'disputed credits, accepted');
      this.#setState(row, row.state, (charged ?? 0) + disputed);
    } else this.#append(row, 'disputed', 0, now, `${disputed} credits, rejected`);
    this.#sql.exec('UPDATE reservations SET disputed = 0 WHERE id = ?', id);
    return disputed;
  }

  listDisputed(limit: number): DisputedCharge[] {
    return this.#sql
      .exec<DisputedCharge>(
        `SELECT id, at, token, operation, family, disputed AS credits, coalesce(charged, 0) AS charged FROM reservations
           WHERE disputed > 0 ORDER BY at LIMIT ?`,
        limit,
      )
      .toArray();
  }

  /** Marks reservations that were not settled in time as unclear. */
  expire(now: number): void {
    const expired = this.#sql
      .exec<ReservationRow>(
        "SELECT * FROM reservations WHERE state = 'open' AND operation <> 'bulk' AND at <= ? ORDER BY at LIMIT ?",
        now - RESERVATION_TTL_MS,
        EXPIRY_BATCH_SIZE,
      )
      .toArray();
    for (const row of expired) this.#markUnclear(row, now, 'not settled in time');
  }

  /** Returns when the next reservation expires, milliseconds since 1970; undefined if none is open. */
  getNextExpiry(): number | undefined {
    const [first] = this.#sql
      .exec<{ at: number }>(
        "SELECT at FROM reservations WHERE state = 'open' AND operation <> 'bulk' ORDER BY at LIMIT 1",
      )
      .toArray();
    return first === undefined ? undefined : first.at + RESERVATION_TTL_MS;
  }

  /**
   * Records whether the provider charged unclear calls.
   * @param references - ids of reservations. Those that are not unclear stay unchanged
   * @returns the number of unclear calls
   */
  reconcile(references: readonly string[], charged: boolean, now: number): number {
    let unclear = 0;
    for (const id of references) {
      const row = this.#find(id);
      if (row?.state !== 'unclear') continue;
      const booked = charged ? row.credits : 0;
      this.#post(row, 'correction', booked - (row.charged ?? 0), now);
      this.#setState(row, 'reconciled', booked);
      unclear += 1;
    }
    return unclear;
  }

  /** Lists unclear calls, the oldest first. */
  listUnclear(limit: number, { family, operation, before }: UnclearFilter = {}): UnclearCall[] {
    return this.#sql
      .exec<UnclearCall>(
        `SELECT id, at, token, operation, family, credits FROM reservations WHERE state = 'unclear'
           AND family = coalesce(?, family) AND operation = coalesce(?, operation) AND at < coalesce(?, at + 1)
         ORDER BY at LIMIT ?`,
        family ?? null,
        operation ?? null,
        before ?? null,
        limit,
      )
      .toArray();
  }

  listOpenDataRequests(): string[] {
    const rows = this.#sql.exec<{ id: string }>(
      "SELECT id FROM reservations WHERE state = 'open' AND operation = 'bulk'",
    );
    return rows.toArray().map(({ id }) => id);
  }

  #markUnclear(row: ReservationRow, now: number, note?: string): void {
    this.#post(row, 'unclear', row.credits, now, note);
    this.#setState(row, 'unclear', row.credits);
  }

  /** Books credits of a reservation. Appends an entry if `kind` is given. */
  #post(row: ReservationRow, kind: EntryKind | undefined, credits: number, now: number, note?: string): void {
    const { accounts, usage } = this.#stores;
    accounts.post(row.token, row.account, row.at, {
      reserved: row.state === 'open' ? -row.credits : 0,
      spent: credits,
    });
    if (credits !== 0) usage.addCredits(toDay(row.at), row, credits, now);
    if (kind !== undefined) this.#append(row, kind, credits, now, note);
  }

  #append(row: ReservationRow, kind: EntryKind, credits: number, now: number, note?: string): void {
    const { token, operation, family, subject, id, source } = row;
    this.#stores.entries.append({
      at: now,
      day: toDay(row.at),
      kind,
      token,
      operation,
      family,
      subject,
      reference: id,
      credits,
      saved: 0,
      calls: kind === 'correction' || kind === 'disputed' ? 0 : 1,
      ...(note === undefined ? {} : { note }),
      ...(source === '' ? {} : { source }),
    });
  }

  #setState({ id }: ReservationRow, state: State, charged: number): void {
    this.#open.delete(id);
    this.#sql.exec('UPDATE reservations SET state = ?, charged = ? WHERE id = ?', state, charged, id);
  }

  /** Tells whether there are reservations that wait for their outcome, and unclear ones. */
  getPending(): { hasOpen: boolean; hasUnclear: boolean } {
    const { open, unclear } = this.#sql
      .exec<{ open: number; unclear: number }>(
        `SELECT EXISTS (SELECT 1 FROM reservations WHERE state = 'open') AS open,
           EXISTS (SELECT 1 FROM reservations WHERE state = 'unclear') AS unclear`,
      )
      .one();
    return { hasOpen: open === 1, hasUnclear: unclear === 1 };
  }

  /** Sums the credits of open and of unclear reservations, and disputed credits. */
  getOpenCredits(): { reserved: number; unclear: number; disputed: number } {
    return this.#sql
      .exec<{ reserved: number; unclear: number; disputed: number }>(
        `SELECT (SELECT coalesce(sum(credits), 0) FROM reservations WHERE state = 'open') AS reserved,
           (SELECT coalesce(sum(credits), 0) FROM reservations WHERE state = 'unclear') AS unclear,
           (SELECT coalesce(sum(disputed), 0) FROM reservations WHERE disputed > 0) AS disputed`,
      )
      .one();
  }

  /**
   * Deletes ended reservations from before a day. Reads all of them.
   * @returns the earlier days that still have open, unclear or disputed reservations
   */
  deleteBefore(day: string): string[] {
    const before = startOfDay(day);
    this.#sql.exec(
      "DELETE FROM reservations WHERE state IN ('reconciled', 'settled') AND disputed = 0 AND at < ?",
      before,
    );
    const remaining = this.#sql.exec<{ day: string }>(
      `SELECT DISTINCT date(at / 1000, 'unixepoch') AS day FROM reservations
         WHERE (state IN ('open', 'unclear') OR disputed > 0) AND at < ?`,
      before,
    );
    return remaining.toArray().map((row) => row.day);
  }
}
