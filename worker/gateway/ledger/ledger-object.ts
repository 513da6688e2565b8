// The Durable Object of a team's ledger.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type Platform, systemPlatform } from '../platform.ts';
import { TeamLedger } from './ledger.ts';
import { SettlementBatcher } from './settlement-batcher.ts';
import type {
  Budget,
  BudgetChange,
  Entry,
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
  Usage,
} from './types.ts';

/** Exposes a {@link TeamLedger} over RPC. Settlements are batched; every other call applies them first. */
export class LedgerObject extends DurableObject<Env> implements LedgerService {
  readonly #ledger: TeamLedger;
  readonly #settlements: SettlementBatcher;

  constructor(ctx: DurableObjectState, env: Env, platform: Platform = systemPlatform) {
    super(ctx, env);
    this.#ledger = new TeamLedger(ctx.storage, ctx.id.name, {
      platform,
      db: env.DB,
      setAlarm: (at) => void ctx.storage.setAlarm(at),
    });
    this.#settlements = new SettlementBatcher(
      (settlements) => this.#ledger.settleMany(settlements),
      platform.sleep,
    );
  }

  /** The ledger with all received settlements applied. */
  get #flushed(): TeamLedger {
    this.#settlements.flush();
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
    return this.#settlements.add(settlements, this.#ledger.hasWaiters);
  }

  reconcile(references: string[], charged: boolean): number {
    return this.#flushed.reconcile(references, charged);
  }

  setBudget(change: BudgetChange): Budget {
    return this.#flushed.setBudget(change);
  }

  setToken(token: string, change: TokenChange): TokenBudget {
    return this.#flushed.setToken(token, change);
  }

  topUp(topUp: TopUp): Budget {
    return this.#flushed.topUp(topUp);
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

  listEntries(page: { after?: number; limit: number }): Entry[] {
    return this.#flushed.listEntries(page);
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

  override alarm(): Promise<void> {
    return this.#flushed.alarm();
  }
}

/** Returns the ledger of a team. */
export function getLedger(env: Env, team: string): ReturnType<Env['LEDGER']['get']> {
  return env.LEDGER.getByName(team);
}
