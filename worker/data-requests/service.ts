// Creates, advances and cancels data requests. Their state is in D1; steps.ts implements the steps.
import { drizzle } from 'drizzle-orm/d1';
import { maxStoredRecords, maxStoredRequests } from '../../shared/api/data-requests.ts';
import { formatNumber } from '../../shared/lib/format-count.ts';
import type { RequestRow } from '../db/schema.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import type { Payer } from '../gateway/provider-call.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import { fetchCalls } from '../gateway/single-flight/client.ts';
import { logError } from '../http/log.ts';
import { ProblemError, priceChangedError } from '../http/problem-error.ts';
import { encryptStored } from '../http/secrets.ts';
import { deleteJobs, enqueue, planJobNow } from '../queue/jobs.ts';
import { CACHED_PER_STEP } from './ingest/cached-rows.ts';
import { deleteRows } from './ingest/index.ts';
import { claimKeys, releaseKeys } from './order/key-claims.ts';
import { calculatePrice, hashOrder, type Order, type Pricing } from './order/order.ts';
import { CreditsReservedError, fitsWithoutReservations } from './order/reserved-credits.ts';
import {
  deleteSelection,
  indexMissingQueries,
  indexQueryText,
  isQueryKind,
  putSelection,
} from './order/selection-store.ts';
import { findFreshAnswers, getSplit, type KeySplit, putSplit, toRecordKey } from './order/split-keys.ts';
import { DataRequestRepository, unstartedWork } from './repository.ts';
import {
  type DataRequestContext,
  type DataRequestEvents,
  DONE,
  endedPhases,
  GRACE_MS,
  getRowStore,
  openPhases,
  ROW_RETENTION_MS,
  retryLater,
  type StepContext,
  type StepResult,
  type StoredContext,
  transition,
} from './state-machine.ts';
import { runStep } from './steps.ts';
import { getWebhookUrlPlace } from './webhook-secrets.ts';

/** Reservations of other calls are settled within seconds. */
const RESERVE_WAIT_MS = 12_000;

const QUERIES_PER_CALL = 50;

/** A cancelled data request notifies no listener. */
const cancellationEvents: DataRequestEvents = { onEnded: async () => {} };

/** Options of a new data request. */
export interface CreateOptions {
  payer: Payer;
  /** Public origin of the gateway, for the provider's webhook. */
  origin: string;
  /** Repeated calls with one key create one data request. */
  idempotencyKey: string | null;
  /** The price that the caller has confirmed; absent if there was none. */
  maxCredits?: number | undefined;
}

export class DataRequestService {
  readonly #context: StoredContext;
  readonly repository: DataRequestRepository;

  constructor(context: DataRequestContext) {
    this.repository = new DataRequestRepository(context.env.DB);
    this.#context = { ...context, repository: this.repository };
  }

  /**
   * Creates a data request and reserves its credits. Nothing is sent yet.
   * @param price - calculates the price; called only if the data request is new
   * @returns the data request; with a known idempotency key, the existing one
   * @throws ProblemError `too_many`; `price_changed` if it costs more than `maxCredits`; `already_ordered` if other data requests have
   * ordered some of its records; `over_budget` if the budget is used up, as {@link CreditsReservedError} if it is only
   * reserved; `invalid_request` if the idempotency key belongs to another order
   */
  async create(order: Order, price: () => Promise<Pricing>, options: CreateOptions): Promise<RequestRow> {
    const { env, now } = this.#context;
    const { payer, origin, idempotencyKey, maxCredits = Number.POSITIVE_INFINITY } = options;
    const hash = await hashOrder(await Pseudonyms.load(env), order);
    const existing =
      idempotencyKey === null
        ? undefined
        : await this.repository.findByIdempotencyKey(payer.team, idempotencyKey);
    if (existing !== undefined && existing.phase !== 'reserving') return requireSameOrder(existing, hash);
    const pricing = await price();
    const { records, selection, split } = pricing;
    await this.#requireSpace(payer.team, records);
    const reserved = calculatePrice(order.operation, pricing);
    if (reserved > maxCredits) throw priceChangedError(maxCredits, reserved);
    const { identity } = await this.#context.upstream();
    const id = crypto.randomUUID();
    const at = now();
    const place = getWebhookUrlPlace({ id, teamId: payer.team });
    const webhookUrl = order.webhookUrl && (await encryptStored(env, order.webhookUrl, place));
    await putSelection(env, id, selection);
    if (split !== undefined) await putSplit(env, id, split);
    const { family, kind } = order.operation;
    const created: RequestRow = {
      id,
      teamId: payer.team,
      tokenId: payer.token,
      family,
      kind,
      idempotencyKey,
      orderHash: hash,
      columns: order.columns,
      origin,
      webhookUrl,
      requested: records,
      reserved,
      ...unstartedWork,
      phase: 'reserving',
      providerId: null,
      createdAt: at,
      updatedAt: at,
      cached: split?.cached.length ?? 0,
      identity,
    };
    const stored = await this.repository.insert(created, at + GRACE_MS);
    if (stored.id !== id) await deleteSelection(env, id);
    else if (isQueryKind(kind)) await indexQueryText(env, id, selection);
    const row = requireSameOrder(stored, hash);
    if (row.phase === 'reserving') {
      const storedSplit = row.id === id ? split : await getSplit(env, row.id);
      if (storedSplit !== undefined && row.reserved > 0) await this.#claim({ ...row, identity }, storedSplit);
      await this.#reserve(row, payer);
    }
    return (await this.repository.get(row.id)) ?? row;
  }

