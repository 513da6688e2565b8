// One invocation of the Worker as the platform sees it: what it calls, how often, and how many connections it holds.
import { CONNECTIONS, OPERATIONS, QUERIES } from './limits.ts';

/**
 * What was broken. `refused`: a call that the local platform refused by itself, its words in the message.
 */
export type ViolationCode =
  | 'kv_write_rate'
  | 'operations'
  | 'queries'
  | 'value_size'
  | 'message_size'
  | 'refused';

/** Something that the deployed platform refuses. */
export interface Violation {
  code: ViolationCode;
  /** Name of the binding. */
  binding: string;
  /** What the platform says. */
  message: string;
}

/** How many connections were used at once. */
export interface Connections {
  /** Held or waited for at once, at most. More than six is no error: it takes longer. */
  peak: number;
  /** Waiting for a place at the moment. Where this stays above 0, six calls wait for the seventh: a deadlock. */
  waiting: number;
}

/** Limits that hold for as long as it lives. */
export interface Allowed {
  operations: number;
  queries: number;
}

/** The limits of an invocation. A Durable Object gets them anew with every call of it, so none can be told for its life. */
export const allowances = {
  invocation: { operations: OPERATIONS, queries: QUERIES },
  object: { operations: Number.POSITIVE_INFINITY, queries: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Allowed>;

/** Counts what an invocation does, and refuses what is too much. */
export class Invocation {
  readonly violations: Violation[] = [];
  readonly calls: string[] = [];
  readonly #allowed: Allowed;
  readonly #told: ((violation: Violation) => void) | undefined;
  readonly #waiting: (() => void)[] = [];
  #operations = 0;
  #queries = 0;
  #held = 0;
  #wanted = 0;

  /** @param told - hears of each violation when it happens */
  constructor(allowed: Allowed, told?: (violation: Violation) => void) {
    this.#allowed = allowed;
    this.#told = told;
  }

  get connections(): Connections {
    return { peak: this.#wanted, waiting: this.#waiting.length };
  }

  /**
   * Notes a violation.
   * @throws Error with the platform's words, always
   */
  refuse(code: ViolationCode, binding: string, message: string): never {
    this.#note({ code, binding, message });
    throw new Error(message);
  }

  /** Counts a call of a service. */
  countOperation(binding: string, method: string): void {
    this.calls.push(`${binding}.${method}`);
    this.#operations += 1;
    if (this.#operations > this.#allowed.operations) {
      this.refuse('operations', binding, 'Too many API requests by single Worker invocation.');
    }
  }

  /** Counts a call of a database with so many statements. */
  countQueries(binding: string, method: string, statements: number): void {
    this.calls.push(`${binding}.${method}`);
    this.#queries += statements;
    if (this.#queries > this.#allowed.queries) {
      this.refuse('queries', binding, 'Too many API requests by single Worker invocation.');
    }
  }

  /** Waits for one of the six connections, calls, and holds it until the answer is there. */
  async withConnection<T>(call: () => T | Promise<T>): Promise<T> {
    this.#wanted = Math.max(this.#wanted, this.#held + this.#waiting.length + 1);
    if (this.#held < CONNECTIONS) this.#held += 1;
    // Whoever goes hands its place on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#held -= 1;
      else next();
    }
  }

  /** Calls the local platform, and notes where it refuses. */
  async recordRefusal<T>(binding: string, call: () => T | Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      this.#note({
        code: 'refused',
        binding,
        message: error instanceof Error ? error.message : String(error),
      });
      throw error;
    }
  }

  #note(violation: Violation): void {
    this.violations.push(violation);
    this.#told?.(violation);
  }
}
