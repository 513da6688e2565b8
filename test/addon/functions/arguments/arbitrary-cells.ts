// What cells may hold, for property tests, and how a reader may end.
import fc from 'fast-check';

/** Anything that Sheets hands over as a cell. */
export const cell: fc.Arbitrary<string | number | boolean | Date | undefined | null> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('#REF!', '#N/A', '#PENDING', '=1+1', '{', '{}', '[]', 'null', '__proto__', 'constructor'),
  fc.constant('x'.repeat(50_000)),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(undefined, null, ''),
);

/** What a reader gave, or the sentence that it refused with; anything but an Error is passed on. */
export function outcomeOf<T>(read: () => T): { value: T } | { sentence: string } {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    return { sentence: error.message };
  }
}

/** A sentence for a cell: short, however long what it speaks of, and with an end. */
export function isSentence(text: unknown): boolean {
  return typeof text === 'string' && text.length <= 400 && /[.?!]$/.test(text);
}
