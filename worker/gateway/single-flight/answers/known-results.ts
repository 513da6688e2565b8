// What a single-flight object can answer without a call: stored answers, answers of other objects, recent failures.
import { decodeEnvelope } from '../../cache/envelope.ts';
import { toReference } from '../../refusal-list/pseudonyms.ts';
import type { SingleFlightPlatform } from '../platform.ts';
import { SharedCache, SharedMemory } from '../shared-cache.ts';
import type { StoredAnswer } from '../storage/answer-repository.ts';
import type { SingleFlightStore } from '../storage/store.ts';
import type { CallRequest, CallResult } from '../types.ts';
import { type CallFailure, FailureCache, toFailedResult } from './failure-cache.ts';

/** Long enough for KV to serve an answer everywhere. */
export const KEEP_ANSWERS_MS = 600_000;
/** An unclear call is not sent again within this time. It is stored as long as an answer. */
const UNCLEAR_LOCK_MS = KEEP_ANSWERS_MS;

type ResultsPlatform = Pick<SingleFlightPlatform, 'now' | 'getPseudonyms' | 'listErasedKeys'>;

export class KnownResults {
  readonly #store: SingleFlightStore;
  readonly #platform: ResultsPlatform;
  readonly #peerAnswers: PeerAnswers;
  readonly #failures: FailureCache;

  constructor(store: SingleFlightStore, platform: ResultsPlatform) {
    this.#store = store;
    this.#platform = platform;
    this.#peerAnswers = new PeerAnswers(platform.now);
    this.#failures = new FailureCache(platform.now);
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
    return failure && { ...failure, name };
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
    this.#failures.set(name, failure);
  }

  /** Caches an answer of another object. @returns false if it contains an erased key */
  addPeerAnswer(name: string, answer: StoredAnswer): boolean {
    if (this.#store.findErased([...answer.pseudonyms.flat(), ...answer.references]).size > 0) return false;
    this.#peerAnswers.set(name, answer);
    return true;
  }

  /** Refuses keys from now on, and deletes the answers of other objects about them. */
  refuse(pseudonyms: readonly string[], names: readonly string[]): void {
    this.#peerAnswers.erase(pseudonyms, names);
    this.#store.refuse(pseudonyms, names);
  }
}

/** KV serves a write everywhere within a minute. */
const TTL_MS = 120_000;
/** Of all objects in an isolate, in characters. */
const MAX_SIZE = 8_000_000;

const memory = new SharedMemory<StoredAnswer>(MAX_SIZE);

/** Answers of other objects for records that callers may request here, until KV serves them everywhere. */
export class PeerAnswers {
  readonly #answers: SharedCache<StoredAnswer>;

  constructor(now: () => number) {
    this.#answers = new SharedCache(memory, TTL_MS, now);
  }

  get(name: string): StoredAnswer | undefined {
    return this.#answers.get(name);
  }

  set(name: string, answer: StoredAnswer): void {
    this.#answers.set(name, answer, answer.text.length);
  }

  /** Deletes the answers under some names and all answers that name somebody by these pseudonyms. */
  erase(pseudonyms: readonly string[], names: readonly string[]): void {
    const erased = new Set([...pseudonyms, ...pseudonyms.map(toReference)]);
    for (const name of names) this.#answers.delete(name);
    this.#answers.deleteWhere(({ pseudonyms: own, references }) =>
      [...own.flat(), ...references].some((key) => erased.has(key)),
    );
  }
}
