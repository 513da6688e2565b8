// fuzziness: the allowed edit distance of a term.
import { QueryError } from './errors.ts';
import { type OptionReader, textReader } from './options.ts';

/** A fixed number of edits, or one by term length: none below `low` letters, one below `high`, otherwise two. */
export type Fuzziness = { edits: 0 | 1 | 2 } | { low: number; high: number };

/** `AUTO`: none for 1 and 2 letters, one for 3 to 5, two for longer terms. */
export const AUTO_FUZZINESS: Fuzziness = { low: 3, high: 6 };

const AUTO_PATTERN = /^AUTO(?::(\d{1,9}),(\d{1,9}))?$/i;

/** @returns undefined for an invalid fuzziness */
export function parseFuzziness(text: string): Fuzziness | undefined {
  const match = AUTO_PATTERN.exec(text);
  if (match !== null) {
    const [, low, high] = match;
    if (low === undefined || high === undefined) return AUTO_FUZZINESS;
    return Number(low) <= Number(high) ? { low: Number(low), high: Number(high) } : undefined;
  }
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return undefined;
  const edits = Math.trunc(Number(text));
  return { edits: edits === 0 || edits === 1 ? edits : 2 };
}

/** Reads `AUTO`, `AUTO:low,high` or a number of edits; more than two count as two. */
export const fuzzinessReader: OptionReader<Fuzziness> = (value, location) => {
  const text = textReader(value, location);
  const fuzziness = parseFuzziness(text);
  if (fuzziness === undefined) throw new QueryError(`[${location.clause}] illegal fuzziness value [${text}]`);
  return fuzziness;
};

/** Returns the maximum number of edits of a term; its letters are code points. */
export function getMaxEdits(fuzziness: Fuzziness, term: string): 0 | 1 | 2 {
  if ('edits' in fuzziness) return fuzziness.edits;
  const length = [...term].length;
  if (length < fuzziness.low) return 0;
  return length < fuzziness.high ? 1 : 2;
}
