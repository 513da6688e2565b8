// Converts schedules and runs to API responses.
import type { Schedule, ScheduleRun } from '../../../shared/api/schedules.ts';
import { createProblemSummary, type Problem, type ProblemSummary } from '../../../shared/problems.ts';
import type { StoredProblem, TableRunRow } from '../../db/schema.ts';
import { toIsoTime } from '../../lib/format.ts';
import { scheduleTokenInvalid, toScheduleBudget } from '../budgets.ts';
import type { ScheduleWithTable } from './store.ts';
import { getNextRunTime } from './timing.ts';

/** Converts a stored problem to a reason; the problem code supplies missing texts. */
export function toReason({ problem, detail, fix }: StoredProblem): ProblemSummary {
  return createProblemSummary(problem, detail, fix);
}

export const toStoredProblem = ({ code: problem, detail, fix }: Problem): StoredProblem => ({
  problem,
  detail,
  fix,
});

export function toRunView({ id, startedAt, state, rows, credits, problem }: TableRunRow): ScheduleRun {
  return {
    id,
    at: toIsoTime(startedAt),
    state,
    rows,
    credits,
    ...(problem === null ? {} : { problem: toReason(problem) }),
  };
}

export type ScheduleStatus = Pick<Schedule, 'state' | 'next_at' | 'problem'>;

/** Determines the state of a schedule, why it has stopped, and its next run. */
export function getScheduleStatus(
  { schedule, hasPayer }: Pick<ScheduleWithTable, 'schedule' | 'hasPayer'>,
  now: number,
): ScheduleStatus {
  const { every, nextAt, runId } = schedule;
  // Its next run would only find that nobody pays.
  const { state, problem } =
    schedule.state === 'on' && !hasPayer
      ? ({ state: 'stopped', problem: scheduleTokenInvalid } as const)
      : schedule;
  // During a run, `nextAt` is the planned time of that run.
  const next = nextAt !== null && runId !== null ? getNextRunTime(every, nextAt, now) : nextAt;
  return {
    state,
    ...(problem === null ? {} : { problem: toReason(problem) }),
    next_at: state === 'on' && next !== null ? toIsoTime(next) : null,
  };
}

/**
 * Converts a schedule to its API response.
 * @param run - its latest run
 * @param spent - credits of its account this month
 * @param now - milliseconds since 1970
 */
export function toScheduleView(
  { schedule, table, hasPayer }: ScheduleWithTable,
  run: TableRunRow | undefined,
  spent: number,
  now: number,
): Schedule {
  const { every, maxCredits } = schedule;
  const status = getScheduleStatus({ schedule, hasPayer }, now);
  return {
    table: table.id,
    title: table.title,
    family: table.family,
    every,
    max_credits: maxCredits,
    paused: status.state === 'paused',
    ...status,
    last: run === undefined ? null : toRunView(run),
    month: { max_credits: toScheduleBudget(schedule).month, spent },
  };
}
