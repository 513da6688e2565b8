// The fields of an index by their full path: what a query may name, sub-fields and nested objects included.
import type { MappedField, Mapping, Properties, Property } from './mapping.ts';

/** A mapping, made ready for look-ups by path. */
export interface MappingLookup {
  /** The field of exactly that path; undefined for objects and for what is not mapped. */
  getField(path: string): MappedField | undefined;
  /** Whether that path is a nested object. */
  isNested(path: string): boolean;
  /** Whether that path is an object, nested or not. */
  isObject(path: string): boolean;
  /** The fields whose path fits a pattern, in which `*` is any run of characters; in the mapping's order. */
  findMatching(pattern: string): readonly MappedField[];
  /** The fields in which a text is looked for when no field is named: all that can be searched by a term. */
  getDefaultFields(): readonly MappedField[];
}

/** Whether a name is a pattern of names. */
export function isPattern(name: string): boolean {
  return name.includes('*');
}

/**
 * Whether a name fits a pattern, in time proportional to their lengths' product at worst.
 * @param pattern - `*` is any run of characters, none included; there is no escape
 */
export function matchesPattern(name: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return name === pattern;
  if (!name.startsWith(head)) return false;
  let from = head.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - tail.length >= from && name.endsWith(tail);
}

interface Tables {
  fields: Map<string, MappedField>;
  /** Paths of objects, with whether they are nested. */
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
 * Makes a mapping ready for look-ups.
 * @returns a lookup that answers from tables made once
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
