// A team's ledger: holds what a call may cost before it is sent, books what it did cost, and leases allowance.
import type { Platform } from '../platform.ts';
import { Accounts } from './accounts.ts';
import { Schedule } from './alarm-scheduler.ts';
import { Allowance } from './allowance.ts';
import { Entries } from './entries.ts';
import { DAY_MS, dayOf } from './periods.ts';
import { HOLD_MS, Holds } from './reservations.ts';
import { type LedgerStorage, openTables } from './schema.ts';
import type {
  Budget,
  BudgetChange,
  Entry,
  Lease,
  LeaseWish,
  RecordCounts,
  Reservation,
  Reserved,
  ReserveOutcome,
  Settlement,
  TokenBudget,
  TokenChange,
  TopUp,
  Usage,
} from './types.ts';
import { ROLL_UP_MS, UsageCounters } from './usage-counters.ts';
import { isDecided, Waiting } from './waiting-reservations.ts';

/** Reservations that came to their end are remembered so long, and days with them. Lines are kept. */
const REMEMBERED_DAYS = 35;

/** Nothing that a change of the books brings with it is due sooner. */
const SOONEST_MS = Math.min(HOLD_MS, ROLL_UP_MS);

/** What the ledger reaches. */
export interface LedgerRooms {
  platform: Pick<Platform, 'now' | 'after'>;
  /** Where usage is rolled up to. */
  db: D1Database;
  /** Has {@link TeamLedger.alarm} called at a time, in milliseconds since 1970; replaces the time set before. */
  wake: (at: number) => void;
}

/** Calls that were answered without paying for them again. */
function remembered({ outcomes }: Usage): number {
  return (outcomes.hit ?? 0) + (outcomes.stale ?? 0) + (outcomes.coalesced ?? 0);
}

/** The ledger of one team. It decides without a pause, so that callers at the same time can't overtake each other. */
export class TeamLedger {
  readonly #storage: LedgerStorage;
  readonly #now: () => number;
  readonly #accounts: Accounts;
  readonly #entries: Entries;
  readonly #usage: UsageCounters;
  readonly #holds: Holds;
  readonly #allowance: Allowance;
  readonly #waiting: Waiting;
  readonly #schedule: Schedule;
  /** The day before which all is forgotten already. */
  #forgottenBefore = '';

  /**
   * @param team - its id; undefined where the platform does not tell, which can only be after it once did
   */
  constructor(storage: LedgerStorage, team: string | undefined, { platform, db, wake }: LedgerRooms) {
    openTables(storage, team);
    const { sql } = storage;
    this.#storage = storage;
    this.#now = platform.now;
    this.#accounts = new Accounts(sql);
    this.#entries = new Entries(sql);
    this.#usage = new UsageCounters(sql, { db, now: platform.now });
    this.#holds = new Holds(sql, { accounts: this.#accounts, entries: this.#entries, usage: this.#usage });
    this.#allowance = new Allowance(sql, this.#accounts);
    this.#waiting = new Waiting((reservations) => this.#reserve(reservations), platform.after);
    this.#schedule = new Schedule(
      [
        { dueAt: () => this.#holds.expiresAt(), run: () => this.#expire() },
        { dueAt: () => this.#usage.dueAt(), run: () => this.#usage.rollUp(this.#accounts.team().id) },
      ],
      wake,
    );
    this.#schedule.arm();
  }

  /** Changes the books as one step, then lets whoever waits for it know. */
  #change<T>(step: () => T): T {
    const result = this.#storage.transactionSync(step);
    this.#waiting.wake();
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
  ): Promise<Reserved> {
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
    if (outcomes.includes('held')) this.#schedule.arm(now + HOLD_MS);
    return outcomes;
  }

  /** Credits that each of some tokens may still spend, and without any, the team; null where no cap is set. */
  #remaining(tokens: readonly string[]): number | null {
    const now = this.#now();
    const asked = tokens.length === 0 ? [undefined] : new Set(tokens);
    const standings = Array.from(asked, (token) => this.#accounts.standing(token, now));
    if (standings.some(({ spending }) => !spending)) return 0;
    const least = Math.min(...standings.map(({ left }) => left));
    return Number.isFinite(least) ? least : null;
  }

