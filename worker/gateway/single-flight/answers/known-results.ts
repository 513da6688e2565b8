// What a single-flight object can answer without a call: stored answers, answers of other objects, recent failures.
import { decodeEnvelope } from '../../cache/envelope.ts';
import { toReference } from '../../refusal-list/pseudonyms.ts';
import type { SingleFlightPlatform } from '../platform.ts';
import { SharedCache, SharedMemory } from '../shared-cache.ts';
import type { StoredAnswer } from '../storage/answer-repository.ts';
import type { SingleFlightStore } from '../storage/store.ts';
import type { CallRequest, CallResult } from '../types.ts';
import { type CallFailure, toFailedResult } from './failure.ts';

/** Long enough for KV to serve an answer everywhere. */
export const KEEP_ANSWERS_MS = 600_000;
/** An unclear call is not sent again within this time. It is stored as long as an answer. */
const UNCLEAR_LOCK_MS = KEEP_ANSWERS_MS;
/** KV serves a write everywhere within a minute. */
const PEER_TTL_MS = 120_000;
/** A failing provider is not called again for every caller. */
const FAILURE_TTL_MS = 3_000;

/** Characters of all objects in an isolate. */
export const peerMemory = new SharedMemory<StoredAnswer>(8_000_000);
const failureMemory = new SharedMemory<CallFailure>(2_000_000);
/** Size of a failure without the provider's response. */
const FAILURE_SIZE = 100;

type ResultsPlatform = Pick<SingleFlightPlatform, 'now' | 'getPseudonyms' | 'listErasedKeys'>;

export class KnownResults {
  readonly #store: SingleFlightStore;
  readonly #platform: ResultsPlatform;
  /** Answers of other objects for records that callers may request here, until KV serves them everywhere. */
  readonly #peerAnswers: SharedCache<StoredAnswer>;
  /** Recent failures by cache name. They are lost with the object. */
  readonly #failures: SharedCache<CallFailure>;

  constructor(store: SingleFlightStore, platform: ResultsPlatform) {
    this.#store = store;
    this.#platform = platform;
    this.#peerAnswers = new SharedCache(peerMemory, PEER_TTL_MS, platform.now);
    this.#failures = new SharedCache(failureMemory, FAILURE_TTL_MS, platform.now);
  }

  /** Finds a result that is young enough for the request. */
  find({ name, since }: CallRequest): CallResult | undefined {
    const now = this.#platform.now();
    const stored = this.#store.answers.find(name);
    const peer = this.#peerAnswers.get(name);
    const answer = (peer?.fetchedAt ?? 0) > (stored?.fetchedAt ?? 0) ? peer : stored;
    const envelope = answer && answer.fetchedAt >= since ? decodeEnvelope(answer.text, now) : undefined;
    if (answer !== undefined && envelope !== undefined) {
      const outcome = envelope.freshUntil > now ? 'hit' : 'stale';
      return { name, outcome, credits: 0, envelope, size: answer.text.length };
    }
    if (this.#store.isUnclear(name, now - UNCLEAR_LOCK_MS)) return toFailedResult(name, 'provider_unclear');
    const failure = this.#failures.get(name);
    if (failure === undefined) return undefined;
    // It costs nothing a second time.
    const { callHeaders: _, ...others } = failure;
    return { ...others, credits: 0, name };
  }

  /** Returns the names of calls whose key is erased, or may be read as an erased one. */
  async findErased(requests: readonly CallRequest[]): Promise<Set<string>> {
    await this.#store.loadErased(this.#platform.listErasedKeys);
    if (!this.#store.hasErasedKeys) return new Set();
    const pseudonyms = await this.#platform.getPseudonyms();
    const names = await Promise.all(
      requests.map(async ({ key, readings = [], name }) => {
        if (key === undefined) return [];
        const keys = await Promise.all([key, ...readings].map((each) => pseudonyms.forKey(each)));
        return this.#store.findErased(keys).size > 0 ? [name] : [];
      }),
    );
    return new Set(names.flat());
  }

  addFailure(name: string, failure: CallFailure): void {
    this.#failures.set(name, failure, FAILURE_SIZE + (failure.answer?.body.length ?? 0));
  }

  /** Caches an answer of another object. @returns false if it contains an erased key */
  addPeerAnswer(name: string, answer: StoredAnswer): boolean {
    if (this.#store.findErased([...answer.pseudonyms.flat(), ...answer.references]).size > 0) return false;
    this.#peerAnswers.set(name, answer, answer.text.length);
    return true;
  }

  /** Refuses keys from now on, and deletes the answers of other objects about them. */
  refuse(pseudonyms: readonly string[], names: readonly string[]): void {
    const erased = new Set([...pseudonyms, ...pseudonyms.map(toReference)]);
    for (const name of names) this.#peerAnswers.delete(name);
    this.#peerAnswers.deleteWhere((answer) =>
      [...answer.pseudonyms.flat(), ...answer.references].some((key) => erased.has(key)),
    );
    this.#store.refuse(pseudonyms, names);
  }
}
