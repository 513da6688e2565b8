// Reads the options of a clause, each with a typed reader.
import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Query } from '../query.ts';
import { isScalar, type Scalar } from '../values.ts';
import { creationError, QueryError, type Scope } from './scope.ts';

export interface OptionLocation {
  clause: string;
  option: string;
}

/** Converts the JSON of an option, which is never null, to a typed value. @throws QueryError for an invalid value */
export type OptionReader<T> = (value: unknown, location: OptionLocation) => T;

const tokenNames: Readonly<Record<string, string>> = {
  string: 'VALUE_STRING',
  number: 'VALUE_NUMBER',
  bigint: 'VALUE_NUMBER',
  boolean: 'VALUE_BOOLEAN',
};

/** Returns the engine's name for the type of a JSON value. */
function getTokenName(value: unknown): string {
  if (Array.isArray(value)) return 'START_ARRAY';
  if (isObject(value)) return 'START_OBJECT';
  return tokenNames[typeof value] ?? 'VALUE_NULL';
}

function createOptionError({ clause, option }: OptionLocation): QueryError {
  return new QueryError(`[${clause}] failed to parse field [${option}]`);
}

/** Reads a text, number or boolean. */
export const scalarReader: OptionReader<Scalar> = (value, { clause, option }) => {
  if (isScalar(value)) return value;
  throw new QueryError(`[${clause}] unknown token [${getTokenName(value)}] after [${option}]`);
};

/** Reads a text; converts numbers and booleans. */
export const textReader: OptionReader<string> = (value, location) => String(scalarReader(value, location));

/** Reads a boolean or its text. */
export const booleanReader: OptionReader<boolean> = (value, location) => {
  const text = textReader(value, location);
  if (text !== 'true' && text !== 'false') throw createOptionError(location);
  return text === 'true';
};

/** Reads a finite number or its text. */
export const numberReader: OptionReader<number> = (value, location) => {
  const text = textReader(value, location).trim();
  const number = text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) throw createOptionError(location);
  return number;
};

const MAX_COUNT = 2 ** 31 - 1;

/** Reads a non-negative integer or its text. */
export const countReader: OptionReader<number> = (value, location) => {
  const number = numberReader(value, location);
  if (!Number.isInteger(number) || number > MAX_COUNT) throw createOptionError(location);
  if (number < 0) throw new QueryError(`[${location.clause}] [${location.option}] cannot be negative`);
  return number;
};

/** Reads `and` or `or`, in any case. */
export const operatorReader: OptionReader<'and' | 'or'> = (value, location) => {
  const text = textReader(value, location).toLowerCase();
  if (text === 'and' || text === 'or') return text;
  throw new QueryError(`[${location.clause}] unknown ${location.option} [${value}], expected [and] or [or]`);
};

export function createChoiceReader<T extends string>(
  words: readonly T[],
  message: (text: string) => string,
): OptionReader<T> {
  return (value, location) => {
    const text = textReader(value, location);
    const match = words.find((word) => word === text.toLowerCase());
    if (match === undefined) throw new QueryError(message(text));
    return match;
  };
}

/** Reads a list of texts, or a single text. */
export const textListReader: OptionReader<readonly string[]> = (value, location) =>
  (Array.isArray(value) ? value : [value]).map((item) => textReader(item, location));

/** The options of one clause. They are read by name; {@link finish} rejects the others. */
export class Options {
  readonly #clause: string;
  readonly #values: Map<string, unknown>;

  /** @throws QueryError if the body of the clause is not an object */
  constructor(clause: string, body: unknown) {
    if (!isObject(body)) {
      throw new QueryError(`[${clause}] query malformed, no start_object after query name`);
    }
    this.#clause = clause;
    this.#values = new Map(Object.entries(body));
  }

