// Which signs of the simple query language mean something.
import { QueryError } from '../errors.ts';
import { countReader, type OptionReader, textReader } from '../options.ts';

/** The operators by name; the place of each is its bit in a number of flags. */
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

const words = new Map<string, number>([
  ...operators.map((name, place): [string, number] => [name, 1 << place]),
  ['SLOP', 1 << operators.indexOf('NEAR')],
  ['NONE', 0],
  ['ALL', ALL],
]);

function bitsOf(word: string): number {
  const bits = words.get(word.toUpperCase());
  if (bits === undefined) throw new QueryError(`Unknown simple_query_string flag [${word}]`);
  return bits;
}

function operatorsOf(bits: number): ReadonlySet<SimpleOperator> {
  return new Set(operators.filter((_, place) => (bits & (1 << place)) !== 0));
}

/** All operators: what counts if nothing else is said. */
export const allOperators = operatorsOf(ALL);

/** Reads `ALL`, `NONE`, a list such as `OR|AND|PREFIX`, or a number made of bits, of which a negative one is `ALL`. */
export const simpleFlagsReader: OptionReader<ReadonlySet<SimpleOperator>> = (value, place) => {
  if (typeof value === 'number') return operatorsOf(value < 0 ? ALL : countReader(value, place));
  const given = textReader(value, place);
  if (given === '') return allOperators;
  return operatorsOf(given.split('|').reduce((bits, word) => bits | bitsOf(word), 0));
};
