// Parses query parameters, with the service's error messages.
import { NOT_INTEGER, tooLarge, tooSmall, validationError } from './service-errors.ts';

/** An integer parameter; both bounds are inclusive. */
export interface IntegerRule {
  name: string;
  default: number;
  min: number;
  max: number;
}

/**
 * Reads an integer.
 * @throws ServiceError 422 if it is invalid or out of bounds
 */
export function readInteger(query: URLSearchParams, { name, min, max, ...rule }: IntegerRule): number {
  const text = query.get(name);
  if (text === null) return rule.default;
  const value = /^\s*[+-]?\d{1,15}\s*$/.test(text) ? Number(text) : Number.NaN;
  const reason =
    (Number.isNaN(value) && NOT_INTEGER) || (value < min && tooSmall(min)) || (value > max && tooLarge(max));
  if (reason !== false) throw validationError({ loc: ['query', name], ...reason });
  return value;
}

const TRUE = ['true', '1', 'yes', 'on', 't', 'y'];
const FALSE = ['false', '0', 'no', 'off', 'f', 'n'];

/**
 * Reads a boolean; absent is false.
 * @throws ServiceError 422 if it is invalid
 */
export function readBoolean(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)?.toLowerCase();
  if (text === undefined || FALSE.includes(text)) return false;
  if (TRUE.includes(text)) return true;
  const msg = 'value could not be parsed to a boolean';
  throw validationError({ loc: ['query', name], msg, type: 'type_error.bool' });
}

/**
 * Reads one of several words.
 * @returns undefined if it is absent
 * @throws ServiceError 422 if it is another word
 */
export function readChoice<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const permitted = choices.map((choice) => `'${choice}'`).join(', ');
  throw validationError({
    loc: ['query', name],
    msg: `value is not a valid enumeration member; permitted: ${permitted}`,
    type: 'type_error.enum',
    ctx: { enum_values: choices },
  });
}
