// Gives commands access to stored data through an instance (docs/decisions/0003-import-through-the-worker.md).
import { createStopSignal, UserError, waitForAbort } from '../user-error.ts';
import { acceptsKey, isReady, waitUntilReady } from './health.ts';
import { startInstance } from './instance.ts';
import { readLock } from './lock.ts';
import { readSession, type Session } from './session.ts';

/** Work with an instance. A temporary instance stops when the signal is aborted. */
type InstanceWork = (session: Session, signal?: AbortSignal) => Promise<void>;

async function withTemporaryInstance(dir: string, work: InstanceWork): Promise<void> {
  const signal = createStopSignal();
  const interruptedError = new UserError('Stopped before the end; what was done so far is kept.');
  try {
    const instance = await startInstance({ dir, port: 0, temporary: true, signal });
    try {
      await Promise.race([work(instance.session, signal), waitForAbort(signal)]);
      signal.throwIfAborted();
    } finally {
      await instance.stop();
    }
  } catch (error) {
    throw signal.aborted ? interruptedError : error;
  }
}

/**
 * Calls `work` with the running instance, or with a temporary one if none runs.
 * @param dir - the instance's folder
 * @param log - receives progress lines
 * @throws UserError if the running instance is temporary or refuses the key
 */
export async function withInstance(
  dir: string,
  log: (line: string) => void,
  work: InstanceWork,
): Promise<void> {
  const running = await readLock(dir);
  if (running === undefined) {
    log('No running instance was found: working on the stored data.');
    return withTemporaryInstance(dir, work);
  }
  const { pid, url, temporary } = running;
  if (temporary) {
    throw new UserError(`Another command works on ${dir} (process ${pid}): try again when it has ended.`);
  }
  if (!(await isReady(url))) {
    log(`Waiting for the instance at ${url} (process ${pid}), which is starting or busy …`);
    const isRunning = async (): Promise<boolean> => (await readLock(dir))?.pid === pid;
    if (!(await waitUntilReady(url, isRunning))) return withInstance(dir, log, work);
  }
  const stored = await readSession(dir);
  if (stored === undefined || !(await acceptsKey({ ...stored, url }))) {
    throw new UserError(
      `The instance at ${url} (process ${pid}) refuses the key in ${dir}: stop it, and start it again.`,
    );
  }
  return work({ ...stored, url });
}
