// Runs the steps of a data request under the lease of its job.
import type { Env } from '../env.ts';
import type { Platform } from '../gateway/platform.ts';
import { createProviderResolver } from '../gateway/upstream/provider-resolver.ts';
import { type JobRunner, runJob } from '../queue/jobs.ts';
import { DataRequestService } from './service.ts';
import type { DataRequestEvents, StepResult } from './state-machine.ts';

/** Steps of one invocation, which may make a thousand calls: a step makes about ten, or hundreds if its result says so. */
const MAX_STEPS = 15;
/** Most steps end within seconds. Longer ones extend the lease themselves. */
const LEASE_MS = 60_000;
const MIN_LEASE_MS = 40_000;

export function createDataRequestService<E extends Env>(env: E, platform: Platform<E>): DataRequestService {
  const provider = createProviderResolver(platform);
  return new DataRequestService({ env, now: platform.now, upstream: async () => provider(env) });
}

interface RunOptions {
  maxSteps?: number;
  /** Whether a caller waits: the invocation goes on after large steps. */
  isWaitedFor?: boolean;
}

/**
 * Runs the next steps of a data request, until it has ended or has to wait.
 * @returns the result of the last step; undefined if the data request is not due, or another process runs it
 */
export async function runDataRequest(
  runner: JobRunner,
  service: DataRequestService,
  id: string,
  events: DataRequestEvents,
  { maxSteps = MAX_STEPS, isWaitedFor = false }: RunOptions = {},
): Promise<StepResult | undefined> {
  const { now } = runner.platform;
  let last: StepResult | undefined;
  const run: Parameters<typeof runJob>[2] = async (job) => {
    for (let step = 0; step < maxSteps; step += 1) {
      if (job.leaseUntil - now() < MIN_LEASE_MS && !(await job.extend(LEASE_MS))) break;
      last = await service.advance(id, events, (ms) => job.extend(ms));
      if (last.over) return 'done';
      if (last.waitMs > 0 || (last.isLarge === true && !isWaitedFor)) break;
    }
    return { at: now() + (last === undefined || last.over ? 0 : last.waitMs) };
  };
  await runJob(runner, { kind: 'data_request', id }, run, LEASE_MS);
  return last;
}
