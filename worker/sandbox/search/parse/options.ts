// Reading the JSON of a clause: its options one by one, each by a reader that says what it takes.
import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Scalar } from '../values.ts';
import { QueryError } from './errors.ts';

/** Where a value stands, for messages. */
export interface OptionPlace {
  clause: string;
  option: string;
}

/** Makes a typed value of an option's JSON, which is never null. @throws QueryError for what it does not take */
export type OptionReader<T> = (value: unknown, place: OptionPlace) => T;

/** Whether a JSON value is a text, a number or a boolean. */
export function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint'
  );
}

const tokenNames: Readonly<Record<string, string>> = {
  string: 'VALUE_STRING',
  number: 'VALUE_NUMBER',
  bigint: 'VALUE_NUMBER',
  boolean: 'VALUE_BOOLEAN',
};

/** What the engine's reader of JSON calls such a value. */
export function getTokenName(value: unknown): string {
  if (Array.isArray(value)) return 'START_ARRAY';
  if (isObject(value)) return 'START_OBJECT';
  return tokenNames[typeof value] ?? 'VALUE_NULL';
}

function createParseError({ clause, option }: OptionPlace): QueryError {
  return new QueryError(`[${clause}] failed to parse field [${option}]`);
}

/** A text, a number or a boolean. */
export const scalarReader: OptionReader<Scalar> = (value, { clause, option }) => {
  if (isScalar(value)) return value;
  throw new QueryError(`[${clause}] unknown token [${getTokenName(value)}] after [${option}]`);
};

/** A text; a number or a boolean is taken as its text. */
export const textReader: OptionReader<string> = (value, place) => String(scalarReader(value, place));

/** A boolean, or its text. */
export const booleanReader: OptionReader<boolean> = (value, place) => {
  const given = textReader(value, place);
  if (given !== 'true' && given !== 'false') throw createParseError(place);
  return given === 'true';
};

/** A finite number, or its text. */
export const numberReader: OptionReader<number> = (value, place) => {
  const given = textReader(value, place).trim();
  const number = given === '' ? Number.NaN : Number(given);
  if (!Number.isFinite(number)) throw createParseError(place);
  return number;
};

/** The greatest number that an option counted in whole numbers takes. */
const MAX_COUNT = 2 ** 31 - 1;

/** A whole number from 0 on, or its text. */
export const countReader: OptionReader<number> = (value, place) => {
  const number = numberReader(value, place);
  if (!Number.isInteger(number) || number > MAX_COUNT) throw createParseError(place);
  if (number < 0) throw new QueryError(`[${place.clause}] [${place.option}] cannot be negative`);
  return number;
};

/** `and` or `or`, in any case. */
export const operatorReader: OptionReader<'and' | 'or'> = (value, place) => {
  const given = textReader(value, place).toLowerCase();
  if (given === 'and' || given === 'or') return given;
  throw new QueryError(`[${place.clause}] unknown ${place.option} [${value}], expected [and] or [or]`);
};

/** One of a few words. */
export function createChoiceReader<T extends string>(
  words: readonly T[],
  message: (given: string) => string,
): OptionReader<T> {
  return (value, place) => {
    const given = textReader(value, place);
    const found = words.find((word) => word === given.toLowerCase());
    if (found === undefined) throw new QueryError(message(given));
    return found;
  };
}

/** A list of texts; a single one stands for a list of it. */
export const textListReader: OptionReader<readonly string[]> = (value, place) =>
  (Array.isArray(value) ? value : [value]).map((one) => textReader(one, place));

/** An option that changes how the engine works, not what it answers. */
export const ignoredReader: OptionReader<undefined> = () => undefined;

/** The options of one clause: they are read by name, and what nobody asked for is refused at the end. */
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

  /** @returns undefined where the option is absent or null */
  read<T>(option: string, reader: OptionReader<T>): T | undefined {
    const value = this.#values.get(option);
    this.#values.delete(option);
    if (value === undefined || value === null) return undefined;
    return reader(value, { clause: this.#clause, option });
  }

  /** Reads past options that change nothing here. @throws QueryError where one is a list or an object */
  ignore(...options: readonly string[]): void {
    for (const option of options) this.read(option, scalarReader);
  }

  /** The options that have not been read yet: for clauses that take a field's name beside options. */
  getUnread(): string[] {
    return [...this.#values.keys()];
  }

  /**
   * Ends the reading with what every clause has.
   * @param complaint - what is said of an option that is not known, before its name
   * @returns the clause's boost, 1 where none is given
   * @throws QueryError for an option that is not known, a boost that is none
   */
  finish(complaint = 'query does not support'): number {
    this.read('_name', textReader);
    const boost = this.read('boost', numberReader) ?? 1;
    if (boost < 0) {
      throw new QueryError(
        `negative [boost] are not allowed in [${this.#clause}], use a value between 0 and 1 to deboost`,
      );
    }
    const [unknown] = this.getUnread();
    if (unknown !== undefined) throw new QueryError(`[${this.#clause}] ${complaint} [${unknown}]`);
    return boost;
  }
}

/**
 * The body of a clause on one field: the field's name, with a value or with options.
 * @returns the field's name and what stands there
 * @throws QueryError for no field or several
 */
export function parseFieldBody(clause: string, body: unknown): { field: string; value: unknown } {
  if (!isObject(body)) throw new QueryError(`[${clause}] query malformed, no start_object after query name`);
  const [first, second] = Object.entries(body);
  if (first === undefined) throw new QueryError(`[${clause}] requires fieldName`);
  if (second !== undefined) {
    throw new QueryError(
      `[${clause}] query doesn't support multiple fields, found [${first[0]}] and [${second[0]}]`,
    );
  }
  return { field: first[0], value: first[1] };
}

/**
 * The options of a clause on one field, where a plain value stands for an option.
 * @param short - the option that a plain value stands for
 */
export function parseFieldOptions(
  clause: string,
  body: unknown,
  short: string,
): { field: string; options: Options } {
  const { field, value } = parseFieldBody(clause, body);
  if (Array.isArray(value)) throw new QueryError(`[${clause}] unknown token [START_ARRAY] after [${field}]`);
  return { field, options: new Options(clause, isObject(value) ? value : { [short]: value }) };
}
