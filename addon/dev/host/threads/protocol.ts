// Messages between the host and the threads of its executions, and their serialisation: each side has its own classes.

/**
 * The trigger of an execution, which decides its permissions:
 * - `formula`: a custom function in a cell
 * - `menu`: a click by a user with consent
 * - `open`: the simple trigger that runs when the document opens
 * - `sidebar`: a call of google.script.run
 * - `trigger`: an installable trigger of the spreadsheet
 */
export type ExecutionKind = 'formula' | 'menu' | 'open' | 'sidebar' | 'trigger';

/** The task of an execution. `args` is serialised: the realm creates values of its classes. */
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

const TAG = '$';

/**
 * Serialises a value as JSON that keeps dates, undefined and special numbers.
 * Throws a TypeError for functions, symbols and bigints.
 */
export function pack(value: unknown): string {
  return JSON.stringify(encodeValue(value));
}

/** Parses the text of `pack` into values of the calling realm. */
export function unpack(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes(`"${TAG}"`) ? decodeValue(value) : value;
}

function encodeValue(value: unknown): unknown {
  if (value === undefined) return { [TAG]: 'undefined' };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number')
    return isJsonNumber(value) ? value : { [TAG]: 'number', value: formatNumber(value) };
  if (typeof value !== 'object') throw new TypeError(`cannot serialise a ${typeof value}`);
  if (isDate(value)) return { [TAG]: 'date', value: value.getTime() };
  if (Array.isArray(value)) return value.map(encodeValue);
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, encodeValue(item)]);
  return TAG in value ? { [TAG]: 'object', value: entries } : Object.fromEntries(entries);
}

function isJsonNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function formatNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function decodeValue(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(decodeValue);
  const entries = Object.entries(value);
  if (!(TAG in value)) return Object.fromEntries(entries.map(([key, item]) => [key, decodeValue(item)]));
  const content: unknown = 'value' in value ? value.value : undefined;
  if (value[TAG] === 'undefined') return undefined;
  if (value[TAG] === 'number') return Number(content);
  if (value[TAG] === 'date') return new Date(typeof content === 'number' ? content : Number.NaN);
  if (!Array.isArray(content)) throw new TypeError('a tagged object has no entries');
  return Object.fromEntries(content.map(([key, item]: [string, unknown]) => [key, decodeValue(item)]));
}

/** Checks for a Date of any realm. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** Checks for an object other than an array or a date. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value);
}
