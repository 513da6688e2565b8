// Reads untyped JSON: each function checks one kind of value.

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(kind: string, value: unknown): TypeError {
  return new TypeError(`golden data: expected ${kind}, found ${JSON.stringify(value)?.slice(0, 80)}`);
}

/** @throws TypeError where the value is no object */
export function object(value: unknown): Json {
  if (!isObject(value)) throw wrong('an object', value);
  return value;
}

/** @throws TypeError where the value is no list */
export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong('a list', value);
  return value;
}

/** @throws TypeError where the value is no text */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw wrong('a text', value);
  return value;
}

/** @throws TypeError where the value is no number */
export function number(value: unknown): number {
  if (typeof value !== 'number') throw wrong('a number', value);
  return value;
}
