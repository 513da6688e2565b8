// Finds a field in a query that records of the family do not have: such a condition matches nothing, and nobody refuses it.
import type { Connection } from '../../shared/connection.ts';
import type { Family } from '../../shared/families.ts';
import { isTypo, nearest } from '../../shared/nearest.ts';
import type { Query } from '../../shared/sheets-api.ts';
import { fieldsOf } from '../gateway.ts';

/** Clauses whose members are named after fields. Service description, "Query DSL". */
const BY_FIELD: ReadonlySet<string> = new Set([
  'fuzzy',
  'match',
  'match_phrase',
  'match_phrase_prefix',
  'prefix',
  'range',
  'regexp',
  'term',
  'terms',
  'wildcard',
]);

const MAX_SHOWN = 60;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The names of the fields that a query or a part of it asks, as they are spelt there. */
function fieldsIn(part: unknown): string[] {
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([name, inner]: [string, unknown]): string[] => {
    if (!isObject(inner)) return name === 'field' || name === 'path' ? [String(inner)] : [];
    if (BY_FIELD.has(name)) return Object.keys(inner).filter((key) => key !== 'boost');
    return name === 'fields' ? Object.values(inner).map(String) : fieldsIn(inner);
  });
}

/**
 * Looks for the first field that there is not.
 * @returns a sentence that names it; undefined where all are known, or nobody says which there are
 */
export function unknownField(connection: Connection, family: Family, query: Query): string | undefined {
  if (!('es_dsl' in query)) return undefined;
  const named = fieldsIn(query.es_dsl)
    .filter((name) => !name.includes('*'))
    .map((name) => name.replace(/\^.*$/, ''));
  if (named.length === 0) return undefined;
  const answer = fieldsOf(connection, family);
  if (!answer.ok) return undefined;
  const known = answer.body.columns.map(({ name }) => name);
  // What stands above a field is known by it, and so are the ways in which it is indexed, such as name.exact.
  const isKnown = (name: string): boolean =>
    known.some((one) => `${one}.`.startsWith(`${name}.`) || name.startsWith(`${one}.`));
  const wrong = named.find((name) => !isKnown(name));
  if (wrong === undefined || known.length === 0) return undefined;
  const meant = nearest(wrong, known);
  const fix = isTypo(wrong, meant) ? `did you mean ${meant}?` : 'correct its name.';
  return `“${wrong.slice(0, MAX_SHOWN)}” is no field of these records: ${fix}`;
}
