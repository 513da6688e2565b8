// Starts, wakes and replaces the Workflow instances of data requests.
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { logError } from '../http/log.ts';
import { WAKE_EVENT } from './messages.ts';
import { DataRequestRepository } from './repository.ts';

/** Statuses of an instance that has ended. */
const ENDED_STATUSES = new Set(['errored', 'terminated', 'complete']);

const toInstanceId = ({ id, run }: Pick<RequestRow, 'id' | 'run'>): string => `${id}-${run}`;

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
  await REQUESTS.create({ id: toInstanceId(row), params: { requestId: row.id } });
}

/**
 * Wakes the Workflow instance of a data request, or creates one if there is none or it has ended. Never throws: the next
 * sweep repeats a failed wake-up.
 */
export async function wakeWorkflow(env: Env, row: Pick<RequestRow, 'id' | 'run' | 'phase'>): Promise<void> {
  try {
    const found = await findInstance(env, row);
    if (found === undefined) return await createInstance(env, row);
    if (!ENDED_STATUSES.has(found.status)) return await sendWakeEvent(env, found.instance, row);
    const next = { ...row, run: row.run + 1 };
    await new DataRequestRepository(env.DB).transition(row.id, [row.phase], { run: next.run });
    await createInstance(env, next);
  } catch (error) {
    logError('workflow_wake_failed', error, { data_request: row.id });
  }
}

/**
 * Starts the instance after an instance that has made many calls, unless another one runs already. A repeated call starts
 * none, and the next sweep repeats a failed one.
 * @param instanceId - id of the instance that ends
 */
export async function continueInNextInstance(env: Env, request: string, instanceId: string): Promise<void> {
  const store = new DataRequestRepository(env.DB);
  const row = await store.get(request);
  if (row === undefined || row.dueAt === null) return;
  const isNext = toInstanceId({ id: request, run: row.run - 1 }) === instanceId;
  if (!isNext && toInstanceId(row) !== instanceId) return;
  const next = isNext ? row : { ...row, run: row.run + 1 };
  if (!isNext) await store.transition(request, [row.phase], { run: next.run });
  await startWorkflow(env, next);
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
): Promise<{ instance: WorkflowInstance; status: InstanceStatus['status'] } | undefined> {
  try {
    const instance = await REQUESTS.get(toInstanceId({ id, run }));
    const { status } = await instance.status();
    return status === 'unknown' ? undefined : { instance, status };
  } catch (error) {
    if (!isNotFound(error)) logError('workflow_unreachable', error, { data_request: id });
    return undefined;
  }
}
