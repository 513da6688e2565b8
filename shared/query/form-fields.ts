// The fields of a family's search form, built from its named filters or its index fields.

import { type Family, searchForms } from '../families/registry.ts';
import { isUrlField } from '../index-fields/indexed-url.ts';
import { listFields, type Properties, type Property } from '../index-fields/mapping.ts';
import { defined } from '../lib/defined.ts';
import { formatEnglishFieldLabel, humanise } from './field-labels.ts';
import type { Filter, FilterType } from './filters.ts';
import { industries } from './industries.ts';
import { getKnownValues } from './known-values.ts';

/** How the search engine queries an index field. */
export interface IndexTarget {
  /** Full path of the queried field. */
  path: string;
  /** Path of the nearest enclosing nested object. */
  nested?: string;
  /** Number indexed for a missing value. Open ranges exclude it. */
  missingValue?: number;
  /** The flag is stored as 0 or 1. */
  isNumericFlag?: true;
  /** The values are URLs, which are indexed in a normalised form. */
  isUrl?: true;
  /** The values are years as text, so ranges need both bounds. */
  isYear?: true;
  /** Path of the field that holds the word NULL for a missing value. */
  nullPath?: string;
}

export interface FormField {
  /** Name in the form's conditions: the filter's name without `_gte` and `_lte`, or the index field's path. */
  name: string;
  label: string;
  type: FilterType;
  /** The field takes a range instead of values. Either end may be open. */
  isRange: boolean;
  /** The field takes several values. A record must match one of them. */
  isMultiple: boolean;
  suggestions: readonly string[];
  /** Label of the enclosing nested object, or '' at the root. Groups the fields of a list. */
  group: string;
  /** The index field. Absent if the form only builds named filters. */
  target?: IndexTarget;
  /** A named filter searches the field. The query DSL is only needed for comparisons. */
  isFilter?: true;
}

/** Returns the values that the form suggests for a field. */
const getSuggestions = (path: string): readonly string[] =>
  /industry$/.test(path) ? industries : getKnownValues(path);

const stripBound = (name: string): string => name.replace(/_[gl]te$/, '');

function toFilterFields(filter: Filter, all: readonly Filter[], indexed: readonly FormField[]): FormField[] {
  const { name, type, label, fields, path } = filter;
  const base = stripBound(name);
  const pair = filter.bound !== undefined && base !== name;
  // Both ends of a range form one field, at the position of the first end.
  if (pair && all.find((other) => stripBound(other.name) === base) !== filter) return [];
  const [first = ''] = fields;
  const target = indexed.find((field) => field.name === first)?.target;
  return [
    {
      name: base,
      label: pair ? label.replace(/ (?:from|to)$/, '') : label,
      type,
      isRange: pair,
      isMultiple: type === 'text',
      suggestions: fields.length === 1 ? getSuggestions(first) : [],
      group: path === undefined ? '' : humanise(path),
      isFilter: true,
      ...(target && { target: type === 'exact' ? { ...target, path: `${first}.exact` } : target }),
    },
  ];
}

/** Returns the filter type of an index field, or undefined if it can't be searched. */
function toFilterType(property: Property): FilterType | undefined {
  if ('index' in property && property.index === false) return undefined;
  switch (property.type) {
    case 'text':
      return property.fields?.domain_only === undefined ? 'text' : 'host';
    case 'keyword':
      return 'exact';
    case 'byte':
    case 'boolean':
      return 'flag';
    case 'date':
      if (property.format === 'yyyy-MM-dd HH:mm:ss') return 'datetime';
      return property.format?.includes('||yyyy-MM||') ? 'month' : 'date';
    case 'short':
    case 'integer':
    case 'long':
      return 'integer';
    default:
      return undefined;
  }
}

/** Returns the path that holds the word NULL for a missing value. */
function findNullPath(path: string, property: Property): string | undefined {
  if (property.type === 'keyword') return property.null_value === undefined ? undefined : path;
  const exact = property.type === 'text' ? property.fields?.exact : undefined;
  return exact?.type === 'keyword' && exact.null_value !== undefined ? `${path}.exact` : undefined;
}

const isIdentifier = (name: string): boolean => /(?:^|_)id$/.test(name);

function toIndexFields(properties: Properties): FormField[] {
  return Array.from(listFields(properties)).flatMap(({ path, property, nestedPath }): FormField[] => {
    const [name = '', ...above] = path.split('.').reverse();
    const isYear = property.type === 'keyword' && /(?:^|_)founded$/.test(name);
    const type = isYear ? 'integer' : toFilterType(property);
    if (type === undefined) return [];
    const nullPath = findNullPath(path, property);
    const missing =
      'null_value' in property && typeof property.null_value === 'number' ? property.null_value : undefined;
    const ranged =
      (type === 'integer' && !isIdentifier(name)) || ['date', 'datetime', 'month'].includes(type);
    return [
      {
        name: path,
        label: humanise(name),
        type,
        isRange: ranged,
        isMultiple: !ranged && type !== 'flag',
        suggestions: getSuggestions(path),
        group: formatEnglishFieldLabel(above.reverse().join('.')),
        target: {
          path: type === 'host' ? `${path}.domain_only` : path,
          ...defined({ nested: nestedPath, missingValue: missing, nullPath }),
          ...(isYear && { isYear: true }),
          ...(property.type === 'byte' && { isNumericFlag: true }),
          ...(isUrlField(name) && type !== 'host' && { isUrl: true }),
        },
      },
    ];
  });
}

/** Returns the fields of a family's form, root fields first. Empty if the family can't be searched. */
export function getFormFields(family: Family): FormField[] {
  const { source = [], index } = searchForms[family] ?? {};
  if (!('properties' in source)) {
    const indexed = index === undefined ? [] : toIndexFields(index.properties);
    return source.flatMap((filter) => toFilterFields(filter, source, indexed));
  }
  const all = toIndexFields(source.properties);
  const top = all.filter(({ group }) => group === '');
  // People rarely search by id, so ids come last.
  return [
    ...top.filter(({ name }) => !isIdentifier(name)),
    ...top.filter(({ name }) => isIdentifier(name)),
    ...all.filter(({ group }) => group !== ''),
  ];
}

/** Returns the names of the fields that an empty form shows. */
export function getInitialFormFields(family: Family): readonly string[] {
  return searchForms[family]?.initialFields ?? [];
}
