// One call for many callers: returns a known result, joins a call in progress, or starts a call, whose result all waiters get.

import type { LRUCache } from 'lru-cache';
import { createBoundedCache } from '../../lib/bounded-cache.ts';
import { decodeEnvelope } from '../cache/envelope.ts';
import type { Lane } from '../provider-call.ts';
import { projectEnvelope } from './answers/build-answer.ts';
import { toFailedResult, toOutageFailure } from './answers/failure.ts';
import { KEEP_ANSWERS_MS, KnownResults } from './answers/known-results.ts';
import { BACKGROUND_LIMIT_MS, Call } from './calls/call.ts';
import { CallRegistry } from './calls/call-registry.ts';
import { CallRunner } from './calls/call-runner.ts';
import { type CallEnding, Waiter } from './calls/waiter.ts';
import type { Outbox } from './outbox.ts';
import type { SingleFlightPlatform } from './platform.ts';
import type { StoredAnswer } from './storage/answer-repository.ts';
import type { SingleFlightStore } from './storage/store.ts';
import type { CallRequest, CallResult, SingleFlightRequest, SingleFlightResponse } from './types.ts';

/** A cancellation may arrive before the calls that it cancels. */
const KEEP_CANCELLATIONS_MS = 60_000;
const MAX_CANCELLATIONS = 1_000;
/** A sent call ends within ten seconds, and its settlement is stored soon after. */
const SENT_WAIT_MS = 12_000;
/** Pause before something that could not be delivered or stored is tried again. */
export const RETRY_MS = 5_000;

const ERASED: CallEnding = { outcome: 'failed', credits: 0, problem: 'erased' };

interface JoinedCall {
  call: Call;
  waiter: Waiter;
}

/**
 * The single flight of one shard. Waiters and recent failures are lost with the object; everything else is stored.
 *
 * How a call ends, and where its credits are settled:
 * - It is answered without a call: nothing was reserved ({@link KnownResults}), nor during an outage (`CallQueue`).
 * - The ledger refuses its payer: nothing was reserved; the next waiter pays (`CallRunner`).
 * - It is withdrawn before it is sent: settled with 0 (`Sender.#release`).
 * - The provider answers: settled with the price, in one row with the answer (`Sender.#storeContent`).
 * - It surely was not charged (429, no connection, most 5xx): settled with 0; perhaps retried (`Sender.#handleFailure`).
 * - It timed out after it was sent, or its answer is unreadable: unclear, which counts as charged. It is not retried, and the
 *   same key fails with `provider_unclear` for ten minutes (`Sender.#handleFailure`, {@link KnownResults}).
 * - This object ended after it was sent: unclear, at the next start (`SingleFlightStore.#endSentCalls`).
 *
 * The {@link Outbox} delivers settlements until the ledger confirms them. The ledger makes those unclear that do not arrive in
 * time (`Reservations.expire`), and the provider's balance or an admin resolves unclear ones.
 */
export class SingleFlight {
  readonly #store: SingleFlightStore;
  readonly #outbox: Outbox;
  readonly #platform: SingleFlightPlatform;
  readonly #runner: CallRunner;
  readonly #results: KnownResults;
  /** The last cancellations, by team and id. They are lost with the object. */
  readonly #cancellations: LRUCache<string, true>;
  readonly #calls = new CallRegistry();

  constructor(store: SingleFlightStore, outbox: Outbox, platform: SingleFlightPlatform) {
    this.#store = store;
    this.#outbox = outbox;
    this.#platform = platform;
    this.#results = new KnownResults(store, platform);
    this.#runner = new CallRunner({ store, outbox, platform, results: this.#results, calls: this.#calls });
    const lifetime = { ttlMs: KEEP_CANCELLATIONS_MS, now: platform.now };
    this.#cancellations = createBoundedCache(MAX_CANCELLATIONS, lifetime);
  }

