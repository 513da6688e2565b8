// Checks field and filter names against the known ones and suggests corrections.
import type { Query } from '../api/query.ts';
import { type Family, filters, indexFields, previewFields } from '../families/registry.ts';
import { listFields, type MappedField } from '../index-fields/mapping.ts';
import { suggestName } from '../lib/nearest.ts';
import { parseFieldPath } from './field-paths.ts';
import { getQueryFields } from './query-fields.ts';

/** Fields that every index has. */
const META_FIELDS: ReadonlySet<string> = new Set(['_id']);

/** Maximum number of names in a message. */
const MAX_LISTED_NAMES = 3;
const MAX_NAME_LENGTH = 60;

/** Returns the fields of a family's records by path, without list indexes. */
const listRecordFields = (family: Family): ReadonlyMap<string, MappedField> =>
  new Map(Array.from(listFields(indexFields[family].properties), (field) => [field.path, field]));

const quote = (name: string): string => `"${name.slice(0, MAX_NAME_LENGTH)}"`;

/** Formats a message that lists the unknown names with suggestions. Returns undefined without unknown names. */
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

/** Returns the names of a path, without list indexes. */
const getFieldNames = (path: string): string[] =>
  (parseFieldPath(path) ?? [path]).filter((step): step is string => typeof step === 'string');

/** Copies the list indexes of a typed path to a suggested one: `experience[0].titel` → `experience[0].title`. */
function copyIndexes(typed: string, known: string): string {
  const places = typed.split('.').map((part) => /(?:\[\d+\])*$/.exec(part)?.[0] ?? '');
  const names = known.split('.');
  return names.length === places.length
    ? names.map((name, at) => name + (places[at] ?? '')).join('.')
    : known;
}

/**
 * Describes the unknown paths among some field paths.
 * @param paths - such as `name`, `experience[0].title`, or `*` for the whole record
 * @returns a message with suggestions, or undefined if all paths are known
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
 * Describes the unknown paths among the columns of a preview, which has only a few fields.
 * @returns a message, or undefined if all columns are known
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

/** Checks whether an index has a field or sub-field such as `.exact`. */
function isIndexed(name: string, known: ReadonlyMap<string, MappedField>): boolean {
  if (known.has(name) || META_FIELDS.has(name)) return true;
  const dot = name.lastIndexOf('.');
  const property = known.get(name.slice(0, dot))?.property;
  const variants = property !== undefined && 'fields' in property ? Object.keys(property.fields ?? {}) : [];
  return variants.includes(name.slice(dot + 1));
}

/** Finds a known field by its name or by the name of a sub-field. */
const findField = (name: string, known: ReadonlyMap<string, MappedField>): MappedField | undefined =>
  known.get(name) ?? known.get(name.slice(0, name.lastIndexOf('.')));

/**
 * Describes the unknown filters or index fields in a query. The provider accepts unknown index fields, but they match
 * nothing.
 * @returns a message with suggestions, or undefined if all names are known
 */
export function describeUnknownQueryFields(family: Family, query: Query): string | undefined {
  if ('filters' in query) return describeUnknownFilters(family, query.filters);
  const known = listRecordFields(family);
  const fields = getQueryFields(query);
  const unknown = fields.filter(({ name }) => !isIndexed(name, known)).map(({ name }) => name);
  if (unknown.length > 0) {
    const names = [...known.keys()];
    return describeUnknownNames('field', family, unknown, (name) => suggestName(name, names));
  }
  const nested = fields.find(({ name, isNested }) => !isNested && findField(name, known)?.nestedPath);
  if (nested === undefined) return undefined;
  return `${quote(nested.name)} is inside a list, where only a JSON query with "nested" finds it.`;
}
