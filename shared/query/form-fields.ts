// The form by which a person searches a family: its fields, from the named filters or from the index fields.
import { type Family, searchForms } from '../families/registry.ts';
import { isUrlField } from '../index-fields/indexed-url.ts';
import type { Properties, Property } from '../index-fields/mapping.ts';
import type { Filter, FilterType } from './filters.ts';
import { getKnownValues } from './known-values.ts';

/** How a condition on an index field is put to the search engine. */
export interface IndexTarget {
  /** Full path of the field that is asked. */
  path: string;
  /** The nearest nested object above it. */
  nested?: string;
  /** The number that stands for a missing value; an open range leaves it out. */
  missingValue?: number;
  /** Flags of records that write 0 and 1. */
  isNumericFlag?: true;
  /** Its values are URLs, which are indexed in a form of their own. */
  isUrl?: true;
}

/** One line of the form. */
export interface FormField {
  /** Its name in a form's conditions: the filter's, without `_gte` and `_lte`, or the index field's path. */
  name: string;
  /** What people read beside it. */
  label: string;
  type: FilterType;
  /** It takes two ends, of which one may be open, in place of values. */
  isRange: boolean;
  /** It takes several values, of which any will do. */
  isMultiple: boolean;
  /** Values to offer. */
  suggestions: readonly string[];
  /** The nested object it belongs to, for the order of a list; '' at the root. */
  group: string;
  /** Where the family has no named filters. */
  target?: IndexTarget;
}

/** Words of names that are not written as they stand. */
const ACRONYM = /^(?:hq|b2b|id|iso|url|api|urn)(?=s?$)/;

/** Names that say less than they could. */
const labels = new Map<string, string>([
  ['_score', 'Score'],
  ...Object.values(searchForms).flatMap((form) => Object.entries(form?.labels ?? {})),
]);
/** Places that need no more than their last name. */
const LOCATION_PART = /^location(?:_hq)?_(country|city|state)$/;

/** `reaction_count` → `Reaction count`. */
function humanise(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const words = name.replace(LOCATION_PART, '$1').split('_');
  const text = words.map((word) => word.replace(ACRONYM, (letters) => letters.toUpperCase())).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * What people read for a path: `funding_rounds.last_round_type` → `Funding rounds › Last round type`.
 */
export function formatFieldLabel(path: string): string {
  return path.split('.').map(humanise).join(' › ');
}

const stripBound = (name: string): string => name.replace(/_[gl]te$/, '');

function toFilterFields(filter: Filter, all: readonly Filter[]): FormField[] {
  const { name, type, label, fields, path } = filter;
  const base = stripBound(name);
  const pair = filter.bound !== undefined && base !== name;
  // Both ends of a range are one line, where the first of them stands.
  if (pair && all.find((other) => stripBound(other.name) === base) !== filter) return [];
  return [
    {
      name: base,
      label: pair ? label.replace(/ (?:from|to)$/, '') : label,
      type,
      isRange: pair,
      isMultiple: type === 'text',
      suggestions: fields.length === 1 ? getKnownValues(fields[0] ?? '') : [],
      group: path === undefined ? '' : humanise(path),
    },
  ];
}

/** What a condition on an index field takes; undefined where it can't be searched. */
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

const isIdentifier = (name: string): boolean => /(?:^|_)id$/.test(name);

function toIndexFields(properties: Properties, above: string, nested: string | undefined): FormField[] {
  return Object.entries(properties).flatMap(([name, property]): FormField[] => {
    const path = above === '' ? name : `${above}.${name}`;
    if (property.type === 'nested') return toIndexFields(property.properties, path, path);
    if (property.type === 'object') return toIndexFields(property.properties, path, nested);
    const type = toFilterType(property);
    if (type === undefined) return [];
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
        suggestions: getKnownValues(path),
        group: above === '' ? '' : formatFieldLabel(above),
        target: {
          path: type === 'host' ? `${path}.domain_only` : path,
          ...(nested === undefined ? {} : { nested }),
          ...(missing === undefined ? {} : { missingValue: missing }),
          ...(property.type === 'byte' ? { isNumericFlag: true as const } : {}),
          ...(isUrlField(name) && type !== 'host' ? { isUrl: true as const } : {}),
        },
      },
    ];
  });
}

/**
 * The fields of a family's form, those at the root first.
 * @returns none where the family can't be searched
 */
export function getFormFields(family: Family): FormField[] {
  const source = searchForms[family]?.source ?? [];
  if (!('properties' in source)) return source.flatMap((filter) => toFilterFields(filter, source));
  const all = toIndexFields(source.properties, '', undefined);
  const top = all.filter(({ group }) => group === '');
  // Ids are seldom searched by: they come after what describes a record.
  return [
    ...top.filter(({ name }) => !isIdentifier(name)),
    ...top.filter(({ name }) => isIdentifier(name)),
    ...all.filter(({ group }) => group !== ''),
  ];
}

/** The names of the fields that a family's empty form shows. */
export function getInitialFormFields(family: Family): readonly string[] {
  return searchForms[family]?.initialFields ?? [];
}
