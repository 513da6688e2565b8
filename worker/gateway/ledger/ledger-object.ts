// The Durable Object of a team's ledger: reserves the price of a call before it is sent, books its actual cost, and leases calls
// to isolates.
import { DurableObject } from 'cloudflare:workers';
import { logError } from '../../http/log.ts';
import { ALARM_RETRY_MS, isInMaintenance } from '../../http/maintenance.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { getObject } from '../../lib/objects.ts';
import { createParts, type LedgerEnv, type Parts } from './parts.ts';
import { toDay } from './periods.ts';
import { RESERVATION_TTL_MS } from './reservations.ts';
import { hasTables, openTables } from './schema.ts';
import type {
  Budget,
  BudgetChange,
  Entry,
  EntryPage,
  EntryPageQuery,
  LeaseRequest,
  LeaseResult,
  RecordCounts,
  Reservation,
  ReserveOutcome,
  ReserveResult,
  Settlement,
  TokenBudget,
  TokenChange,
  TopUp,
  UnclearFilter,
  Usage,
} from './types.ts';
import { ROLL_UP_MS } from './usage-counters.ts';
import { isDecided, SettlementBatcher, WaitingReservations } from './waiting-reservations.ts';

/** No task of a change is due earlier than this, except savings, which may come this much later. */
const MIN_TASK_DELAY_MS = Math.min(RESERVATION_TTL_MS, ROLL_UP_MS);

const noCredits = { day: 0, month: 0 };
const noBudget: Budget = {
  ...{ caps: noCredits, spending: false, spent: noCredits, saved: noCredits },
  ...{ reserved: 0, topUp: 0, unclear: 0, disputed: 0, remaining: 0 },
};
const noTokenBudget: TokenBudget = { caps: noCredits, spent: noCredits };

/**
 * The ledger of one team. Decisions are synchronous, so concurrent callers can't overtake each other. Settlements are batched;
 * every other call applies them first.
 *
 * Only a budget, a top-up or settings of a token open a ledger: their callers have found the team in D1. A ledger that was not
 * opened, or whose team was deleted, is absent: it grants nothing, stores nothing and gives the defaults of each method. Methods
 * without a comment are described where their parts are.
 */
export class LedgerObject extends DurableObject<LedgerEnv> {
  readonly #now: Clock['now'];
  readonly #settlements: SettlementBatcher;
  readonly #waiting: WaitingReservations;
  /** Undefined while the ledger is absent. */
  #parts: Parts | undefined;

  constructor(ctx: DurableObjectState, env: LedgerEnv, { now, sleep }: Omit<Clock, 'random'> = systemClock) {
    super(ctx, env);
    this.#now = now;
    if (hasTables(ctx.storage)) this.#parts = this.#open();
    this.#settlements = new SettlementBatcher((settlements) => this.#settle(settlements), sleep);
    this.#waiting = new WaitingReservations((reservations) => this.#reserve(reservations), sleep);
  }

