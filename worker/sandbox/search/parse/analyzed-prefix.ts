// The start of a term, split as other texts are: what `analyze_wildcard` asks for.
import type { MappedField } from '../mapping.ts';
import type { Query } from '../query.ts';
import { boolQuery } from './combine.ts';
import { prefixLeaf, termLeaf } from './leaves.ts';
import type { Scope } from './scope.ts';

/**
 * The last of the text's terms is a start of one, those before are whole.
 * @returns undefined if the text has no term
 */
export function analysedPrefix(
  scope: Scope,
  field: MappedField,
  text: string,
  operator: 'and' | 'or',
): Query | undefined {
  const terms = scope.analyze(text);
  const queries = terms.map(({ term }, at) =>
    at === terms.length - 1 ? prefixLeaf(scope, field, term) : termLeaf(scope, field, term),
  );
  if (queries.length <= 1) return queries[0];
  return boolQuery(operator === 'and' ? { must: queries } : { should: queries });
}
