// Converts schedules and runs to API responses.
import type { Schedule, ScheduleRun } from '../../../shared/api/schedules.ts';
import { maxRunsPerMonth } from '../../../shared/limits.ts';
import { createProblemSummary, type ProblemSummary } from '../../../shared/problems.ts';
import type { StoredProblem, TableRunRow } from '../../db/schema.ts';
import { toIsoTime } from '../../lib/format.ts';
import type { RunHistory } from './run-store.ts';
import type { ScheduleWithTable } from './store.ts';
import { getNextRunTime } from './timing.ts';

/** Converts a stored problem to a reason; the problem code supplies missing texts. */
export function toReason({ problem, detail, fix }: StoredProblem): ProblemSummary {
  return createProblemSummary(problem, detail, fix);
}

function toRunView({ id, startedAt, state, rows, credits, problem }: TableRunRow): ScheduleRun {
  return {
    id,
    at: toIsoTime(startedAt),
    state,
    rows,
    credits,
    ...(problem === null ? {} : { problem: toReason(problem) }),
  };
}

/**
 * Converts a schedule to its API response.
 * @param now - milliseconds since 1970
 */
export function toScheduleView(
  { schedule, table }: ScheduleWithTable,
  { latest, monthCredits }: RunHistory,
  now: number,
): Schedule {
  const { every, maxCredits, state, problem, nextAt, runId } = schedule;
  const run = latest.get(table.id);
  // During a run, `nextAt` is the planned time of that run.
  const next = nextAt !== null && runId !== null ? getNextRunTime(every, nextAt, now) : nextAt;
  return {
    table: table.id,
    title: table.title,
    family: table.family,
    every,
    max_credits: maxCredits,
    paused: state === 'paused',
    state,
    ...(problem === null ? {} : { problem: toReason(problem) }),
    next_at: state === 'on' && next !== null ? toIsoTime(next) : null,
    last: run === undefined ? null : toRunView(run),
    month: { most: maxRunsPerMonth[every] * maxCredits, spent: monthCredits.get(table.id) ?? 0 },
  };
}