  #open(): Parts {
    const { storage, id } = this.ctx;
    // The platform may leave the name out, but not on the first start of the object.
    openTables(storage, id.name);
    const parts = createParts(storage, this.env, this.#now, () =>
      this.#update(undefined, ({ reservations }, now) => reservations.expire(now)),
    );
    parts.alarms.arm();
    return parts;
  }

  #opened(): Parts {
    this.#parts ??= this.#open();
    return this.#parts;
  }

  /** Reads with all received settlements applied. @param absent - result of an absent ledger */
  #read<T>(absent: NoInfer<T>, read: (parts: Parts, now: number) => T): T {
    this.#settlements.flush();
    return this.#parts === undefined ? absent : read(this.#parts, this.#now());
  }

  #transact<T>({ accounts, reservations, usage }: Parts, change: () => T): T {
    try {
      return this.ctx.storage.transactionSync(change);
    } catch (error) {
      accounts.reload();
      reservations.reload();
      usage.forgetMarks();
      throw error;
    }
  }

  /** Applies received settlements, runs a change in one transaction, then retries the waiting reservations. */
  #update<T>(absent: NoInfer<T>, change: (parts: Parts, now: number) => T): T {
    return this.#read(absent, (parts, now) => {
      const result = this.#transact(parts, () => change(parts, now));
      this.#waiting.retry();
      parts.alarms.arm(now + MIN_TASK_DELAY_MS);
      return result;
    });
  }

  /**
   * Reserves the prices of calls. If nothing can be reserved now but might be once open reservations end without a charge,
   * waits for that. Idempotent: an existing reservation is confirmed again. An absent ledger refuses all.
   * @param waitMs - maximum waiting time; 0 returns at once
   * @param settlements - stored first, in the same write
   */
  async reserveMany(
    reservations: readonly Reservation[],
    waitMs: number,
    settlements: readonly Settlement[] = [],
  ): Promise<ReserveResult> {
    this.#settlements.flush();
    if (settlements.length > 0) this.#settle(settlements);
    const first = this.#reserve(reservations);
    const mustWait = waitMs > 0 && !isDecided(first);
    const outcomes = mustWait ? await this.#waiting.wait(reservations, waitMs) : first;
    const tokens = new Set(reservations.map(({ token }) => token));
    return {
      outcomes,
      remaining: Object.fromEntries(Array.from(tokens, (token) => [token, this.#getRemaining(token)])),
    };
  }

  #reserve(reservations: readonly Reservation[]): ReserveOutcome[] {
    const parts = this.#parts;
    if (parts === undefined) return reservations.map(() => 'unauthorised');
    const now = this.#now();
    const outcomes = this.#transact(parts, () =>
      reservations.map((reservation) => parts.reservations.reserve(reservation, now)),
    );
    if (outcomes.includes('reserved')) parts.alarms.arm(now + RESERVATION_TTL_MS);
    return outcomes;
  }

  /** Computes the credits that a token, or the team, may still spend; null without a cap. */
  #getRemaining(token?: string): number | null {
    const status = this.#parts?.accounts.getSpendingStatus(token, this.#now());
    if (status === undefined || !status.spending) return 0;
    return Number.isFinite(status.remaining) ? status.remaining : null;
  }

  /**
   * Books the final prices of reservations, each once; see {@link Reservations.settle}. Cancels those that still wait. Resolves
   * when the settlements are stored: with the next call, or after a short while.
   */
  settleMany(settlements: readonly Settlement[]): Promise<void> {
    return this.#settlements.add(settlements, this.#waiting.hasWaiters);
  }

  #settle(settlements: readonly Settlement[]): void {
    this.#waiting.cancel(new Set(settlements.map(({ id }) => id)));
    if (this.#parts === undefined) {
      for (const { id, charged } of settlements)
        if (charged !== 0) logError('unknown_settlement', undefined, { reservation: id, charged });
      return;
    }
    this.#update(undefined, ({ reservations }, now) => {
      for (const settlement of settlements) reservations.settle(settlement, now);
    });
  }

  reconcile(references: readonly string[], charged: boolean): number {
    return this.#update(0, ({ reservations }, now) => reservations.reconcile(references, charged, now));
  }

  listUnclear(limit: number, filter?: UnclearFilter) {
    return this.#read([], ({ reservations }) => reservations.listUnclear(limit, filter));
  }

  listDisputed(limit: number) {
    return this.#read([], ({ reservations }) => reservations.listDisputed(limit));
  }

  resolveDispute(reference: string, accepted: boolean): number {
    return this.#update(0, ({ reservations }, now) => reservations.resolveDispute(reference, accepted, now));
  }

  /**
   * Adapts to a database that was restored to an earlier time. Releases the reservations of data requests that the database
   * does not know: they were never sent, and all others have been marked unclear before. Copies usage to the database again.
   * @param day - the first day whose usage the database lacks
   * @returns the number of released reservations
   */
  recoverFromRestore(day: string): number {
    return this.#update(0, ({ reservations, usage }, now) => {
      const open = reservations.listOpenDataRequests();
      for (const id of open) reservations.settle({ id, charged: 0 }, now);
      usage.markChanged(day);
      return open.length;
    });
  }

  /** Revokes all tokens of the deleted team at once; the alarm deletes the storage as soon as nothing is open. Idempotent. */
  close(): void {
    this.#update(undefined, ({ accounts }, now) => accounts.close(now));
    this.#parts?.alarms.arm();
  }

  /** Sets the budget of a new ledger; an existing one keeps its own, because another call has created it. */
  createBudget(change: BudgetChange): Budget {
    return this.#parts === undefined ? this.setBudget(change) : this.getBudget();
  }

  setBudget(change: BudgetChange): Budget {
    const { accounts, entries } = this.#opened();
    this.#update(undefined, (_, now) => {
      accounts.setTeam(change);
      entries.appendNow(now, { kind: 'budget', note: JSON.stringify(change) });
    });
    return this.getBudget();
  }

  /** Changes the limits of a token. An absent ledger grants nothing, so a revocation does not open it. */
  setToken(token: string, change: TokenChange): TokenBudget {
    if (change.revoked !== true || this.#parts !== undefined) {
      const { accounts, entries } = this.#opened();
      this.#update(undefined, (_, now) => {
        accounts.setToken(token, change);
        entries.appendNow(now, { kind: 'budget', token, note: JSON.stringify(change) });
      });
    }
    return this.getTokenBudget(token);
  }

  setTokens(tokens: readonly string[], change: TokenChange): void {
    for (const token of tokens) this.setToken(token, change);
  }

  /** Adds credits that are spent once a cap of the team is reached. Idempotent by id. */
  topUp({ id: reference, ...topUp }: TopUp): Budget {
    const { accounts, entries } = this.#opened();
    this.#update(undefined, (_, now) => {
      if (entries.appendNow(now, { kind: 'top_up', reference, ...topUp })) accounts.addTopUp(topUp.credits);
    });
    return this.getBudget();
  }

  /**
   * Returns the budget of the team.
   * @param token - `remaining` then respects the caps of this token, too
   */
  getBudget(token?: string): Budget {
    return this.#read(noBudget, ({ accounts, reservations }, now) => {
      const { caps, spending, topUp } = accounts.getTeam();
      const { day, month } = accounts.getTotals(undefined, now);
      return {
        ...{ caps, spending, topUp },
        spent: { day: day.spent, month: month.spent },
        saved: { day: day.saved, month: month.saved },
        ...reservations.getOpenCredits(),
        remaining: this.#getRemaining(token),
      };
    });
  }

  getTokenBudget(token: string): TokenBudget {
    return this.#read(noTokenBudget, ({ accounts, leases }, now) => {
      const { day, month } = accounts.getTotals(token, now);
      return {
        caps: accounts.getToken(token).caps,
        spent: { day: day.spent, month: month.spent },
        ...leases.getLastUse(token),
      };
    });
  }

  /** Returns the credits that accounts have spent and reserved this month, in their order. */
  getMonthSpending(accounts: readonly string[]): number[] {
    const none = accounts.map(() => 0);
    return this.#read(none, (parts, now) => parts.accounts.getMonthSpending(accounts, now));
  }

  /** Counts the answered records. Counts of the last seconds may still be in isolates. */
  countRecords(): RecordCounts {
    const none = { cached: noCredits, fetched: noCredits };
    return this.#read(none, ({ usage }, now) => usage.countRecords(toDay(now)));
  }

  /**
   * Lists entries, oldest first, also archived ones. Savings become entries at the end of their hour.
   * @param after - number of the last known entry
   */
  async listEntries({ after = 0, limit }: { after?: number; limit: number }): Promise<Entry[]> {
    return this.#read<Promise<Entry[]> | Entry[]>([], ({ archive }) => archive.list(after, limit));
  }

  readEntryPage(query: EntryPageQuery): EntryPage {
    const none = { entries: [], next: null, hasArchived: false };
    return this.#read(none, ({ entries }) => entries.readPage(query));
  }

  listArchivedSums() {
    return this.#read([], ({ archive }) => archive.listSums());
  }

  listTopUps(): Entry[] {
    return this.#read([], ({ entries }) => entries.listTopUps());
  }

  listEntriesBySubject(subject: string): Entry[] {
    return this.#read([], ({ entries }) => entries.listBySubject(subject));
  }

  /** Leases calls to an isolate, and records the usage that it has collected. */
  lease(token: string, request: LeaseRequest): LeaseResult {
    this.recordUsage(request.usages);
    return this.#read({ refused: 'unauthorised' }, ({ accounts, leases }, now) =>
      accounts.isRevoked(token)
        ? { refused: 'unauthorised' }
        : { ...leases.lease(token, request, now), remaining: this.#getRemaining(token) },
    );
  }

  /** Records the usage that an isolate has collected, booked to today and the present hour. */
  recordUsage(usages: readonly Usage[]): void {
    if (usages.length === 0) return;
    this.#read(undefined, (parts, now) => {
      const { accounts, entries, savings, usage, alarms } = parts;
      this.#transact(parts, () => {
        const counted = usages.filter(
          ({ reference, token, operation, family, saved }) =>
            reference === undefined ||
            entries.appendNow(now, { kind: 'saved', token, operation, family, reference, saved, calls: 1 }),
        );
        usage.addCalls(counted, now);
        for (const each of counted) {
          if (each.saved === 0) continue;
          accounts.addSaved(now, each.saved);
          if (each.reference === undefined) savings.add(each, now);
        }
      });
      alarms.arm(now + MIN_TASK_DELAY_MS);
    });
  }

  /** Runs the due tasks and deletes old data, or the storage of a deleted team. */
  override async alarm(): Promise<void> {
    if (isInMaintenance(this.env)) {
      await this.ctx.storage.setAlarm(this.#now() + ALARM_RETRY_MS);
      return;
    }
    this.#settlements.flush();
    const parts = this.#parts;
    if (parts === undefined) return;
    await parts.alarms.run(this.#now());
    this.#transact(parts, () => parts.deletion.deleteOldData());
    this.#settlements.flush();
    if (parts.deletion.canDelete()) await this.#deleteStorage(parts);
  }

  async #deleteStorage(parts: Parts): Promise<void> {
    // From here on the ledger is absent, so that nothing is written again.
    this.#parts = undefined;
    try {
      await this.ctx.storage.deleteAlarm();
      await this.ctx.storage.deleteAll();
    } catch (error) {
      // The platform repeats the alarm.
      this.#parts = parts;
      throw error;
    }
  }
}

export function getLedger(
  env: { LEDGER: DurableObjectNamespace<LedgerObject>; REGION?: string; JURISDICTION?: string },
  team: string,
): DurableObjectStub<LedgerObject> {
  return getObject(env, env.LEDGER, team);
}
