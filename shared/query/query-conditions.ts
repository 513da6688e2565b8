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

/**
 * Returns variants of a clause without one condition. `clause` is undefined if nothing is left. Excluded values at the
 * top are conditions; deeper ones belong to another condition.
 */
function relaxClause(clause: unknown, isTop = false): { condition: string; clause: unknown }[] {
  const unsplit = [{ condition: getConditionName(clause), clause: undefined }];
  if (!isObject(clause)) return unsplit;
  const { nested, bool } = clause;
  if (isObject(nested)) {
    const inner = relaxClause(nested.query);
    return inner.length < 2
      ? unsplit
      : inner.map(({ condition, clause: query }) => ({
          condition,
          clause: { nested: { ...nested, query } },
        }));
  }
  if (!isObject(bool)) return unsplit;
  if (!isTop && bool.must_not !== undefined) return unsplit;
  const kinds = (['must', 'filter', 'must_not'] as const).filter((kind) => list(bool[kind]).length > 0);
  if (kinds.length === 0) return unsplit;
  return kinds.flatMap((kind) => {
    const clauses = list(bool[kind]);
    return clauses.flatMap((part, at) =>
      (kind === 'must_not'
        ? [{ condition: getConditionName(part), clause: undefined }]
        : relaxClause(part)
      ).map(({ condition, clause: relaxed }) => ({
        condition,
        clause: {
          bool: {
            ...bool,
            [kind]: clauses.flatMap((each, index) => (index !== at ? each : (relaxed ?? []))),
          },
        },
      })),
    );
  });
}

/**
 * Returns variants of a query, each without one filter (both ends of a range) or one required clause.
 * @returns at most eight variants; none for text queries and for queries with fewer than two conditions
 */
export function relaxQuery(query: Query): RelaxedQuery[] {
  let variants: RelaxedQuery[] = [];
  if ('filters' in query) {
    const getBaseName = (name: string): string => name.replace(/_[gl]te$/, '');
    variants = [...new Set(Object.keys(query.filters).map(getBaseName))].map((condition) => {
      const remaining = Object.entries(query.filters).filter(([name]) => getBaseName(name) !== condition);
      return { condition, query: { ...query, filters: Object.fromEntries(remaining) } };
    });
  } else if ('es_dsl' in query) {
    const { es_dsl: body } = query;
    variants = relaxClause('query' in body ? body.query : body, true).flatMap(({ condition, clause }) =>
      clause === undefined
        ? []
        : {
            condition,
            query: { ...query, es_dsl: 'query' in body ? { ...body, query: clause } : { query: clause } },
          },
    );
  }
  return variants.length < 2 ? [] : variants.slice(0, MAX_CONDITIONS);
}
