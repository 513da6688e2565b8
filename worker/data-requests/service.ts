// The desk where data requests are made, worked on and stopped. What is done is in D1; the steps are in steps.ts.

import type { RequestRow } from '../db/schema.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import type { Payer } from '../gateway/provider-call.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import { fetchCalls } from '../gateway/single-flight/client.ts';
import { logError } from '../http/log.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { DataRequestEvents } from './events.ts';
import { deleteRows } from './ingest/index.ts';
import { claimKeys, releaseKeys } from './order/key-claims.ts';
import { calculatePrice, hashOrder, type Order, type Pricing } from './order/order.ts';
import { priceChangedError } from './order/price-changed.ts';
import { CreditsReservedError, fitsWithoutReservations } from './order/reserved-credits.ts';
import {
  deleteSelection,
  indexMissingQueries,
  indexQueryText,
  isQueryKind,
  putSelection,
} from './order/selection-store.ts';
import { findFreshInFlights, getSplit, type KeySplit, putSplit, toRecordKey } from './order/split-keys.ts';
import { DataRequestRepository } from './repository.ts';
import {
  type DataRequestContext,
  DataRequestStateMachine,
  DONE,
  endedPhases,
  GRACE_MS,
  getRowStore,
  openPhases,
  ROW_RETENTION_MS,
  type StepResult,
} from './state-machine.ts';
import { DataRequestSteps } from './steps.ts';

/** A hold that others wait for ends within seconds. */
const RESERVE_WAIT_MS = 12_000;

/** Queries whose words one sweep notes. */
const QUERIES_PER_SWEEP = 50;

/** A cancelled request is announced to nobody. */
const cancellationEvents: DataRequestEvents = { onEnded: async () => {} };

/** Who makes a request, and how it is told apart. */
export interface CreateOptions {
  payer: Payer;
  /** Where the provider reaches the gateway. */
  origin: string;
  /** The same key makes one request. */
  idempotencyKey: string | null;
  /** The price that the caller was shown; absent where there was none. */
  maxCredits?: number | undefined;
}

/** The data requests of a deployment. */
export class DataRequestService {
  readonly #context: DataRequestContext;
  readonly #states: DataRequestStateMachine;
  readonly repository: DataRequestRepository;

  constructor(context: DataRequestContext) {
    this.#context = context;
    this.repository = new DataRequestRepository(context.env.DB);
    this.#states = new DataRequestStateMachine(this.repository, context.now);
  }

  /**
   * Makes a request: its credits are held, nothing is sent yet.
   * @param price - says what it may cost; asked only where the request is new
   * @returns it, or the one that was made with the same idempotency key
   * @throws ProblemError `price_changed` where it costs more than the caller was shown; `already_ordered` where other
   * requests have some of its records on order; where the credits may not be held,
   * {@link CreditsReservedError} where that is for a while; where the key belongs to another order
   */
  async create(order: Order, price: () => Promise<Pricing>, asker: CreateOptions): Promise<RequestRow> {
    const { env, now } = this.#context;
    const { payer, origin, idempotencyKey, maxCredits = Number.POSITIVE_INFINITY } = asker;
    const hash = await hashOrder(order);
    const known =
      idempotencyKey === null
        ? undefined
        : await this.repository.findByIdempotencyKey(payer.team, idempotencyKey);
    if (known !== undefined && known.phase !== 'reserving') return requireSameOrder(known, hash);
    const priced = await price();
    const { records, selection, split } = priced;
    const reserved = calculatePrice(order.operation, priced);
    if (reserved > maxCredits) throw priceChangedError(maxCredits, reserved);
    const { identity } = await this.#context.upstream();
    const id = crypto.randomUUID();
    const at = now();
    await putSelection(env, id, selection);
    if (split !== undefined) await putSplit(env, id, split);
    const { family, kind } = order.operation;
    const own = await this.repository.insert({
      id,
      teamId: payer.team,
      tokenId: payer.token,
      family,
      kind,
      idempotencyKey,
      orderHash: hash,
      columns: order.columns,
      origin,
      relayUrl: order.relayUrl,
      asked: records,
      reserved,
      phase: 'reserving',
      watched: true,
      providerId: null,
      hookHash: null,
      failure: null,
      rows: 0,
      charged: null,
      turns: 0,
      run: 0,
      relayTries: null,
      createdAt: at,
      updatedAt: at,
      endedAt: null,
      dueAt: at + GRACE_MS,
      clearedAt: null,
      cached: split?.cached.length ?? 0,
      cachedRows: null,
      identity,
      cacheCursor: null,
    });
    if (own.id !== id) await deleteSelection(env, id);
    else if (isQueryKind(kind)) await indexQueryText(env, id, selection);
    const row = requireSameOrder(own, hash);
    if (row.phase === 'reserving') {
      const ownSplit = row.id === id ? split : await getSplit(env, row.id);
      if (ownSplit !== undefined && row.reserved > 0) await this.#claim({ ...row, identity }, ownSplit);
      await this.#reserve(row);
    }
    return (await this.repository.get(row.id)) ?? row;
  }

