// Messages between a command and the process that runs a Worker for it.
import * as z from 'zod';

/** How to run the Worker. */
export const startSchema = z.object({
  /** Path of the wrangler configuration. */
  config: z.string(),
  /** Environment of the configuration; absent for the top level. */
  env: z.string().exactOptional(),
  /** Settings and secrets that extend those of the configuration. */
  vars: z.record(z.string(), z.string()),
  /** Folder of the platform's stored data. */
  stateDir: z.string(),
  host: z.string(),
  port: z.int(),
});
export type StartMessage = z.infer<typeof startSchema>;

/** The only reply: the Worker is ready, or why it failed. */
export const replySchema = z.union([
  z.object({ ready: z.literal(true) }),
  /** `isUserError`: the message is for the person who ran the command. */
  z.object({ failed: z.string(), isUserError: z.boolean() }),
]);
export type Reply = z.infer<typeof replySchema>;
