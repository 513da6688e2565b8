// The conditions of a query one by one, and the query without each: which of them leaves nothing over.
import type { Query } from '../api/query.ts';
import { isObject } from '../lib/is-object.ts';
import { getQueryFields } from './query-fields.ts';

/** A query without one of its conditions. */
export interface RelaxedQuery {
  /** The filter, without `_gte` and `_lte`, or the first field that the condition names. */
  condition: string;
  query: Query;
}

/** The most conditions that are left out, each by itself. */
const MAX_CONDITIONS = 8;

const VARIANT = /\.(?:exact|domain_only)$/;

const getConditionName = (clause: unknown): string => {
  const names = isObject(clause) ? getQueryFields({ es_dsl: clause }) : [];
  // The path of a nested clause stands before the fields in it, and says less.
  const [longest = ''] = names.map(({ name }) => name).sort((one, other) => other.length - one.length);
  const [kind = ''] = isObject(clause) ? Object.keys(clause) : [];
  return longest === '' ? kind : longest.replace(VARIANT, '');
};

const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** A clause without each of its conditions; undefined stands for nothing that is left of it. */
function relaxClause(clause: unknown): { condition: string; clause: unknown }[] {
  const whole = [{ condition: getConditionName(clause), clause: undefined }];
  if (!isObject(clause)) return whole;
  const { nested, bool } = clause;
  if (isObject(nested)) {
    const inner = relaxClause(nested.query);
    return inner.length < 2
      ? whole
      : inner.map(({ condition, clause: query }) => ({
          condition,
          clause: { nested: { ...nested, query } },
        }));
  }
  if (!isObject(bool)) return whole;
  const kinds = (['must', 'filter'] as const).filter((kind) => list(bool[kind]).length > 0);
  if (kinds.length === 0) return whole;
  return kinds.flatMap((kind) => {
    const clauses = list(bool[kind]);
    return clauses.flatMap((part, at) =>
      relaxClause(part).map(({ condition, clause: rest }) => ({
        condition,
        clause: {
          bool: { ...bool, [kind]: clauses.flatMap((own, other) => (other !== at ? own : (rest ?? []))) },
        },
      })),
    );
  });
}

/**
 * The query without each of its conditions: without each filter, both ends of a range together, or without each clause that
 * must match.
 * @returns at most eight; none where there are fewer than two conditions, and of words
 */
export function relaxQuery(query: Query): RelaxedQuery[] {
  let loosened: RelaxedQuery[] = [];
  if ('filters' in query) {
    const baseOf = (name: string): string => name.replace(/_[gl]te$/, '');
    loosened = [...new Set(Object.keys(query.filters).map(baseOf))].map((condition) => {
      const kept = Object.entries(query.filters).filter(([name]) => baseOf(name) !== condition);
      return { condition, query: { ...query, filters: Object.fromEntries(kept) } };
    });
  } else if ('es_dsl' in query) {
    const { es_dsl: body } = query;
    loosened = relaxClause('query' in body ? body.query : body).flatMap(({ condition, clause }) =>
      clause === undefined
        ? []
        : {
            condition,
            query: { ...query, es_dsl: 'query' in body ? { ...body, query: clause } : { query: clause } },
          },
    );
  }
  return loosened.length < 2 ? [] : loosened.slice(0, MAX_CONDITIONS);
}
