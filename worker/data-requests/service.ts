// The desk where data requests are made, worked on and stopped. What is done is in D1; the steps are in steps.ts.

import type { RequestRow } from '../db/schema.ts';
import type { Payer } from '../gateway/call.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import { askFlights } from '../gateway/single-flight/client.ts';
import { logError } from '../http/log.ts';
import { ProblemError } from '../http/problem-error.ts';
import { deleteRows } from './ingest/index.ts';
import { claimKeys, releaseKeys } from './order/key-claims.ts';
import { type Order, orderHash, type Priced, priceOfOrder } from './order/order.ts';
import { priceChanged } from './order/price-changed.ts';
import { fitsBesideSettled, HeldByOthers } from './order/reserved-credits.ts';
import { forgetAsked, keepAsked, noteUnnoted, noteWords, staysAsked } from './order/selection-store.ts';
import { cacheKey, freshInFlights, keepSplit, readSplit, type Split } from './order/split-keys.ts';
import { RequestStore } from './repository.ts';
import {
  endPhases,
  GRACE_MS,
  KEPT_MS,
  type Next,
  OVER,
  openPhases,
  RequestBook,
  type RequestRooms,
  rowStore,
} from './state-machine.ts';
import { RequestSteps } from './steps.ts';

/** A hold that others wait for ends within seconds. */
const RESERVE_WAIT_MS = 12_000;

/** Queries whose words one sweep notes. */
const UNNOTED = 50;

/** Who makes a request, and how it is told apart. */
export interface Asker {
  payer: Payer;
  /** Where the provider reaches the gateway. */
  origin: string;
  /** The same key makes one request. */
  idempotencyKey: string | null;
  /** The price that the caller was shown; absent where there was none. */
  maxCredits?: number | undefined;
}

/** The data requests of a deployment. */
export class RequestDesk {
  readonly #context: RequestRooms;
  readonly #book: RequestBook;
  readonly #steps: RequestSteps;
  readonly store: RequestStore;

  constructor(context: RequestRooms) {
    this.#context = context;
    this.store = new RequestStore(context.env.DB);
    this.#book = new RequestBook(this.store, context.now);
    this.#steps = new RequestSteps(context, this.#book);
  }

