// What the kernel's rooms share: the context of an execution, its arguments, and the errors that scripts see.
import type { AuthMode, ExecutionKind, Failure } from './threads/protocol.ts';
import { isDate, isRecord } from './threads/serializer.ts';
import type { Cell, CellValue } from './types.ts';

/** An error in Google's words; the script sees it as an `Exception`. */
export class Exception extends Error {
  override readonly name = 'Exception';
}

/** What `Host.run` throws: the error of the script, with its line in Code.js where known. */
export class HostError extends Error {
  override readonly name: string;
  readonly line: number | undefined;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = failure.name;
    this.line = failure.line;
  }
}

/** One execution, as the rooms of the kernel know it. */
export interface Context {
  readonly kind: ExecutionKind;
  readonly functionName: string;
  readonly authMode: AuthMode;
  /** Where the formula stands; null for other kinds. */
  readonly cell: Cell | null;
  /** Who sits in front of the spreadsheet; quotas count for them. */
  readonly viewer: string;
  /** Whose user properties, cache and lock this execution gets. */
  readonly user: string;
  /** false: the services for a document answer null. */
  readonly hasDocument: boolean;
  /** Things to undo when the execution ends: locks to give back, waits to call off. */
  readonly atEnd: Set<() => void>;
}

/** An answer with bytes beside its value. */
export class WithBytes {
  readonly value: unknown;
  readonly bytes: readonly Uint8Array[];

  constructor(value: unknown, bytes: readonly Uint8Array[]) {
    this.value = value;
    this.bytes = bytes;
  }
}

/** Answers one call; throws an Exception for what the script did wrong. */
export type Handler = (context: Context, args: Args, bytes: readonly Uint8Array[]) => unknown;

/** Handlers by the name of the call. */
export type Handlers = Readonly<Record<string, Handler>>;

/** The arguments of a call. The services in the realm have checked them, so a wrong type here is a fault of the host. */
export class Args {
  readonly #values: readonly unknown[];

  constructor(values: unknown) {
    if (!Array.isArray(values)) throw new TypeError('a call without a list of arguments');
    this.#values = values;
  }

  /** The argument at `index`, unchecked. */
  at(index: number): unknown {
    return this.#values[index];
  }

  text(index: number): string {
    const value = this.#values[index];
    return typeof value === 'string' ? value : this.#wrong(index, 'a text');
  }

  number(index: number): number {
    const value = this.#values[index];
    return typeof value === 'number' ? value : this.#wrong(index, 'a number');
  }

  flag(index: number): boolean {
    const value = this.#values[index];
    return typeof value === 'boolean' ? value : this.#wrong(index, 'a boolean');
  }

  date(index: number): Date {
    const value = this.#values[index];
    return isDate(value) ? value : this.#wrong(index, 'a date');
  }

  texts(index: number): string[] {
    return list(this.#values[index]).map((value) =>
      typeof value === 'string' ? value : this.#wrong(index, 'a list of texts'),
    );
  }

  /** A map of texts, such as the values for `putAll`. */
  map(index: number): Map<string, string> {
    const value = this.#values[index];
    if (!isRecord(value)) return this.#wrong(index, 'an object of texts');
    return new Map(Object.entries(value).map(([key, item]) => [key, String(item)]));
  }

  record(index: number): Record<string, unknown> {
    const value = this.#values[index];
    return isRecord(value) ? value : this.#wrong(index, 'an object');
  }

  /** Rows of anything. */
  rows(index: number): unknown[][] {
    return list(this.#values[index]).map(list);
  }

  /** Rows of cells. */
  cells(index: number): CellValue[][] {
    return list(this.#values[index]).map((row) =>
      list(row).map((cell) => (isCellValue(cell) ? cell : this.#wrong(index, 'rows of cells'))),
    );
  }

  #wrong(index: number, wanted: string): never {
    throw new TypeError(`argument ${index} of a call is not ${wanted}`);
  }
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError('an argument of a call is not a list');
  return value;
}

/** Whether a cell can hold the value as it is. */
export function isCellValue(value: unknown): value is CellValue {
  return (
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || isDate(value)
  );
}

/** What a script sees of something thrown on the host's side. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: 'Error', message: String(thrown) };
}

/** The length of a text in UTF-8, which is what Google's limits count. */
export function byteLength(text: string): number {
  let length = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return length;
}
