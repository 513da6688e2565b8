// What the Worker's rooms reach the world through: one object, made once for an isolate.
import type { Env } from './env.ts';
import { RecordCache, RecordMemory } from './gateway/cache.ts';
import { ConfigurationError, configuredUpstream } from './gateway/configure.ts';
import type { Edges } from './gateway/edges.ts';
import type { Upstream } from './gateway/upstream.ts';
import { ProblemError } from './problem-error.ts';

/** Edges, and the rooms made of them. */
export interface Services<E extends Env = Env> extends Edges<E> {
  /**
   * The provider and what is remembered of it.
   * @throws ProblemError `not_configured`
   */
  rooms: (env: E) => Promise<{ upstream: Upstream; cache: RecordCache }>;
}

/**
 * Makes the services of an isolate.
 * @param edges - time, and the embedded provider where there is one
 */
export function createServices<E extends Env>(edges: Edges<E>): Services<E> {
  const memory = new RecordMemory(edges.now);
  return {
    ...edges,
    rooms: async (env) => {
      const upstream = (await configured(env)) ?? (await edges.embedded?.(env));
      if (upstream === undefined) throw new ProblemError('not_configured');
      return { upstream, cache: new RecordCache(env.RECORDS, memory, upstream.identity, edges.now) };
    },
  };
}

async function configured(env: Env): Promise<Upstream | undefined> {
  try {
    return await configuredUpstream(env);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new ProblemError('not_configured', error.message);
    throw error;
  }
}
