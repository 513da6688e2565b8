// Names of indexes, and the patterns by which a request names several.
import { isPattern, matchesPattern } from '../../worker/sandbox/search/fields.ts';
import { EsError, noSuchIndex } from './es-error.ts';

const FORBIDDEN = /[\s\\/*?"<>|,#:]/;
const LONGEST = 255;

/** @throws EsError for what can't be the name of an index */
export function checkIndexName(name: string): void {
  const refuse = (reason: string): never => {
    throw new EsError(400, 'invalid_index_name_exception', `Invalid index name [${name}], ${reason}`, {
      index: name,
    });
  };
  if (name === '' || name === '.' || name === '..') refuse("must not be empty, '.' or '..'");
  if (/^[_+-]/.test(name)) refuse("must not start with '_', '-', or '+'");
  if (FORBIDDEN.test(name))
    refuse('must not contain the following characters [\\, /, *, ?, ", <, >, |, :, #, comma, space]');
  if (name !== name.toLowerCase()) refuse('must be lowercase');
  if (new TextEncoder().encode(name).length > LONGEST)
    refuse(`index name is too long (more than ${LONGEST} bytes)`);
}

/** What a request does where no index has a name that it asks for. */
export interface IndexOptions {
  /** A name that is none is passed over. */
  ignoreUnavailable: boolean;
  /** A pattern may fit nothing. */
  allowNone: boolean;
}

/**
 * Finds the indexes that a request names.
 * @param expression - names and patterns with `*`, separated by commas; `-` before one takes its indexes out again;
 *   empty or `_all`: every index
 * @returns names, sorted
 * @throws EsError for a name that is none
 */
export function resolveIndexes(
  expression: string | undefined,
  existing: readonly string[],
  { ignoreUnavailable, allowNone }: IndexOptions,
): string[] {
  const wanted = expression === undefined || expression === '' || expression === '_all' ? '*' : expression;
  const found = new Set<string>();
  let patterns = 0;
  for (const part of wanted.split(',')) {
    const taken = part.startsWith('-') && patterns > 0;
    const pattern = taken ? part.slice(1) : part;
    if (isPattern(pattern)) patterns += 1;
    const fitting = existing.filter((name) => matchesPattern(name, pattern));
    for (const name of fitting) {
      if (taken) found.delete(name);
      else found.add(name);
    }
    const mayMiss = taken || (isPattern(pattern) ? allowNone : ignoreUnavailable);
    if (fitting.length === 0 && !mayMiss) throw noSuchIndex(part);
  }
  return [...found].sort();
}
