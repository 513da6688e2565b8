// What one round of the arrival bench finds out about one bulk request after the other.
import * as z from 'zod';

/** When a bulk request came how far, in milliseconds since the provider's webhook came in. */
export const arrivalSchema = z.object({
  /** Its rows are kept: the Worker notes that it has ended, as `ended_at` tells. */
  stored: z.number(),
  /** A program that asks once a second how it stands has read its first rows. */
  polled: z.number(),
  /** The sheet asks what became ready, and finds it. */
  changesRequested: z.number(),
  /** The sheet asks for the rows. */
  rowsRequested: z.number(),
  /** The first row is drawn. */
  firstRow: z.number(),
  /** The last row stands in the grid. */
  lastRow: z.number(),
});
export type Arrival = z.infer<typeof arrivalSchema>;

/** A round: several requests of one size. */
export const roundSchema = z.array(arrivalSchema);
