// What a bench and its provider's process say to each other.
import * as z from 'zod';

export const startSchema = z.object({
  /** 0 is any that is free. */
  port: z.number(),
  /** How long an answer takes. */
  latencyMs: z.number(),
});

export const upstreamReplySchema = z.union([
  z.object({ port: z.number() }),
  z.object({ calls: z.number(), credits: z.number() }),
  z.object({ failed: z.string() }),
]);
export type UpstreamReply = z.infer<typeof upstreamReplySchema>;
