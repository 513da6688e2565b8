// What one round of the arrival bench finds out about one bulk request after the other.
import * as z from 'zod';

/** When a bulk request came how far, in milliseconds since the provider's webhook came in. */
export const arrivalSchema = z.object({
  /** Its rows are kept: the Worker notes that it has ended, as `ended_at` tells. */
  kept: z.number(),
  /** A program that asks once a second how it stands has read its first rows. */
  polled: z.number(),
  /** The sheet asks what became ready, and finds it. */
  asked: z.number(),
  /** The sheet asks for the rows. */
  fetched: z.number(),
  /** The first row is drawn. */
  first: z.number(),
  /** The last row stands in the grid. */
  last: z.number(),
});
export type Arrival = z.infer<typeof arrivalSchema>;

/** A round: several requests of one size. */
export const roundSchema = z.array(arrivalSchema);
