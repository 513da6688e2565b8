// Stops the schedule of a table, so that it buys no more rows, and alerts the team.
import type { StoredProblem, TableRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { formatFailureAlert, sheetMissing } from './failures.ts';
import { ScheduleStore } from './store.ts';

type ScheduledTable = Pick<TableRow, 'teamId' | 'id' | 'title'>;

const stoppedByAdmin: StoredProblem = { problem: 'stopped_by_admin' };

/**
 * Stops an active schedule and alerts the team once. A run in progress finishes first.
 * @param cause - part of the deduplication key of the alert
 */
async function stop(
  env: Env,
  { teamId, id, title }: ScheduledTable,
  reason: StoredProblem,
  cause: string,
  now: number,
): Promise<void> {
  if (!(await new ScheduleStore(env.DB).stop(teamId, id, reason, now))) return;
  const text = formatFailureAlert(title, reason, 0, true);
  await enqueueAlert(env, { teamId, kind: 'failure', subject: `${cause}:${id}:${now}`, text }, now);
}

/** Stops the schedule of a table whose sheet was deleted. */
export function stopForMissingSheet(env: Env, table: ScheduledTable, now: number): Promise<void> {
  return stop(env, table, sheetMissing, 'missing', now);
}

/** Stops the schedule of a table for the admin. */
export function stopForAdmin(env: Env, table: ScheduledTable, now: number): Promise<void> {
  return stop(env, table, stoppedByAdmin, 'admin', now);
}
