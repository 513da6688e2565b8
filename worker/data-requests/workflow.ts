// The Workflow of a data request: it runs step after step, and waits for a webhook or the next poll in between. The state is
// in D1; the Workflow only decides when.
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import type { Platform } from '../gateway/platform.ts';
import { createProviderResolver } from '../gateway/upstream/provider-resolver.ts';
import { logError } from '../http/log.ts';
import { isInMaintenance } from '../http/maintenance.ts';
import type { DataRequestEvents } from './events.ts';
import { WAKE_EVENT, type WorkflowParams } from './messages.ts';
import { DataRequestService } from './service.ts';
import type { StepResult } from './state-machine.ts';
import { continueInNextInstance } from './workflow-instances.ts';

/**
 * Steps of one instance; the next instance continues. An invocation may make a thousand calls, and whether the platform starts a
 * new one for each step is not documented. A step makes about ten calls, or hundreds if its result says so.
 */
const MAX_TURNS = 15;
/** The platform's minimum. */
const MIN_WAIT_MS = 1_000;
const WAIT_AFTER_FAILURE_MS = 30_000;

/** A step reads the state from D1 first, so a retry is safe. */
const STEP_CONFIG = {
  retries: { limit: 3, delay: '2 seconds', backoff: 'exponential' },
  timeout: '15 minutes',
} as const;

/** Creates the service for background work. */
export function createDataRequestService<E extends Env>(env: E, platform: Platform<E>): DataRequestService {
  const provider = createProviderResolver(platform);
  return new DataRequestService({ env, now: platform.now, upstream: async () => provider(env) });
}

/** Returns whether an error says that no event came in time. The platform has no type for it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timed? ?out/i.test(`${error.name} ${error.message}`);
}

/**
 * Waits until a wake event arrives or the time is over.
 * @param turn - number of the previous turn
 * @param request - id of the data request
 */
export async function waitForWake(
  step: Pick<WorkflowStep, 'waitForEvent'>,
  turn: number,
  request: string,
  waitMs: number,
): Promise<void> {
  try {
    await step.waitForEvent(`wait ${turn}`, { type: WAKE_EVENT, timeout: Math.max(MIN_WAIT_MS, waitMs) });
  } catch (error) {
    if (!isTimeout(error)) logError('workflow_wait_failed', error, { data_request: request });
  }
}

/** Runs the steps of one data request until it has ended. */
export class DataRequestWorkflow<E extends Env = Env> extends WorkflowEntrypoint<E, WorkflowParams> {
  readonly #service: DataRequestService;
  readonly #events: DataRequestEvents;

  constructor(ctx: ExecutionContext, env: E, platform: Platform<E>, events: DataRequestEvents) {
    super(ctx, env);
    this.#service = createDataRequestService(env, platform);
    this.#events = events;
  }

  override async run(
    { payload, instanceId }: Readonly<WorkflowEvent<WorkflowParams>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { requestId } = payload;
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      // The sweep starts another instance if there is work left afterwards.
      if (isInMaintenance(this.env)) return;
      const next = await this.#turn(step, turn, requestId);
      if (next.over) return;
      if (next.waitMs > 0) await waitForWake(step, turn, requestId, next.waitMs);
      if (next.isLarge) break;
    }
    await step.do('continue', STEP_CONFIG, () => continueInNextInstance(this.env, requestId, instanceId));
  }

  async #turn(step: WorkflowStep, turn: number, request: string): Promise<StepResult> {
    try {
      return await step.do(`turn ${turn}`, STEP_CONFIG, () => this.#service.advance(request, this.#events));
    } catch (error) {
      logError('workflow_turn_failed', error, { data_request: request });
      return { over: false, waitMs: WAIT_AFTER_FAILURE_MS };
    }
  }
}
