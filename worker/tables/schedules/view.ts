// Schedules and their runs, as their team sees them.

import type { Schedule, ScheduleRun } from '../../../shared/api/schedules.ts';
import { monthlyRuns } from '../../../shared/limits.ts';
import { type Reason, reason } from '../../../shared/problems.ts';
import type { TableRunRow, Trouble } from '../../db/schema.ts';
import { isoTime } from '../../lib/format.ts';
import type { History } from './run-store.ts';
import type { Scheduled } from './store.ts';
import { following } from './timing.ts';

/** Says why something did not go on, in the problem's own words where it has no others. */
export function told({ problem, detail, fix }: StoredProblem): Reason {
  return reason(problem, detail, fix);
}

function runView({ id, startedAt, state, rows, credits, problem: trouble }: TableRunRow): ScheduleRun {
  return {
    id,
    at: toIsoTime(startedAt),
    state,
    rows,
    credits,
    ...(trouble === null ? {} : { problem: told(trouble) }),
  };
}

/**
 * Shows a schedule.
 * @param now - milliseconds since 1970
 */
export function scheduleView(
  { schedule, table }: Scheduled,
  { last, spent }: History,
  now: number,
): Schedule {
  const { every, maxCredits, state, problem: trouble, nextAt, runId } = schedule;
  const run = last.get(table.id);
  // While a run is under way the time that is kept is its own.
  const next = nextAt !== null && runId !== null ? following(every, nextAt, now) : nextAt;
  return {
    table: table.id,
    title: table.title,
    family: table.family,
    every,
    max_credits: maxCredits,
    paused: state === 'paused',
    state,
    ...(trouble === null ? {} : { problem: told(trouble) }),
    next_at: state === 'on' && next !== null ? toIsoTime(next) : null,
    last: run === undefined ? null : runView(run),
    month: { most: monthlyRuns[every] * maxCredits, spent: spent.get(table.id) ?? 0 },
  };
}
