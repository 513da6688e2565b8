// The job queue. A message is only a hint: all state is in D1, workers lease a job there first, and the minute sweep
// finds jobs whose message was lost. Duplicate, late or lost messages are harmless.
import { splitIntoBatches } from '../../shared/lib/split-into-batches.ts';
import type { Env } from '../env.ts';
import { logError } from '../http/log.ts';
import type { JobMessage } from './job-message.ts';

/** Platform limit of `sendBatch`. */
const MAX_BATCH = 100;

/** Enqueues jobs. Never throws: the sweep finds jobs that were not enqueued. */
export async function enqueue(
  { JOBS }: Pick<Env, 'JOBS'>,
  messages: readonly JobMessage[],
  delaySeconds = 0,
): Promise<void> {
  try {
    for (const batch of splitIntoBatches(messages, MAX_BATCH)) {
      await JOBS.sendBatch(batch.map((body) => ({ body, delaySeconds })));
    }
  } catch (error) {
    logError('job_enqueue_failed', error, { messages: messages.length });
  }
}
