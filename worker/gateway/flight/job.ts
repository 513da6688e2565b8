// A call on its way, and who waits for it.
import type { Lane, Payer } from '../call.ts';
import type { FlightRow, WantedCall } from './types.ts';

type WithoutName<T> = T extends unknown ? Omit<T, 'name'> : never;

/** How a call ended for one who waited. */
export type Ending = WithoutName<Exclude<FlightRow, { outcome: 'pending' | 'unknown' }>>;

/** A place in the queue for an answer. */
export interface Seat {
  payer: Payer;
  /** Does the call go on when nobody waits? */
  background: boolean;
  /** The one who sat here waits no more. */
  left: boolean;
  /** Set when the call has ended for this seat. */
  ending?: Ending;
  end: (ending: Ending) => void;
  ended: Promise<void>;
}

/** Makes a place for one who asks. */
export function takeSeat(payer: Payer, background: boolean): Seat {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seat: Seat = {
    payer,
    background,
    left: false,
    end: (ending) => {
      seat.ending = ending;
      resolve();
    },
    ended: promise,
  };
  return seat;
}

/** One call and its seats; the first seat leads: its payer pays. */
export interface Job {
  call: WantedCall;
  identity: string;
  lane: Lane;
  seats: [Seat, ...Seat[]];
  /** Milliseconds since 1970. */
  startedAt: number;
  /** How often it was sent. */
  tries: number;
  /** When the gate let it through, last: its report brings it back. */
  grantedAt?: number;
  /** It has ended. */
  over: boolean;
}

/** Is there anyone for whom the call is still to be made? */
export function isWanted(job: Job): boolean {
  return job.seats.some((seat) => seat.background || !seat.left);
}
