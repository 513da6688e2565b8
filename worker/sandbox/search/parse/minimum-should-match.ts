// minimum_should_match: how many of the clauses that may match have to.
import { QueryError, toCreationMessage } from './errors.ts';
import type { OptionReader } from './options.ts';
import { textReader } from './options.ts';

const MAX_LENGTH = 200;

/** A specification as `2`, `-1`, `75%`, `3<-1 5<50%`; what it means depends on the number of clauses. */
export const minimumShouldMatchReader: OptionReader<string> = (value, place) => {
  const specification = textReader(value, place).trim();
  // Every bracket is tried, so that a fault is found whatever the number of clauses.
  resolve(specification, Number.POSITIVE_INFINITY);
  return specification;
};

function createError(part: string): QueryError {
  return new QueryError(toCreationMessage(`For input string: "${part.slice(0, MAX_LENGTH)}"`));
}

function integer(part: string): number {
  if (!/^[+-]?\d{1,10}$/.test(part)) throw createError(part);
  return Number(part);
}

/** A number or a percentage; percents are cut towards zero in the engine's single precision. */
function resolveSimple(part: string, clauses: number): number {
  let result: number;
  if (part.endsWith('%')) {
    const share = Math.fround(Math.fround(clauses * integer(part.slice(0, -1))) * Math.fround(0.01));
    result = Math.trunc(share) + (share < 0 ? clauses : 0);
  } else {
    const number = integer(part);
    result = number < 0 ? clauses + number : number;
  }
  return Math.max(0, result);
}

function resolve(specification: string, clauses: number): number {
  if (specification.length > MAX_LENGTH) throw createError(specification);
  if (!specification.includes('<')) return resolveSimple(specification, clauses);
  let result = clauses;
  for (const bracket of specification.replaceAll(/\s*<\s*/g, '<').split(/\s+/)) {
    const [limit = '', part = ''] = bracket.split('<');
    if (clauses <= integer(limit)) return result;
    result = resolveSimple(part, clauses);
  }
  return result;
}

/**
 * How many of the clauses have to match. Below one counts as not given; more than there are match nothing.
 * @throws QueryError for a specification that is none
 */
export function countRequiredClauses(specification: string, clauses: number): number {
  return resolve(specification, clauses);
}
