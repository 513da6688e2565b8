// minimum_should_match: how many should clauses have to match.
import { QueryError, toCreationMessage } from './errors.ts';
import type { OptionReader } from './options.ts';
import { textReader } from './options.ts';

const MAX_LENGTH = 200;

/** Reads a specification such as `2`, `-1`, `75%` or `3<-1 5<50%`; its meaning depends on the number of clauses. */
export const minimumShouldMatchReader: OptionReader<string> = (value, location) => {
  const specification = textReader(value, location).trim();
  // An infinite number of clauses evaluates every condition, which finds all syntax errors.
  resolveSpecification(specification, Number.POSITIVE_INFINITY);
  return specification;
};

function createError(part: string): QueryError {
  return new QueryError(toCreationMessage(`For input string: "${part.slice(0, MAX_LENGTH)}"`));
}

function parseInteger(part: string): number {
  if (!/^[+-]?\d{1,10}$/.test(part)) throw createError(part);
  return Number(part);
}

/** Resolves a number or a percentage; percentages are truncated in 32-bit floats like the engine's. */
function resolveSimple(part: string, clauses: number): number {
  let result: number;
  if (part.endsWith('%')) {
    const share = Math.fround(Math.fround(clauses * parseInteger(part.slice(0, -1))) * Math.fround(0.01));
    result = Math.trunc(share) + (share < 0 ? clauses : 0);
  } else {
    const number = parseInteger(part);
    result = number < 0 ? clauses + number : number;
  }
  return Math.max(0, result);
}

function resolveSpecification(specification: string, clauses: number): number {
  if (specification.length > MAX_LENGTH) throw createError(specification);
  if (!specification.includes('<')) return resolveSimple(specification, clauses);
  let result = clauses;
  for (const condition of specification.replaceAll(/\s*<\s*/g, '<').split(/\s+/)) {
    const [limit = '', part = ''] = condition.split('<');
    if (clauses <= parseInteger(limit)) return result;
    result = resolveSimple(part, clauses);
  }
  return result;
}

/**
 * Returns how many clauses have to match. A result below 1 counts as absent; one above the number of clauses matches
 * nothing.
 * @throws QueryError for an invalid specification
 */
export function countRequiredClauses(specification: string, clauses: number): number {
  return resolveSpecification(specification, clauses);
}
