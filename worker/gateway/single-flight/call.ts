// A call on its way, and who waits for it.
import type { Lane, Payer } from '../provider-call.ts';
import type { CallRequest, CallResult } from './types.ts';

/** Calls that go on without anybody waiting are given up after this time. */
export const BACKGROUND_LIMIT_MS = 900_000;

type WithoutName<T> = T extends unknown ? Omit<T, 'name'> : never;

/** How a call ended for one who waited. */
export type CallEnding = WithoutName<Exclude<CallResult, { outcome: 'pending' | 'unknown' }>>;

/** A place in the queue for an answer. */
export interface Waiter {
  payer: Payer;
  /** Does the call go on when nobody waits? */
  background: boolean;
  /** An answer counts if it was fetched at this time or later: milliseconds since 1970. */
  since: number;
  /** By which the caller may withdraw. */
  cancelId?: string | undefined;
  /** The one who sat here waits no more. */
  left: boolean;
  /** The answer is due: only a call that is already sent is waited for. */
  isDue: boolean;
  /** Set when the call has ended for this seat. */
  ending?: CallEnding;
  end: (ending: CallEnding) => void;
  /** Stops waiting without an answer. */
  withdraw: () => void;
  /** Resolves when the call has ended for this seat, or the seat was withdrawn. */
  ended: Promise<void>;
}

/** Makes a place for one who asks. */
export function createWaiter(payer: Payer, background: boolean, since: number, cancelId?: string): Waiter {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seat: Waiter = {
    payer,
    background,
    since,
    cancelId,
    left: false,
    isDue: false,
    end: (ending) => {
      seat.ending = ending;
      resolve();
    },
    withdraw: () => {
      seat.left = true;
      resolve();
    },
    ended: promise,
  };
  return seat;
}

/** One call and its seats; the first seat leads: its payer pays. Times are milliseconds since 1970. */
export interface Call {
  request: CallRequest;
  identity: string;
  lane: Lane;
  waiters: [Waiter, ...Waiter[]];
  startedAt: number;
  /** When it was first sent. */
  sentAt?: number;
  /** How often it was sent. */
  tries: number;
  /** When the gate let it through, last: its report brings it back. */
  grantedAt?: number;
  /** It has its turn: from here on the one who leads pays. */
  going: boolean;
  /** It is at the provider: it may be charged whoever withdraws. */
  sent: boolean;
  /** It has ended. */
  over: boolean;
}

/**
 * Gives the lead to the first of some seats for whom the call is still to be made; the others of those stay behind it.
 * @returns whether there is any; if not, the job is left as it is
 */
export function lead(job: Call, seats: readonly Waiter[], now: number): boolean {
  const standing = now < job.startedAt + BACKGROUND_LIMIT_MS;
  const [first, ...others] = seats.filter(({ left, background }) => !left || (background && standing));
  if (first === undefined) return false;
  job.waiters = [first, ...others];
  return true;
}

/** Is there anyone for whom the call is still to be made? Those for whom it is not lose their seats. */
export function isWanted(job: Call, now: number): boolean {
  return lead(job, job.waiters, now);
}
