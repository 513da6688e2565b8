// Figures of one round of the bulk bench.
import * as z from 'zod';

export const figureSchema = z.object({
  /** Records in the file. */
  records: z.number(),
  /** Unpacked bytes. */
  bytes: z.number(),
  seconds: z.number(),
  /** Processor time of gunzip and wc, or of all workerd processes; absent if the system cannot measure it. */
  processor: z.number().optional(),
  /** Resident memory of all workerd processes: idle and peak; absent if unknown. */
  idle: z.number().optional(),
  peak: z.number().optional(),
});
export type Figure = z.infer<typeof figureSchema>;

/** A round: one figure per file, by ascending size. */
export const roundSchema = z.array(figureSchema);
