// The field names that a family's records, previews and queries are known to have, and the check of given names against them.
import type { Query } from '../api/query.ts';
import { type Family, filters, indexFields, previewFields } from '../families/registry.ts';
import type { Properties, Property } from '../index-fields/mapping.ts';
import { suggestName } from '../lib/nearest.ts';
import { parseFieldPath } from './field-paths.ts';
import { getQueryFields } from './query-fields.ts';

/** What stands at a path of a record. */
interface KnownField {
  property: Property;
  /** Whether it is part of an object in a list, which only a `nested` clause searches. */
  isNested: boolean;
}

/** Search engines have these in every index. */
const META_FIELDS: ReadonlySet<string> = new Set(['_id']);

/** The most names that one sentence lists. */
const MAX_LISTED_NAMES = 3;
const MAX_NAME_LENGTH = 60;

function addFields(
  known: Map<string, KnownField>,
  properties: Properties,
  above: string,
  nested: boolean,
): void {
  for (const [name, property] of Object.entries(properties)) {
    const path = above === '' ? name : `${above}.${name}`;
    known.set(path, { property, isNested: nested });
    if (property.type === 'nested') addFields(known, property.properties, path, true);
    if (property.type === 'object') addFields(known, property.properties, path, nested);
  }
}

/** The fields of a family's records by path, lists without their places: `funding_rounds.last_round_type`. */
function listRecordFields(family: Family): Map<string, KnownField> {
  const known = new Map<string, KnownField>();
  addFields(known, indexFields[family].properties, '', false);
  return known;
}

const quote = (name: string): string => `"${name.slice(0, MAX_NAME_LENGTH)}"`;

/** Says which names are unknown and what each probably means; undefined where there is none. */
function describeUnknownNames(
  kind: 'field' | 'filter',
  family: Family,
  unknown: Iterable<string>,
  meant: (name: string) => string,
): string | undefined {
  const names = [...new Set(unknown)];
  const [first] = names;
  if (first === undefined) return undefined;
  if (names.length === 1)
    return `${quote(first)} is not a ${kind} of ${family}: did you mean ${meant(first)}?`;
  const listed = names
    .slice(0, MAX_LISTED_NAMES)
    .map((name) => `${quote(name)} (did you mean ${meant(name)}?)`);
  const more = names.length - listed.length;
  return `These are not ${kind}s of ${family}: ${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

/** The names of a path, without places in lists. */
const getFieldNames = (path: string): string[] =>
  (parseFieldPath(path) ?? [path]).filter((step): step is string => typeof step === 'string');

/** Puts the places of a typed path into a known one of the same depth: `experience[0].titel` means `experience[0].title`. */
function copyIndexes(typed: string, known: string): string {
  const places = typed.split('.').map((part) => /(?:\[\d+\])*$/.exec(part)?.[0] ?? '');
  const names = known.split('.');
  return names.length === places.length
    ? names.map((name, at) => name + (places[at] ?? '')).join('.')
    : known;
}

/**
 * Checks paths into a family's records.
 * @param paths - such as `name`, `experience[0].title`, or `*` for the whole record
 * @returns a sentence that names the unknown ones, each with the nearest known field; undefined where all are known
 */
export function describeUnknownRecordFields(family: Family, paths: readonly string[]): string | undefined {
  const known = listRecordFields(family);
  const unknown = paths.filter((path) => path !== '*' && !known.has(getFieldNames(path).join('.')));
  const names = [...known.keys()];
  return describeUnknownNames('field', family, unknown, (path) =>
    copyIndexes(path, suggestName(getFieldNames(path).join('.'), names)),
  );
}

/**
 * Checks the columns of a preview, which has only a few fields of each record.
 * @returns a sentence that says which columns there are; undefined where all are known
 */
export function describeUnknownPreviewFields(family: Family, paths: readonly string[]): string | undefined {
  const known = previewFields[family];
  const unknown = paths.filter((path) => path !== '*' && !known.includes(getFieldNames(path)[0] ?? ''));
  const records = listRecordFields(family);
  const [inRecord] = unknown.filter((path) => records.has(getFieldNames(path).join('.')));
  if (inRecord !== undefined) {
    return `${quote(inRecord)} is in the records of ${family}, but not in their previews, which have ${known.join(', ')}.`;
  }
  return describeUnknownNames('field', family, unknown, (path) =>
    suggestName(getFieldNames(path).join('.'), known),
  );
}

function describeUnknownFilters(
  family: Family,
  named: Readonly<Record<string, unknown>>,
): string | undefined {
  const known = filters[family].map(({ name }) => name);
  if (known.length === 0) return undefined;
  const unknown = Object.keys(named).filter((name) => !known.includes(name));
  return describeUnknownNames('filter', family, unknown, (name) => suggestName(name, known));
}

/** Whether an index has a field of this name, its variants such as `.exact` included. */
function isIndexed(name: string, known: ReadonlyMap<string, KnownField>): boolean {
  if (known.has(name) || META_FIELDS.has(name)) return true;
  const dot = name.lastIndexOf('.');
  const property = known.get(name.slice(0, dot))?.property;
  const variants = property !== undefined && 'fields' in property ? Object.keys(property.fields ?? {}) : [];
  return variants.includes(name.slice(dot + 1));
}

/** The known field at a name, or the one whose variant it names. */
const findField = (name: string, known: ReadonlyMap<string, KnownField>): KnownField | undefined =>
  known.get(name) ?? known.get(name.slice(0, name.lastIndexOf('.')));

/**
 * Checks the names of the filters or index fields that a query asks. The provider refuses none of the latter: a condition on
 * a field that there is not matches nothing.
 * @returns a sentence that names the unknown ones, each with the nearest known name; undefined where all are known
 */
export function describeUnknownQueryFields(family: Family, query: Query): string | undefined {
  if ('filters' in query) return describeUnknownFilters(family, query.filters);
  const known = listRecordFields(family);
  const asked = getQueryFields(query);
  const unknown = asked.filter(({ name }) => !isIndexed(name, known)).map(({ name }) => name);
  if (unknown.length > 0) {
    const names = [...known.keys()];
    return describeUnknownNames('field', family, unknown, (name) => suggestName(name, names));
  }
  const outside = asked.find(({ name, isNested }) => !isNested && findField(name, known)?.isNested === true);
  if (outside === undefined) return undefined;
  return `${quote(outside.name)} is inside a list, where only a JSON query with "nested" finds it.`;
}
