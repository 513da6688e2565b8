// Messages between the harness and a variant's process.
import * as z from 'zod';

/** A call of a variant. */
export const callSchema = z.object({
  /** URL of the variant's module. */
  module: z.string(),
  step: z.enum(['missing', 'measure']),
  task: z.object({
    name: z.string(),
    dir: z.string(),
    sharedDir: z.string(),
    quick: z.boolean(),
    parameters: z.unknown().optional(),
  }),
});

export type Call = z.infer<typeof callSchema>;

/** The reply; `value` is absent if the variant returns nothing. */
export const replySchema = z.union([
  z.object({ error: z.string() }),
  z.object({ value: z.unknown().optional() }),
]);

export type Reply = z.infer<typeof replySchema>;
