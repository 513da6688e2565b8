// Enqueues alert messages to a team's alert addresses.
import type { AlertKind } from '../../../shared/api/schedules.ts';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { enqueue } from '../job-queue.ts';
import { buildMessageBody } from './message-body.ts';
import { AlertStore } from './store.ts';

/** An event that a team is alerted about. */
export interface AlertEvent {
  teamId: string;
  kind: AlertKind;
  /** Deduplication key: an address gets one message per subject. `request:<id>`, `run:<id>`, `push:<id>`. */
  subject: string;
  /** One or two sentences: what happened and what to do. Never names a person or a record. */
  text: string;
}

/** Enqueues a message to each address that subscribes to the event's kind. Never throws: failures are logged. */
export async function enqueueAlert(env: Env, event: AlertEvent, now: number): Promise<void> {
  const { teamId, kind, subject, text } = event;
  try {
    const store = new AlertStore(env.DB);
    const recipients = await store.findRecipients(teamId, kind);
    if (recipients === undefined) return;
    const body = buildMessageBody(recipients.name, text);
    const ids = await store.insertMessages(
      recipients.alertIds.map((alertId) => ({
        id: crypto.randomUUID(),
        alertId,
        subject,
        body,
        createdAt: now,
        dueAt: now,
      })),
    );
    await enqueue(
      env,
      ids.map((id) => ({ kind: 'alert', id })),
    );
  } catch (error) {
    logError('alert_enqueue_failed', error, { team: teamId, kind });
  }
}
