// nested: applies a query to each nested object of a path.
import type { ScoreMode } from '../../query.ts';
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError, toCreationMessage } from '../errors.ts';
import { booleanReader, createChoiceReader, Options, textReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

const scoreModes: readonly ScoreMode[] = ['avg', 'sum', 'min', 'max', 'none'];
const scoreModeReader = createChoiceReader(
  scoreModes,
  (given) => `No score mode for child query [${given}] found`,
);

/** Parses `{"nested": {"path": "locations", "query": {}, "score_mode": "avg", "ignore_unmapped": false}}`. */
export const parseNested: ClauseParser = (body, scope) => {
  const options = new Options('nested', body);
  const path = options.read('path', textReader);
  const mode = options.read('score_mode', scoreModeReader) ?? 'avg';
  const ignoreUnmapped = options.read('ignore_unmapped', booleanReader) ?? false;
  const query = options.read('query', (value) => scope.parse(value, { ...scope, nestedPath: path }));
  const boost = options.finish();
  if (path === undefined) throw new QueryError("[nested] requires 'path' field");
  if (query === undefined) throw new QueryError("[nested] requires 'query' field");
  if (!scope.mapping.isNested(path)) {
    if (scope.mapping.isObject(path)) {
      throw new QueryError(
        toCreationMessage(`[nested] nested object under path [${path}] is not of nested type`),
      );
    }
    if (ignoreUnmapped) return MATCH_NONE;
    throw new QueryError(toCreationMessage(`[nested] failed to find nested object under path [${path}]`));
  }
  // A nested clause sees only objects inside the enclosing nested object.
  const isBelow = scope.nestedPath === undefined || path.startsWith(`${scope.nestedPath}.`);
  if (!isBelow || query.kind === 'none') return MATCH_NONE;
  return withBoost({ kind: 'nested', path, query, scoreMode: mode, boost: 1 }, boost);
};
