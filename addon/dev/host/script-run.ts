// Checks of google.script.run: which values may cross between a page and the script.

/** Guide "Communicate with server functions": a page runs 10 calls at a time and queues the others. */
export const CALLS_AT_ONCE = 10;

/** The property of a value that google.script.run refuses. */
export interface IllegalPlace {
  readonly property: string;
  readonly circle: boolean;
}

/**
 * Finds a value that google.script.run refuses. Reference "google.script.run", myFunction: numbers, booleans, texts, null,
 * and objects and arrays of them are legal; dates, functions, elements, class instances and circular references are not.
 * Undefined becomes null in an array and is omitted from an object.
 */
export function illegalPlace(value: unknown): IllegalPlace | null {
  return search(value, '', new Set());
}

function search(value: unknown, property: string, above: Set<object>): IllegalPlace | null {
  if (value === null || value === undefined) return null;
  if (['string', 'number', 'boolean'].includes(typeof value)) return null;
  if (typeof value !== 'object' || !isPlain(value)) return { property, circle: false };
  if (above.has(value)) return { property, circle: true };
  above.add(value);
  for (const [key, item] of Object.entries(value)) {
    const found = search(item, key, above);
    if (found) return found;
  }
  above.delete(value);
  return null;
}

/** Checks for an array or a plain object of any realm. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || !Object.getPrototypeOf(prototype);
}

/** Copies arguments for the script. Throws the TypeError that the page's call would throw. */
export function passed(args: readonly unknown[]): unknown[] {
  const found = illegalPlace(args);
  if (found?.circle) throw new TypeError('Failed due to circular reference.');
  if (found) throw new TypeError(`Failed due to illegal value in property: ${found.property}`);
  const copy: unknown = JSON.parse(JSON.stringify(args));
  return Array.isArray(copy) ? copy : [];
}
