// How every row is loaded: until it is warm, then through one connection, then through a fixed number of them.
import * as z from 'zod';
import { startGenerator } from './load.ts';
import type { RequestTemplate } from './messages.ts';

/** What one round found out about one row. */
export const figureSchema = z.object({
  /** Answers a second through all connections. */
  perS: z.number(),
  /** Microseconds of the server's processor time for each of them; absent where the system can't say. */
  processor: z.number().optional(),
  /** Milliseconds until an answer through one connection. */
  p50: z.number(),
  p99: z.number(),
  /** Octets of a body. */
  bytes: z.number(),
});
export type Figure = z.infer<typeof figureSchema>;

/** Connections, where a row is loaded to its end. */
export const CONNECTION_COUNT = 16;

/** Warm is what has answered for this time and so often: engines compile what runs often, objects start once. */
const FULL_DURATIONS = { warmUpMs: 2_000, oneMs: 2_000, manyMs: 4_000 };
const QUICK_DURATIONS = { warmUpMs: 1_000, oneMs: 800, manyMs: 1_500 };

/** A row's questions and what every answer has to say of itself. */
export interface LoadTarget {
  template: RequestTemplate;
  /** Part of the commands of the server's processes. */
  server: string;
  /** `x-cache` of every answer; absent where there is none. */
  cache?: string;
  /** Answers that it takes for the server to be warm, where its time alone is not enough. */
  warmUpResponses?: number;
}

/**
 * Loads a server.
 * @throws Error where an answer is no success, or not of the kind that the row is about
 */
export async function measureLoad(
  { template, server, cache = '', warmUpResponses = 0 }: LoadTarget,
  quick: boolean,
): Promise<Figure> {
  const { warmUpMs, oneMs, manyMs } = quick ? QUICK_DURATIONS : FULL_DURATIONS;
  const generator = await startGenerator(template, server);
  try {
    await generator.run({ connections: CONNECTION_COUNT, ms: warmUpMs });
    if (warmUpResponses > 0)
      await generator.run({ connections: CONNECTION_COUNT, questions: warmUpResponses });
    const one = await generator.run({ connections: 1, ms: oneMs });
    const many = await generator.run({ connections: CONNECTION_COUNT, ms: manyMs });
    for (const load of [one, many]) {
      if (load.cache[cache] !== load.answers) {
        throw new Error(`not all answers say "${cache}": ${JSON.stringify(load.cache)}`);
      }
    }
    const { perS, processorMicros: processor, bytes } = many;
    return { perS, p50: one.p50, p99: one.p99, bytes, ...(processor !== undefined && { processor }) };
  } finally {
    generator.stop();
  }
}
