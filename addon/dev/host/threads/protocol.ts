// Messages between the host and the threads of its executions.

/**
 * The way a function is called, which decides what it may do:
 * - `formula`: a custom function in a cell
 * - `menu`: a click by someone who gave consent
 * - `open`: the simple trigger that runs when the document opens
 * - `sidebar`: a call of google.script.run
 * - `trigger`: an installable trigger of the spreadsheet
 */
export type ExecutionKind = 'formula' | 'menu' | 'open' | 'sidebar' | 'trigger';

/** What an execution is asked to do. `args` is packed (wire.ts): the realm makes the values out of its own classes. */
export interface Job {
  readonly code: string;
  readonly functionName: string;
  readonly args: string;
  readonly kind: ExecutionKind;
  /** true: `Date` asks the host for the time. */
  readonly askClock: boolean;
  /** The script's time zone, which is local time for its `Date`. */
  readonly timeZone: string;
  /** NONE or LIMITED for a simple trigger, FULL for what someone clicked. */
  readonly authMode: AuthMode;
}

export type AuthMode = 'NONE' | 'LIMITED' | 'FULL';

/** Something that a script threw. `line` is its line in Code.js where known. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly line?: number;
}

/** How a job ended; `value` is packed. */
export type Outcome =
  | { readonly done: true; readonly value: string }
  | { readonly done: false; readonly failure: Failure };

/** A synchronous call out of a realm: `name` is a class and method, as in `CacheService.Cache.put`; `args` is packed. */
export interface Call {
  readonly name: string;
  readonly args: string;
  readonly bytes: readonly Uint8Array[];
}

/** The host's answer to a call: `value` is packed, `bytes` travel beside it. */
export type Reply =
  | { readonly ok: true; readonly value: string; readonly bytes: readonly Uint8Array[] }
  | { readonly ok: false; readonly failure: Failure };

/** Answers the calls of one execution. */
export type Answer = (call: Call) => Promise<Reply>;

/** One realm with fresh globals in a thread of its own; runs one job. */
export interface Execution {
  /** Runs the job and answers its calls through `answer`; rejects when the thread breaks or is terminated. */
  run(job: Job, answer: Answer): Promise<Outcome>;
  /** Ends the thread, whatever it is doing. */
  terminate(): void;
}
