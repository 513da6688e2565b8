// The Durable Object in which many askers' questions become one call.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { decodeEnvelope } from '../cache/envelope.ts';
import { readLifetimePolicy } from '../cache/freshness.ts';
import { getLedger } from '../ledger/ledger-object.ts';
import { reconcileLedgers } from '../ledger/reconcile-ledgers.ts';
import { type Platform, systemPlatform } from '../platform.ts';
import { getProviderThrottle } from '../provider-throttle/provider-throttle-object.ts';
import { listErasedPseudonyms } from '../refusal-list/erasure-list.ts';
import { Pseudonyms } from '../refusal-list/pseudonyms.ts';
import { createTraces } from '../refusal-list/traces.ts';
import { readConfiguredUpstream } from '../upstream/configured-upstream.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { storeDeliveredRecords } from './answers/delivered-records.ts';
import { publishAnswer } from './client.ts';
import { Outbox } from './outbox.ts';
import type { SingleFlightPlatform } from './platform.ts';
import { type EncodedResponse, encodeResult } from './result-codec.ts';
import type { DeliveredRecords, SingleFlightService } from './service.ts';
import { RETRY_MS, SingleFlight } from './single-flight.ts';
import type { ErasedAnswers, KvWrite, StoredAnswer } from './storage/answer-repository.ts';
import { SingleFlightStore } from './storage/store.ts';
import type { SingleFlightRequest } from './types.ts';

/** How long the object stays awake for calls that nobody waits for, before it asks to be woken again. */
const AWAKE_MS = 60_000;
/** Work that outlives its askers begins this soon to keep the object awake. */
const SOON_MS = 1_000;
/** A write that comes so late may meet a younger answer in its place. */
const LATE_MS = 2_000;

/** A flight, as others call it. See {@link SingleFlight} for what it does. */
export class SingleFlightObject<E extends Env = Env> extends DurableObject<E> implements SingleFlightService {
  readonly #platform: Platform<E>;
  readonly #store: SingleFlightStore;
  readonly #outbox: Outbox;
  readonly #flight: SingleFlight;
  readonly #flightPlatform: SingleFlightPlatform;
  #pseudonyms: Pseudonyms | undefined;
  /** The provider of the settings, which are the same for as long as the object lives. */
  #configured: Upstream | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;

  constructor(ctx: DurableObjectState, env: E, platform: Platform<E> = systemPlatform) {
    super(ctx, env);
    this.#platform = platform;
    this.#store = new SingleFlightStore(ctx.storage);
    const { now, after, random } = platform;
    const gate = () => getProviderThrottle(env, this.#store.identity ?? '');
    const background = (work: Promise<void>): void => {
      ctx.waitUntil(work.catch((error: unknown) => logError('single_flight_background_failed', error)));
    };
    const wake = (at: number): void => this.#wake(at);
    this.#outbox = new Outbox(this.#store, {
      settle: async (team, settlements) => {
        await getLedger(env, team).settleMany(settlements);
      },
      report: async (reports) => {
        const { resolved } = await gate().report(reports);
        if (resolved.length > 0) await reconcileLedgers(env, gate(), resolved);
      },
      write: (write) => this.#write(write),
      publish: (identity, name, kept) => publishAnswer(env, identity, name, kept),
      background,
      after,
      retryLater: () => wake(now() + RETRY_MS),
    });
    this.#flightPlatform = {
      now,
      after,
      random,
      newId: () => crypto.randomUUID(),
      getUpstream: () => this.#upstream(),
      acquirePermits: (acquire) => gate().acquire(acquire),
      reserve: async (team, reservations, waitMs) => {
        const { settlements, heard } = this.#outbox.getPendingSettlements(team);
        const reserved = await getLedger(env, team).reserveMany(reservations, waitMs, settlements);
        heard();
        return reserved;
      },
      getPseudonyms: () => this.#readPseudonyms(),
      listErasedKeys: () => listErasedPseudonyms(env.DB),
      lifetime: readLifetimePolicy(env),
      runInBackground: background,
      scheduleAlarm: wake,
    };
    this.#flight = new SingleFlight(this.#store, this.#outbox, this.#flightPlatform);
    // A later alarm must not take the place of the one that is set for what goes on.
    if (this.#store.hasPendingWork()) wake(now());
  }

  /** Answers calls; see {@link SingleFlight.fetchCalls}. */
  async fetchCalls(ask: SingleFlightRequest): Promise<EncodedResponse> {
    this.#store.identity = ask.identity;
    const { rows } = await this.#flight.fetchCalls(ask);
    return { rows: rows.map(encodeResult) };
  }

  /** Keeps an answer that another flight heard. */
  acceptAnswer(name: string, kept: StoredAnswer): void {
    this.#flight.acceptAnswer(name, kept);
  }

  /** Keeps records that a data request delivered until KV has them; see {@link storeDeliveredRecords}. */
  async storeRecords(delivery: DeliveredRecords): Promise<void> {
    this.#store.identity = delivery.identity;
    // Should the object end before KV has them, the alarm goes on with it.
    this.#wake(this.#platform.now() + RETRY_MS);
    await storeDeliveredRecords(delivery, {
      store: this.#store,
      outbox: this.#outbox,
      platform: this.#flightPlatform,
      acceptAnswer: (name, kept) => this.#flight.acceptAnswer(name, kept),
    });
  }

  /**
   * Forgets every answer about someone and what was answered under some names, and refuses keys from now on.
   * @returns when none of it can reach KV any more
   */
  async erase(pseudonyms: string[], names: string[]): Promise<ErasedAnswers> {
    const swept = this.#flight.erase(pseudonyms, names);
    await this.#outbox.waitForWrites();
    return swept;
  }

  /** Withdraws the calls of a cancelled request; see {@link SingleFlight.cancelCalls}. */
  cancelCalls(team: string, cancelId: string): number {
    return this.#flight.cancelCalls(team, cancelId);
  }

  override async alarm(): Promise<void> {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    // If the object ends in the middle, the alarm rings again.
    const next = await this.#flight.resume(AWAKE_MS);
    if (next !== undefined) this.#wake(next);
  }

  #wake(at: number): void {
    const soonest = Math.max(at, this.#platform.now() + SOON_MS);
    if (soonest >= this.#wakeAt) return;
    this.#wakeAt = soonest;
    this.ctx.waitUntil(this.ctx.storage.setAlarm(soonest));
  }

  /** Whatever stands in KV can be found by an erasure. */
  async #write({ place, text, ttl, fetchedAt, pseudonyms }: KvWrite): Promise<void> {
    const { RECORDS } = this.env;
    const now = this.#platform.now();
    if (now - fetchedAt > LATE_MS) {
      const there = await RECORDS.get(place);
      if (there !== null && (decodeEnvelope(there, now)?.fetchedAt ?? 0) > fetchedAt) return;
    }
    await RECORDS.put(place, text, {
      expirationTtl: ttl,
      ...(pseudonyms.length === 0 ? {} : { metadata: createTraces(pseudonyms) }),
    });
  }

  async #upstream(): Promise<Upstream> {
    this.#configured ??= await readConfiguredUpstream(this.env);
    const upstream = this.#configured ?? (await this.#platform.sandbox?.(this.env));
    if (upstream === undefined) throw new Error('No provider is configured.');
    return upstream;
  }

  async #readPseudonyms(): Promise<Pseudonyms> {
    this.#pseudonyms ??= await Pseudonyms.load(this.env.DB);
    return this.#pseudonyms;
  }
}