  /** @throws ProblemError `too_many` if the team has stored too many rows */
  async #requireSpace(team: string, records: number): Promise<void> {
    const stored = await this.repository.countSince(team, this.#context.now() - ROW_RETENTION_MS);
    if (stored.requests < maxStoredRequests && stored.records + records <= maxStoredRecords) return;
    throw new ProblemError(
      'too_many',
      `In 30 days your team has made ${formatNumber(stored.requests)} orders of ${formatNumber(stored.records)} records.`,
      'Order again when the rows of earlier orders are deleted.',
    );
  }

  /**
   * Claims the keys that a data request orders, before its credits are reserved.
   * @throws ProblemError `already_ordered`; the data request is deleted
   */
  async #claim(row: RequestRow & { identity: string }, split: KeySplit): Promise<void> {
    const { env, now } = this.#context;
    const { id, identity, family, teamId: team, tokenId: token } = row;
    const conflict = await claimKeys(env, row, split);
    // A data request that ended between the split and the claim may have cached some of these records.
    const fresh =
      conflict === undefined
        ? await findFreshAnswers(
            split.ordered.map((text) => toRecordKey(split.kind, family, text)),
            {
              identity,
              payer: { team, token },
              lane: 'bulk',
              now,
              fetchCalls: (request) => fetchCalls(env, request),
            },
          )
        : [];
    if (conflict === undefined && fresh.length === 0) return;
    if (!(await this.#deleteUnreserved(id))) return;
    throw conflict === undefined
      ? new ProblemError(
          'already_ordered',
          'Some of these records have just arrived with another order.',
          'Order again: they are free now.',
        )
      : new ProblemError(conflict.code, conflict.detail, conflict.fix);
  }

  /**
   * Deletes a data request whose credits are not reserved, with its selection.
   * @returns false if it continues, because a call with the same idempotency key has reserved its credits
   */
  async #deleteUnreserved(id: string): Promise<boolean> {
    const isDeleted = await this.repository.deleteUnreserved(id);
    if (!isDeleted && (await this.repository.get(id)) !== undefined) return false;
    await deleteSelection(this.#context.env, id);
    return true;
  }

  async #reserve(row: RequestRow, { budget }: Payer): Promise<void> {
    const { env } = this.#context;
    const { id, tokenId: token, family, reserved: credits } = row;
    // Cached records are free even if the budget is used up or spending is off.
    if (credits === 0) {
      await this.#start(row);
      return;
    }
    const subject = await (await Pseudonyms.load(env)).create(`bulk:${row.orderHash}`);
    const reservation = { id, token, operation: 'bulk' as const, family, subject, credits, budget };
    const ledger = getLedger(env, row.teamId);
    const [outcome] = (await ledger.reserveMany([reservation], RESERVE_WAIT_MS)).outcomes;
    if (outcome === 'reserved') {
      if (await this.#start(row)) return;
      if ((await this.repository.get(id)) !== undefined) return;
      await ledger.settleMany([{ id, charged: 0 }]);
      throw new ProblemError('internal');
    }
    await this.#deleteUnreserved(id);
    if (outcome === 'wait' || outcome === undefined) throw new CreditsReservedError(credits);
    if (outcome !== 'over_budget') throw new ProblemError(outcome);
    if (await fitsWithoutReservations(env, { team: row.teamId, token, budget }, credits))
      throw new CreditsReservedError(credits);
    throw new ProblemError(
      outcome,
      `This needs ${credits} credits, and the budget has fewer left.`,
      'Ask for fewer records, or ask your admin to raise the budget.',
    );
  }

  /** Makes a data request due whose credits are reserved. @returns false if it is not waiting for them */
  async #start(row: RequestRow): Promise<boolean> {
    const { env, now } = this.#context;
    const isStarted = await transition(this.#context, row, ['reserving'], { phase: 'reserved' });
    if (isStarted) await planJobNow(env.DB, { kind: 'data_request', id: row.id }, now());
    return isStarted;
  }

  /**
   * Runs the next step of a data request. Never throws: a failed step is retried later.
   * @param extendLease - extends the lease of its job; default: no other process can run it
   */
  async advance(
    id: string,
    events: DataRequestEvents,
    extendLease: StepContext['extendLease'] = async () => true,
  ): Promise<StepResult> {
    const row = await this.repository.get(id);
    if (row === undefined) return DONE;
    const { phase } = row;
    try {
      if (phase === 'reserving') return await this.#deleteAbandoned(row);
      const context = { cachedPerStep: CACHED_PER_STEP, ...this.#context, events, extendLease };
      return await runStep(context, { ...row, phase });
    } catch (error) {
      logError('data_request_step_failed', error, { data_request: id, phase });
      return retryLater(this.#context, row);
    }
  }

  /** Deletes a data request whose creation was interrupted before the reservation was recorded. */
  async #deleteAbandoned(row: RequestRow): Promise<StepResult> {
    const { env } = this.#context;
    const { id, teamId } = row;
    await this.repository.deleteUnreserved(id);
    await getLedger(env, teamId).settleMany([{ id, charged: 0 }]);
    await deleteSelection(env, id);
    return DONE;
  }

  /**
   * Cancels a data request. Before it is sent, its credits are released. Afterwards the provider charges it anyway, and only
   * its notifications stop.
   * @returns whether its credits were released
   */
  async cancel(row: RequestRow): Promise<boolean> {
    const at = this.#context.now();
    const released = await transition(this.#context, row, ['reserving', 'reserved'], {
      phase: 'cancelled',
      charged: 0,
      endedAt: at,
      cancelRequested: true,
      rows: 0,
    });
    if (released) {
      const { over } = await this.advance(row.id, cancellationEvents);
      if (over) await deleteJobs(drizzle(this.#context.env.DB), 'data_request', [row.id]);
      return true;
    }
    await this.repository.transition(row.id, openPhases, { cancelRequested: true, updatedAt: at });
    return false;
  }

  /** Restarts the delivery of the caller's webhook. */
  async resendWebhook(row: RequestRow): Promise<void> {
    if (row.webhookUrl === null) return;
    const { env, now } = this.#context;
    const key = { kind: 'data_request', id: row.id } as const;
    if (!(await transition(this.#context, row, endedPhases, { webhookAttempts: 0 }))) return;
    await planJobNow(env.DB, key, now());
    await enqueue(env, [key]);
  }

  /**
   * Deletes the rows of some data requests whose retention has ended, and indexes queries that are not indexed yet.
   * @returns whether there may be more
   */
  async deleteExpired(): Promise<boolean> {
    const { env, now } = this.#context;
    await indexMissingQueries(env, QUERIES_PER_CALL);
    const expired = await this.repository.listExpired(now() - ROW_RETENTION_MS);
    for (const { id } of expired) {
      await deleteRows(getRowStore(env), id);
      await deleteSelection(env, id);
      await releaseKeys(env.DB, id);
    }
    await this.repository.markCleared(
      now(),
      expired.map(({ id }) => id),
    );
    return expired.length > 0;
  }
}

function requireSameOrder(row: RequestRow, hash: string): RequestRow {
  if (row.orderHash === hash) return row;
  throw new ProblemError(
    'invalid_request',
    'Idempotency-Key: it belongs to another order.',
    'Send a new key with a new request.',
  );
}
