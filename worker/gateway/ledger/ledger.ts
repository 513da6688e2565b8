// A team's ledger: reserves the price of a call before it is sent, books its actual cost, and leases calls to isolates.
import type { Platform } from '../platform.ts';
import { Accounts } from './accounts.ts';
import { AlarmScheduler } from './alarm-scheduler.ts';
import { type ArchiveBucket, LedgerArchive } from './archive.ts';
import { BudgetReader } from './budget-reader.ts';
import { Deletion } from './deletion.ts';
import { Entries } from './entries.ts';
import { EntryReader } from './entry-reader.ts';
import { LeaseStore } from './lease-store.ts';
import { DAY_MS, toDay } from './periods.ts';
import { RESERVATION_TTL_MS, Reservations } from './reservations.ts';
import { Savings } from './savings.ts';
import { type LedgerStorage, openTables } from './schema.ts';
import type {
  ArchivedSum,
  Budget,
  BudgetChange,
  DisputedCharge,
  Entry,
  EntryPage,
  EntryPageQuery,
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
  UnclearCall,
  Usage,
} from './types.ts';
import { ROLL_UP_MS, UsageCounters } from './usage-counters.ts';
import { isDecided, WaitingReservations } from './waiting-reservations.ts';

/** Ended reservations and daily totals are deleted after this time. */
const RETENTION_DAYS = 35;

/** No task of a change is due earlier than this, except savings, which may come this much later. */
const MIN_TASK_DELAY_MS = Math.min(RESERVATION_TTL_MS, ROLL_UP_MS);

/** Dependencies of the ledger. */
export interface LedgerOptions {
  platform: Pick<Platform, 'now' | 'sleep'>;
  /** Where usage is rolled up to. */
  db: D1Database;
  /** Where old entries are archived. */
  bucket: ArchiveBucket;
  /** Schedules a call of {@link TeamLedger.alarm} in milliseconds since 1970 and replaces the previous alarm. */
  setAlarm: (at: number) => void;
}

/** The ledger of one team. Decisions are synchronous, so concurrent callers can't overtake each other. */
export class TeamLedger {
  readonly #storage: LedgerStorage;
  readonly #now: () => number;
  readonly #accounts: Accounts;
  readonly #entries: Entries;
  readonly #entryReader: EntryReader;
  readonly #savings: Savings;
  readonly #archive: LedgerArchive;
  readonly #usage: UsageCounters;
  readonly #reservations: Reservations;
  readonly #leases: LeaseStore;
  readonly #budgets: BudgetReader;
  readonly #waiting: WaitingReservations;
  readonly #deletion: Deletion;
  readonly #alarms: AlarmScheduler;
  /** Everything before this day has already been deleted. */
  #deletedBefore = '';

