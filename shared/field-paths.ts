// Paths into a record, such as `funding_rounds[0].last_round_type`: how they are read and followed.

/** One step: a name in an object, or a place in a list, counted from 0. */
export type FieldStep = string | number;

const STEP = /^([^[\].\s,]+)((?:\[\d{1,6}\])*)$/;

/**
 * Reads a path.
 * @param path - names joined by dots, each with any number of `[n]` behind it
 * @returns its steps, the first always a name; undefined where it is no path
 */
export function parseFieldPath(path: string): [string, ...FieldStep[]] | undefined {
  const steps: FieldStep[] = [];
  for (const part of path.trim().split('.')) {
    const match = STEP.exec(part);
    if (match === null) return undefined;
    const [, name = '', indexes = ''] = match;
    steps.push(name);
    for (const index of indexes.match(/\d+/g) ?? []) steps.push(Number(index));
  }
  const [first, ...rest] = steps;
  return typeof first === 'string' ? [first, ...rest] : undefined;
}

/**
 * Follows a path into a record. A name that meets a list is looked up in each of its items.
 * @returns what stands there, a list where a list was crossed; undefined where the path leads nowhere
 */
export function valueAt(value: unknown, steps: readonly FieldStep[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    if (typeof step === 'number') return valueAt(value[step], rest);
    const found = value
      .map((item) => valueAt(item, steps))
      .filter((item) => item !== undefined && item !== null);
    return found.length === 0 ? undefined : found.flat();
  }
  if (typeof value !== 'object' || value === null || typeof step === 'number') return undefined;
  const own = Object.getOwnPropertyDescriptor(value, step);
  return own === undefined ? undefined : valueAt(own.value, rest);
}

/**
 * Cuts a record to the first names of some paths. Names that it does not have are left out.
 * @param record - the whole record; it is not changed
 * @param paths - what to keep
 */
export function project(record: Record<string, unknown>, paths: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const path of paths) {
    const name = parseFieldPath(path)?.[0];
    const own = name === undefined ? undefined : Object.getOwnPropertyDescriptor(record, name);
    if (name !== undefined && own !== undefined) {
      Object.defineProperty(kept, name, { ...own, enumerable: true });
    }
  }
  return kept;
}
