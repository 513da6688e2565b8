// Clauses that compare whole indexed values; their texts are not analysed.
import { isObject } from '../../../../../shared/lib/is-object.ts';
import { findZone } from '../../dates.ts';
import { isScalar, type RangeEnd, type RangeInput, type Scalar } from '../../values.ts';
import { MATCH_NONE, withBoost } from '../combine.ts';
import {
  buildCaseInsensitiveTerm,
  buildExists,
  buildFuzzy,
  buildPrefix,
  buildRange,
  buildRegexp,
  buildTerm,
  buildTerms,
  buildWildcard,
  findField,
  fuzzyDefaults,
  ID_FIELD,
  withFieldErrors,
} from '../leaves.ts';
import {
  AUTO_FUZZINESS,
  booleanReader,
  countReader,
  fuzzinessReader,
  type OptionReader,
  Options,
  parseFieldBody,
  parseFieldOptions,
  scalarReader,
  textListReader,
  textReader,
} from '../options.ts';
import { type ClauseParser, checkRegexpLength, MAX_TERMS, QueryError, toCreationMessage } from '../scope.ts';

/** Parses `{"exists": {"field": "name"}}`; the name may be a pattern or an object. */
export const parseExists: ClauseParser = (body, scope) => {
  const options = new Options('exists', body);
  const name = options.read('field', textReader);
  const boost = options.finish();
  if (name === undefined) throw new QueryError('[exists] must be provided with a [field]');
  return withBoost(buildExists(scope, name), boost);
};

/** Parses `{"ids": {"values": ["1", 2]}}`. */
export const parseIds: ClauseParser = (body, scope) => {
  const options = new Options('ids', body);
  const values = options.read('values', textListReader) ?? [];
  const boost = options.finish('unknown field');
  if (values.length > MAX_TERMS) throw new QueryError(`[ids] more than [${MAX_TERMS}] values`);
  const field = findField(scope, ID_FIELD);
  return field === undefined ? MATCH_NONE : withBoost(buildTerms(scope, field, values), boost);
};

/** Parses `{"term": {"field": "value"}}` and `{"term": {"field": {"value": "value", "boost": 1}}}`. */
export const parseTerm: ClauseParser = (body, scope) => {
  const fieldValue = parseFieldBody('term', body).value;
  if (Array.isArray(fieldValue)) throw new QueryError('[term] query does not support array of values');
  const { field: path, options } = parseFieldOptions('term', body, 'value');
  const value = options.read('value', scalarReader) ?? options.read('term', scalarReader);
  const caseInsensitive = options.read('case_insensitive', booleanReader) ?? false;
  const boost = options.finish();
  if (value === undefined) throw new QueryError('value cannot be null');
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const buildQuery = caseInsensitive ? buildCaseInsensitiveTerm : buildTerm;
  return withBoost(buildQuery(scope, field, value), boost);
};

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

/** The options of the bounds; the last one present wins. */
const boundOptions = [
  { option: 'gte', side: 'lower', inclusive: true },
  { option: 'gt', side: 'lower', inclusive: false },
  { option: 'lte', side: 'upper', inclusive: true },
  { option: 'lt', side: 'upper', inclusive: false },
] as const;

/** Deprecated names of the bounds, with separate options for inclusion. */
const deprecatedBoundOptions = [
  { option: 'from', side: 'lower', includes: 'include_lower' },
  { option: 'to', side: 'upper', includes: 'include_upper' },
] as const;

/** Parses `{"range": {"field": {"gte": 1, "lt": 5, "format": "yyyy", "time_zone": "+01:00"}}}`. */
export const parseRange: ClauseParser = (body, scope) => {
  const { field: path, value } = parseFieldBody('range', body);
  const options = new Options('range', value);
  const range: RangeInput = {};
  for (const { option, side, includes } of deprecatedBoundOptions) {
    const end = options.read(option, scalarReader);
    const inclusive = options.read(includes, booleanReader) ?? true;
    if (end !== undefined) range[side] = { value: end, inclusive };
  }
  for (const { option, side, inclusive } of boundOptions) {
    const end = options.read(option, scalarReader);
    if (end !== undefined) range[side] = { value: end, inclusive } satisfies RangeEnd;
  }
  const format = options.read('format', textReader);
  const zoneText = options.read('time_zone', textReader);
  options.ignore('relation');
  const boost = options.finish();
  if (format === '') throw new QueryError('[range] failed to parse field [format]');
  const zone = zoneText === undefined ? undefined : withFieldErrors(() => findZone(zoneText));
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  return withBoost(buildRange(scope, field, range, { format, zone }), boost);
};

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

