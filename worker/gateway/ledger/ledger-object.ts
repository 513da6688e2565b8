// The Durable Object of a team's ledger.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { ALARM_RETRY_MS, isInMaintenance } from '../../http/maintenance.ts';
import { getObject } from '../../lib/objects.ts';
import { type Platform, systemPlatform } from '../platform.ts';
import { absentLedger } from './absent-ledger.ts';
import { TeamLedger } from './ledger.ts';
import { hasTables } from './schema.ts';
import { SettlementBatcher } from './settlement-batcher.ts';
import type {
  ArchivedSum,
  Budget,
  BudgetChange,
  DisputedCharge,
  Entry,
  EntryPage,
  EntryPageQuery,
  LeaseRequest,
  LeaseResult,
  LedgerService,
  RecordCounts,
  Reservation,
  ReserveResult,
  Settlement,
  TokenBudget,
  TokenChange,
  TopUp,
  UnclearCall,
  Usage,
} from './types.ts';

/** The ledger as calls see it: opened or absent. */
type CallableLedger = typeof absentLedger;

/**
 * Exposes a {@link TeamLedger} over RPC. Settlements are batched; every other call applies them first.
 *
 * Only a budget, a top-up or settings of a token open a ledger: their callers have found the team in D1. To all other calls a
 * ledger that was not opened, or whose team was deleted, is absent; they write nothing.
 */
export class LedgerObject extends DurableObject<Env> implements LedgerService {
  readonly #platform: Platform;
  readonly #settlements: SettlementBatcher;
  #ledger: TeamLedger | undefined;

  constructor(ctx: DurableObjectState, env: Env, platform: Platform = systemPlatform) {
    super(ctx, env);
    this.#platform = platform;
    if (hasTables(ctx.storage)) this.#ledger = this.#create();
    this.#settlements = new SettlementBatcher(
      (settlements) => (this.#ledger ?? absentLedger).settleMany(settlements),
      platform.sleep,
    );
  }

  #create(): TeamLedger {
    const { ctx, env } = this;
    return new TeamLedger(ctx.storage, ctx.id.name, {
      platform: this.#platform,
      db: env.DB,
      bucket: env.ROWS,
      setAlarm: (at) => void ctx.storage.setAlarm(at),
    });
  }

  /** The ledger with all received settlements applied. */
  get #flushed(): CallableLedger {
    this.#settlements.flush();
    return this.#ledger ?? absentLedger;
  }

  /** The ledger with all received settlements applied. Opens it. */
  get #opened(): TeamLedger {
    this.#settlements.flush();
    this.#ledger ??= this.#create();
    return this.#ledger;
  }

  reserveMany(
    reservations: Reservation[],
    waitMs: number,
    settlements: Settlement[] = [],
  ): Promise<ReserveResult> {
    return this.#flushed.reserveMany(reservations, waitMs, settlements);
  }

  /** Resolves when the settlements are stored: with the next call, or after a short while. */
  settleMany(settlements: Settlement[]): Promise<void> {
    return this.#settlements.add(settlements, (this.#ledger ?? absentLedger).hasWaiters);
  }

  reconcile(references: string[], charged: boolean): number {
    return this.#flushed.reconcile(references, charged);
  }

  listUnclear(limit: number): UnclearCall[] {
    return this.#flushed.listUnclear(limit);
  }

  listDisputed(limit: number): DisputedCharge[] {
    return this.#flushed.listDisputed(limit);
  }

  settleDispute(reference: string, accepted: boolean): number {
    return this.#flushed.settleDispute(reference, accepted);
  }

  setBudget(change: BudgetChange): Budget {
    return this.#opened.setBudget(change);
  }

  setToken(token: string, change: TokenChange): TokenBudget {
    // An absent ledger grants nothing anyway.
    if (change.revoked === true && this.#ledger === undefined) return absentLedger.getTokenBudget(token);
    return this.#opened.setToken(token, change);
  }

  /** Applies one change to several tokens. */
  setTokens(tokens: readonly string[], change: TokenChange): void {
    for (const token of tokens) this.setToken(token, change);
  }

  topUp(topUp: TopUp): Budget {
    return this.#opened.topUp(topUp);
  }

  getBudget(token?: string): Budget {
    return this.#flushed.getBudget(token);
  }

  countRecords(): RecordCounts {
    return this.#flushed.countRecords();
  }

  getTokenBudget(token: string): TokenBudget {
    return this.#flushed.getTokenBudget(token);
  }

  getMonthSpending(accounts: readonly string[]): number[] {
    return this.#flushed.getMonthSpending(accounts);
  }

  listEntries(page: { after?: number; limit: number }): Promise<Entry[]> {
    return this.#flushed.listEntries(page);
  }

  readEntryPage(query: EntryPageQuery): EntryPage {
    return this.#flushed.readEntryPage(query);
  }

  listArchivedSums(): ArchivedSum[] {
    return this.#flushed.listArchivedSums();
  }

  recoverFromRestore(day: string): number {
    return this.#flushed.recoverFromRestore(day);
  }

  /** Revokes all tokens of the deleted team at once; deletes the storage as soon as nothing is open. */
  close(): void {
    this.#flushed.close();
  }

  listTopUps(): Entry[] {
    return this.#flushed.listTopUps();
  }

  listEntriesBySubject(subject: string): Entry[] {
    return this.#flushed.listEntriesBySubject(subject);
  }

  lease(token: string, request: LeaseRequest): LeaseResult {
    return this.#flushed.lease(token, request);
  }

  recordUsage(usages: Usage[]): void {
    this.#flushed.recordUsage(usages);
  }

  override async alarm(): Promise<void> {
    if (isInMaintenance(this.env)) {
      await this.ctx.storage.setAlarm(this.#platform.now() + ALARM_RETRY_MS);
      return;
    }
    this.#settlements.flush();
    const ledger = this.#ledger;
    await ledger?.alarm();
    this.#settlements.flush();
    if (ledger?.canDelete() === true) await this.#deleteStorage(ledger);
  }

  async #deleteStorage(ledger: TeamLedger): Promise<void> {
    // From here on the ledger is absent, so that nothing is written again.
    this.#ledger = undefined;
    try {
      await this.ctx.storage.deleteAlarm();
      await this.ctx.storage.deleteAll();
    } catch (error) {
      // The platform repeats the alarm.
      this.#ledger = ledger;
      throw error;
    }
  }
}

/** Returns the ledger of a team. */
export function getLedger(env: Env, team: string): ReturnType<Env['LEDGER']['get']> {
  return getObject(env, env.LEDGER, team);
}
