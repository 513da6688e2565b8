// Builds the query of a parsed query string: decides which clauses are required, optional or prohibited.
import type { Query } from '../../query.ts';
import { buildBool, withBoost } from '../combine.ts';
import type { Scope } from '../scope.ts';
import {
  buildFuzzyTerm,
  buildPrefixTerm,
  buildQuotedPhrase,
  buildRangeExpression,
  buildRegexpTerm,
  buildWildcardTerm,
  buildWords,
  type LeafContext,
  type QueryStringSettings,
} from './leaves.ts';
import type { Clause, Expression } from './parser.ts';

type Occurrence = 'must' | 'should' | 'mustNot';

interface OccurringQuery {
  occurrence: Occurrence;
  query: Query;
}

/**
 * Applies an operator to the clause before it: AND makes it required; OR makes it optional if clauses are required by
 * default. Prohibited clauses stay so, and adjacent clauses don't affect each other.
 */
function applyConjunction(
  occurringQueries: OccurringQuery[],
  conjunction: Clause['conjunction'],
  allRequired: boolean,
): void {
  const previous = occurringQueries.at(-1);
  if (previous === undefined || previous.occurrence === 'mustNot') return;
  if (conjunction === 'and') previous.occurrence = 'must';
  if (conjunction === 'or' && allRequired) previous.occurrence = 'should';
}

function getOccurrence({ conjunction, modifier }: Clause, allRequired: boolean): Occurrence {
  if (modifier === 'not') return 'mustNot';
  if (allRequired) return conjunction === 'or' ? 'should' : 'must';
  return modifier === 'must' || conjunction === 'and' ? 'must' : 'should';
}

/** Splits the query of adjacent words into one clause for each word. */
function splitJoinedQuery(query: Query): readonly Query[] {
  const isPlainBool = query.kind === 'bool' && query.boost === 1 && query.mustNot.length === 0;
  return isPlainBool ? [...query.must, ...query.should] : [query];
}

function buildExpressionQuery(expression: Expression, context: LeafContext): Query | undefined {
  switch (expression.kind) {
    case 'text':
      return buildWords(context, expression.text);
    case 'phrase':
      return buildQuotedPhrase(context, expression.text, expression.slop);
    case 'prefix':
      return buildPrefixTerm(context, expression.text);
    case 'wildcard':
      return buildWildcardTerm(context, expression.pattern);
    case 'regexp':
      return buildRegexpTerm(context, expression.pattern);
    case 'fuzzy':
      return buildFuzzyTerm(context, expression.text, expression.distance);
    case 'range':
      return buildRangeExpression(context, expression);
    case 'group':
      return buildClausesQuery(expression.clauses, context);
  }
}

/** @returns undefined if no clause has a term */
function buildClausesQuery(clauses: readonly Clause[], context: LeafContext): Query | undefined {
  const allRequired = context.settings.text.operator === 'and';
  const occurringQueries: OccurringQuery[] = [];
  let singleQuery: Query | undefined;
  for (const [at, clause] of clauses.entries()) {
    const { expression, boost = 1 } = clause;
    const field = clause.field ?? context.field;
    const query = buildExpressionQuery(expression, { ...context, field });
    applyConjunction(occurringQueries, clause.conjunction, allRequired);
    if (query === undefined) continue;
    const joined = expression.kind === 'text' && expression.joined;
    const occurrence = getOccurrence(clause, allRequired);
    for (const part of joined ? splitJoinedQuery(query) : [withBoost(query, boost)]) {
      occurringQueries.push({ occurrence, query: part });
    }
    if (at === 0 && clause.modifier === 'none') singleQuery = withBoost(query, boost);
  }
  if (occurringQueries.length === 0) return undefined;
  if (occurringQueries.length === 1 && singleQuery !== undefined) return singleQuery;
  const clausesOf = (expected: Occurrence): Query[] =>
    occurringQueries.flatMap(({ occurrence, query }) => (occurrence === expected ? query : []));
  return buildBool({ must: clausesOf('must'), should: clausesOf('should'), mustNot: clausesOf('mustNot') });
}

/**
 * Builds a query from the clauses of a query string.
 * @returns undefined if no clause has terms; such a query matches nothing
 * @throws QueryError for a text that doesn't fit its field, QuerySyntaxError for an invalid distance or pattern
 */
export function buildQueryStringQuery(
  clauses: readonly Clause[],
  scope: Scope,
  settings: QueryStringSettings,
): Query | undefined {
  return buildClausesQuery(clauses, { scope, settings, field: undefined });
}
