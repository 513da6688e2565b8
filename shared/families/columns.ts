// Columns of a family's records and previews, with their types.
import type { Column } from '../api/common.ts';
import { listFields, type Property } from '../index-fields/mapping.ts';
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

/** Returns the columns of a family's records, named by field path. Fields inside objects become lists of values. */
export function getRecordColumns(family: Family): Column[] {
  const columns = Array.from(listFields(indexFields[family].properties)).flatMap(({ path, property }) => {
    const type = types[property.type];
    return type === undefined ? [] : { name: path, type: path.includes('.') ? ('list' as const) : type };
  });
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
