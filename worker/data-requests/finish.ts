// Finishes an ended data request: settles credits, announces the end, caches its records, delivers the caller's webhook.
import type { RequestRow } from '../db/schema.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import { DeadLetterRepository } from './dead-letters.ts';
import type { DataRequestEvents } from './events.ts';
import { cacheDeliveredRecords } from './ingest/cached-rows.ts';
import { releaseKeys } from './order/key-claims.ts';
import { deleteSelection, isQueryKind } from './order/selection-store.ts';
import { deleteSplit } from './order/split-keys.ts';
import type { DataRequestRepository } from './repository.ts';
import {
  CONTINUE,
  type DataRequestContext,
  type DataRequestStateMachine,
  DONE,
  GRACE_MS,
  type StepResult,
} from './state-machine.ts';
import { WebhookRelay } from './webhook-relay.ts';

/** Finishes ended requests. Every part is idempotent, because a step may run again. */
export class DataRequestFinisher {
  readonly #context: DataRequestContext;
  readonly #states: DataRequestStateMachine;
  readonly #events: DataRequestEvents;
  readonly #store: DataRequestRepository;
  readonly #relay: WebhookRelay;

  constructor(context: DataRequestContext, states: DataRequestStateMachine, events: DataRequestEvents) {
    this.#context = context;
    this.#states = states;
    this.#events = events;
    this.#store = states.repository;
    this.#relay = new WebhookRelay(states.repository, new DeadLetterRepository(context.env.DB), context.now);
  }

  /** Runs the next part. */
  async finish(row: RequestRow): Promise<StepResult> {
    const { env, now } = this.#context;
    if (row.dueAt === null) return DONE;
    await getLedger(env, row.teamId).settleMany([{ id: row.id, charged: row.charged ?? 'unclear' }]);
    const keepsQuery = row.phase === 'ready' && isQueryKind(row.kind);
    await (keepsQuery ? deleteSplit(env, row.id) : deleteSelection(env, row.id));
    // Later tries concern only the caller's webhook.
    if (row.phase !== 'cancelled' && (row.relayTries === null || row.relayTries === 0)) {
      await this.#events.onEnded(env, row, now());
    }
    if (row.cacheCursor !== null) {
      const cacheCursor = await cacheDeliveredRecords(env, row);
      await this.#store.transition(row.id, [row.phase], { cacheCursor, dueAt: now() + GRACE_MS });
      return CONTINUE;
    }
    // Only after caching: until then another order would buy the records again. Keys with an unknown charge stay claimed.
    if (row.charged !== null) await releaseKeys(env.DB, row.id);
    return this.#deliverWebhook(row);
  }

  async #deliverWebhook(row: RequestRow): Promise<StepResult> {
    if (row.relayTries === null) {
      await this.#store.transition(row.id, [row.phase], { dueAt: null });
      return DONE;
    }
    const waitMs = await this.#relay.deliver(row);
    if (waitMs === undefined) {
      const updatedAt = this.#context.now();
      await this.#store.transition(row.id, [row.phase], { relayTries: null, dueAt: null, updatedAt });
      return DONE;
    }
    await this.#states.transition(row, [row.phase], { relayTries: row.relayTries + 1 }, waitMs);
    return { isDone: false, waitMs };
  }
}
