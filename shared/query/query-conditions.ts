// Query relaxation: variants of a query without one of its conditions. They show which condition excludes all records.
import type { Query } from '../api/query.ts';
import { isObject } from '../lib/is-object.ts';
import { getQueryFields } from './query-fields.ts';

/** A query without one of its conditions. */
export interface RelaxedQuery {
  /** The removed condition: a filter name without `_gte` and `_lte`, or a field name. */
  condition: string;
  query: Query;
}

/** Maximum number of variants. */
const MAX_CONDITIONS = 8;

const VARIANT = /\.(?:exact|domain_only)$/;

const getConditionName = (clause: unknown): string => {
  const names = isObject(clause) ? getQueryFields({ es_dsl: clause }) : [];
  // The path of a nested clause is shorter and less specific than its fields.
  const [longest = ''] = names.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const [kind = ''] = isObject(clause) ? Object.keys(clause) : [];
  return longest === '' ? kind : longest.replace(VARIANT, '');
};

const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** A clause without one of its conditions; undefined if nothing is left. */
interface RelaxedClause {
  condition: string;
  clause: unknown;
}

/** Takes as many variants as are asked for; the others are not built. */
function takeVariants<T>(variants: Iterable<T>): T[] {
  const taken: T[] = [];
  for (const variant of variants) {
    taken.push(variant);
    if (taken.length === MAX_CONDITIONS) break;
  }
  return taken;
}

/**
 * Generates variants of a clause without one condition. Excluded values at the top are conditions; deeper ones belong to another
 * condition.
 */
function* relaxClause(clause: unknown, isTop = false): Generator<RelaxedClause, void> {
  const { nested, bool } = isObject(clause) ? clause : {};
  const inner = isObject(nested) ? takeVariants(relaxClause(nested.query)) : [];
  if (isObject(nested) && inner.length > 1) {
    for (const { condition, clause: query } of inner)
      yield { condition, clause: { nested: { ...nested, query } } };
  } else if (!isObject(nested) && isObject(bool) && isSplit(bool, isTop)) yield* relaxBool(bool);
  else yield { condition: getConditionName(clause), clause: undefined };
}

const requiredKinds = ['must', 'filter', 'must_not'] as const;

const isSplit = (bool: Record<string, unknown>, isTop: boolean): boolean =>
  (isTop || bool.must_not === undefined) && requiredKinds.some((kind) => list(bool[kind]).length > 0);

function* relaxBool(bool: Record<string, unknown>): Generator<RelaxedClause, void> {
  for (const kind of requiredKinds) {
    const clauses = list(bool[kind]);
    for (const [at, part] of clauses.entries()) {
      const relaxed =
        kind === 'must_not' ? [{ condition: getConditionName(part), clause: undefined }] : relaxClause(part);
      for (const { condition, clause } of relaxed) {
        const others = clauses.flatMap((each, index) => (index === at ? (clause ?? []) : each));
        yield { condition, clause: { bool: { ...bool, [kind]: others } } };
      }
    }
  }
}

function* relaxFilters(filters: Readonly<Record<string, unknown>>): Generator<RelaxedClause, void> {
  const getBaseName = (name: string): string => name.replace(/_[gl]te$/, '');
  for (const condition of new Set(Object.keys(filters).map(getBaseName))) {
    const remaining = Object.entries(filters).filter(([name]) => getBaseName(name) !== condition);
    yield { condition, clause: Object.fromEntries(remaining) };
  }
}

/**
 * Returns variants of a query, each without one filter (both ends of a range) or one required clause.
 * @returns at most eight variants; none for text queries and for queries with fewer than two conditions
 */
export function relaxQuery(query: Query): RelaxedQuery[] {
  if ('text' in query) return [];
  const body = 'filters' in query ? query.filters : query.es_dsl;
  const variants = takeVariants(
    'filters' in query ? relaxFilters(body) : relaxClause('query' in body ? body.query : body, true),
  );
  if (variants.length < 2) return [];
  return variants.flatMap(({ condition, clause }): RelaxedQuery[] => {
    if (!isObject(clause)) return [];
    if ('filters' in query) return [{ condition, query: { ...query, filters: clause } }];
    const es_dsl = 'query' in body ? { ...body, query: clause } : { query: clause };
    return [{ condition, query: { ...query, es_dsl } }];
  });
}