  /** Does anybody wait until holds are resolved? */
  get isAwaited(): boolean {
    return this.#waiting.isAny;
  }

  /**
   * Says what came of holds. Each is posted once; see {@link Holds.settle}. Reservations that still wait are given up.
   */
  settleMany(settlements: readonly Settlement[]): void {
    const now = this.#now();
    this.#waiting.giveUp(new Set(settlements.map(({ id }) => id)));
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
    return this.budget();
  }

  setToken(token: string, change: TokenChange): TokenBudget {
    this.#change(() => {
      this.#accounts.setToken(token, change);
      this.#record({ token, ...change });
    });
    return this.tokenBudget(token);
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
      if (written) this.#accounts.topUp(credits);
    });
    return this.budget();
  }

  #append(entry: Pick<Entry, 'kind' | 'credits'> & Partial<Entry>): boolean {
    const at = this.#now();
    return this.#entries.append({ at, day: dayOf(at), saved: 0, calls: 0, ...entry });
  }

  /**
   * Tells how the team stands.
   * @param token - `remaining` is what this token may still spend, which may have caps of its own
   */
  budget(token?: string): Budget {
    const now = this.#now();
    const { caps, spending, topUp } = this.#accounts.team();
    const { day, month } = this.#accounts.totals(undefined, now);
    return {
      caps,
      spending,
      spent: { day: day.spent, month: month.spent },
      ...this.#holds.open(),
      topUp,
      saved: { day: day.saved, month: month.saved },
      remaining: this.#remaining(token === undefined ? [] : [token]),
    };
  }

  /** Counts the records that were answered; what isolates have counted is handed over within seconds. */
  recordCounts(): RecordCounts {
    return this.#usage.recordCounts(dayOf(this.#now()));
  }

  tokenBudget(token: string): TokenBudget {
    const { day, month } = this.#accounts.totals(token, this.#now());
    const lastUsedAt = this.#allowance.lastUsedAt(token);
    return {
      caps: this.#accounts.token(token).caps,
      spent: { day: day.spent, month: month.spent },
      ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    };
  }

  /**
   * Reads lines, oldest first.
   * @param after - the number of the last one that is known
   */
  entries({ after = 0, limit }: { after?: number; limit: number }): Entry[] {
    return this.#entries.page(after, limit);
  }

  /** The latest top-ups, newest first. */
  topUps(): Entry[] {
    return this.#entries.topUps();
  }

  /** The latest lines on what was asked, newest first. */
  entriesOf(subject: string): Entry[] {
    return this.#entries.ofSubject(subject);
  }

  /** Leases calls to an isolate, and takes what it has counted. */
  lease(token: string, { want, usages }: LeaseWish): Lease | { refused: 'unauthorised' } {
    this.note(usages);
    if (this.#accounts.token(token).revoked) return { refused: 'unauthorised' };
    const lease = this.#allowance.lease(token, want, this.#now());
    return { ...lease, remaining: this.#remaining([token]) };
  }

  /** Takes what an isolate has counted, booked to today. */
  note(usages: readonly Usage[]): void {
    if (usages.length === 0) return;
    const now = this.#now();
    this.#storage.transactionSync(() => {
      for (const usage of usages) {
        this.#usage.count(dayOf(now), usage, now);
        if (usage.saved > 0) this.#save(usage, now);
      }
    });
    this.#schedule.arm(now + SOONEST_MS);
  }

  #save(usage: Usage, now: number): void {
    const { token, operation, family, saved } = usage;
    this.#accounts.save(now, saved);
    this.#append({ kind: 'saved', token, operation, family, credits: 0, saved, calls: remembered(usage) });
  }

  /** Does what is due, and forgets what is old. */
  async alarm(): Promise<void> {
    await this.#schedule.run(this.#now());
    this.#forget();
  }

  #forget(): void {
    const day = dayOf(this.#now() - REMEMBERED_DAYS * DAY_MS);
    if (day === this.#forgottenBefore) return;
    this.#storage.transactionSync(() => {
      const kept = this.#holds.forgetBefore(day);
      this.#accounts.forgetBefore(day, kept);
      this.#usage.forgetBefore(day, kept);
    });
    this.#forgottenBefore = day;
  }
}
