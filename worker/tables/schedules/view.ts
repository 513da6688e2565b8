// Schedules and their runs, as their team sees them.

import type { Schedule, ScheduleRun } from '../../../shared/api/schedules.ts';
import { maxRunsPerMonth } from '../../../shared/limits.ts';
import { createProblemSummary, type ProblemSummary } from '../../../shared/problems.ts';
import type { StoredProblem, TableRunRow } from '../../db/schema.ts';
import { toIsoTime } from '../../lib/format.ts';
import type { RunHistory } from './run-store.ts';
import type { ScheduleWithTable } from './store.ts';
import { getNextRunTime } from './timing.ts';

/** Says why something did not go on, in the problem's own words where it has no others. */
export function toReason({ problem, detail, fix }: StoredProblem): ProblemSummary {
  return createProblemSummary(problem, detail, fix);
}

function toRunView({ id, startedAt, state, rows, credits, problem: trouble }: TableRunRow): ScheduleRun {
  return {
    id,
    at: toIsoTime(startedAt),
    state,
    rows,
    credits,
    ...(trouble === null ? {} : { problem: toReason(trouble) }),
  };
}

/**
 * Shows a schedule.
 * @param now - milliseconds since 1970
 */
export function toScheduleView(
  { schedule, table }: ScheduleWithTable,
  { latest, monthCredits }: RunHistory,
  now: number,
): Schedule {
  const { every, maxCredits, state, problem: trouble, nextAt, runId } = schedule;
  const run = latest.get(table.id);
  // While a run is under way the time that is kept is its own.
  const next = nextAt !== null && runId !== null ? getNextRunTime(every, nextAt, now) : nextAt;
  return {
    table: table.id,
    title: table.title,
    family: table.family,
    every,
    max_credits: maxCredits,
    paused: state === 'paused',
    state,
    ...(trouble === null ? {} : { problem: toReason(trouble) }),
    next_at: state === 'on' && next !== null ? toIsoTime(next) : null,
    last: run === undefined ? null : toRunView(run),
    month: { most: maxRunsPerMonth[every] * maxCredits, spent: monthCredits.get(table.id) ?? 0 },
  };
}
