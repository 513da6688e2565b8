// A team's ledger: reserves the price of a call before it is sent, books its actual cost, and leases calls to isolates.
import type { Platform } from '../platform.ts';
import { Accounts } from './accounts.ts';
import { AlarmScheduler } from './alarm-scheduler.ts';
import { Entries } from './entries.ts';
import { LeaseStore } from './lease-store.ts';
import { DAY_MS, toDay } from './periods.ts';
import { RESERVATION_TTL_MS, Reservations } from './reservations.ts';
import { type LedgerStorage, openTables } from './schema.ts';
import type {
  Budget,
  BudgetChange,
  Entry,
  Lease,
  LeaseRequest,
  RecordCounts,
  Reservation,
  ReserveOutcome,
  ReserveResult,
  Settlement,
  TokenBudget,
  TokenChange,
  TopUp,
  Usage,
} from './types.ts';
import { ROLL_UP_MS, UsageCounters } from './usage-counters.ts';
import { isDecided, WaitingReservations } from './waiting-reservations.ts';

/** Ended reservations and daily totals are deleted after this time. Entries are kept. */
const RETENTION_DAYS = 35;

/** No task of a change is due earlier than this. */
const MIN_TASK_DELAY_MS = Math.min(RESERVATION_TTL_MS, ROLL_UP_MS);

/** Dependencies of the ledger. */
export interface LedgerOptions {
  platform: Pick<Platform, 'now' | 'sleep'>;
  /** Where usage is rolled up to. */
  db: D1Database;
  /** Schedules a call of {@link TeamLedger.alarm} in milliseconds since 1970 and replaces the previous alarm. */
  setAlarm: (at: number) => void;
}

/** Counts calls that were answered without a new purchase. */
function countCached({ outcomes }: Usage): number {
  return (outcomes.hit ?? 0) + (outcomes.stale ?? 0) + (outcomes.coalesced ?? 0);
}

/** The ledger of one team. Decisions are synchronous, so concurrent callers can't overtake each other. */
export class TeamLedger {
  readonly #storage: LedgerStorage;
  readonly #now: () => number;
  readonly #accounts: Accounts;
  readonly #entries: Entries;
  readonly #usage: UsageCounters;
  readonly #reservations: Reservations;
  readonly #leases: LeaseStore;
  readonly #waiting: WaitingReservations;
  readonly #alarms: AlarmScheduler;
  /** Everything before this day has already been deleted. */
  #deletedBefore = '';

