// Names and titles that people give.
import * as z from 'zod';

/**
 * One line of text: nothing in it moves a cursor or breaks a pair of code units.
 * @param max - the most characters
 */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must be one line of plain text');
