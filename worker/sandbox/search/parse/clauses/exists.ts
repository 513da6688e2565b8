// exists: matches documents that have a value in a field.
import { withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildExists } from '../leaves.ts';
import { Options, textReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"exists": {"field": "name"}}`; the name may be a pattern or an object. */
export const parseExists: ClauseParser = (body, scope) => {
  const options = new Options('exists', body);
  const name = options.read('field', textReader);
  const boost = options.finish();
  if (name === undefined) throw new QueryError('[exists] must be provided with a [field]');
  return withBoost(buildExists(scope, name), boost);
};
