// The Durable Object that holds a team's credits and allowance.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type Platform, systemPlatform } from '../platform.ts';
import { TeamLedger } from './ledger.ts';
import { SettlementBatcher } from './settlement-batcher.ts';
import type {
  Budget,
  BudgetChange,
  Entry,
  Lease,
  LeaseRequest,
  RecordCounts,
  Reservation,
  ReserveResult,
  Settlement,
  TokenBudget,
  TokenChange,
  TopUp,
  Usage,
} from './types.ts';

/** A team's ledger, as others call it. See {@link TeamLedger} for what the calls do. */
export class LedgerObject extends DurableObject<Env> {
  readonly #books: TeamLedger;
  readonly #gathered: SettlementBatcher;

  constructor(ctx: DurableObjectState, env: Env, platform: Platform = systemPlatform) {
    super(ctx, env);
    this.#books = new TeamLedger(ctx.storage, ctx.id.name, {
      platform,
      db: env.DB,
      setAlarm: (at) => void ctx.storage.setAlarm(at),
    });
    this.#gathered = new SettlementBatcher(
      (settlements) => this.#books.settleMany(settlements),
      platform.after,
    );
  }

  /** With all that it was told: nobody sees what is not booked yet. */
  get #ledger(): TeamLedger {
    this.#gathered.book();
    return this.#books;
  }

  reserveMany(
    reservations: Reservation[],
    waitMs: number,
    settlements: Settlement[] = [],
  ): Promise<ReserveResult> {
    return this.#ledger.reserveMany(reservations, waitMs, settlements);
  }

  /** Ends when they are booked: with what comes next, or after a while. */
  settleMany(settlements: Settlement[]): Promise<void> {
    return this.#gathered.add(settlements, this.#books.hasWaiters);
  }

  reconcile(references: string[], charged: boolean): number {
    return this.#ledger.reconcile(references, charged);
  }

  setBudget(change: BudgetChange): Budget {
    return this.#ledger.setBudget(change);
  }

  setToken(token: string, change: TokenChange): TokenBudget {
    return this.#ledger.setToken(token, change);
  }

  topUp(topUp: TopUp): Budget {
    return this.#ledger.topUp(topUp);
  }

  getBudget(token?: string): Budget {
    return this.#ledger.getBudget(token);
  }

  countRecords(): RecordCounts {
    return this.#ledger.countRecords();
  }

  getTokenBudget(token: string): TokenBudget {
    return this.#ledger.getTokenBudget(token);
  }

  listEntries(page: { after?: number; limit: number }): Entry[] {
    return this.#ledger.listEntries(page);
  }

  listTopUps(): Entry[] {
    return this.#ledger.listTopUps();
  }

  listEntriesBySubject(subject: string): Entry[] {
    return this.#ledger.listEntriesBySubject(subject);
  }

  lease(token: string, wish: LeaseRequest): Lease | { refused: 'unauthorised' } {
    return this.#ledger.lease(token, wish);
  }

  recordUsage(usages: Usage[]): void {
    this.#ledger.recordUsage(usages);
  }

  override alarm(): Promise<void> {
    return this.#ledger.alarm();
  }
}

/** The ledger of a team. */
export function getLedger(env: Env, team: string): DurableObjectStub<LedgerObject> {
  return env.LEDGER.getByName(team);
}