  /** @returns undefined if the option is absent or null */
  read<T>(option: string, reader: OptionReader<T>): T | undefined {
    const value = this.#values.get(option);
    this.#values.delete(option);
    if (value === undefined || value === null) return undefined;
    return reader(value, { clause: this.#clause, option });
  }

  /** Skips options without effect. @throws QueryError if one is a list or an object */
  ignore(...options: readonly string[]): void {
    for (const option of options) this.read(option, scalarReader);
  }

  /** Returns the unread options: some clauses have a field name beside options. */
  getUnread(): string[] {
    return [...this.#values.keys()];
  }

  /**
   * Reads the options of every clause and rejects unknown ones.
   * @param message - message about an unknown option, before its name
   * @returns the clause's boost, by default 1
   * @throws QueryError for an unknown option or an invalid boost
   */
  finish(message = 'query does not support'): number {
    this.read('_name', textReader);
    const boost = this.read('boost', numberReader) ?? 1;
    if (boost < 0) {
      throw new QueryError(
        `negative [boost] are not allowed in [${this.#clause}], use a value between 0 and 1 to deboost`,
      );
    }
    const [unknown] = this.getUnread();
    if (unknown !== undefined) throw new QueryError(`[${this.#clause}] ${message} [${unknown}]`);
    return boost;
  }

  /**
   * Returns the field of a clause on one field, and the value beside its name.
   * @throws QueryError for no field or several fields
   */
  getField(): { path: string; value: unknown } {
    const [first, second] = this.#values;
    if (first === undefined) throw new QueryError(`[${this.#clause}] requires fieldName`);
    if (second !== undefined) {
      throw new QueryError(
        `[${this.#clause}] query doesn't support multiple fields, found [${first[0]}] and [${second[0]}]`,
      );
    }
    return { path: first[0], value: first[1] };
  }

  /**
   * Returns the field of a clause on one field, and its options. A plain value is an abbreviation of one option.
   * @param defaultOption - that option
   */
  openField(defaultOption: string): { path: string; options: Options } {
    const { path, value } = this.getField();
    if (Array.isArray(value)) {
      throw new QueryError(`[${this.#clause}] unknown token [START_ARRAY] after [${path}]`);
    }
    return { path, options: new Options(this.#clause, isObject(value) ? value : { [defaultOption]: value }) };
  }
}

/** Parses the options of a clause. @throws QueryError for an invalid clause */
export type ClauseParser = (options: Options, scope: Scope) => Query;

/** A fixed number of edits, or one by term length: none below `low` letters, one below `high`, otherwise two. */
export type Fuzziness = { edits: 0 | 1 | 2 } | { low: number; high: number };

/** `AUTO`: none for 1 and 2 letters, one for 3 to 5, two for longer terms. */
export const AUTO_FUZZINESS: Fuzziness = { low: 3, high: 6 };

const AUTO_PATTERN = /^AUTO(?::(\d{1,9}),(\d{1,9}))?$/i;

/** @returns undefined for an invalid fuzziness */
export function parseFuzziness(text: string): Fuzziness | undefined {
  const match = AUTO_PATTERN.exec(text);
  if (match !== null) {
    const [, low, high] = match;
    if (low === undefined || high === undefined) return AUTO_FUZZINESS;
    return Number(low) <= Number(high) ? { low: Number(low), high: Number(high) } : undefined;
  }
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return undefined;
  const edits = Math.trunc(Number(text));
  return { edits: edits === 0 || edits === 1 ? edits : 2 };
}

/** Reads `AUTO`, `AUTO:low,high` or a number of edits; more than two count as two. */
export const fuzzinessReader: OptionReader<Fuzziness> = (value, location) => {
  const text = textReader(value, location);
  const fuzziness = parseFuzziness(text);
  if (fuzziness === undefined) throw new QueryError(`[${location.clause}] illegal fuzziness value [${text}]`);
  return fuzziness;
};

/** Returns the maximum number of edits of a term; its letters are code points. */
export function getMaxEdits(fuzziness: Fuzziness, term: string): 0 | 1 | 2 {
  if ('edits' in fuzziness) return fuzziness.edits;
  const length = [...term].length;
  if (length < fuzziness.low) return 0;
  return length < fuzziness.high ? 1 : 2;
}

const MAX_LENGTH = 200;

/** Reads a specification such as `2`, `-1`, `75%` or `3<-1 5<50%`; its meaning depends on the number of clauses. */
export const minimumShouldMatchReader: OptionReader<string> = (value, location) => {
  const specification = textReader(value, location).trim();
  // An infinite number of clauses evaluates every condition, which finds all syntax errors.
  countRequiredClauses(specification, Number.POSITIVE_INFINITY);
  return specification;
};

function createError(part: string): QueryError {
  return creationError(`For input string: "${part.slice(0, MAX_LENGTH)}"`);
}

function parseInteger(part: string): number {
  if (!/^[+-]?\d{1,10}$/.test(part)) throw createError(part);
  return Number(part);
}

/** Resolves a number or a percentage; percentages are truncated in 32-bit floats like the engine's. */
function resolveSimple(part: string, clauses: number): number {
  let result: number;
  if (part.endsWith('%')) {
    const share = Math.fround(Math.fround(clauses * parseInteger(part.slice(0, -1))) * Math.fround(0.01));
    result = Math.trunc(share) + (share < 0 ? clauses : 0);
  } else {
    const number = parseInteger(part);
    result = number < 0 ? clauses + number : number;
  }
  return Math.max(0, result);
}

/**
 * Returns how many clauses have to match. A result below 1 counts as absent; one above the number of clauses matches
 * nothing.
 * @throws QueryError for an invalid specification
 */
export function countRequiredClauses(specification: string, clauses: number): number {
  if (specification.length > MAX_LENGTH) throw createError(specification);
  if (!specification.includes('<')) return resolveSimple(specification, clauses);
  let result = clauses;
  for (const condition of specification.replaceAll(/\s*<\s*/g, '<').split(/\s+/)) {
    const [limit = '', part = ''] = condition.split('<');
    if (clauses <= parseInteger(limit)) return result;
    result = resolveSimple(part, clauses);
  }
  return result;
}
