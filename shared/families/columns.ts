// Columns of a family's records and previews, with their types.
import type { Column } from '../api/common.ts';
import type { Properties, Property } from '../index-fields/mapping.ts';
import { type Family, families, indexFields, previewFields } from './registry.ts';

const types: Readonly<Record<Property['type'], Column['type'] | undefined>> = {
  text: 'text',
  keyword: 'text',
  byte: 'integer',
  short: 'integer',
  integer: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  boolean: 'boolean',
  date: 'date',
  binary: undefined,
  object: undefined,
  nested: undefined,
};

/** Converts index fields to columns. Fields inside nested objects become lists of values. */
function toColumns(properties: Properties, path: string): Column[] {
  return Object.entries(properties).flatMap(([name, property]): Column[] => {
    const own = path === '' ? name : `${path}.${name}`;
    if (property.type === 'object' || property.type === 'nested') return toColumns(property.properties, own);
    const type = types[property.type];
    return type === undefined ? [] : [{ name: own, type: path === '' ? type : 'list' }];
  });
}

/** Returns the columns of a family's records, named by field path. */
export function getRecordColumns(family: Family): Column[] {
  const columns = toColumns(indexFields[family].properties, '');
  const known = new Set(columns.map(({ name }) => name));
  const others = families[family].defaultFields.filter((name) => !known.has(name));
  return [...columns, ...others.map((name) => ({ name, type: 'text' as const }))];
}

/** Types of preview fields that records do not have. */
const previewOnlyTypes: Readonly<Record<string, Column['type']>> = { _score: 'number' };

/** Returns the columns of a family's previews. Empty if the family has none. */
export function getPreviewColumns(family: Family): Column[] {
  const types = new Map(getRecordColumns(family).map(({ name, type }) => [name, type]));
  return previewFields[family].map((name) => ({
    name,
    type: previewOnlyTypes[name] ?? types.get(name) ?? 'text',
  }));
}
