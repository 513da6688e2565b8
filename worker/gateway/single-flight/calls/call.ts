// One call to the provider and the callers that wait for it.
import type { Lane } from '../../provider-call.ts';
import type { CallRequest } from '../types.ts';
import { type CallState, isFinal, transition } from './call-state.ts';
import type { Waiter } from './waiter.ts';

/** A call in the background is dropped after this time. */
export const BACKGROUND_LIMIT_MS = 900_000;

interface CallOptions {
  request: CallRequest;
  identity: string;
  lane: Lane;
  waiter: Waiter;
  /** When it was first requested: milliseconds since 1970. */
  startedAt: number;
}

/** A call from its first request to its end. */
export class Call {
  readonly request: CallRequest;
  readonly identity: string;
  readonly startedAt: number;
  lane: Lane;
  sentAt: number | undefined;
  attempts = 0;
  /** When the throttle granted the last permit; the report about the call returns it. */
  grantedAt: number | undefined;
  grantedTo: string | undefined;
  #waiters: [Waiter, ...Waiter[]];
  #state: CallState = 'queued';

  constructor({ request, identity, lane, waiter, startedAt }: CallOptions) {
    this.request = request;
    this.identity = identity;
    this.lane = lane;
    this.startedAt = startedAt;
    this.#waiters = [waiter];
  }

  get state(): CallState {
    return this.#state;
  }

  get isFinal(): boolean {
    return isFinal(this.#state);
  }

  /** In the order of arrival. */
  get waiters(): readonly Waiter[] {
    return this.#waiters;
  }

  /** The first waiter. It pays. */
  get leader(): Waiter {
    return this.#waiters[0];
  }

  /** @throws Error for a transition that is not allowed */
  become(state: CallState): void {
    this.#state = transition(this.#state, state);
  }

  addWaiter(waiter: Waiter): void {
    this.#waiters.push(waiter);
  }

  makeLeader(waiter: Waiter): void {
    this.#waiters = [waiter, ...this.#waiters.filter((other) => other !== waiter)];
  }

  /**
   * Replaces the waiters by those of a list that still want the call. The first one becomes the leader.
   * @returns false if there is none; the waiters then stay as they are
   */
  keepWaiters(waiters: readonly Waiter[], now: number): boolean {
    const [first, ...others] = waiters.filter((waiter) => this.#isWaiting(waiter, now));
    if (first === undefined) return false;
    this.#waiters = [first, ...others];
    return true;
  }

  /** Removes the waiters that no longer want the call, which may change its leader. @returns false if none wants it */
  pruneWaiters(now: number): boolean {
    return this.keepWaiters(this.#waiters, now);
  }

  isWanted(now: number): boolean {
    return this.#waiters.some((waiter) => this.#isWaiting(waiter, now));
  }

  #isWaiting({ ending, hasLeft, background }: Waiter, now: number): boolean {
    const mayContinue = now < this.startedAt + BACKGROUND_LIMIT_MS;
    return ending === undefined && (!hasLeft || (background && mayContinue));
  }
}
