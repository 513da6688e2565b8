// A team's ledger: holds what a call may cost before it is sent, books what it did cost, and leases allowance.
import type { Platform } from '../platform.ts';
import { Accounts } from './accounts.ts';
import { AlarmScheduler } from './alarm-scheduler.ts';
import { LeaseStore } from './allowance.ts';
import { Entries } from './entries.ts';
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

/** Reservations that came to their end are remembered so long, and days with them. Lines are kept. */
const REMEMBERED_DAYS = 35;

/** Nothing that a change of the books brings with it is due sooner. */
const SOONEST_MS = Math.min(RESERVATION_TTL_MS, ROLL_UP_MS);

/** What the ledger reaches. */
export interface LedgerOptions {
  platform: Pick<Platform, 'now' | 'after'>;
  /** Where usage is rolled up to. */
  db: D1Database;
  /** Has {@link TeamLedger.alarm} called at a time, in milliseconds since 1970; replaces the time set before. */
  setAlarm: (at: number) => void;
}

/** Calls that were answered without paying for them again. */
function countCached({ outcomes }: Usage): number {
  return (outcomes.hit ?? 0) + (outcomes.stale ?? 0) + (outcomes.coalesced ?? 0);
}

/** The ledger of one team. It decides without a pause, so that callers at the same time can't overtake each other. */
export class TeamLedger {
  readonly #storage: LedgerStorage;
  readonly #now: () => number;
  readonly #accounts: Accounts;
  readonly #entries: Entries;
  readonly #usage: UsageCounters;
  readonly #holds: Reservations;
  readonly #allowance: LeaseStore;
  readonly #waiting: WaitingReservations;
  readonly #schedule: AlarmScheduler;
  /** The day before which all is forgotten already. */
  #forgottenBefore = '';

