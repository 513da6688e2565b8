// The flags of simple_query_string, which enable operators.
import { QueryError } from '../errors.ts';
import { countReader, type OptionReader, textReader } from '../options.ts';

/** The operators; the index of each is its bit in a number of flags. */
const operators = [
  'AND',
  'NOT',
  'OR',
  'PREFIX',
  'PHRASE',
  'PRECEDENCE',
  'ESCAPE',
  'WHITESPACE',
  'FUZZY',
  'NEAR',
] as const;

export type SimpleOperator = (typeof operators)[number];

const ALL = (1 << operators.length) - 1;

const flagBits = new Map<string, number>([
  ...operators.map((name, index): [string, number] => [name, 1 << index]),
  ['SLOP', 1 << operators.indexOf('NEAR')],
  ['NONE', 0],
  ['ALL', ALL],
]);

function parseFlag(word: string): number {
  const bits = flagBits.get(word.toUpperCase());
  if (bits === undefined) throw new QueryError(`Unknown simple_query_string flag [${word}]`);
  return bits;
}

function toOperators(bits: number): ReadonlySet<SimpleOperator> {
  return new Set(operators.filter((_, index) => (bits & (1 << index)) !== 0));
}

/** All operators: the default. */
export const allOperators = toOperators(ALL);

/** Reads `ALL`, `NONE`, a list such as `OR|AND|PREFIX`, or a bit mask; a negative one is `ALL`. */
export const simpleFlagsReader: OptionReader<ReadonlySet<SimpleOperator>> = (value, location) => {
  if (typeof value === 'number') return toOperators(value < 0 ? ALL : countReader(value, location));
  const text = textReader(value, location);
  if (text === '') return allOperators;
  return toOperators(text.split('|').reduce((bits, word) => bits | parseFlag(word), 0));
};
