// Measures a server: warms it up, then loads it through one connection and through many.
import * as z from 'zod';
import { startGenerator } from './load.ts';
import type { RequestTemplate } from './messages.ts';

/** Figures of one round. */
export const figureSchema = z.object({
  /** Responses per second through all connections. */
  perS: z.number(),
  /** Microseconds of the server's processor time per response; absent if the system cannot measure it. */
  processor: z.number().optional(),
  /** Milliseconds per response through one connection. */
  p50: z.number(),
  p99: z.number(),
  /** Bytes of a response body. */
  bytes: z.number(),
});
export type Figure = z.infer<typeof figureSchema>;

/** Connections of a full load. */
export const CONNECTION_COUNT = 16;

/** Durations of the phases. A server is warm after `warmUpMs`: by then the engine has compiled hot code. */
const FULL_DURATIONS = { warmUpMs: 2_000, oneMs: 2_000, manyMs: 4_000 };
const QUICK_DURATIONS = { warmUpMs: 1_000, oneMs: 800, manyMs: 1_500 };

/** A server to measure. */
export interface LoadTarget {
  template: RequestTemplate;
  /** Part of the command line of the server's processes. */
  server: string;
  /** Expected `x-cache` header of every response; absent if there is none. */
  cache?: string;
  /** Minimum number of responses before the server is warm, in addition to the time. */
  warmUpResponses?: number;
}

/** Measures a server. @throws Error if a response fails or has another `x-cache` header */
export async function measureLoad(
  { template, server, cache = '', warmUpResponses = 0 }: LoadTarget,
  quick: boolean,
): Promise<Figure> {
  const { warmUpMs, oneMs, manyMs } = quick ? QUICK_DURATIONS : FULL_DURATIONS;
  const generator = await startGenerator(template, server);
  try {
    await generator.run({ connections: CONNECTION_COUNT, ms: warmUpMs });
    if (warmUpResponses > 0)
      await generator.run({ connections: CONNECTION_COUNT, requests: warmUpResponses });
    const single = await generator.run({ connections: 1, ms: oneMs });
    const many = await generator.run({ connections: CONNECTION_COUNT, ms: manyMs });
    for (const load of [single, many]) {
      if (load.cache[cache] !== load.answers) {
        throw new Error(`not all answers say "${cache}": ${JSON.stringify(load.cache)}`);
      }
    }
    const { perS, processorMicros: processor, bytes } = many;
    return { perS, p50: single.p50, p99: single.p99, bytes, ...(processor !== undefined && { processor }) };
  } finally {
    generator.stop();
  }
}
