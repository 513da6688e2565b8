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
export function getValueAt(value: unknown, steps: readonly FieldStep[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    if (typeof step === 'number') return getValueAt(value[step], rest);
    const found = value
      .map((item) => getValueAt(item, steps))
      .filter((item) => item !== undefined && item !== null);
    return found.length === 0 ? undefined : found.flat();
  }
  if (typeof value !== 'object' || value === null || typeof step === 'number') return undefined;
  const own = Object.getOwnPropertyDescriptor(value, step);
  return own === undefined ? undefined : getValueAt(own.value, rest);
}

/**
 * Makes what cuts records to the first names of some paths; names that a record does not have are left out. The paths are
 * read once, however many records there are.
 * @param paths - what to keep; with `*` among them records stay whole
 */
export function createProjection(
  paths: readonly string[],
): (record: Record<string, unknown>) => Record<string, unknown> {
  if (paths.includes('*')) return (record) => record;
  const names = new Set(paths.flatMap((path) => parseFieldPath(path)?.[0] ?? []));
  // Assigned, this name would be no field: it sets what an object inherits from.
  names.delete('__proto__');
  return (record) => {
    const kept: Record<string, unknown> = {};
    for (const name of names) {
      const own = Object.getOwnPropertyDescriptor(record, name);
      if (own !== undefined) kept[name] = own.value;
    }
    return kept;
  };
}
