// regexp: matches whole terms by a regular expression in Lucene's dialect.
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildRegexp, findField } from '../leaves.ts';
import { checkRegexpLength } from '../limits.ts';
import { booleanReader, type OptionReader, parseFieldOptions, textReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Operators that each flag enables. */
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

/** Escapes the operators that no flag enables. */
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
