// The queue of work that nobody waits for: what a message says, and how somebody is told. A message means little: all state is
// in D1, whoever comes to it takes a lease there first, and the sweep of each minute finds what a lost message leaves. One that
// comes twice, late or never changes nothing but the time.
import type { Env } from '../env.ts';
import { logError } from '../http/log.ts';
import type { JobMessage } from './job-message.ts';

/** A queue takes no more in one call. */
const MESSAGES_AT_ONCE = 100;

/**
 * Has work looked at, at once or after a while. Never throws: what nobody was told of is found by the sweep.
 */
export async function enqueue(
  { JOBS }: Pick<Env, 'JOBS'>,
  messages: readonly JobMessage[],
  delaySeconds = 0,
): Promise<void> {
  try {
    for (let at = 0; at < messages.length; at += MESSAGES_AT_ONCE) {
      const batch = messages.slice(at, at + MESSAGES_AT_ONCE);
      await JOBS.sendBatch(batch.map((body) => ({ body, delaySeconds })));
    }
  } catch (error) {
    logError('job_enqueue_failed', error, { messages: messages.length });
  }
}