  /**
   * @param team - its id; undefined where the platform does not tell, which can only be after it once did
   */
  constructor(storage: LedgerStorage, team: string | undefined, { platform, db, setAlarm }: LedgerOptions) {
    openTables(storage, team);
    const { sql } = storage;
    this.#storage = storage;
    this.#now = platform.now;
    this.#accounts = new Accounts(sql);
    this.#entries = new Entries(sql);
    this.#usage = new UsageCounters(sql, { db, now: platform.now });
    this.#holds = new Reservations(sql, {
      accounts: this.#accounts,
      entries: this.#entries,
      usage: this.#usage,
    });
    this.#allowance = new LeaseStore(sql, this.#accounts);
    this.#waiting = new WaitingReservations((reservations) => this.#reserve(reservations), platform.after);
    this.#schedule = new AlarmScheduler(
      [
        { dueAt: () => this.#holds.getNextExpiry(), run: () => this.#expire() },
        { dueAt: () => this.#usage.dueAt(), run: () => this.#usage.rollUp(this.#accounts.getTeam().id) },
      ],
      setAlarm,
    );
    this.#schedule.arm();
  }

  /** Changes the books as one step, then lets whoever waits for it know. */
  #change<T>(step: () => T): T {
    const result = this.#storage.transactionSync(step);
    this.#waiting.retry();
    this.#schedule.arm(this.#now() + SOONEST_MS);
    return result;
  }

  /**
   * Holds prices before calls are sent. If nothing is held and something would fit if open holds end uncharged, it waits
   * until a hold is resolved and tries again. A reservation that was held before is answered so again.
   * @param waitMs - how long to wait at most; 0 answers at once
   * @param settlements - made first, and in one write with the reservations
   */
  async reserveMany(
    reservations: readonly Reservation[],
    waitMs: number,
    settlements: readonly Settlement[] = [],
  ): Promise<ReserveResult> {
    if (settlements.length > 0) this.settleMany(settlements);
    const first = this.#reserve(reservations);
    const patient = waitMs > 0 && !isDecided(first);
    const outcomes = patient ? await this.#waiting.wait(reservations, waitMs) : first;
    return { outcomes, remaining: this.#remaining(reservations.map(({ token }) => token)) };
  }

  #reserve(reservations: readonly Reservation[]): ReserveOutcome[] {
    const now = this.#now();
    const outcomes = this.#storage.transactionSync(() =>
      reservations.map((reservation) => this.#holds.reserve(reservation, now)),
    );
    if (outcomes.includes('held')) this.#schedule.arm(now + RESERVATION_TTL_MS);
    return outcomes;
  }

  /** Credits that each of some tokens may still spend, and without any, the team; null where no cap is set. */
  #remaining(tokens: readonly string[]): number | null {
    const now = this.#now();
    const asked = tokens.length === 0 ? [undefined] : new Set(tokens);
    const standings = Array.from(asked, (token) => this.#accounts.getSpendingStatus(token, now));
    if (standings.some(({ spending }) => !spending)) return 0;
    const least = Math.min(...standings.map(({ remaining }) => remaining));
    return Number.isFinite(least) ? least : null;
  }

  /** Does anybody wait until holds are resolved? */
  get hasWaiters(): boolean {
    return this.#waiting.hasWaiters;
  }

  /**
   * Says what came of holds. Each is posted once; see {@link Reservations.settle}. Reservations that still wait are given up.
   */
  settleMany(settlements: readonly Settlement[]): void {
    const now = this.#now();
    this.#waiting.cancel(new Set(settlements.map(({ id }) => id)));
    this.#change(() => {
      for (const settlement of settlements) this.#holds.settle(settlement, now);
    });
  }

  #expire(): void {
    this.#change(() => this.#holds.expire(this.#now()));
  }

  /**
   * Says what became of unclear calls.
   * @param references - ids of reservations; those that are not unclear are left as they are
   * @param charged - did the provider charge them?
   * @returns how many were unclear
   */
  reconcile(references: readonly string[], charged: boolean): number {
    return this.#change(() => this.#holds.reconcile(references, charged, this.#now()));
  }

  setBudget(change: BudgetChange): Budget {
    this.#change(() => {
      this.#accounts.setTeam(change);
      this.#record(change);
    });
    return this.getBudget();
  }

  setToken(token: string, change: TokenChange): TokenBudget {
    this.#change(() => {
      this.#accounts.setToken(token, change);
      this.#record({ token, ...change });
    });
    return this.getTokenBudget(token);
  }

  /** Writes down what the admin set. */
  #record(change: BudgetChange | (TokenChange & { token: string })): void {
    this.#append({ kind: 'budget', credits: 0, note: JSON.stringify(change) });
  }

  /** Adds credits that are spent when a cap of the team is reached. A top-up of the same id is made once. */
  topUp({ id, credits, note }: TopUp): Budget {
    this.#change(() => {
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
   * Tells how the team stands.
   * @param token - `remaining` is what this token may still spend, which may have caps of its own
   */
  getBudget(token?: string): Budget {
    const now = this.#now();
    const { caps, spending, topUp } = this.#accounts.getTeam();
    const { day, month } = this.#accounts.getTotals(undefined, now);
    return {
      caps,
      spending,
      spent: { day: day.spent, month: month.spent },
      ...this.#holds.getOpenCredits(),
      topUp,
      saved: { day: day.saved, month: month.saved },
      remaining: this.#remaining(token === undefined ? [] : [token]),
    };
  }

  /** Counts the records that were answered; what isolates have counted is handed over within seconds. */
  countRecords(): RecordCounts {
    return this.#usage.countRecords(toDay(this.#now()));
  }

  getTokenBudget(token: string): TokenBudget {
    const { day, month } = this.#accounts.getTotals(token, this.#now());
    const lastUsedAt = this.#allowance.getLastUsedAt(token);
    return {
      caps: this.#accounts.getToken(token).caps,
      spent: { day: day.spent, month: month.spent },
      ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    };
  }

  /**
   * Reads lines, oldest first.
   * @param after - the number of the last one that is known
   */
  listEntries({ after = 0, limit }: { after?: number; limit: number }): Entry[] {
    return this.#entries.list(after, limit);
  }

  /** The latest top-ups, newest first. */
  listTopUps(): Entry[] {
    return this.#entries.listTopUps();
  }

  /** The latest lines on what was asked, newest first. */
  listEntriesBySubject(subject: string): Entry[] {
    return this.#entries.listBySubject(subject);
  }

  /** Leases calls to an isolate, and takes what it has counted. */
  lease(token: string, { calls, usages }: LeaseRequest): Lease | { refused: 'unauthorised' } {
    this.recordUsage(usages);
    if (this.#accounts.getToken(token).revoked) return { refused: 'unauthorised' };
    const lease = this.#allowance.lease(token, calls, this.#now());
    return { ...lease, remaining: this.#remaining([token]) };
  }

  /** Takes what an isolate has counted, booked to today. */
  recordUsage(usages: readonly Usage[]): void {
    if (usages.length === 0) return;
    const now = this.#now();
    this.#storage.transactionSync(() => {
      for (const usage of usages) {
        this.#usage.addCalls(toDay(now), usage, now);
        if (usage.saved > 0) this.#save(usage, now);
      }
    });
    this.#schedule.arm(now + SOONEST_MS);
  }

  #save(usage: Usage, now: number): void {
    const { token, operation, family, saved } = usage;
    this.#accounts.addSaved(now, saved);
    this.#append({ kind: 'saved', token, operation, family, credits: 0, saved, calls: countCached(usage) });
  }

  /** Does what is due, and forgets what is old. */
  async alarm(): Promise<void> {
    await this.#schedule.run(this.#now());
    this.#forget();
  }

  #forget(): void {
    const day = toDay(this.#now() - REMEMBERED_DAYS * DAY_MS);
    if (day === this.#forgottenBefore) return;
    this.#storage.transactionSync(() => {
      const kept = this.#holds.deleteBefore(day);
      this.#accounts.deleteBefore(day, kept);
      this.#usage.deleteBefore(day, kept);
    });
    this.#forgottenBefore = day;
  }
}
