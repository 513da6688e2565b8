// What a bench and the process that makes its load say to each other.
import * as z from 'zod';

/** What is asked, over and over. */
export const templateSchema = z.object({
  host: z.string(),
  port: z.number(),
  /** A request as it is sent, with `{n}` where a number stands. */
  text: z.string(),
  /** The first number. */
  from: z.number(),
  /** How many numbers there are, before the first one comes again. */
  count: z.number(),
});
export type RequestTemplate = z.infer<typeof templateSchema>;

/** How a load is made: for a time, or for a number of questions. */
export const runSchema = z.object({
  connections: z.number(),
  ms: z.number().optional(),
  questions: z.number().optional(),
});
export type Run = z.infer<typeof runSchema>;

export const commandSchema = z.union([z.object({ ask: templateSchema }), z.object({ run: runSchema })]);
export type Command = z.infer<typeof commandSchema>;

/** What came of a load. */
export const loadResultSchema = z.object({
  answers: z.number(),
  ms: z.number(),
  /** Milliseconds for an answer. */
  p50: z.number(),
  p99: z.number(),
  /** Octets of a body, on average. */
  bytes: z.number(),
  /** How many answers said what of `x-cache`; empty where they said nothing. */
  cache: z.record(z.string(), z.number()),
});
export type LoadResult = z.infer<typeof loadResultSchema>;

export const replySchema = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ load: loadResultSchema }),
  z.object({ failed: z.string() }),
]);
export type Reply = z.infer<typeof replySchema>;
