// Delivers an alert message with exponential back-off; the last failure becomes a dead letter.
import type { AlertRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { type DeliveryFailure, retryDelaysMs, sendWebhook } from '../../http/send-webhook.ts';
import { runJob } from '../../queue/jobs.ts';
import { AlertStore, decryptAddress } from './store.ts';

/**
 * Sends a due message under a lease. A crash between sending and recording the attempt sends the message again.
 * @param id - of the message
 */
export function sendMessage(
  context: Pick<JobContext, 'env'> & { platform: { now: () => number } },
  id: string,
): Promise<void> {
  return runJob(context, { kind: 'alert', id }, async (job) => {
    const { env, platform } = context;
    const store = new AlertStore(env.DB);
    const found = await store.findMessage(id);
    if (found === undefined) return 'done';
    const { message, address } = found;
    if (address === null) {
      await store.deleteMessage(message);
      return 'done';
    }
    const failure = await send(env, address, message.body, id);
    const now = platform.now();
    await store.recordAttempt(message, now, failure?.error ?? null);
    if (failure === undefined) return 'done';
    const delay = retryDelaysMs[job.attempts];
    // The dead letter has no text of the message, so that erasure need not search it.
    return delay === undefined
      ? { failed: { ...failure, teamId: address.teamId } }
      : { at: now + delay, attempts: job.attempts + 1 };
  });
}

/** @returns undefined if the message was delivered */
async function send(
  env: Env,
  address: AlertRow,
  body: string,
  message: string,
): Promise<DeliveryFailure | undefined> {
  try {
    const url = await decryptAddress(env, address);
    return await sendWebhook({ url, body }, 'alert_delivery_failed', { message });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    logError('alert_delivery_failed', error, { message });
    return { code: error.problem.code, error: error.message };
  }
}
