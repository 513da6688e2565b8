// Arbitrary cells for property tests of parsers.
import fc from 'fast-check';
import { unicodeText } from '../../../unicode-text.ts';

/** Any value of a cell. */
export const cell: fc.Arbitrary<string | number | boolean | Date | undefined | null> = fc.oneof(
  fc.string(),
  unicodeText({ maxLength: 60 }),
  fc.constantFrom('#REF!', '#N/A', '#PENDING', '=1+1', '{', '{}', '[]', 'null', '__proto__', 'constructor'),
  fc.constant('x'.repeat(50_000)),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(undefined, null, ''),
);

/** Returns the value of a parser, or the sentence of its Error. Rethrows everything else. */
export function getOutcome<T>(read: () => T): { value: T } | { sentence: string } {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    return { sentence: error.message };
  }
}

/** Checks for a complete sentence of limited length. */
export function isSentence(text: unknown): boolean {
  return typeof text === 'string' && text.length <= 400 && /[.?!]$/.test(text);
}
