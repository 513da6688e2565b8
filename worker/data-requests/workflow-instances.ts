// Starts and wakes Workflow instances, and sweeps for data requests that have none.
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { type Platform, systemPlatform } from '../gateway/platform.ts';
import { logError } from '../http/log.ts';
import { DataRequestRepository } from './repository.ts';
import { createDataRequestService, WAKE_EVENT } from './workflow.ts';

/** Statuses of an instance that has ended. */
const ENDED_STATUSES = new Set(['errored', 'terminated', 'complete']);

const instanceId = ({ id, run }: Pick<RequestRow, 'id' | 'run'>): string => `${id}-${run}`;

/** Starts the Workflow of a new data request. Never throws: the next sweep finds a data request without a Workflow. */
export async function startWorkflow(env: Env, row: Pick<RequestRow, 'id' | 'run' | 'phase'>): Promise<void> {
  try {
    await createInstance(env, row);
  } catch (error) {
    // A call with the same idempotency key may have started it already.
    if ((await findInstance(env, row)) === undefined) {
      logError('workflow_create_failed', error, { data_request: row.id });
    }
    await wakeWorkflow(env, row);
  }
}

async function createInstance({ REQUESTS }: Env, row: Pick<RequestRow, 'id' | 'run'>): Promise<void> {
  await REQUESTS.create({ id: instanceId(row), params: { requestId: row.id } });
}

/**
 * Wakes the Workflow instance of a data request, or creates one if there is none or it has ended. Never throws: the next
 * sweep repeats a failed wake-up.
 */
export async function wakeWorkflow(env: Env, row: Pick<RequestRow, 'id' | 'run' | 'phase'>): Promise<void> {
  try {
    const instance = await findInstance(env, row);
    if (instance === undefined) return await createInstance(env, row);
    const { status } = await instance.status();
    if (!ENDED_STATUSES.has(status)) return await sendWakeEvent(env, instance, row);
    const next = { ...row, run: row.run + 1 };
    await new DataRequestRepository(env.DB).transition(row.id, [row.phase], { run: next.run });
    await createInstance(env, next);
  } catch (error) {
    logError('workflow_wake_failed', error, { data_request: row.id });
  }
}

/** Sends the wake event. An instance that ended before its first step takes no events, so it is created again. */
async function sendWakeEvent(
  env: Env,
  instance: WorkflowInstance,
  row: Pick<RequestRow, 'id' | 'run'>,
): Promise<void> {
  try {
    await instance.sendEvent({ type: WAKE_EVENT, payload: {} });
  } catch (error) {
    logError('workflow_event_failed', error, { data_request: row.id });
    await createInstance(env, row);
  }
}

/** Returns whether an error says that the instance does not exist. The platform has no type for it. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && /not.found/i.test(error.message);
}

async function findInstance(
  { REQUESTS }: Env,
  { id, run }: Pick<RequestRow, 'id' | 'run'>,
): Promise<WorkflowInstance | undefined> {
  try {
    const instance = await REQUESTS.get(instanceId({ id, run }));
    const { status } = await instance.status();
    return status === 'unknown' ? undefined : instance;
  } catch (error) {
    if (!isNotFound(error)) logError('workflow_unreachable', error, { data_request: id });
    return undefined;
  }
}

/**
 * Wakes overdue data requests, and deletes expired rows.
 * @param all - wakes every unfinished data request, because a restart has ended all Workflow instances
 */
export async function sweepDataRequests<E extends Env>(
  env: E,
  all: boolean,
  platform: Platform<E> = systemPlatform,
): Promise<void> {
  const store = new DataRequestRepository(env.DB);
  for (const row of await store.listDue(all ? undefined : platform.now())) await wakeWorkflow(env, row);
  await createDataRequestService(env, platform).deleteExpired();
}
