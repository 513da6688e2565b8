// What a test and the process that runs its Workers say to each other.
import { z } from 'zod';

/** How Workers are started. */
export const startSchema = z.object({
  /** Where everything is stored that is to outlive the process. */
  folder: z.string(),
  /** The built Workers, as text. */
  scripts: z.object({ front: z.string(), objects: z.string(), kv: z.string() }),
  /** Settings of all Workers. */
  vars: z.record(z.string(), z.string()),
  /** How long KV hides writes, milliseconds; absent: the local platform's own KV. */
  hideWritesMs: z.number().optional(),
});
export type Start = z.infer<typeof startSchema>;

/** Where the Workers answer: two of the gateway, and the one that holds the objects. */
export const addressesSchema = z.object({ one: z.url(), two: z.url(), objects: z.url() });
export type Addresses = z.infer<typeof addressesSchema>;

/** What the process says once: that the Workers answer, or why not. */
export const replySchema = z.union([z.object({ ready: addressesSchema }), z.object({ failed: z.string() })]);
export type Reply = z.infer<typeof replySchema>;
