// The runtime services of an isolate.
import type { Env } from '../env.ts';
import type { Clock } from '../lib/clock.ts';
import type { Upstream } from './upstream/upstream.ts';

export interface Platform<E extends Env = Env> extends Clock {
  /** Provides the sandbox, which serves calls if no provider is configured. Absent in deployments. */
  sandbox?: (env: E) => Upstream | Promise<Upstream>;
}
