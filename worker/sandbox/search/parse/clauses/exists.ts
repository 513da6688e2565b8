// exists: whether a field has any value.
import { boosted } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { existsQuery } from '../leaves.ts';
import { Options, text } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Reads `{"exists": {"field": "name"}}`; the name may be a pattern or that of an object. */
export const parseExists: ClauseParser = (body, scope) => {
  const options = new Options('exists', body);
  const name = options.read('field', text);
  const boost = options.finish();
  if (name === undefined) throw new QueryError('[exists] must be provided with a [field]');
  return boosted(existsQuery(scope, name), boost);
};
