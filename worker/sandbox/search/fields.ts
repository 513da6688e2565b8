// Looks up the fields of a mapping by full path, including sub-fields and nested objects.
import type { MappedField, Mapping, Properties, Property } from '../../../shared/index-fields/mapping.ts';

export interface MappingLookup {
  /** Returns the field of a path; undefined for objects and unmapped paths. */
  getField(path: string): MappedField | undefined;
  /** Checks whether a path is a nested object. */
  isNested(path: string): boolean;
  /** Checks whether a path is an object, nested or not. */
  isObject(path: string): boolean;
  /** Finds the fields whose path matches a pattern with `*`, in the mapping's order. */
  findMatching(pattern: string): readonly MappedField[];
  /** Returns the fields that a query without fields searches: all that have terms. */
  getDefaultFields(): readonly MappedField[];
}

export function isPattern(name: string): boolean {
  return name.includes('*');
}

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

interface Tables {
  fields: Map<string, MappedField>;
  /** Whether the object at each path is nested. */
  objects: Map<string, boolean>;
}

function addField(tables: Tables, path: string, property: Property, nestedPath: string | undefined): void {
  tables.fields.set(path, nestedPath === undefined ? { path, property } : { path, property, nestedPath });
  if (!('fields' in property) || property.fields === undefined) return;
  for (const [name, variant] of Object.entries(property.fields)) {
    addField(tables, `${path}.${name}`, variant, nestedPath);
  }
}

function addProperties(
  tables: Tables,
  prefix: string,
  properties: Properties,
  nestedPath: string | undefined,
): void {
  for (const [name, property] of Object.entries(properties)) {
    const path = prefix + name;
    if (property.type === 'object' || property.type === 'nested') {
      const nested = property.type === 'nested';
      tables.objects.set(path, nested);
      addProperties(tables, `${path}.`, property.properties, nested ? path : nestedPath);
    } else {
      addField(tables, path, property, nestedPath);
    }
  }
}

/**
 * Indexes a mapping for lookups.
 * @returns a lookup on tables that are built once
 */
export function createMappingLookup(mapping: Mapping): MappingLookup {
  const tables: Tables = { fields: new Map(), objects: new Map() };
  addProperties(tables, '', mapping.properties, undefined);
  const all = [...tables.fields.values()];
  const searchable = all.filter((field) => field.property.type !== 'binary');
  return {
    getField: (path) => tables.fields.get(path),
    isNested: (path) => tables.objects.get(path) === true,
    isObject: (path) => tables.objects.has(path),
    findMatching: (pattern) => all.filter((field) => matchesPattern(field.path, pattern)),
    getDefaultFields: () => searchable,
  };
}
