// Putting queries together as the engine does: what a bool needs to match, what a boost does, what can never match.
import type { Query } from '../query.ts';
import { countRequiredClauses } from './minimum-should-match.ts';

export const MATCH_NONE: Query = { kind: 'none' };

export function buildMatchAll(boost = 1): Query {
  return { kind: 'all', boost };
}

/** The greatest number of single precision, in which the engine keeps boosts and scores. */
const MAX_BOOST = (2 - 2 ** -23) * 2 ** 127;

/** Multiplies the score of a query. */
export function withBoost(query: Query, boost: number): Query {
  if (query.kind === 'none' || boost === 1) return query;
  return { ...query, boost: Math.min(query.boost * boost, MAX_BOOST) };
}

/** Gives whatever matches the same score. */
export function withConstantScore(query: Query, boost = 1): Query {
  return query.kind === 'none' ? query : { kind: 'constant', query, boost };
}

/** The clauses of a bool, by what matching them means. */
export interface BoolClauses {
  must?: readonly Query[];
  should?: readonly Query[];
  filter?: readonly Query[];
  mustNot?: readonly Query[];
}

type Bool = Extract<Query, { kind: 'bool' }>;

function requireClauses(bool: Bool, specification: string | undefined): Bool {
  if (specification === undefined) return bool;
  const required = countRequiredClauses(specification, bool.should.length);
  return required > 0 ? { ...bool, minimumShouldMatch: required } : bool;
}

/**
 * A bool. One of its should clauses has to match if it has no must and no filter; `minimum_should_match` of nought or
 * less counts as not given. A bool that only excludes matches all the rest, with score 0.
 * @param specification - `minimum_should_match` as it is written
 */
export function buildBool(clauses: BoolClauses, specification?: string): Query {
  const { must = [], should = [], filter = [], mustNot = [] } = clauses;
  const positive = must.length + should.length + filter.length;
  if (positive === 0) {
    // The engine drops minimum_should_match when it adds what is excluded from.
    return {
      kind: 'bool',
      must,
      should,
      filter: [buildMatchAll()],
      mustNot,
      minimumShouldMatch: 0,
      boost: 1,
    };
  }
  const minimumShouldMatch = must.length + filter.length === 0 ? 1 : 0;
  return requireClauses(
    { kind: 'bool', must, should, filter, mustNot, minimumShouldMatch, boost: 1 },
    specification,
  );
}

/** Applies `minimum_should_match` to a query that has been put together, where it is a bool. */
export function withMinimumShouldMatch(query: Query, specification: string | undefined): Query {
  return query.kind === 'bool' && specification !== undefined ? requireClauses(query, specification) : query;
}

/**
 * The best of several queries, with a share of the others.
 * @param tieBreaker - that share: 0 takes the best alone, 1 adds all up
 */
export function buildDisMax(queries: readonly Query[], tieBreaker: number): Query {
  const possible = queries.filter((query) => query.kind !== 'none');
  const [only] = possible;
  if (only === undefined) return MATCH_NONE;
  return possible.length === 1 ? only : { kind: 'disMax', queries: possible, tieBreaker, boost: 1 };
}
