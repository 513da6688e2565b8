// Has the Workflow of a request look again, and finds requests that nobody works on.

import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { type Platform, systemPlatform } from '../gateway/platform.ts';
import { logError } from '../http/log.ts';
import { DataRequestRepository } from './repository.ts';
import { createDataRequestService, WAKE_EVENT } from './workflow.ts';

/** States in which an instance does nothing any more. */
const ENDED_STATUSES = new Set(['errored', 'terminated', 'complete']);

const instanceId = ({ id, run }: Pick<RequestRow, 'id' | 'run'>): string => `${id}-${run}`;

/** Starts the work on a request that nobody has worked on. Never throws: what fails is found by the next sweep. */
export async function startWorkflow(env: Env, row: Pick<RequestRow, 'id' | 'run' | 'phase'>): Promise<void> {
  try {
    await createInstance(env, row);
  } catch (error) {
    // Where it is there, it was begun before, by a call with the same idempotency key.
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
 * Has somebody look at a request at once: the instance that works on it, or a new one where that has ended or never was.
 * Never throws: what fails is found by the next sweep.
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

/** An instance that ended before it began takes no events: it is begun again. */
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

/** Is this how the platform says that there is no such instance? It has no type for it. */
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
 * Wakes requests that should have moved and have not, and forgets rows that nobody may read any more.
 * @param all - wakes every request that has not ended: after a restart, when nobody works on any
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
