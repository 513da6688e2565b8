// The Durable Object that holds a team's credits and allowance.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type Platform, systemPlatform } from '../platform.ts';
import { TeamLedger } from './ledger.ts';
import { Gathered } from './settlement-batcher.ts';
import type {
  Budget,
  BudgetChange,
  Entry,
  Lease,
  LeaseWish,
  RecordCounts,
  Reservation,
  Reserved,
  Settlement,
  TokenBudget,
  TokenChange,
  TopUp,
  Usage,
} from './types.ts';

/** A team's ledger, as others call it. See {@link TeamLedger} for what the calls do. */
export class Ledger extends DurableObject<Env> {
  readonly #books: TeamLedger;
  readonly #gathered: Gathered;

  constructor(ctx: DurableObjectState, env: Env, platform: Platform = systemPlatform) {
    super(ctx, env);
    this.#books = new TeamLedger(ctx.storage, ctx.id.name, {
      platform,
      db: env.DB,
      wake: (at) => void ctx.storage.setAlarm(at),
    });
    this.#gathered = new Gathered((settlements) => this.#books.settleMany(settlements), platform.after);
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
  ): Promise<Reserved> {
    return this.#ledger.reserveMany(reservations, waitMs, settlements);
  }

  /** Ends when they are booked: with what comes next, or after a while. */
  settleMany(settlements: Settlement[]): Promise<void> {
    return this.#gathered.add(settlements, this.#books.isAwaited);
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

  budget(token?: string): Budget {
    return this.#ledger.budget(token);
  }

  recordCounts(): RecordCounts {
    return this.#ledger.recordCounts();
  }

  tokenBudget(token: string): TokenBudget {
    return this.#ledger.tokenBudget(token);
  }

  entries(page: { after?: number; limit: number }): Entry[] {
    return this.#ledger.entries(page);
  }

  topUps(): Entry[] {
    return this.#ledger.topUps();
  }

  entriesOf(subject: string): Entry[] {
    return this.#ledger.entriesOf(subject);
  }

  lease(token: string, wish: LeaseWish): Lease | { refused: 'unauthorised' } {
    return this.#ledger.lease(token, wish);
  }

  note(usages: Usage[]): void {
    this.#ledger.note(usages);
  }

  override alarm(): Promise<void> {
    return this.#ledger.alarm();
  }
}

/** The ledger of a team. */
export function ledgerOf(env: Env, team: string): DurableObjectStub<Ledger> {
  return env.LEDGER.getByName(team);
}
