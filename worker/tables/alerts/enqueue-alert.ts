// Tells a team's alert addresses of what happened.
import type { AlertKind } from '../../../shared/api/schedules.ts';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { enqueue } from '../job-queue.ts';
import { buildMessageBody } from './message-body.ts';
import { AlertStore } from './store.ts';

/** Something to tell. */
export interface AlertEvent {
  teamId: string;
  kind: AlertKind;
  /** What it is about; the same is told once: `request:<id>`, `run:<id>`, `push:<id>`. */
  subject: string;
  /** A sentence or two for a person: what happened, and what to do. It names no person and no record. */
  text: string;
}

/**
 * Has the addresses of a team told that want to hear of this. It sends nothing itself: that is done behind it.
 * Never throws: what fails is logged.
 * @param now - milliseconds since 1970
 */
export async function enqueueAlert(env: Env, happening: AlertEvent, now: number): Promise<void> {
  const { teamId, kind, subject, text } = happening;
  try {
    const store = new AlertStore(env.DB);
    const audience = await store.findRecipients(teamId, kind);
    if (audience === undefined) return;
    const body = buildMessageBody(audience.name, text);
    const ids = await store.insertMessages(
      audience.alertIds.map((alertId) => ({
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
    logError('alert_not_noted', error, { team: teamId, kind });
  }
}
