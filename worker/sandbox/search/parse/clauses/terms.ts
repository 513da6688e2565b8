// terms: matches any of several values of a field, all with the same score.

import { isObject } from '../../../../../shared/lib/is-object.ts';
import { isScalar, type Scalar } from '../../values.ts';
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError, toCreationMessage } from '../errors.ts';
import { buildTerms, findField } from '../leaves.ts';
import { MAX_TERMS } from '../limits.ts';
import { type OptionReader, Options } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

const termListReader: OptionReader<readonly Scalar[]> = (value, { option }) => {
  if (isObject(value)) {
    throw new QueryError(`[terms] query does not support a lookup of terms, found one for [${option}]`);
  }
  if (!Array.isArray(value)) throw new QueryError(`[terms] query does not support [${option}]`);
  if (value.length > MAX_TERMS) {
    throw new QueryError(
      toCreationMessage(
        `The number of terms [${value.length}] used in the Terms Query request has exceeded the allowed maximum of [${MAX_TERMS}].`,
      ),
    );
  }
  return value.map((item) => {
    if (isScalar(item)) return item;
    throw new QueryError('No value specified for terms query');
  });
};

/** Options beside the field's name. */
const commonOptions = new Set(['boost', '_name']);

/** Parses `{"terms": {"field": ["a", "b"], "boost": 1}}`. */
export const parseTerms: ClauseParser = (body, scope) => {
  const options = new Options('terms', body);
  const [path, second] = options.getUnread().filter((name) => !commonOptions.has(name));
  if (path === undefined) {
    throw new QueryError(
      '[terms] query requires a field name, followed by array of terms or a document lookup specification',
    );
  }
  if (second !== undefined) throw new QueryError('[terms] query does not support multiple fields');
  const termList = options.read(path, termListReader) ?? [];
  const boost = options.finish();
  const field = findField(scope, path);
  return field === undefined ? MATCH_NONE : withBoost(buildTerms(scope, field, termList), boost);
};
