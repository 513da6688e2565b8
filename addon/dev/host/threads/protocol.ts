// Messages between the host and the threads of its executions.

/**
 * The trigger of an execution, which decides its permissions:
 * - `formula`: a custom function in a cell
 * - `menu`: a click by a user with consent
 * - `open`: the simple trigger that runs when the document opens
 * - `sidebar`: a call of google.script.run
 * - `trigger`: an installable trigger of the spreadsheet
 */
export type ExecutionKind = 'formula' | 'menu' | 'open' | 'sidebar' | 'trigger';

/** The task of an execution. `args` is packed (serializer.ts): the realm creates values of its classes. */
export interface Job {
  readonly code: string;
  readonly functionName: string;
  readonly args: string;
  readonly kind: ExecutionKind;
  /** true: `Date` uses the host's clock. */
  readonly useHostClock: boolean;
  /** Charset of digests without a charset: US_ASCII, or else UTF-8. */
  readonly asciiDigests: boolean;
  /** The script's time zone: local time of its `Date`. */
  readonly timeZone: string;
  /** NONE or LIMITED for a simple trigger, FULL for a user's click. */
  readonly authMode: AuthMode;
  /** HTML files of the project by name, without `.html`, as UTF-8. */
  readonly files: Readonly<Record<string, SharedArrayBuffer>>;
}

export type AuthMode = 'NONE' | 'LIMITED' | 'FULL';

/** An error thrown by a script, with its line in Code.js if known. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly line?: number;
}

/** The outcome of a job; `value` is packed. */
export type Outcome =
  | { readonly done: true; readonly value: string }
  | { readonly done: false; readonly failure: Failure };

/** A synchronous call from a realm. `name` is a class and method, such as `CacheService.Cache.put`; `args` is packed. */
export interface Call {
  readonly name: string;
  readonly args: string;
  readonly bytes: readonly Uint8Array[];
}

/** The host's reply; `value` is packed, `bytes` is separate. */
export type Reply =
  | { readonly ok: true; readonly value: string; readonly bytes: readonly Uint8Array[] }
  | { readonly ok: false; readonly failure: Failure };

export type CallHandler = (call: Call) => Promise<Reply>;

/** One realm with fresh globals in its own thread; runs one job. */
export interface Execution {
  /** Runs the job. Rejects if the thread breaks or is terminated. */
  run(job: Job, answer: CallHandler): Promise<Outcome>;
  /** Terminates the thread immediately. */
  terminate(): void;
}
