// A caller that waits for a call.
import type { Payer } from '../../provider-call.ts';
import { projectEnvelope } from '../answers/build-answer.ts';
import type { CallResult } from '../types.ts';

type WithoutName<T> = T extends unknown ? Omit<T, 'name'> : never;

export type CallEnding = WithoutName<Exclude<CallResult, { outcome: 'pending' | 'unknown' }>>;

/** What a waiter wants of a call. */
interface WaiterOptions {
  payer: Payer;
  /** Does the call continue after the waiter has left? */
  background: boolean;
  /** An answer counts if it was fetched at this time or later: milliseconds since 1970. */
  since: number;
  cancelId?: string | undefined;
  /** Cuts records to these fields at once, because a request waits for the slowest of its calls. Default: all fields. */
  fields?: readonly string[] | undefined;
}

/** One caller of a call. It ends once: with an answer or a problem, or by withdrawing. */
export class Waiter {
  readonly payer: Payer;
  readonly background: boolean;
  readonly since: number;
  readonly cancelId: string | undefined;
  /** Resolves when the waiter has its ending or has withdrawn. */
  readonly settled: Promise<void>;
  /** The caller has its response and does not wait any more. */
  hasLeft = false;
  /** The response is due: the waiter stays only while the call is sent. */
  isDue = false;
  readonly #fields: readonly string[] | undefined;
  #ending: CallEnding | undefined;
  readonly #resolve: () => void;

  constructor({ payer, background, since, cancelId, fields }: WaiterOptions) {
    this.#fields = fields;
    this.payer = payer;
    this.background = background;
    this.since = since;
    this.cancelId = cancelId;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.settled = promise;
    this.#resolve = resolve;
  }

  /** How the call ended for this waiter; undefined until it has. */
  get ending(): CallEnding | undefined {
    return this.#ending;
  }

  /** Ends the wait. A second ending changes nothing. */
  end(ending: CallEnding): void {
    this.#ending ??=
      'envelope' in ending ? { ...ending, envelope: projectEnvelope(ending.envelope, this.#fields) } : ending;
    this.#resolve();
  }

  /** Stops waiting without an ending. */
  withdraw(): void {
    this.hasLeft = true;
    this.#resolve();
  }
}