  /** Answers calls. Each is sent once, however many callers request it; the first one pays. */
  async fetchCalls(request: SingleFlightRequest): Promise<SingleFlightResponse> {
    const { calls, waitMs, cancelId } = request;
    const erased = await this.#results.findErased(calls);
    const results = new Map<string, CallResult>();
    const joined = this.#answerOrJoin(request, erased, results);
    await this.#waitFor(
      joined.map(({ waiter }) => waiter),
      waitMs,
    );
    if (cancelId !== undefined) await this.#waitForSent(joined);
    for (const { call, waiter } of joined) {
      waiter.hasLeft = true;
      const { name } = call.request;
      results.set(name, waiter.ending === undefined ? this.#getPending(call) : { ...waiter.ending, name });
    }
    return {
      rows: calls.flatMap(({ name }) => {
        const result = results.get(name);
        return result === undefined ? [] : [result];
      }),
    };
  }

  /**
   * Adds the results that need no call; joins or starts the other calls. Synchronous, so that a cancellation either comes
   * before it or finds the waiters.
   */
  #answerOrJoin(
    { calls, identity, payer, lane, waitMs, background, cancelId, fields }: SingleFlightRequest,
    erased: ReadonlySet<string>,
    results: Map<string, CallResult>,
  ): JoinedCall[] {
    const isCancelled = cancelId !== undefined && this.#cancellations.has(`${payer.team}:${cancelId}`);
    const mayBuy = (waitMs > 0 || background) && !isCancelled;
    const now = this.#platform.now();
    const joined: JoinedCall[] = [];
    for (const request of calls) {
      const { name } = request;
      const known = erased.has(name) ? toFailedResult(name, 'erased') : this.#results.find(request);
      const outage = waitMs > 0 ? this.#runner.queue.getOutage(payer.team, request, now) : undefined;
      if (known !== undefined) {
        const isAnswer = 'envelope' in known;
        results.set(name, isAnswer ? { ...known, envelope: projectEnvelope(known.envelope, fields) } : known);
      } else if (!mayBuy) results.set(name, this.#getUnknown(request));
      else if (outage !== undefined) results.set(name, { ...toOutageFailure(outage), name });
      else {
        const waiter = new Waiter({ payer, background, since: request.since, cancelId, fields });
        const call = this.#join(request, identity, lane, waiter, now);
        if (call === undefined) results.set(name, toFailedResult(name, 'rate_limited'));
        else joined.push({ call, waiter });
      }
    }
    if (joined.length > 0) this.#platform.scheduleAlarm(background ? now : now + KEEP_ANSWERS_MS);
    return joined;
  }

  /**
   * Continues the background calls from before a restart, waits for them, and deletes expired answers.
   * @param waitMs - the longest wait
   * @returns when to resume again, milliseconds since 1970; undefined for never
   */
  async resume(waitMs: number): Promise<number | undefined> {
    const now = this.#platform.now();
    const identity = this.#store.identity ?? '';
    for (const { call, payer, requestedAt } of this.#store.backgroundCalls.list(now - BACKGROUND_LIMIT_MS)) {
      if (this.#calls.get(call.name) !== undefined) continue;
      const waiter = new Waiter({ payer, background: true, since: call.since, fields: [] });
      this.#join(call, identity, 'bulk', waiter, requestedAt);
    }
    this.#outbox.flush();
    const wanted = this.#calls.list().filter((call) => call.isWanted(now));
    await this.#waitFor(
      wanted.flatMap(({ waiters }) => waiters),
      waitMs,
    );
    this.#outbox.recordDeliveries();
    this.#store.deleteExpired(this.#platform.now() - KEEP_ANSWERS_MS, this.#platform.now());
    if (this.#store.hasPendingWork()) return this.#platform.now() + RETRY_MS;
    const expiry = this.#store.getNextExpiry(KEEP_ANSWERS_MS);
    return expiry === undefined ? undefined : expiry + 1;
  }

  /**
   * Withdraws the unsent calls of a cancelled request. A call with another waiter continues.
   * @param team - the payer's, because a team can only cancel its own calls
   * @returns how many calls were withdrawn
   */
  cancelCalls(team: string, cancelId: string): number {
    this.#cancellations.set(`${team}:${cancelId}`, true);
    let withdrawn = 0;
    for (const call of this.#calls.list()) {
      if (call.state === 'sent') continue;
      const cancelled = call.waiters.filter(
        (waiter) => waiter.cancelId === cancelId && waiter.payer.team === team && !waiter.hasLeft,
      );
      this.#withdraw(call, cancelled);
      withdrawn += cancelled.length;
    }
    return withdrawn;
  }

  /** Accepts an answer that another object fetched. It ends a queued call for the same record without a charge. */
  acceptAnswer(name: string, answer: StoredAnswer): void {
    if (!this.#results.addPeerAnswer(name, answer)) return;
    const call = this.#calls.get(name);
    if (call?.state !== 'queued' || call.waiters.some(({ since }) => since > answer.fetchedAt)) return;
    const envelope = decodeEnvelope(answer.text, this.#platform.now());
    if (envelope === undefined) return;
    this.#runner.endForAll(call, 'answered', {
      outcome: 'coalesced',
      credits: 0,
      envelope,
      size: answer.text.length,
    });
  }

  /** Refuses keys from now on. Ends the calls for them. @param names - cache names of the keys */
  refuse(pseudonyms: readonly string[], names: readonly string[]): void {
    for (const name of pseudonyms.length === 0 ? [] : names) {
      const call = this.#calls.get(name);
      if (call === undefined) continue;
      // A sent call keeps its state until its outcome is stored.
      if (call.state === 'sent') this.#runner.endWaiters(call, ERASED);
      else this.#runner.endForAll(call, 'refused', ERASED);
    }
    this.#results.refuse(pseudonyms, names);
  }

  /**
   * Refuses keys from now on, and deletes all answers about them and all answers under some names.
   * @returns the number of deleted answers
   */
  erase(pseudonyms: readonly string[], names: readonly string[]): number {
    this.refuse(pseudonyms, names);
    return this.#store.answers.erase(pseudonyms, names);
  }

  /** Joins the call in progress, or starts one. @returns undefined if the object has no memory for another call */
  #join(
    request: CallRequest,
    identity: string,
    lane: Lane,
    waiter: Waiter,
    startedAt: number,
  ): Call | undefined {
    const joined = this.#calls.get(request.name);
    if (joined === undefined && this.#calls.isFull(request)) return undefined;
    if (waiter.background) {
      this.#store.backgroundCalls.add({ call: request, payer: waiter.payer, requestedAt: startedAt });
    }
    if (joined !== undefined) {
      joined.addWaiter(waiter);
      this.#runner.queue.replaceStoppedLeader(joined, waiter);
      // A formula does not wait behind background work.
      if (lane === 'formula' && joined.lane === 'bulk') this.#runner.queue.move(joined, lane);
      return joined;
    }
    const call = new Call({ request, identity, lane, waiter, startedAt });
    this.#calls.add(call);
    this.#platform.runInBackground(this.#runner.run(call));
    return call;
  }

  #withdraw(call: Call, waiters: readonly Waiter[]): void {
    for (const waiter of waiters) waiter.withdraw();
    // A permitted call is dropped when it would be sent.
    const isIdle = waiters.length > 0 && call.state === 'queued';
    if (isIdle && !call.isWanted(this.#platform.now())) this.#runner.discard(call, 'cancelled');
  }

  /** Waits until all waiters are settled, at most so many milliseconds. */
  async #waitFor(waiters: readonly Waiter[], waitMs: number): Promise<void> {
    if (waiters.length === 0 || waitMs <= 0) return;
    await this.#platform.sleep(waitMs, Promise.all(waiters.map(({ settled }) => settled)));
  }

  async #waitForSent(joined: readonly JoinedCall[]): Promise<void> {
    for (const { call, waiter } of joined) {
      if (call.state === 'sent') waiter.isDue = true;
      else this.#withdraw(call, [waiter]);
    }
    const due = joined.flatMap(({ waiter }) => (waiter.isDue ? [waiter] : []));
    await this.#waitFor(due, SENT_WAIT_MS);
  }

  /** The result for a caller that neither waits nor buys. */
  #getUnknown({ name }: CallRequest): CallResult {
    const call = this.#calls.get(name);
    return call === undefined ? { name, outcome: 'unknown', credits: 0 } : this.#getPending(call);
  }

  #getPending(call: Call): CallResult {
    const retryAt = this.#runner.queue.getRetryTime(call);
    const retry = retryAt === undefined ? {} : { retryAfterMs: Math.max(0, retryAt - this.#platform.now()) };
    return { name: call.request.name, outcome: 'pending', credits: 0, ...retry };
  }
}
