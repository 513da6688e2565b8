// Alerts about ended data requests.
import { getSubject } from '../../../shared/families/index.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { createProblem } from '../../../shared/problems.ts';
import type { RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { RunStore } from '../schedules/run-store.ts';
import { type AlertEvent, enqueueAlert } from './enqueue-alert.ts';

function describeOutcome({
  phase,
  family,
  rows,
  charged,
  failure,
  asked,
}: RequestRow): Pick<AlertEvent, 'kind' | 'text'> {
  const label = `A bulk request for ${formatNumber(asked)} records (${getSubject(family).label.toLowerCase()})`;
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
 */
export async function enqueueRequestAlert(env: Env, row: RequestRow, now: number): Promise<void> {
  if (row.phase === 'cancelled') return;
  if ((await new RunStore(env.DB).getByRequest(row.id)) !== undefined) return;
  await enqueueAlert(env, { teamId: row.teamId, subject: `request:${row.id}`, ...describeOutcome(row) }, now);
}
