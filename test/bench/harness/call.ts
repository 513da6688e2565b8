// What goes between the harness and the process of a variant.
import * as z from 'zod';

/** One call of a variant. */
export const callSchema = z.object({
  /** Address of the variant's module. */
  module: z.string(),
  step: z.enum(['missing', 'prepare', 'measure']),
  task: z.object({
    name: z.string(),
    dir: z.string(),
    sharedDir: z.string(),
    quick: z.boolean(),
    parameters: z.unknown().optional(),
  }),
});

export type Call = z.infer<typeof callSchema>;

/** Its answer; the value is absent where the variant has none. */
export const replySchema = z.union([
  z.object({ error: z.string() }),
  z.object({ value: z.unknown().optional() }),
]);

export type Reply = z.infer<typeof replySchema>;
