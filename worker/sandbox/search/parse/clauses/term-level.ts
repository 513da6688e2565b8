// Parsers of the clauses that compare whole indexed values; their texts are not analysed.
import { isObject } from '../../../../../shared/lib/is-object.ts';
import { isScalar, type RangeEnd, type RangeInput, type Scalar } from '../../values.ts';
import { withBoost } from '../combine.ts';
import {
  buildCaseInsensitiveTerm,
  buildExists,
  buildFuzzy,
  buildPattern,
  buildRange,
  buildTerm,
  buildTerms,
  findField,
  ID_FIELD,
  zoneReader,
} from '../leaves.ts';
import { textDefaults } from '../match-text.ts';
import {
  AUTO_FUZZINESS,
  booleanReader,
  type ClauseParser,
  countReader,
  fuzzinessReader,
  type OptionReader,
  Options,
  scalarReader,
  textListReader,
  textReader,
} from '../options.ts';
import { checkRegexpLength, creationError, MAX_TERMS, QueryError } from '../scope.ts';

const termListReader: OptionReader<readonly Scalar[]> = (value, { option }) => {
  if (isObject(value)) {
    throw new QueryError(`[terms] query does not support a lookup of terms, found one for [${option}]`);
  }
  if (!Array.isArray(value)) throw new QueryError(`[terms] query does not support [${option}]`);
  if (value.length > MAX_TERMS) {
    throw creationError(
      `The number of terms [${value.length}] used in the Terms Query request has exceeded the allowed maximum of [${MAX_TERMS}].`,
    );
  }
  return value.map((item) => {
    if (isScalar(item)) return item;
    throw new QueryError('No value specified for terms query');
  });
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

const ALL_OPERATORS = '&~#@<>';

const operatorsByFlag: ReadonlyMap<string, string> = new Map([
  ['INTERSECTION', '&'],
  ['COMPLEMENT', '~'],
  ['EMPTY', '#'],
  ['ANYSTRING', '@'],
  ['AUTOMATON', '<>'],
  ['INTERVAL', '<>'],
  ['NONE', ''],
  ['ALL', ALL_OPERATORS],
]);

/** Reads the flags and returns the enabled operators. */
const flagsReader: OptionReader<string> = (value, location) => {
  const names = textReader(value, location).toUpperCase();
  return names
    .split('|')
    .map((name) => {
      const operators = operatorsByFlag.get(name);
      if (operators === undefined && names !== '') throw new QueryError(`Unknown regexp flag [${name}]`);
      return operators ?? ALL_OPERATORS;
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

/** Creates the parser of a pattern; `value` is also named like the clause. */
function createPatternParser(kind: 'prefix' | 'wildcard'): ClauseParser {
  return (clause, scope) => {
    const { path, options } = clause.openField('value');
    const pattern = options.read('value', textReader) ?? options.read(kind, textReader);
    const caseInsensitive = options.read('case_insensitive', booleanReader);
    options.ignore('rewrite');
    const boost = options.finish();
    if (pattern === undefined) throw new QueryError('value cannot be null');
    return withBoost(buildPattern(kind, scope, findField(scope, path), pattern, caseInsensitive), boost);
  };
}

export const termLevelClauses = {
  /** `{"exists": {"field": "name"}}`; the name may be a pattern or an object */
  exists: (options, scope) => {
    const name = options.read('field', textReader);
    const boost = options.finish();
    if (name === undefined) throw new QueryError('[exists] must be provided with a [field]');
    return withBoost(buildExists(scope, name), boost);
  },

  /** `{"ids": {"values": ["1", 2]}}` */
  ids: (options, scope) => {
    const values = options.read('values', textListReader) ?? [];
    const boost = options.finish('unknown field');
    if (values.length > MAX_TERMS) throw new QueryError(`[ids] more than [${MAX_TERMS}] values`);
    return withBoost(buildTerms(scope, findField(scope, ID_FIELD), values), boost);
  },

  /** `{"term": {"field": "value"}}` and `{"term": {"field": {"value": "value", "boost": 1}}}` */
  term: (clause, scope) => {
    if (Array.isArray(clause.getField().value)) {
      throw new QueryError('[term] query does not support array of values');
    }
    const { path, options } = clause.openField('value');
    const value = options.read('value', scalarReader) ?? options.read('term', scalarReader);
    const caseInsensitive = options.read('case_insensitive', booleanReader) ?? false;
    const boost = options.finish();
    if (value === undefined) throw new QueryError('value cannot be null');
    const buildQuery = caseInsensitive ? buildCaseInsensitiveTerm : buildTerm;
    return withBoost(buildQuery(scope, findField(scope, path), value), boost);
  },

  /** `{"terms": {"field": ["a", "b"], "boost": 1}}` */
  terms: (options, scope) => {
    const [path, second] = options.getUnread().filter((name) => name !== 'boost' && name !== '_name');
    if (path === undefined) {
      throw new QueryError(
        '[terms] query requires a field name, followed by array of terms or a document lookup specification',
      );
    }
    if (second !== undefined) throw new QueryError('[terms] query does not support multiple fields');
    const termList = options.read(path, termListReader) ?? [];
    const boost = options.finish();
    return withBoost(buildTerms(scope, findField(scope, path), termList), boost);
  },

  /** `{"range": {"field": {"gte": 1, "lt": 5, "format": "yyyy", "time_zone": "+01:00"}}}` */
  range: (clause, scope) => {
    const { path, value } = clause.getField();
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
    const dates = { format: options.read('format', textReader), zone: options.read('time_zone', zoneReader) };
    options.ignore('relation');
    const boost = options.finish();
    if (dates.format === '') throw new QueryError('[range] failed to parse field [format]');
    return withBoost(buildRange(scope, findField(scope, path), range, dates), boost);
  },

  /** `{"prefix": {"field": "star"}}` and `{"prefix": {"field": {"value": "star"}}}` */
  prefix: createPatternParser('prefix'),

  /** `{"wildcard": {"field": "st*t"}}` and `{"wildcard": {"field": {"value": "st*t"}}}` */
  wildcard: createPatternParser('wildcard'),

  /** `{"regexp": {"field": "s.*t"}}` and `{"regexp": {"field": {"value": "s.*t", "flags": "ALL"}}}` */
  regexp: (clause, scope) => {
    const { path, options } = clause.openField('value');
    const pattern = options.read('value', textReader);
    const enabledOperators = options.read('flags', flagsReader) ?? ALL_OPERATORS;
    const caseInsensitive = options.read('case_insensitive', booleanReader);
    options.ignore('rewrite', 'max_determinized_states');
    const boost = options.finish();
    if (pattern === undefined) throw new QueryError('value cannot be null');
    checkRegexpLength(pattern, 'Regexp Query request');
    const expression = escapeDisabledOperators(pattern, enabledOperators);
    return withBoost(
      buildPattern('regexp', scope, findField(scope, path), expression, caseInsensitive),
      boost,
    );
  },

  /** `{"fuzzy": {"field": "quikc"}}` and `{"fuzzy": {"field": {"value": "quikc", "fuzziness": "AUTO"}}}` */
  fuzzy: (clause, scope) => {
    const { path, options } = clause.openField('value');
    const value = options.read('value', textReader) ?? options.read('term', textReader);
    const fuzzyOptions = {
      fuzziness: options.read('fuzziness', fuzzinessReader) ?? AUTO_FUZZINESS,
      prefixLength: options.read('prefix_length', countReader) ?? textDefaults.prefixLength,
      maxExpansions: options.read('max_expansions', countReader) ?? textDefaults.maxExpansions,
      transpositions: options.read('transpositions', booleanReader) ?? textDefaults.transpositions,
    };
    options.ignore('rewrite');
    const boost = options.finish();
    if (value === undefined) throw new QueryError('query value cannot be null');
    return withBoost(buildFuzzy(scope, findField(scope, path), value, fuzzyOptions), boost);
  },
} satisfies Readonly<Record<string, ClauseParser>>;
