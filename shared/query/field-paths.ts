// Field paths such as `funding_rounds[0].last_round_type`.

/** A step of a path: a member name or a list index from 0. */
export type FieldStep = string | number;

const STEP = /^([^[\].\s,]+)((?:\[\d{1,6}\])*)$/;

/**
 * Parses a field path.
 * @param path - names joined by dots, each followed by any number of `[n]`
 * @returns the steps, or undefined if the text is not a path
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
 * Gets the value at a path. A name applied to a list is looked up in each item, and the result is a list.
 * @returns undefined if the path does not exist
 */
export function getValueAt(value: unknown, steps: readonly FieldStep[]): unknown {
  const [step, ...remaining] = steps;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    if (typeof step === 'number') return getValueAt(value[step], remaining);
    const values = value
      .map((item) => getValueAt(item, steps))
      .filter((item) => item !== undefined && item !== null);
    return values.length === 0 ? undefined : values.flat();
  }
  if (typeof value !== 'object' || value === null || typeof step === 'number') return undefined;
  const property = Object.getOwnPropertyDescriptor(value, step);
  return property === undefined ? undefined : getValueAt(property.value, remaining);
}

/**
 * Creates a function that reduces records to the top-level fields of some paths. The paths are parsed once.
 * @param paths - with `*` among them, records stay whole
 */
export function createProjection(
  paths: readonly string[],
): (record: Record<string, unknown>) => Record<string, unknown> {
  if (paths.includes('*')) return (record) => record;
  const names = new Set(paths.flatMap((path) => parseFieldPath(path)?.[0] ?? []));
  return (record) => {
    const projected: Record<string, unknown> = {};
    for (const name of names) {
      const property = Object.getOwnPropertyDescriptor(record, name);
      if (property === undefined) continue;
      // Assigning to this name would set the prototype.
      if (name === '__proto__') Object.defineProperty(projected, name, property);
      else projected[name] = property.value;
    }
    return projected;
  };
}
