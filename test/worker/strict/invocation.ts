// One invocation of the Worker: counts its calls of bindings, limits its connections and records violations.
import { CONNECTIONS, OPERATIONS, QUERIES } from './limits.ts';
import type { Meter } from './meter.ts';
import type { Trips } from './trips.ts';

/** A broken limit; `refused`: an error of the local platform; `location`: an object outside of the deployment's region. */
export type ViolationCode =
  | 'kv_write_rate'
  | 'r2_write_rate'
  | 'operations'
  | 'queries'
  | 'value_size'
  | 'message_size'
  | 'data_point'
  | 'location'
  | 'refused';

/** A call that the deployed platform would refuse. */
export interface Violation {
  code: ViolationCode;
  /** Name of the binding. */
  binding: string;
  /** The platform's error message. */
  message: string;
}

export interface Connections {
  /** The most connections that were open or waiting at once. More than six is slow, but no error. */
  peak: number;
  /** Currently waiting. If this stays above 0, six calls wait for the seventh: a deadlock. */
  waiting: number;
}

const unlimited = { operations: Number.POSITIVE_INFINITY, queries: Number.POSITIVE_INFINITY };

/** Limits of an invocation. A Durable Object gets them with each of its calls, so its lifetime has none. */
export const allowances = {
  invocation: { operations: OPERATIONS, queries: QUERIES },
  object: unlimited,
} as const satisfies Record<string, typeof unlimited>;

const TOO_MANY = 'Too many API requests by single Worker invocation.';

/** Counts the calls of an invocation and refuses those beyond its limits. */
export class Invocation {
  readonly violations: Violation[] = [];
  /** For example `RECORDS.get`. */
  readonly calls: string[] = [];
  readonly meter: Meter | undefined;
  readonly #allowance: typeof unlimited;
  readonly #onViolation: ((violation: Violation) => void) | undefined;
  readonly #trips: Trips | undefined;
  readonly #waiting: (() => void)[] = [];
  #operations = 0;
  #queries = 0;
  #open = 0;
  #peak = 0;

  constructor(
    allowance: typeof unlimited,
    onViolation?: (violation: Violation) => void,
    /** Holds every call of a database, a service or an object. Default: none */
    trips?: Trips,
    /** Counts what the platform bills. Default: nothing */
    meter?: Meter,
  ) {
    this.meter = meter;
    this.#allowance = allowance;
    this.#onViolation = onViolation;
    this.#trips = trips;
  }

  get callCount(): number {
    return this.#operations + this.#queries;
  }

  get connections(): Connections {
    return { peak: this.#peak, waiting: this.#waiting.length };
  }

  /** Records a violation. @throws Error with the platform's message, always */
  refuse(code: ViolationCode, binding: string, message: string): never {
    this.#record({ code, binding, message });
    throw new Error(message);
  }

  /** Counts a call of a service. */
  countOperation(binding: string, method: string): void {
    this.calls.push(`${binding}.${method}`);
    this.#operations += 1;
    this.meter?.add('subrequests');
    if (this.#operations > this.#allowance.operations) this.refuse('operations', binding, TOO_MANY);
  }

  /** Counts a call of a database. */
  countQueries(binding: string, method: string, statements: number): void {
    this.calls.push(`${binding}.${method}`);
    this.#queries += statements;
    this.meter?.add('d1_statements', statements);
    if (this.#queries > this.#allowance.queries) this.refuse('queries', binding, TOO_MANY);
  }

  /** Calls a service over one of the six connections. */
  callService<T>(binding: string, call: () => T | Promise<T>): Promise<T> {
    return this.withConnection(() => this.recordRefusal(binding, call));
  }

  /** Waits for one of the six connections and holds it until the response. */
  async withConnection<T>(call: () => T | Promise<T>): Promise<T> {
    this.#peak = Math.max(this.#peak, this.#open + this.#waiting.length + 1);
    // A call that ends hands its connection over.
    if (this.#open < CONNECTIONS) this.#open += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#open -= 1;
      else next();
    }
  }

  /** Calls an object. The result of the call may be more than a promise, so it is awaited only after a held call. */
  callObject(name: string, call: () => unknown): unknown {
    return this.#trips === undefined ? call() : this.#trips.hold(name).then(call);
  }

  /** Calls the local platform and records its error as a violation. */
  async recordRefusal<T>(binding: string, call: () => T | Promise<T>): Promise<T> {
    await this.#trips?.hold(binding);
    try {
      return await call();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#record({ code: 'refused', binding, message });
      throw error;
    }
  }

  #record(violation: Violation): void {
    this.violations.push(violation);
    this.#onViolation?.(violation);
  }
}
