// prefix: matches terms by their start; the text is not analysed.
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildPrefix, findField } from '../leaves.ts';
import { booleanReader, parseFieldOptions, textReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"prefix": {"field": "star"}}` and `{"prefix": {"field": {"value": "star"}}}`. */
export const parsePrefix: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('prefix', body, 'value');
  const value = options.read('value', textReader) ?? options.read('prefix', textReader);
  const caseInsensitive = options.read('case_insensitive', booleanReader);
  options.ignore('rewrite');
  const boost = options.finish();
  if (value === undefined) throw new QueryError('value cannot be null');
  const field = findField(scope, path);
  return field === undefined
    ? MATCH_NONE
    : withBoost(buildPrefix(scope, field, value, caseInsensitive), boost);
};
