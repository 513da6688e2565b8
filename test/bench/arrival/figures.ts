// Figures of one round of the arrival bench.
import * as z from 'zod';

/** Stages of a bulk order, in milliseconds since the provider's webhook. */
export const arrivalSchema = z.object({
  /** The rows are stored: `ended_at` of the order. */
  stored: z.number(),
  /** A program that polls once a second has read the first rows. */
  polled: z.number(),
  /** The sheet's request that finds the order ready. */
  changesRequested: z.number(),
  /** The sheet's first request for rows. */
  rowsRequested: z.number(),
  /** The first row is drawn. */
  firstRow: z.number(),
  /** The last row is in the grid. */
  lastRow: z.number(),
});
export type Arrival = z.infer<typeof arrivalSchema>;

/** A round: several orders of one size. */
export const roundSchema = z.array(arrivalSchema);
