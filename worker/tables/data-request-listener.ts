// Handles the end of a data request: records the change, starts pushes and sends alerts.

import { getSubject } from '../../shared/families/index.ts';
import { formatNumber } from '../../shared/lib/format-count.ts';
import { createProblem } from '../../shared/problems.ts';
import type { DataRequestEvents } from '../data-requests/state-machine.ts';
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { type AlertEvent, enqueueAlert } from './alerts/enqueue-alert.ts';
import { recordChange } from './changes.ts';
import { RunStore } from './schedules/run-store.ts';

function describeOutcome({
  phase,
  family,
  rows,
  charged,
  failure,
  requested,
}: RequestRow): Pick<AlertEvent, 'kind' | 'text'> {
  const label = `A bulk request for ${formatNumber(requested)} records (${getSubject(family).label.toLowerCase()})`;
  if (phase === 'ready') {
    return {
      kind: 'change',
      text: `${label} is ready: ${formatNumber(rows)} rows, ${formatNumber(charged ?? 0)} credits.`,
    };
  }
  // Only our own text: the provider's message may quote the query.
  const { title, fix } = createProblem(failure?.problem ?? 'provider_unclear');
  return {
    kind: 'failure',
    text:
      phase === 'unclear'
        ? `${label} may have been lost on its way. ${fix}`
        : `${label} has failed. ${title} ${fix}`,
  };
}

/**
 * Enqueues an alert for an ended data request. Skips cancelled requests, and requests of a schedule: their run has its
 * own alert.
 * @param now - milliseconds since 1970
 */
export async function enqueueRequestAlert(env: Env, row: RequestRow, now: number): Promise<void> {
  if (row.phase === 'cancelled') return;
  if ((await new RunStore(env.DB).getByRequest(row.id)) !== undefined) return;
  await enqueueAlert(env, { teamId: row.teamId, subject: `request:${row.id}`, ...describeOutcome(row) }, now);
}

/** Listens to data requests for registered tables and alerts. */
export const dataRequestListener: DataRequestEvents = {
  onEnded: async (env, row, now) => {
    const { id, teamId, phase, rows } = row;
    const hasRows = phase === 'ready' && rows > 0;
    await recordChange(env, { teamId, kind: 'request', subject: id, run: '', hasRows }, now);
    await enqueueRequestAlert(env, row, now);
  },
};