  /**
   * @param team - id of the team. The platform may leave it out, but not on the first start of the object
   */
  constructor(storage: LedgerStorage, team: string | undefined, { platform, db, setAlarm }: LedgerOptions) {
    openTables(storage, team);
    const { sql } = storage;
    this.#storage = storage;
    this.#now = platform.now;
    this.#accounts = new Accounts(sql);
    this.#entries = new Entries(sql);
    this.#usage = new UsageCounters(sql, { db, now: platform.now });
    this.#reservations = new Reservations(sql, {
      accounts: this.#accounts,
      entries: this.#entries,
      usage: this.#usage,
    });
    this.#leases = new LeaseStore(sql, this.#accounts);
    this.#waiting = new WaitingReservations((reservations) => this.#reserve(reservations), platform.sleep);
    this.#alarms = new AlarmScheduler(
      [
        { dueAt: () => this.#reservations.getNextExpiry(), run: () => this.#expire() },
        { dueAt: () => this.#usage.dueAt(), run: () => this.#usage.rollUp(this.#accounts.getTeam().id) },
      ],
      setAlarm,
    );
    this.#alarms.arm();
  }

  /** Runs a change in one transaction, then retries the waiting reservations. */
  #update<T>(change: () => T): T {
    const result = this.#storage.transactionSync(change);
    this.#waiting.retry();
    this.#alarms.arm(this.#now() + MIN_TASK_DELAY_MS);
    return result;
  }

  /**
   * Reserves the prices of calls. If nothing can be reserved now but might be once open reservations end without a charge,
   * waits for that. Idempotent: an existing reservation is confirmed again.
   * @param waitMs - maximum waiting time; 0 returns at once
   * @param settlements - stored first, in the same write
   */
  async reserveMany(
    reservations: readonly Reservation[],
    waitMs: number,
    settlements: readonly Settlement[] = [],
  ): Promise<ReserveResult> {
    if (settlements.length > 0) this.settleMany(settlements);
    const first = this.#reserve(reservations);
    const mustWait = waitMs > 0 && !isDecided(first);
    const outcomes = mustWait ? await this.#waiting.wait(reservations, waitMs) : first;
    return { outcomes, remaining: this.#remaining(reservations.map(({ token }) => token)) };
  }

  #reserve(reservations: readonly Reservation[]): ReserveOutcome[] {
    const now = this.#now();
    const outcomes = this.#storage.transactionSync(() =>
      reservations.map((reservation) => this.#reservations.reserve(reservation, now)),
    );
    if (outcomes.includes('held')) this.#alarms.arm(now + RESERVATION_TTL_MS);
    return outcomes;
  }

  /** Computes the credits that each of the tokens may still spend, or the team without any token; null without a cap. */
  #remaining(tokens: readonly string[]): number | null {
    const now = this.#now();
    const accounts = tokens.length === 0 ? [undefined] : new Set(tokens);
    const statuses = Array.from(accounts, (token) => this.#accounts.getSpendingStatus(token, now));
    if (statuses.some(({ spending }) => !spending)) return 0;
    const least = Math.min(...statuses.map(({ remaining }) => remaining));
    return Number.isFinite(least) ? least : null;
  }

  /** True while requests wait until reservations end. */
  get hasWaiters(): boolean {
    return this.#waiting.hasWaiters;
  }

  /**
   * Books the final prices of reservations, each once; see {@link Reservations.settle}. Cancels those that still wait.
   */
  settleMany(settlements: readonly Settlement[]): void {
    const now = this.#now();
    this.#waiting.cancel(new Set(settlements.map(({ id }) => id)));
    this.#update(() => {
      for (const settlement of settlements) this.#reservations.settle(settlement, now);
    });
  }

  #expire(): void {
    this.#update(() => this.#reservations.expire(this.#now()));
  }

  /**
   * Records whether the provider charged unclear calls.
   * @param references - ids of reservations. Those that are not unclear stay unchanged
   * @returns the number of unclear calls
   */
  reconcile(references: readonly string[], charged: boolean): number {
    return this.#update(() => this.#reservations.reconcile(references, charged, this.#now()));
  }

  setBudget(change: BudgetChange): Budget {
    this.#update(() => {
      this.#accounts.setTeam(change);
      this.#appendBudgetChange(change);
    });
    return this.getBudget();
  }

  setToken(token: string, change: TokenChange): TokenBudget {
    this.#update(() => {
      this.#accounts.setToken(token, change);
      this.#appendBudgetChange({ token, ...change });
    });
    return this.getTokenBudget(token);
  }

  #appendBudgetChange(change: BudgetChange | (TokenChange & { token: string })): void {
    this.#append({ kind: 'budget', credits: 0, note: JSON.stringify(change) });
  }

  /** Adds credits that are spent once a cap of the team is reached. Idempotent by id. */
  topUp({ id, credits, note }: TopUp): Budget {
    this.#update(() => {
      const written = this.#append({
        kind: 'top_up',
        reference: id,
        credits,
        ...(note === undefined ? {} : { note }),
      });
      if (written) this.#accounts.addTopUp(credits);
    });
    return this.getBudget();
  }

  #append(entry: Pick<Entry, 'kind' | 'credits'> & Partial<Entry>): boolean {
    const at = this.#now();
    return this.#entries.append({ at, day: toDay(at), saved: 0, calls: 0, ...entry });
  }

  /**
   * Returns the budget of the team.
   * @param token - `remaining` then respects the caps of this token, too
   */
  getBudget(token?: string): Budget {
    const now = this.#now();
    const { caps, spending, topUp } = this.#accounts.getTeam();
    const { day, month } = this.#accounts.getTotals(undefined, now);
    return {
      caps,
      spending,
      spent: { day: day.spent, month: month.spent },
      ...this.#reservations.getOpenCredits(),
      topUp,
      saved: { day: day.saved, month: month.saved },
      remaining: this.#remaining(token === undefined ? [] : [token]),
    };
  }

  /** Counts the answered records. Counts of the last seconds may still be in isolates. */
  countRecords(): RecordCounts {
    return this.#usage.countRecords(toDay(this.#now()));
  }

  getTokenBudget(token: string): TokenBudget {
    const { day, month } = this.#accounts.getTotals(token, this.#now());
    const lastUsedAt = this.#leases.getLastUsedAt(token);
    return {
      caps: this.#accounts.getToken(token).caps,
      spent: { day: day.spent, month: month.spent },
      ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    };
  }

  /**
   * Lists entries, oldest first.
   * @param after - number of the last known entry
   */
  listEntries({ after = 0, limit }: { after?: number; limit: number }): Entry[] {
    return this.#entries.list(after, limit);
  }

  /** Lists the latest top-ups, newest first. */
  listTopUps(): Entry[] {
    return this.#entries.listTopUps();
  }

  /** Lists the latest entries for a requested key or query, newest first. */
  listEntriesBySubject(subject: string): Entry[] {
    return this.#entries.listBySubject(subject);
  }

  /** Leases calls to an isolate, and records the usage that it has collected. */
  lease(token: string, { calls, usages }: LeaseRequest): Lease | { refused: 'unauthorised' } {
    this.recordUsage(usages);
    if (this.#accounts.getToken(token).revoked) return { refused: 'unauthorised' };
    const lease = this.#leases.lease(token, calls, this.#now());
    return { ...lease, remaining: this.#remaining([token]) };
  }

  /** Records the usage that an isolate has collected, booked to today. */
  recordUsage(usages: readonly Usage[]): void {
    if (usages.length === 0) return;
    const now = this.#now();
    this.#storage.transactionSync(() => {
      for (const usage of usages) {
        this.#usage.addCalls(toDay(now), usage, now);
        if (usage.saved > 0) this.#recordSavings(usage, now);
      }
    });
    this.#alarms.arm(now + MIN_TASK_DELAY_MS);
  }

  #recordSavings(usage: Usage, now: number): void {
    const { token, operation, family, saved } = usage;
    this.#accounts.addSaved(now, saved);
    this.#append({ kind: 'saved', token, operation, family, credits: 0, saved, calls: countCached(usage) });
  }

  /** Runs the due tasks and deletes old data. */
  async alarm(): Promise<void> {
    await this.#alarms.run(this.#now());
    this.#deleteOldData();
  }

  #deleteOldData(): void {
    const day = toDay(this.#now() - RETENTION_DAYS * DAY_MS);
    if (day === this.#deletedBefore) return;
    this.#storage.transactionSync(() => {
      const kept = this.#reservations.deleteBefore(day);
      this.#accounts.deleteBefore(day, kept);
      this.#usage.deleteBefore(day, kept);
    });
    this.#deletedBefore = day;
  }
}
