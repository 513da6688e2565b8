// Combines queries with the engine's semantics of bool, boost and dis_max.
import type { Query } from '../query.ts';
import { countRequiredClauses } from './options.ts';

export const MATCH_NONE: Query = { kind: 'none' };

export function buildMatchAll(boost = 1): Query {
  return { kind: 'all', boost };
}

/** The greatest 32-bit float; the engine stores boosts and scores as such. */
const MAX_BOOST = (2 - 2 ** -23) * 2 ** 127;

export function withBoost(query: Query, boost: number): Query {
  if (query.kind === 'none' || boost === 1) return query;
  return { ...query, boost: Math.min(query.boost * boost, MAX_BOOST) };
}

/** Gives all matches the same score. */
export function withConstantScore(query: Query, boost = 1): Query {
  return query.kind === 'none' ? query : { kind: 'constant', query, boost };
}

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
 * Builds a bool. Without must and filter, one should clause has to match. A `minimum_should_match` below 1 counts as absent.
 * A bool with only must_not matches all other documents with score 0.
 * @param specification - the text of `minimum_should_match`
 */
export function buildBool(clauses: BoolClauses, specification?: string): Query {
  const { must = [], should = [], filter = [], mustNot = [] } = clauses;
  const bool = { kind: 'bool', must, should, filter, mustNot, minimumShouldMatch: 0, boost: 1 } as const;
  // The engine ignores minimum_should_match when it adds match_all.
  if (must.length + should.length + filter.length === 0) return { ...bool, filter: [buildMatchAll()] };
  const minimumShouldMatch = must.length + filter.length === 0 ? 1 : 0;
  return requireClauses({ ...bool, minimumShouldMatch }, specification);
}

/** Applies `minimum_should_match` to a finished query if it is a bool. */
export function withMinimumShouldMatch(query: Query, specification: string | undefined): Query {
  return query.kind === 'bool' && specification !== undefined ? requireClauses(query, specification) : query;
}

/**
 * Builds a query that scores by the best of several queries plus a share of the others.
 * @param tieBreaker - that share: 0 uses the best alone, 1 the sum
 */
export function buildDisMax(queries: readonly Query[], tieBreaker: number): Query {
  const possible = queries.filter((query) => query.kind !== 'none');
  const [only] = possible;
  if (only === undefined) return MATCH_NONE;
  return possible.length === 1 ? only : { kind: 'disMax', queries: possible, tieBreaker, boost: 1 };
}
