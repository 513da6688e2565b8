// Shared by the host's services: execution context, call arguments and script errors.
import type { Settings } from './settings.ts';
import type { AuthMode, ExecutionKind, Failure } from './threads/protocol.ts';
import { isDate, isRecord } from './threads/protocol.ts';
import type { Cell, CellValue } from './types.ts';

/** An error with Google's message; the script sees it as an `Exception`. */
export class Exception extends Error {
  override readonly name: string = 'Exception';
}

/** The script's error as thrown by `Host.run`, with its line in Code.js if known. */
export class HostError extends Error {
  override readonly name: string;
  readonly line: number | undefined;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = failure.name;
    this.line = failure.line;
  }
}

export interface Context {
  readonly kind: ExecutionKind;
  readonly functionName: string;
  readonly authMode: AuthMode;
  /** The cell of the formula; null for other kinds. */
  readonly cell: Cell | null;
  /** The user in front of the spreadsheet; quotas count per viewer. */
  readonly viewer: string;
  /** The owner of the user properties, cache and lock. */
  readonly user: string;
  /** false: services of the document return null. */
  readonly hasDocument: boolean;
  /** The settings when the execution began. */
  readonly settings: Settings;
  /** How far the script's clock is ahead of the host's, in ms: see `serviceLatencyMs`. */
  aheadMs: number;
  /** Clean-up at the end of the execution: releases locks, cancels timers. */
  readonly cleanups: Set<() => void>;
}

export class BinaryResult {
  readonly value: unknown;
  readonly bytes: readonly Uint8Array[];

  constructor(value: unknown, bytes: readonly Uint8Array[]) {
    this.value = value;
    this.bytes = bytes;
  }
}

/** Handles one call; throws an Exception for a mistake of the script. */
export type Handler = (context: Context, args: Args, bytes: readonly Uint8Array[]) => unknown;

export type Handlers = Readonly<Record<string, Handler>>;

/** Arguments of a call. The realm has checked them, so a wrong type is a bug of the host. */
export class Args {
  readonly #values: readonly unknown[];

  constructor(values: unknown) {
    if (!Array.isArray(values)) throw new TypeError('the arguments of a call are not a list');
    this.#values = values;
  }

  /** Returns the argument unchecked. */
  at(index: number): unknown {
    return this.#values[index];
  }

  string(index: number): string {
    const value = this.#values[index];
    return typeof value === 'string' ? value : this.#fail(index, 'a text');
  }

  number(index: number): number {
    const value = this.#values[index];
    return typeof value === 'number' ? value : this.#fail(index, 'a number');
  }

  boolean(index: number): boolean {
    const value = this.#values[index];
    return typeof value === 'boolean' ? value : this.#fail(index, 'a boolean');
  }

  date(index: number): Date {
    const value = this.#values[index];
    return isDate(value) ? value : this.#fail(index, 'a date');
  }

  strings(index: number): string[] {
    return this.list(index).map((value) =>
      typeof value === 'string' ? value : this.#fail(index, 'a list of texts'),
    );
  }

  /** Returns an object of strings, such as the values of `putAll`. */
  stringMap(index: number): Map<string, string> {
    const value = this.#values[index];
    if (!isRecord(value)) return this.#fail(index, 'an object of texts');
    return new Map(Object.entries(value).map(([key, item]) => [key, String(item)]));
  }

  record(index: number): Record<string, unknown> {
    const value = this.#values[index];
    return isRecord(value) ? value : this.#fail(index, 'an object');
  }

  list(index: number): unknown[] {
    return toList(this.#values[index]);
  }

  rows(index: number): unknown[][] {
    return this.list(index).map(toList);
  }

  cells(index: number): CellValue[][] {
    return this.rows(index).map((row) =>
      row.map((cell) => (isCellValue(cell) ? cell : this.#fail(index, 'rows of cells'))),
    );
  }

  #fail(index: number, expected: string): never {
    throw new TypeError(`argument ${index} of a call is not ${expected}`);
  }
}

function toList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError('an argument of a call is not a list');
  return value;
}

/** Checks whether a cell can hold the value. */
export function isCellValue(value: unknown): value is CellValue {
  return (
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || isDate(value)
  );
}

/** Converts an error of the host for the script. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: 'Error', message: String(thrown) };
}

/** Returns the length in UTF-8: Google's limits count bytes. */
export function byteLength(text: string): number {
  let length = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return length;
}
