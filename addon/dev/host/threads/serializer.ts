// Serialises values between realm and host as text, because each side has its own classes.

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
