// google.script.run: what may pass between a page and the script.

/** Guide "Communicate with server functions": 10 calls of a page run at a time, the next waits for one to end. */
export const CALLS_AT_ONCE = 10;

/** Where in a value something stands that may not pass; a circle is one too. */
export interface IllegalPlace {
  readonly property: string;
  readonly circle: boolean;
}

/**
 * Looks for what may not pass. Reference "google.script.run", myFunction: numbers, booleans, texts, null, and objects and
 * arrays made of them are legal; a date, a function, an element and an object of a class are not, nor are circles.
 * Undefined passes: as null in an array, not at all in an object.
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

/** An array or an object made with braces, of any realm. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || !Object.getPrototypeOf(prototype);
}

/** Arguments as the script gets them; throws what the page's own call would throw. */
export function passed(args: readonly unknown[]): unknown[] {
  const found = illegalPlace(args);
  if (found?.circle) throw new TypeError('Failed due to circular reference.');
  if (found) throw new TypeError(`Failed due to illegal value in property: ${found.property}`);
  const copy: unknown = JSON.parse(JSON.stringify(args));
  return Array.isArray(copy) ? copy : [];
}
