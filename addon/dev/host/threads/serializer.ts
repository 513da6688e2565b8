// Serialises values between realm and host as text: each side creates values of its own classes.

const MARK = '$';

/**
 * Serialises a value as JSON that keeps dates, undefined and special numbers.
 * Throws a TypeError for functions, symbols and bigints.
 */
export function pack(value: unknown): string {
  return JSON.stringify(marked(value));
}

/** Parses the text of `pack` into values of the calling realm. */
export function unpack(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes(`"${MARK}"`) ? unmarked(value) : value;
}

function marked(value: unknown): unknown {
  if (value === undefined) return { [MARK]: 'undefined' };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return inJson(value) ? value : { [MARK]: 'number', of: numeral(value) };
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} can't leave the script`);
  if (isDate(value)) return { [MARK]: 'date', of: value.getTime() };
  if (Array.isArray(value)) return value.map(marked);
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, marked(item)]);
  return MARK in value ? { [MARK]: 'object', of: entries } : Object.fromEntries(entries);
}

function inJson(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numeral(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function unmarked(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(unmarked);
  const entries = Object.entries(value);
  if (!(MARK in value)) return Object.fromEntries(entries.map(([key, item]) => [key, unmarked(item)]));
  const of: unknown = 'of' in value ? value.of : undefined;
  if (value[MARK] === 'undefined') return undefined;
  if (value[MARK] === 'number') return Number(of);
  if (value[MARK] === 'date') return new Date(typeof of === 'number' ? of : Number.NaN);
  if (!Array.isArray(of)) throw new TypeError('a marked object without entries');
  return Object.fromEntries(of.map(([key, item]: [string, unknown]) => [key, unmarked(item)]));
}

/** Checks for a Date of any realm. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** Checks for an object other than an array or a date. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value);
}
