// regexp: terms by a regular expression of Lucene's dialect, which has to fit the whole term.
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildRegexp, findField } from '../leaves.ts';
import { checkRegexpLength } from '../limits.ts';
import { booleanReader, type OptionReader, parseFieldOptions, textReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** The signs that mean something only under a flag. */
const signsOfFlags: ReadonlyMap<string, string> = new Map([
  ['INTERSECTION', '&'],
  ['COMPLEMENT', '~'],
  ['EMPTY', '#'],
  ['ANYSTRING', '@'],
  ['AUTOMATON', '<>'],
  ['INTERVAL', '<>'],
  ['NONE', ''],
  ['ALL', '&~#@<>'],
]);

/** The signs that mean something. */
const signsReader: OptionReader<string> = (value, place) => {
  const names = textReader(value, place).toUpperCase();
  return names
    .split('|')
    .map((name) => {
      const signs = signsOfFlags.get(name);
      if (signs === undefined && names !== '') throw new QueryError(`Unknown regexp flag [${name}]`);
      return signs ?? '&~#@<>';
    })
    .join('');
};

/** Parts of an expression in which signs stand for themselves already, and the signs that stand outside of them. */
const signs = /\\.|\[(?:\\.|[^\]\\])*\]|"[^"]*"|[&~#@<>]/gsu;

/** Takes the meaning from the signs that no flag gives one. */
function withFlags(pattern: string, meaningful: string): string {
  return pattern.replaceAll(signs, (part) =>
    part.length === 1 && !meaningful.includes(part) ? `\\${part}` : part,
  );
}

/** Reads `{"regexp": {"field": "s.*t"}}` and `{"regexp": {"field": {"value": "s.*t", "flags": "ALL"}}}`. */
export const parseRegexp: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('regexp', body, 'value');
  const pattern = options.read('value', textReader);
  const meaningful = options.read('flags', signsReader);
  const caseInsensitive = options.read('case_insensitive', booleanReader);
  options.ignore('rewrite', 'max_determinized_states');
  const boost = options.finish();
  if (pattern === undefined) throw new QueryError('value cannot be null');
  checkRegexpLength(pattern, 'Regexp Query request');
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const expression = meaningful === undefined ? pattern : withFlags(pattern, meaningful);
  return withBoost(buildRegexp(scope, field, expression, caseInsensitive), boost);
};