  /**
   * @param team - id of the team. The platform may leave it out, but not on the first start of the object
   */
  constructor(
    storage: LedgerStorage,
    team: string | undefined,
    { platform, db, bucket, setAlarm }: LedgerOptions,
  ) {
    openTables(storage, team);
    const { sql } = storage;
    this.#storage = storage;
    this.#now = platform.now;
    this.#accounts = new Accounts(sql);
    this.#entries = new Entries(sql);
    this.#entryReader = new EntryReader(sql, this.#entries);
    this.#savings = new Savings(sql, this.#entries);
    this.#archive = new LedgerArchive(storage, this.#entries, bucket, platform.now);
    this.#usage = new UsageCounters(sql, { db, now: platform.now });
    this.#reservations = new Reservations(sql, {
      accounts: this.#accounts,
      entries: this.#entries,
      usage: this.#usage,
    });
    this.#leases = new LeaseStore(sql, this.#accounts);
    this.#budgets = new BudgetReader(this.#accounts, this.#reservations, this.#leases);
    this.#waiting = new WaitingReservations((reservations) => this.#reserve(reservations), platform.sleep);
    this.#deletion = new Deletion(platform.now, {
      accounts: this.#accounts,
      archive: this.#archive,
      reservations: this.#reservations,
      usage: this.#usage,
    });
    this.#alarms = new AlarmScheduler(
      [
        { dueAt: () => this.#reservations.getNextExpiry(), run: () => this.#expire() },
        { dueAt: () => this.#usage.dueAt(), run: () => this.#usage.rollUp(this.#accounts.getTeam().id) },
        { dueAt: () => this.#savings.dueAt(), run: () => this.#appendSavings() },
        { dueAt: () => this.#archive.dueAt(), run: () => this.#archive.run() },
        { dueAt: () => this.#deletion.dueAt(), run: () => this.#deletion.run() },
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
    return { outcomes, remaining: this.#getRemaining(reservations.map(({ token }) => token)) };
  }

  #reserve(reservations: readonly Reservation[]): ReserveOutcome[] {
    const now = this.#now();
    const outcomes = this.#storage.transactionSync(() =>
      reservations.map((reservation) => this.#reservations.reserve(reservation, now)),
    );
    if (outcomes.includes('held')) this.#alarms.arm(now + RESERVATION_TTL_MS);
    return outcomes;
  }

  #getRemaining(tokens: readonly string[]): number | null {
    return this.#budgets.getRemaining(tokens, this.#now());
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

  listUnclear(limit: number): UnclearCall[] {
    return this.#reservations.listUnclear(limit);
  }

  /** Lists disputed credits, the oldest first. */
  listDisputed(limit: number): DisputedCharge[] {
    return this.#reservations.listDisputed(limit);
  }

  /** Decides about disputed credits; see {@link Reservations.settleDispute}. */
  settleDispute(reference: string, accepted: boolean): number {
    return this.#update(() => this.#reservations.settleDispute(reference, accepted, this.#now()));
  }

  /**
   * Adapts to a database that was restored to an earlier time. Releases the reservations of data requests that the database
   * does not know: they were never sent, and all others have been marked unclear before. Copies usage to the database again.
   * @param day - the first day whose usage the database lacks
   * @returns the number of released reservations
   */
  recoverFromRestore(day: string): number {
    return this.#update(() => {
      const now = this.#now();
      const open = this.#reservations.listOpenDataRequests();
      for (const id of open) this.#reservations.settle({ id, charged: 0 }, now);
      this.#usage.markChanged(day);
      return open.length;
    });
  }

  /** Revokes all tokens of the deleted team. {@link TeamLedger.canDelete} tells when the storage can be deleted. Idempotent. */
  close(): void {
    this.#update(() => this.#accounts.close(this.#now()));
    this.#alarms.arm();
  }

  /** Tells whether the team was deleted and nothing in the storage is needed any more. */
  canDelete(): boolean {
    return this.#deletion.canDelete();
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
    return this.#budgets.getBudget(token, this.#now());
  }

  /** Counts the answered records. Counts of the last seconds may still be in isolates. */
  countRecords(): RecordCounts {
    return this.#usage.countRecords(toDay(this.#now()));
  }

  getTokenBudget(token: string): TokenBudget {
    return this.#budgets.getTokenBudget(token, this.#now());
  }

  /** Returns the credits that accounts have spent and reserved this month. */
  getMonthSpending(accounts: readonly string[]): number[] {
    return this.#accounts.getMonthSpending(accounts, this.#now());
  }

  /**
   * Lists entries, oldest first, also archived ones. Savings become entries at the end of their hour.
   * @param after - number of the last known entry
   */
  listEntries({ after = 0, limit }: { after?: number; limit: number }): Promise<Entry[]> {
    return this.#archive.list(after, limit);
  }

  /** Reads a page of entries for people; see {@link EntryReader.readPage}. */
  readEntryPage(query: EntryPageQuery): EntryPage {
    return this.#entryReader.readPage(query);
  }

  /** Lists the sums of archived entries, by month. */
  listArchivedSums(): ArchivedSum[] {
    return this.#archive.listSums();
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
  lease(token: string, request: LeaseRequest): Lease | { refused: 'unauthorised' } {
    this.recordUsage(request.usages);
    if (this.#accounts.isRevoked(token)) return { refused: 'unauthorised' };
    const lease = this.#leases.lease(token, request, this.#now());
    return { ...lease, remaining: this.#getRemaining([token]) };
  }

  /** Records the usage that an isolate has collected, booked to today and the present hour. */
  recordUsage(usages: readonly Usage[]): void {
    if (usages.length === 0) return;
    const now = this.#now();
    this.#storage.transactionSync(() => {
      const counted = usages.filter(
        ({ reference, ...usage }) => reference === undefined || this.#appendSaved({ ...usage, reference }),
      );
      this.#usage.addCalls(counted, now);
      for (const usage of counted) {
        if (usage.saved === 0) continue;
        this.#accounts.addSaved(now, usage.saved);
        if (usage.reference === undefined) this.#savings.add(usage, now);
      }
    });
    this.#alarms.arm(now + MIN_TASK_DELAY_MS);
  }

  /** @returns false if the reference is known */
  #appendSaved({ token, operation, family, saved, reference }: Usage & { reference: string }): boolean {
    return this.#append({ kind: 'saved', token, operation, family, reference, credits: 0, saved, calls: 1 });
  }

  #appendSavings(): void {
    this.#storage.transactionSync(() => this.#savings.appendEntries(this.#now()));
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
