// Stops the schedule of a table whose sheet was deleted, so that it buys no more rows.
import type { TableRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { formatFailureAlert, sheetMissing } from './failures.ts';
import { ScheduleStore } from './store.ts';

/**
 * Stops an active schedule and alerts the team once. A run in progress finishes first.
 * @param now - milliseconds since 1970
 */
export async function stopForMissingSheet(
  env: Env,
  { teamId, id, title }: Pick<TableRow, 'teamId' | 'id' | 'title'>,
  now: number,
): Promise<void> {
  if (!(await new ScheduleStore(env.DB).stop(teamId, id, sheetMissing, now))) return;
  const text = formatFailureAlert(title, sheetMissing, 0, true);
  await enqueueAlert(env, { teamId, kind: 'failure', subject: `missing:${id}:${now}`, text }, now);
}
