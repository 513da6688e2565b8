// Stops the schedule of a table whose sheet does not exist any more: its rows would be bought for nobody.

import type { TableRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { formatFailureAlert, sheetMissing } from './failures.ts';
import { ScheduleStore } from './store.ts';

/**
 * Stops the schedule of a table; nothing where it has none, or it does not run. A run that is under way ends first.
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
