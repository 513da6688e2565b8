// Has the Workflow of a request look again, and finds requests that nobody works on.

import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { type Platform, systemPlatform } from '../gateway/platform.ts';
import { logError } from '../http/log.ts';
import { RequestStore } from './repository.ts';
import { deskOf, WAKE } from './workflow.ts';

/** States in which an instance does nothing any more. */
const ENDED = new Set(['errored', 'terminated', 'complete']);

const instanceId = ({ id, run }: Pick<RequestRow, 'id' | 'run'>): string => `${id}-${run}`;

/** Starts the work on a request that nobody has worked on. Never throws: what fails is found by the next sweep. */
export async function begin(env: Env, row: Pick<RequestRow, 'id' | 'run' | 'phase'>): Promise<void> {
  try {
    await start(env, row);
  } catch (error) {
    // Where it is there, it was begun before, by a call with the same idempotency key.
    if ((await find(env, row)) === undefined) {
      logError('workflow_not_created', error, { data_request: row.id });
    }
    await wake(env, row);
  }
}

async function start({ REQUESTS }: Env, row: Pick<RequestRow, 'id' | 'run'>): Promise<void> {
  await REQUESTS.create({ id: instanceId(row), params: { request: row.id } });
}

/**
 * Has somebody look at a request at once: the instance that works on it, or a new one where that has ended or never was.
 * Never throws: what fails is found by the next sweep.
 */
export async function wake(env: Env, row: Pick<RequestRow, 'id' | 'run' | 'phase'>): Promise<void> {
  try {
    const instance = await find(env, row);
    if (instance === undefined) return await start(env, row);
    const { status } = await instance.status();
    if (!ENDED.has(status)) return await send(env, instance, row);
    const next = { ...row, run: row.run + 1 };
    await new RequestStore(env.DB).move(row.id, [row.phase], { run: next.run });
    await start(env, next);
  } catch (error) {
    logError('request_not_woken', error, { data_request: row.id });
  }
}

/** An instance that ended before it began takes no events: it is begun again. */
async function send(
  env: Env,
  instance: WorkflowInstance,
  row: Pick<RequestRow, 'id' | 'run'>,
): Promise<void> {
  try {
    await instance.sendEvent({ type: WAKE, payload: {} });
  } catch (error) {
    logError('workflow_event_failed', error, { data_request: row.id });
    await start(env, row);
  }
}

/** Is this how the platform says that there is no such instance? It has no type for it. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && /not.found/i.test(error.message);
}

async function find(
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
export async function sweep<E extends Env>(
  env: E,
  all: boolean,
  platform: Platform<E> = systemPlatform,
): Promise<void> {
  const store = new RequestStore(env.DB);
  for (const row of await store.due(all ? undefined : platform.now())) await wake(env, row);
  await deskOf(env, platform).clear();
}