/** Parses `{"wildcard": {"field": "st*t"}}` and `{"wildcard": {"field": {"value": "st*t"}}}`; `wildcard` is an alias of `value`. */
export const parseWildcard: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('wildcard', body, 'value');
  const pattern = options.read('value', textReader) ?? options.read('wildcard', textReader);
  const caseInsensitive = options.read('case_insensitive', booleanReader);
  options.ignore('rewrite');
  const boost = options.finish();
  if (pattern === undefined) throw new QueryError('value cannot be null');
  const field = findField(scope, path);
  return field === undefined
    ? MATCH_NONE
    : withBoost(buildWildcard(scope, field, pattern, caseInsensitive), boost);
};

const operatorsByFlag: ReadonlyMap<string, string> = new Map([
  ['INTERSECTION', '&'],
  ['COMPLEMENT', '~'],
  ['EMPTY', '#'],
  ['ANYSTRING', '@'],
  ['AUTOMATON', '<>'],
  ['INTERVAL', '<>'],
  ['NONE', ''],
  ['ALL', '&~#@<>'],
]);

/** Reads the flags and returns the enabled operators. */
const flagsReader: OptionReader<string> = (value, location) => {
  const names = textReader(value, location).toUpperCase();
  return names
    .split('|')
    .map((name) => {
      const operators = operatorsByFlag.get(name);
      if (operators === undefined && names !== '') throw new QueryError(`Unknown regexp flag [${name}]`);
      return operators ?? '&~#@<>';
    })
    .join('');
};

/** Matches escaped characters, character classes and quoted texts, which contain no operators, and single operators. */
const operatorPattern = /\\.|\[(?:\\.|[^\]\\])*\]|"[^"]*"|[&~#@<>]/gsu;

function escapeDisabledOperators(pattern: string, enabledOperators: string): string {
  return pattern.replaceAll(operatorPattern, (part) =>
    part.length === 1 && !enabledOperators.includes(part) ? `\\${part}` : part,
  );
}

/** Parses `{"regexp": {"field": "s.*t"}}` and `{"regexp": {"field": {"value": "s.*t", "flags": "ALL"}}}`. */
export const parseRegexp: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('regexp', body, 'value');
  const pattern = options.read('value', textReader);
  const enabledOperators = options.read('flags', flagsReader);
  const caseInsensitive = options.read('case_insensitive', booleanReader);
  options.ignore('rewrite', 'max_determinized_states');
  const boost = options.finish();
  if (pattern === undefined) throw new QueryError('value cannot be null');
  checkRegexpLength(pattern, 'Regexp Query request');
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const expression =
    enabledOperators === undefined ? pattern : escapeDisabledOperators(pattern, enabledOperators);
  return withBoost(buildRegexp(scope, field, expression, caseInsensitive), boost);
};

/** Parses `{"fuzzy": {"field": "quikc"}}` and `{"fuzzy": {"field": {"value": "quikc", "fuzziness": "AUTO"}}}`. */
export const parseFuzzy: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('fuzzy', body, 'value');
  const value = options.read('value', textReader) ?? options.read('term', textReader);
  const fuzzyOptions = {
    fuzziness: options.read('fuzziness', fuzzinessReader) ?? AUTO_FUZZINESS,
    prefixLength: options.read('prefix_length', countReader) ?? fuzzyDefaults.prefixLength,
    maxExpansions: options.read('max_expansions', countReader) ?? fuzzyDefaults.maxExpansions,
    transpositions: options.read('transpositions', booleanReader) ?? fuzzyDefaults.transpositions,
  };
  options.ignore('rewrite');
  const boost = options.finish();
  if (value === undefined) throw new QueryError('query value cannot be null');
  const field = findField(scope, path);
  return field === undefined ? MATCH_NONE : withBoost(buildFuzzy(scope, field, value, fuzzyOptions), boost);
};
