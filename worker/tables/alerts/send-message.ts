// Delivers an alert message with exponential back-off; the last failure becomes a dead letter.
import type { JobContext } from '../../gateway/context.ts';
import { decryptStored } from '../../http/secrets.ts';
import { retryDelaysMs, sendWebhook } from '../../http/send-webhook.ts';
import { runJob } from '../../queue/jobs.ts';
import { AlertStore, getAddressPlace } from './store.ts';

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
    const failure = await sendWebhook(
      async () => ({
        url: await decryptStored(env, address.url, getAddressPlace(address)),
        body: message.body,
      }),
      'alert_delivery_failed',
      { message: id },
    );
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
