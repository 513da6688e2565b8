// From the clauses of a query string to the tree: which of them have to match, and which must not.
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

interface Occurring {
  occurrence: Occurrence;
  query: Query;
}

/**
 * What an operator does to the clause before it: AND makes it required, OR takes that back where clauses are required
 * by default. What is prohibited stays so, and clauses that stand side by side leave each other alone.
 */
function tieToPrevious(
  occurring: Occurring[],
  conjunction: Clause['conjunction'],
  allRequired: boolean,
): void {
  const previous = occurring.at(-1);
  if (previous === undefined || previous.occurrence === 'mustNot') return;
  if (conjunction === 'and') previous.occurrence = 'must';
  if (conjunction === 'or' && allRequired) previous.occurrence = 'should';
}

function occurrenceOf({ conjunction, modifier }: Clause, allRequired: boolean): Occurrence {
  if (modifier === 'not') return 'mustNot';
  if (allRequired) return conjunction === 'or' ? 'should' : 'must';
  return modifier === 'must' || conjunction === 'and' ? 'must' : 'should';
}

/** Words that were analysed as one text become clauses one by one, as if each had stood by itself. */
function joinedQueries(query: Query): readonly Query[] {
  const isPlainBool = query.kind === 'bool' && query.boost === 1 && query.mustNot.length === 0;
  return isPlainBool ? [...query.must, ...query.should] : [query];
}

function byOccurrence(occurring: readonly Occurring[], wanted: Occurrence): Query[] {
  return occurring.filter(({ occurrence }) => occurrence === wanted).map(({ query }) => query);
}

function expressionQuery(expression: Expression, asking: LeafContext): Query | undefined {
  switch (expression.kind) {
    case 'text':
      return buildWords(asking, expression.text);
    case 'phrase':
      return buildQuotedPhrase(asking, expression.text, expression.slop);
    case 'prefix':
      return buildPrefixTerm(asking, expression.text);
    case 'wildcard':
      return buildWildcardTerm(asking, expression.pattern);
    case 'regexp':
      return buildRegexpTerm(asking, expression.pattern);
    case 'fuzzy':
      return buildFuzzyTerm(asking, expression.text, expression.distance);
    case 'range':
      return buildRangeExpression(asking, expression);
    case 'group':
      return clausesQuery(expression.clauses, asking);
  }
}

/** @returns undefined if no clause has a term */
function clausesQuery(clauses: readonly Clause[], asking: LeafContext): Query | undefined {
  const allRequired = asking.settings.text.operator === 'and';
  const occurring: Occurring[] = [];
  let alone: Query | undefined;
  for (const [at, clause] of clauses.entries()) {
    const { expression, boost = 1 } = clause;
    const field = clause.field ?? asking.field;
    const query = expressionQuery(expression, { ...asking, field });
    tieToPrevious(occurring, clause.conjunction, allRequired);
    if (query === undefined) continue;
    const joined = expression.kind === 'text' && expression.joined;
    const occurrence = occurrenceOf(clause, allRequired);
    for (const one of joined ? joinedQueries(query) : [withBoost(query, boost)]) {
      occurring.push({ occurrence, query: one });
    }
    if (at === 0 && clause.modifier === 'none') alone = withBoost(query, boost);
  }
  if (occurring.length === 0) return undefined;
  if (occurring.length === 1 && alone !== undefined) return alone;
  return buildBool({
    must: byOccurrence(occurring, 'must'),
    should: byOccurrence(occurring, 'should'),
    mustNot: byOccurrence(occurring, 'mustNot'),
  });
}

/**
 * Makes a query of the clauses of a query string.
 * @returns undefined if no clause has a term: such a query matches nothing
 * @throws QueryError for a text that does not fit its field, SyntaxFault for a distance or a pattern that is none
 */
export function buildQueryStringQuery(
  clauses: readonly Clause[],
  scope: Scope,
  settings: QueryStringSettings,
): Query | undefined {
  return clausesQuery(clauses, { scope, settings, field: undefined });
}
