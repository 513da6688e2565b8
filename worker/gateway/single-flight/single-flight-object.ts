// The Durable Object of one shard of the single flight.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { ALARM_RETRY_MS, isInMaintenance } from '../../http/maintenance.ts';
import { systemClock } from '../../lib/clock.ts';
import { MIN_TTL_S } from '../cache/cache-keys.ts';
import { decodeEnvelope } from '../cache/envelope.ts';
import { readLifetimePolicy } from '../cache/freshness.ts';
import { getLedger } from '../ledger/ledger-object.ts';
import type { Platform } from '../platform.ts';
import { getProviderThrottle } from '../provider-throttle/provider-throttle-object.ts';
import type { Report, ReservationRef, Resolution } from '../provider-throttle/types.ts';
import { listErasedPseudonyms } from '../refusal-list/erasure-list.ts';
import { Pseudonyms } from '../refusal-list/pseudonyms.ts';
import { readConfiguredUpstream } from '../upstream/configured-upstream.ts';
import { identifyKey } from '../upstream/redact-key.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { eraseCopies, findKeys } from './answers/copy-eraser.ts';
import { storeDeliveredRecords } from './answers/delivered-records.ts';
import { publishAnswer, refuseLinkedKeys } from './client.ts';
import { Outbox, type OutboxPlatform } from './outbox.ts';
import type { SingleFlightPlatform } from './platform.ts';
import {
  type DeliveredRecords,
  type EncodedResponse,
  type ErasedCopies,
  type EraseRequest,
  encodeResult,
  type FoundKeys,
  type SingleFlightService,
} from './service.ts';
import { RETRY_MS, SingleFlight } from './single-flight.ts';
import type { KvWrite, StoredAnswer } from './storage/answer-repository.ts';
import { SingleFlightStore } from './storage/store.ts';
import type { SingleFlightRequest } from './types.ts';

/** How long an alarm keeps the object awake for background calls before the next alarm. */
const AWAKE_MS = 60_000;
/** An alarm is never earlier than this. */
const MIN_ALARM_DELAY_MS = 1_000;
/** A KV write that is this late may overwrite a younger answer, so it reads first. */
const LATE_MS = 2_000;

/** A shard of the single flight; {@link SingleFlight} holds the logic. */
export class SingleFlightObject<E extends Env = Env> extends DurableObject<E> implements SingleFlightService {
  readonly #platform: Platform<E>;
  readonly #store: SingleFlightStore;
  readonly #outbox: Outbox;
  readonly #singleFlight: SingleFlight;
  readonly #singleFlightPlatform: SingleFlightPlatform;
  /** The configured provider. Settings do not change while the object lives. */
  #configured: Upstream | undefined;
  #key: string | undefined;
  #alarmAt = Number.POSITIVE_INFINITY;

  constructor(ctx: DurableObjectState, env: E, platform: Platform<E> = systemClock) {
    super(ctx, env);
    this.#platform = platform;
    this.#store = new SingleFlightStore(ctx.storage);
    this.#outbox = new Outbox(this.#store, this.#createOutboxPlatform());
    this.#singleFlightPlatform = this.#createSingleFlightPlatform();
    this.#singleFlight = new SingleFlight(this.#store, this.#outbox, this.#singleFlightPlatform);
    // A new object has no alarm time in memory, and a later alarm must not replace the one that is set.
    if (this.#store.hasPendingWork()) this.#scheduleAlarm(platform.now());
  }

  #createOutboxPlatform(): OutboxPlatform {
    const { env } = this;
    const { now, sleep } = this.#platform;
    return {
      settle: async (team, settlements) => {
        await getLedger(env, team).settleMany(settlements);
      },
      report: (reports) => this.#reportAndReconcile(reports),
      writeToKv: (write) => this.#writeToKv(write),
      publish: (identity, name, answer) => publishAnswer(env, identity, name, answer),
      runInBackground: (work) => this.#runInBackground(work),
      sleep,
      retryLater: () => this.#scheduleAlarm(now() + RETRY_MS),
    };
  }

