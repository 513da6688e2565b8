// The columns that a family's rows can have, with their types: from the index fields and the preview items.
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

/** What stands in an object that is itself one of a list is a list of values. */
function toColumns(properties: Properties, path: string): Column[] {
  return Object.entries(properties).flatMap(([name, property]): Column[] => {
    const own = path === '' ? name : `${path}.${name}`;
    if (property.type === 'object' || property.type === 'nested') return toColumns(property.properties, own);
    const type = types[property.type];
    return type === undefined ? [] : [{ name: own, type: path === '' ? type : 'list' }];
  });
}

/**
 * The columns of a family's records: paths as formulas take them.
 */
export function getRecordColumns(family: Family): Column[] {
  const columns = toColumns(indexFields[family].properties, '');
  const known = new Set(columns.map(({ name }) => name));
  const others = families[family].defaultFields.filter((name) => !known.has(name));
  return [...columns, ...others.map((name) => ({ name, type: 'text' as const }))];
}

/** Items say some things under names of their own. */
const previewOnlyTypes: Readonly<Record<string, Column['type']>> = { _score: 'number' };

/**
 * The columns of a family's preview.
 * @returns none where the family has no preview
 */
export function getPreviewColumns(family: Family): Column[] {
  const types = new Map(getRecordColumns(family).map(({ name, type }) => [name, type]));
  return previewFields[family].map((name) => ({
    name,
    type: previewOnlyTypes[name] ?? types.get(name) ?? 'text',
  }));
}
