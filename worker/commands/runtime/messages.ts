// The messages between a command and the process that runs a Worker for it.
import * as z from 'zod';

/** How the Worker is run. */
export const startSchema = z.object({
  /** Path of its wrangler configuration. */
  config: z.string(),
  /** An environment of the configuration; the top level where absent. */
  env: z.string().exactOptional(),
  /** Settings and secrets, in addition to those of the configuration. */
  vars: z.record(z.string(), z.string()),
  /** Where the platform keeps what the Worker stores. */
  stateDir: z.string(),
  host: z.string(),
  port: z.int(),
});
export type Start = z.infer<typeof startSchema>;

/** Sent once: the Worker answers, or why it does not. */
export const replySchema = z.union([
  z.object({ ready: z.literal(true) }),
  /** `isUserError`: a sentence for the person who ran the command. */
  z.object({ failed: z.string(), isUserError: z.boolean() }),
]);
export type Reply = z.infer<typeof replySchema>;
