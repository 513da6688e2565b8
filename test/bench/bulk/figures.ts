// What one round of the bulk bench finds out about one file.
import * as z from 'zod';

export const figureSchema = z.object({
  /** In the file. */
  records: z.number(),
  /** Unpacked. */
  bytes: z.number(),
  seconds: z.number(),
  /** Seconds of processor time: of gunzip and wc, or of all workerd processes. Absent where the system can't say. */
  processor: z.number().optional(),
  /** Resident memory of all workerd processes, in bytes: before, and the most on the way. Absent where there is none. */
  idle: z.number().optional(),
  peak: z.number().optional(),
});
export type Figure = z.infer<typeof figureSchema>;

/** A round: a figure for each file, in the order of their sizes. */
export const roundSchema = z.array(figureSchema);