  /**
   * Claims the keys that a request orders, before its credits are reserved.
   * @throws ProblemError `already_ordered`; the request is removed
   */
  async #claim(row: RequestRow & { identity: string }, split: KeySplit): Promise<void> {
    const { env, now } = this.#context;
    const { id, identity, family, teamId: team, tokenId: token } = row;
    const taken = await claimKeys(env.DB, row, split);
    // A request that ended between the split and the claim has cached some of these records meanwhile.
    const fresh =
      taken === undefined
        ? await findFreshInFlights(
            split.ordered.map((text) => toRecordKey(split.kind, family, text)),
            {
              identity,
              payer: { team, token },
              lane: 'bulk',
              now,
              fetchCalls: (ask) => fetchCalls(env, ask),
            },
          )
        : [];
    if (taken === undefined && fresh.length === 0) return;
    if (!(await this.#remove(id))) return;
    throw taken === undefined
      ? new ProblemError(
          'already_ordered',
          'Some of these records have just arrived with another order.',
          'Order again: they are free now.',
        )
      : new ProblemError(taken.code, taken.detail, taken.fix);
  }

  /**
   * Removes a request whose credits are not reserved, with everything that it asked for.
   * @returns false where it goes on: a call with the same idempotency key has reserved its credits
   */
  async #remove(id: string): Promise<boolean> {
    const isRemoved = await this.repository.deleteUnreserved(id);
    if (!isRemoved && (await this.repository.get(id)) !== undefined) return false;
    await deleteSelection(this.#context.env, id);
    return true;
  }

  async #reserve(row: RequestRow): Promise<void> {
    const { env } = this.#context;
    const { id, tokenId: token, family, reserved: credits } = row;
    // What is cached costs nothing, also where the budget is used up or spending is off.
    if (credits === 0) {
      await this.#states.transition(row, ['reserving'], { phase: 'reserved' });
      return;
    }
    const subject = await (await Pseudonyms.load(env.DB)).create(`bulk:${row.orderHash}`);
    const reservation = { id, token, operation: 'bulk' as const, family, subject, credits };
    const ledger = getLedger(env, row.teamId);
    const [outcome] = (await ledger.reserveMany([reservation], RESERVE_WAIT_MS)).outcomes;
    if (outcome === 'held') {
      if (await this.#states.transition(row, ['reserving'], { phase: 'reserved' })) return;
      if ((await this.repository.get(id)) !== undefined) return;
      await ledger.settleMany([{ id, charged: 0 }]);
      throw new ProblemError('internal');
    }
    await this.#remove(id);
    if (outcome === 'wait' || outcome === undefined) throw new CreditsReservedError(credits);
    if (outcome !== 'over_budget') throw new ProblemError(outcome);
    if (await fitsWithoutReservations(env, { team: row.teamId, token }, credits))
      throw new CreditsReservedError(credits);
    throw new ProblemError(
      outcome,
      `This needs ${credits} credits, and the budget has fewer left.`,
      'Ask for fewer records, or ask your admin to raise the budget.',
    );
  }

  /** Runs the next step of a request. Never throws: a step that fails is retried later. */
  async advance(id: string, events: DataRequestEvents): Promise<StepResult> {
    const row = await this.repository.get(id);
    if (row === undefined) return DONE;
    const { phase } = row;
    try {
      if (phase === 'reserving') return await this.#abandoned(row);
      return await new DataRequestSteps(this.#context, this.#states, events).run({ ...row, phase });
    } catch (error) {
      logError('data_request_step_failed', error, { data_request: id, phase });
      return this.#states.retryLater(row);
    }
  }

  /** Whoever was making it has gone before the ledger's answer was written down. */
  async #abandoned(row: RequestRow): Promise<StepResult> {
    const { env } = this.#context;
    const { id, teamId } = row;
    const wait = this.#states.remainingLease(row);
    if (wait !== undefined) return wait;
    await this.repository.deleteUnreserved(id);
    await getLedger(env, teamId).settleMany([{ id, charged: 0 }]);
    await deleteSelection(env, id);
    return DONE;
  }

  /**
   * Stops a request: before it was sent its credits are given back; afterwards nobody watches it any more, and the
   * provider charges all the same.
   * @returns whether its credits were given back
   */
  async cancel(row: RequestRow): Promise<boolean> {
    const at = this.#context.now();
    const released = await this.#states.transition(row, ['reserving', 'reserved'], {
      phase: 'cancelled',
      charged: 0,
      endedAt: at,
      watched: false,
      rows: 0,
    });
    if (released) {
      await this.advance(row.id, cancellationEvents);
      return true;
    }
    await this.repository.transition(row.id, openPhases, { watched: false, updatedAt: at });
    return false;
  }

  /** Has a caller told once more. */
  async retryRelay(row: RequestRow): Promise<void> {
    if (row.relayUrl !== null) await this.#states.transition(row, endedPhases, { relayTries: 0 });
  }

  /**
   * Forgets the rows of requests that were made so long ago that nobody may read them any more; notes the words of
   * queries of which they are not noted.
   */
  async deleteExpired(): Promise<void> {
    const { env, now } = this.#context;
    await indexMissingQueries(env, QUERIES_PER_SWEEP);
    const old = await this.repository.listExpired(now() - ROW_RETENTION_MS);
    for (const { id } of old) {
      await deleteRows(getRowStore(env), id);
      await deleteSelection(env, id);
      await releaseKeys(env.DB, id);
    }
    await this.repository.markCleared(
      now(),
      old.map(({ id }) => id),
    );
  }
}

function requireSameOrder(row: RequestRow, hash: string): RequestRow {
  if (row.orderHash === hash) return row;
  throw new ProblemError(
    'invalid_request',
    'Idempotency-Key: another request was made with it.',
    'Send a new key with a new request.',
  );
}
