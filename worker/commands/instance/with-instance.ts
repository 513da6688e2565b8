// Work on the stored data, which always goes through an instance: docs/decisions/0003-import-through-the-worker.md.

import { UserError } from '../user-error.ts';
import { isReady, takesKey, untilReady } from './health.ts';
import { startInstance } from './instance.ts';
import { stopSignal, whenStopped } from './interrupt.ts';
import { readLock } from './lock.ts';
import { readSession, type Session } from './session.ts';

async function withTemporary(dir: string, work: (session: Session) => Promise<void>): Promise<void> {
  const signal = stopSignal();
  const cutOff = new UserError('Stopped before the end; what was done so far is kept.');
  try {
    const instance = await startInstance({ dir, port: 0, temporary: true, signal });
    try {
      await Promise.race([work(instance.session), whenStopped(signal)]);
      signal.throwIfAborted();
    } finally {
      await instance.stop();
    }
  } catch (error) {
    throw signal.aborted ? cutOff : error;
  }
}

/**
 * Works with the instance that runs, or with one that is started on the stored data for the time of the work.
 * @param dir - the instance's folder
 * @param log - told where it starts one
 * @throws UserError where the one that runs can't be worked with
 */
export async function withInstance(
  dir: string,
  log: (line: string) => void,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const running = await readLock(dir);
  if (running === undefined) {
    log('No running instance was found: working on the stored data.');
    return withTemporary(dir, work);
  }
  const { pid, url, temporary } = running;
  if (temporary) {
    throw new UserError(`Another command works on ${dir} (process ${pid}): try again when it has ended.`);
  }
  if (!(await isReady(url))) {
    log(`Waiting for the instance at ${url} (process ${pid}), which is starting or busy …`);
    const isRunning = async (): Promise<boolean> => (await readLock(dir))?.pid === pid;
    if (!(await untilReady(url, isRunning))) return withInstance(dir, log, work);
  }
  const stored = await readSession(dir);
  if (stored === undefined || !(await takesKey({ ...stored, url }))) {
    throw new UserError(
      `The instance at ${url} (process ${pid}) refuses the key in ${dir}: stop it, and start it again.`,
    );
  }
  return work({ ...stored, url });
}
