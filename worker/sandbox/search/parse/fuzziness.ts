// fuzziness: how many letters of a term may differ.
import { QueryError } from './errors.ts';
import { type OptionReader, textReader } from './options.ts';

/** A fixed number of edits, or one that grows with the term: none below `low` letters, one below `high`, then two. */
export type Fuzziness = { edits: 0 | 1 | 2 } | { low: number; high: number };

/** `AUTO`: none for 1 and 2 letters, one for 3 to 5, two above. */
export const AUTO_FUZZINESS: Fuzziness = { low: 3, high: 6 };

const auto = /^AUTO(?::(\d{1,9}),(\d{1,9}))?$/i;

/** @returns undefined for a text that is no fuzziness */
export function parseFuzziness(given: string): Fuzziness | undefined {
  const found = auto.exec(given);
  if (found !== null) {
    const [, low, high] = found;
    if (low === undefined || high === undefined) return AUTO_FUZZINESS;
    return Number(low) <= Number(high) ? { low: Number(low), high: Number(high) } : undefined;
  }
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(given)) return undefined;
  const edits = Math.trunc(Number(given));
  return { edits: edits === 0 || edits === 1 ? edits : 2 };
}

/** `AUTO`, `AUTO:low,high` or a number of edits; the engine takes more than two as two. */
export const fuzzinessReader: OptionReader<Fuzziness> = (value, place) => {
  const given = textReader(value, place);
  const found = parseFuzziness(given);
  if (found === undefined) throw new QueryError(`[${place.clause}] illegal fuzziness value [${given}]`);
  return found;
};

/** How many edits a term may take; letters are counted by code point. */
export function getMaxEdits(given: Fuzziness, term: string): 0 | 1 | 2 {
  if ('edits' in given) return given.edits;
  const length = [...term].length;
  if (length < given.low) return 0;
  return length < given.high ? 1 : 2;
}
