// Builds prefix queries on analysed text, for `analyze_wildcard`.
import type { MappedField } from '../mapping.ts';
import type { Query } from '../query.ts';
import { buildBool } from './combine.ts';
import { buildPrefix, buildTerm } from './leaves.ts';
import type { Scope } from './scope.ts';

/**
 * Builds a query in which the last term is a prefix and the earlier terms are whole.
 * @returns undefined if the text has no terms
 */
export function buildAnalyzedPrefix(
  scope: Scope,
  field: MappedField,
  text: string,
  operator: 'and' | 'or',
): Query | undefined {
  const terms = scope.analyze(text);
  const queries = terms.map(({ term }, at) =>
    at === terms.length - 1 ? buildPrefix(scope, field, term) : buildTerm(scope, field, term),
  );
  if (queries.length <= 1) return queries[0];
  return buildBool(operator === 'and' ? { must: queries } : { should: queries });
}
