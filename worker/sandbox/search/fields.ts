// Looks up the fields of a mapping by full path, including sub-fields and nested objects.
import { listFields, type MappedField, type Mapping } from '../../../shared/index-fields/mapping.ts';

export type MappingLookup = ReturnType<typeof createMappingLookup>;

/**
 * Checks whether a name matches a pattern, at worst in time proportional to the product of their lengths.
 * @param pattern - `*` matches any run of characters; there is no escape
 */
export function matchesPattern(name: string, pattern: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return name === pattern;
  if (!name.startsWith(head)) return false;
  let from = head.length;
  for (const part of parts) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - tail.length >= from && name.endsWith(tail);
}

/**
 * Indexes a mapping for lookups.
 * @returns a lookup on tables that are built once
 */
export function createMappingLookup({ properties }: Mapping) {
  const fields = new Map<string, MappedField>();
  /** Whether the object at each path is nested. */
  const objects = new Map<string, boolean>();
  const addField = (field: MappedField): void => {
    fields.set(field.path, field);
    const variants = 'fields' in field.property ? (field.property.fields ?? {}) : {};
    for (const [name, property] of Object.entries(variants))
      addField({ ...field, path: `${field.path}.${name}`, property });
  };
  for (const field of listFields(properties)) {
    const { type } = field.property;
    if (type === 'object' || type === 'nested') objects.set(field.path, type === 'nested');
    else addField(field);
  }
  const all = [...fields.values()];
  const searchable = all.filter((field) => field.property.type !== 'binary');
  return {
    /** Returns the field of a path; undefined for objects and unmapped paths. */
    getField: (path: string) => fields.get(path),
    isNested: (path: string) => objects.get(path) === true,
    /** Checks whether a path is an object, nested or not. */
    isObject: (path: string) => objects.has(path),
    /** Finds the fields whose path matches a pattern with `*`, in the mapping's order. */
    findMatching: (pattern: string) => all.filter((field) => matchesPattern(field.path, pattern)),
    /** Returns the fields that a query without fields searches: all that have terms. */
    getDefaultFields: () => searchable,
  };
}
