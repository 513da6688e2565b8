// Reads untyped JSON: each function checks one kind of value.

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function createTypeError(kind: string, value: unknown): TypeError {
  return new TypeError(`golden data: expected ${kind}, found ${JSON.stringify(value)?.slice(0, 80)}`);
}

/** @throws TypeError if the value is not an object */
export function toObject(value: unknown): Json {
  if (!isObject(value)) throw createTypeError('an object', value);
  return value;
}

/** @throws TypeError if the value is not a list */
export function toList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw createTypeError('a list', value);
  return value;
}

/** @throws TypeError if the value is not text */
export function toText(value: unknown): string {
  if (typeof value !== 'string') throw createTypeError('a text', value);
  return value;
}

/** @throws TypeError if the value is not a number */
export function toNumber(value: unknown): number {
  if (typeof value !== 'number') throw createTypeError('a number', value);
  return value;
}
