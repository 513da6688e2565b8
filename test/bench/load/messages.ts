// Messages between a bench and its load generator.
import * as z from 'zod';

/** The request to send repeatedly. */
export const templateSchema = z.object({
  host: z.string(),
  port: z.number(),
  /** The request as text, with `{n}` in place of a number. */
  text: z.string(),
  /** The first number. */
  from: z.number(),
  /** How many different numbers there are; then they repeat. */
  count: z.number(),
});
export type RequestTemplate = z.infer<typeof templateSchema>;

/** The length of a load: a duration or a number of requests. */
export const runSchema = z.object({
  connections: z.number(),
  ms: z.number().optional(),
  requests: z.number().optional(),
});
export type Run = z.infer<typeof runSchema>;

export const commandSchema = z.union([z.object({ template: templateSchema }), z.object({ run: runSchema })]);
export type Command = z.infer<typeof commandSchema>;

/** The result of a load. */
export const loadResultSchema = z.object({
  answers: z.number(),
  ms: z.number(),
  /** Milliseconds per response. */
  p50: z.number(),
  p99: z.number(),
  /** Average bytes of a body. */
  bytes: z.number(),
  /** Number of responses by `x-cache` header; empty if absent. */
  cache: z.record(z.string(), z.number()),
});
export type LoadResult = z.infer<typeof loadResultSchema>;

export const replySchema = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ load: loadResultSchema }),
  z.object({ failed: z.string() }),
]);
export type Reply = z.infer<typeof replySchema>;
