// Tells objects of JSON from everything else.

/** Whether a value is an object of JSON: none of its lists, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