  /**
   * Makes a request: its credits are held, nothing is sent yet.
   * @param price - says what it may cost; asked only where the request is new
   * @returns it, or the one that was made with the same idempotency key
   * @throws ProblemError `price_changed` where it costs more than the caller was shown; `already_ordered` where other
   * requests have some of its records on order; where the credits may not be held,
   * {@link HeldByOthers} where that is for a while; where the key belongs to another order
   */
  async create(order: Order, price: () => Promise<Priced>, asker: Asker): Promise<RequestRow> {
    const { env, now } = this.#context;
    const { payer, origin, idempotencyKey, maxCredits = Number.POSITIVE_INFINITY } = asker;
    const hash = await orderHash(order);
    const known = idempotencyKey === null ? undefined : await this.store.byKey(payer.team, idempotencyKey);
    if (known !== undefined && known.phase !== 'reserving') return sameOrder(known, hash);
    const priced = await price();
    const { records, selection, split } = priced;
    const reserved = priceOfOrder(order.operation, priced);
    if (reserved > maxCredits) throw priceChanged(maxCredits, reserved);
    const { identity } = await this.#context.upstream();
    const id = crypto.randomUUID();
    const at = now();
    await keepAsked(env, id, selection);
    if (split !== undefined) await keepSplit(env, id, split);
    const { family, kind } = order.operation;
    const own = await this.store.add({
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
    if (own.id !== id) await forgetAsked(env, id);
    else if (staysAsked(kind)) await noteWords(env, id, selection);
    const row = sameOrder(own, hash);
    if (row.phase === 'reserving') {
      const ownSplit = row.id === id ? split : await readSplit(env, row.id);
      if (ownSplit !== undefined && row.reserved > 0) await this.#claim({ ...row, identity }, ownSplit);
      await this.#reserve(row);
    }
    return (await this.store.get(row.id)) ?? row;
  }

  /**
   * Claims the keys that a request orders, before its credits are reserved.
   * @throws ProblemError `already_ordered`; the request is removed
   */
  async #claim(row: RequestRow & { identity: string }, split: Split): Promise<void> {
    const { env, now } = this.#context;
    const { id, identity, family, teamId: team, tokenId: token } = row;
    const taken = await claimKeys(env.DB, row, split);
    // A request that ended between the split and the claim has cached some of these records meanwhile.
    const fresh =
      taken === undefined
        ? await freshInFlights(
            split.ordered.map((text) => cacheKey(split.kind, family, text)),
            { identity, payer: { team, token }, lane: 'bulk', now, ask: (ask) => askFlights(env, ask) },
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
    const isRemoved = await this.store.remove(id);
    if (!isRemoved && (await this.store.get(id)) !== undefined) return false;
    await forgetAsked(this.#context.env, id);
    return true;
  }

  async #reserve(row: RequestRow): Promise<void> {
    const { env } = this.#context;
    const { id, tokenId: token, family, reserved: credits } = row;
    // What is cached costs nothing, also where the budget is used up or spending is off.
    if (credits === 0) {
      await this.#book.move(row, ['reserving'], { phase: 'reserved' });
      return;
    }
    const subject = await (await Pseudonyms.load(env.DB)).create(`bulk:${row.orderHash}`);
    const reservation = { id, token, operation: 'bulk' as const, family, subject, credits };
    const ledger = getLedger(env, row.teamId);
    const [outcome] = (await ledger.reserveMany([reservation], RESERVE_WAIT_MS)).outcomes;
    if (outcome === 'held') {
      if (await this.#book.move(row, ['reserving'], { phase: 'reserved' })) return;
      if ((await this.store.get(id)) !== undefined) return;
      await ledger.settleMany([{ id, charged: 0 }]);
      throw new ProblemError('internal');
    }
    await this.#remove(id);
    if (outcome === 'wait' || outcome === undefined) throw new HeldByOthers(credits);
    if (outcome !== 'over_budget') throw new ProblemError(outcome);
    if (await fitsBesideSettled(env, { team: row.teamId, token }, credits)) throw new HeldByOthers(credits);
    throw new ProblemError(
      outcome,
      `This needs ${credits} credits, and the budget has fewer left.`,
      'Ask for fewer records, or ask your admin to raise the budget.',
    );
  }

  /** Does the next thing for a request. Never throws: what fails is tried again later. */
  async advance(id: string): Promise<Next> {
    const row = await this.store.get(id);
    if (row === undefined) return OVER;
    const { phase } = row;
    try {
      return phase === 'reserving' ? await this.#abandoned(row) : await this.#steps.take({ ...row, phase });
    } catch (error) {
      logError('request_step_failed', error, { data_request: id, phase });
      return this.#book.later(row);
    }
  }

  /** Whoever was making it has gone before the ledger's answer was written down. */
  async #abandoned(row: RequestRow): Promise<Next> {
    const { env } = this.#context;
    const { id, teamId } = row;
    const wait = this.#book.othersTurn(row);
    if (wait !== undefined) return wait;
    await this.store.remove(id);
    await getLedger(env, teamId).settleMany([{ id, charged: 0 }]);
    await forgetAsked(env, id);
    return OVER;
  }

  /**
   * Stops a request: before it was sent its credits are given back; afterwards nobody watches it any more, and the
   * provider charges all the same.
   * @returns whether its credits were given back
   */
  async stop(row: RequestRow): Promise<boolean> {
    const at = this.#context.now();
    const released = await this.#book.move(row, ['reserving', 'reserved'], {
      phase: 'cancelled',
      charged: 0,
      endedAt: at,
      watched: false,
      rows: 0,
    });
    if (released) {
      await this.advance(row.id);
      return true;
    }
    await this.store.move(row.id, openPhases, { watched: false, updatedAt: at });
    return false;
  }

  /** Has a caller told once more. */
  async relayAgain(row: RequestRow): Promise<void> {
    if (row.relayUrl !== null) await this.#book.move(row, endPhases, { relayTries: 0 });
  }

  /**
   * Forgets the rows of requests that were made so long ago that nobody may read them any more; notes the words of
   * queries of which they are not noted.
   */
  async clear(): Promise<void> {
    const { env, now } = this.#context;
    await noteUnnoted(env, UNNOTED);
    const old = await this.store.old(now() - KEPT_MS);
    for (const { id } of old) {
      await deleteRows(rowStore(env), id);
      await forgetAsked(env, id);
      await releaseKeys(env.DB, id);
    }
    await this.store.forget(
      now(),
      old.map(({ id }) => id),
    );
  }
}

function sameOrder(row: RequestRow, hash: string): RequestRow {
  if (row.orderHash === hash) return row;
  throw new ProblemError(
    'invalid_request',
    'Idempotency-Key: another request was made with it.',
    'Send a new key with a new request.',
  );
}