  /** Reports calls to the throttle, and books the unclear calls that it has resolved. */
  async #reportAndReconcile(reports: Report[]): Promise<void> {
    const throttle = this.#getThrottle();
    const key = await this.#identifyKey();
    const { resolved } = await throttle.report(reports.map((report) => ({ ...report, ...key })));
    if (resolved.length > 0) await reconcileLedgers(this.env, throttle, resolved);
  }

  #createSingleFlightPlatform(): SingleFlightPlatform {
    const { env } = this;
    const { now, sleep, random } = this.#platform;
    return {
      now,
      sleep,
      random,
      newId: () => crypto.randomUUID(),
      getUpstream: () => this.#getUpstream(),
      acquirePermits: async (request) =>
        this.#getThrottle().acquire({ ...request, ...(await this.#identifyKey()) }),
      reserve: async (team, reservations, waitMs) => {
        const { settlements, confirm } = this.#outbox.getPendingSettlements(team);
        const result = await getLedger(env, team).reserveMany(reservations, waitMs, settlements);
        confirm();
        return result;
      },
      getPseudonyms: () => Pseudonyms.load(env),
      listErasedKeys: () => listErasedPseudonyms(env.DB),
      refuseLinked: (identity, linked) =>
        refuseLinkedKeys(env, identity, linked).catch((error: unknown) =>
          logError('single_flight_background_failed', error),
        ),
      lifetime: readLifetimePolicy(env),
      runInBackground: (work) => this.#runInBackground(work),
      scheduleAlarm: (at) => this.#scheduleAlarm(at),
    };
  }

  /** Answers calls; see {@link SingleFlight.fetchCalls}. */
  async fetchCalls(request: SingleFlightRequest): Promise<EncodedResponse> {
    this.#store.identity = request.identity;
    const { rows } = await this.#singleFlight.fetchCalls(request);
    return { rows: rows.map(encodeResult) };
  }

  /** Accepts an answer that another object fetched. */
  acceptAnswer(name: string, answer: StoredAnswer): void {
    this.#singleFlight.acceptAnswer(name, answer);
  }

  /** Stores delivered records until KV has them; see {@link storeDeliveredRecords}. */
  async storeRecords(delivery: DeliveredRecords): Promise<void> {
    this.#store.identity = delivery.identity;
    // If the object ends before KV has them, the alarm continues.
    this.#scheduleAlarm(this.#platform.now() + RETRY_MS);
    await storeDeliveredRecords(delivery, {
      store: this.#store,
      outbox: this.#outbox,
      platform: this.#singleFlightPlatform,
      acceptAnswer: (name, answer) => this.#singleFlight.acceptAnswer(name, answer),
    });
  }

  /**
   * Refuses keys from now on, and finds the other keys of their records.
   * @throws if KV can't be reached
   */
  refuse(request: EraseRequest): Promise<FoundKeys> {
    this.#singleFlight.refuse(request.pseudonyms, request.names);
    return findKeys(request, this.#createEraserContext());
  }

  /**
   * Erases refused keys from the answers that this object has fetched. A repeated call continues.
   * @throws if KV can't be reached
   */
  async erase(request: EraseRequest): Promise<ErasedCopies> {
    const answers = this.#singleFlight.erase(request.pseudonyms, request.names);
    await this.#outbox.waitForWrites();
    return { ...(await eraseCopies(request, this.#createEraserContext())), answers };
  }

  /** Ends the refusal of keys. The list of erased keys in D1 may still have them. */
  async allow(pseudonyms: string[]): Promise<void> {
    // Otherwise the object would load them later.
    await this.#store.loadErased(this.#singleFlightPlatform.listErasedKeys);
    this.#store.deleteErasedKeys(pseudonyms);
  }

  #createEraserContext(): Parameters<typeof eraseCopies>[1] {
    const { now, sleep } = this.#platform;
    return { store: this.#store, outbox: this.#outbox, kv: this.env.RECORDS, now, sleep };
  }

  /** Deletes the answer under a name. Returns when it can't reach KV any more. */
  async deleteAnswer(name: string): Promise<void> {
    this.#singleFlight.erase([], [name]);
    await this.#outbox.waitForWrites();
  }

  /** Withdraws the calls of a cancelled request; see {@link SingleFlight.cancelCalls}. */
  cancelCalls(team: string, cancelId: string): number {
    return this.#singleFlight.cancelCalls(team, cancelId);
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    if (isInMaintenance(this.env)) return this.#scheduleAlarm(this.#platform.now() + ALARM_RETRY_MS);
    // If the object ends meanwhile, the platform repeats the alarm.
    const next = await this.#singleFlight.resume(AWAKE_MS);
    if (next !== undefined) this.#scheduleAlarm(next);
  }

  #scheduleAlarm(at: number): void {
    const earliest = Math.max(at, this.#platform.now() + MIN_ALARM_DELAY_MS);
    if (earliest >= this.#alarmAt) return;
    this.#alarmAt = earliest;
    this.ctx.waitUntil(this.ctx.storage.setAlarm(earliest));
  }

  #runInBackground(work: Promise<void>): void {
    this.ctx.waitUntil(work.catch((error: unknown) => logError('single_flight_background_failed', error)));
  }

  #getThrottle(): ReturnType<typeof getProviderThrottle> {
    return getProviderThrottle(this.env, this.#store.identity ?? '');
  }

  /** Names the API key for the throttle. The key does not change while the object lives. */
  async #identifyKey(): Promise<{ key?: string }> {
    const { CDAPI_KEY: apiKey } = this.env;
    if (!apiKey) return {};
    this.#key ??= await identifyKey(apiKey);
    return { key: this.#key };
  }

  /** Writes an entry to KV. The tables `answers` and `copies` index its people and companies for erasures. */
  async #writeToKv({ kvKey, text, ttl, fetchedAt }: KvWrite): Promise<void> {
    const { RECORDS } = this.env;
    const now = this.#platform.now();
    if (now - fetchedAt > LATE_MS) {
      const existing = await RECORDS.get(kvKey);
      if (existing !== null && (decodeEnvelope(existing, now)?.fetchedAt ?? 0) > fetchedAt) return;
    }
    const age = Math.floor((now - fetchedAt) / 1000);
    await RECORDS.put(kvKey, text, { expirationTtl: Math.max(MIN_TTL_S, ttl - age) });
  }

  async #getUpstream(): Promise<Upstream> {
    this.#configured ??= await readConfiguredUpstream(this.env);
    const upstream = this.#configured ?? (await this.#platform.sandbox?.(this.env));
    if (upstream === undefined) throw new Error('No provider is configured.');
    return upstream;
  }
}

/**
 * Corrects the ledgers, then acknowledges the resolutions. If this fails half way, the throttle reports the same
 * resolutions again. Correcting a ledger twice has no effect.
 */
export async function reconcileLedgers(
  env: Env,
  throttle: { acknowledge: (references: ReservationRef[]) => Promise<void> },
  resolutions: readonly Resolution[],
): Promise<void> {
  const groups = Map.groupBy(resolutions, ({ team, resolved }) => JSON.stringify([team, resolved]));
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const ids = group.map(({ id }) => id);
    await getLedger(env, first.team).reconcile(ids, first.resolved === 'charged');
  }
  await throttle.acknowledge(resolutions.map(({ team, id }) => ({ team, id })));
}
