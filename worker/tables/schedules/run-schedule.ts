// Job that runs a due schedule: leases it, starts or resumes its run, and publishes the result.
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { RowIndex } from '../../data-requests/ingest/index.ts';
import { CreditsReservedError } from '../../data-requests/order/reserved-credits.ts';
import { createDataRequestService } from '../../data-requests/run-request.ts';
import type { ScheduleRow, StoredProblem, TableRow, TableRunRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { findCallerByTokenId, requireScope } from '../../gateway/auth/tokens.ts';
import type { JobContext } from '../../gateway/context.ts';
import { createBackgroundContext } from '../../gateway/services.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { type LeasedJob, type NextAttempt, parseTeamJobId, runJob } from '../../queue/jobs.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { toScheduleBudget } from '../budgets.ts';
import { recordChange } from '../changes.ts';
import { getFillOperation, TableStore } from '../store.ts';
import {
  formatChangeAlert,
  formatFailureAlert,
  invalidSchedule,
  isPermanent,
  rowsNotPickedUp,
  sheetMissing,
} from './failures.ts';
import { checkRequestRun, startRequestRun } from './request-run.ts';
import { readSourceQuery } from './run-query.ts';
import { RunStore } from './run-store.ts';
import { advanceSearchRun, postponeForCredits, type RunOutcome } from './search-run.ts';
import { type EndedRun, ScheduleStore, STALL_TIMEOUT_MS } from './store.ts';
import { toStoredProblem } from './view.ts';

/** Delay after an unexpected error. */
const RETRY_AFTER_ERROR_MS = 60_000;
/** The schedule stops after this many failed runs in a row. */
const MAX_CONSECUTIVE_FAILURES = 5;

/** The schedule stops when no spreadsheet has picked up the rows of this many runs for this long. */
const MAX_UNDELIVERED_RUNS = 3;
const MAX_UNDELIVERED_MS = 3 * DAY_MS;

/** Delivers the rows of a cancelled run. They are already paid for. */
async function deliverBoughtRows(env: Env, id: string, now: number): Promise<void> {
  const runs = new RunStore(env.DB);
  const run = await runs.get(id);
  if (run === undefined || run.state !== 'failed' || run.problem !== null) return;
  const { teamId, tableId: subject } = run;
  const rows = await new RowIndex(env.DB).count(id);
  if (rows === 0 || (await new TableStore(env.DB).get(teamId, subject)) === undefined) return;
  await runs.recordCancelledRows(id, rows);
  await recordChange(env, { teamId, kind: 'table', subject, run: id, hasRows: true }, now);
}

/**
 * Deletes the schedule of a table. Rows already bought are still delivered. The table keeps its `asOf`, so that a new
 * schedule continues from there.
 */
export async function deleteSchedule(env: Env, team: string, table: string, now: number): Promise<void> {
  const cancelled = await new ScheduleStore(env.DB).remove(team, table, now);
  for (const id of cancelled) await deliverBoughtRows(env, id, now);
}

/** Runs one leased schedule. */
class ScheduleRunner<E extends Env> {
  readonly #context: JobContext<E>;
  readonly #store: ScheduleStore;
  readonly #runs: RunStore;
  readonly #schedule: ScheduleRow;
  readonly #job: LeasedJob;

  constructor(context: JobContext<E>, store: ScheduleStore, schedule: ScheduleRow, job: LeasedJob) {
    this.#context = context;
    this.#store = store;
    this.#runs = new RunStore(context.env.DB);
    this.#schedule = schedule;
    this.#job = job;
  }

  /** Extends the lease before something is bought. @returns false if it is lost, or the run was cancelled with its schedule */
  async #extendLease(): Promise<boolean> {
    const { teamId, tableId } = this.#schedule;
    const isHeld = await this.#job.extend();
    return isHeld && ((await this.#store.get(teamId, tableId))?.runId ?? null) !== null;
  }

  /** Returns the problem that stops a new run when rows of earlier runs wait for a spreadsheet. */
  async #checkDelivery(): Promise<StoredProblem | undefined> {
    const waiting = await this.#runs.findUndelivered(this.#schedule);
    if (waiting === undefined || waiting.runs < MAX_UNDELIVERED_RUNS) return undefined;
    const isLong = this.#context.platform.now() >= waiting.since + MAX_UNDELIVERED_MS;
    return isLong ? rowsNotPickedUp(waiting.runs, waiting.since) : undefined;
  }

  /** Starts or resumes a run. @throws ProblemError */
  async #advance(run: TableRunRow, table: TableRow): Promise<RunOutcome> {
    const { env, platform, waitUntil } = this.#context;
    const { teamId, tokenId, query: savedQuery, maxCredits } = this.#schedule;
    const { source, family } = table;
    if (run.requestId !== null)
      return checkRequestRun(createDataRequestService(env, platform), this.#runs, run, run.requestId);
    const caller = await findCallerByTokenId(env.DB, tokenId, platform.now());
    if (caller?.teamId !== teamId) return { kind: 'failed', failure: invalidSchedule.token };
    requireScope(caller, family, getFillOperation(table));
    const context = await createBackgroundContext(
      env,
      platform,
      caller,
      waitUntil,
      toScheduleBudget(this.#schedule),
    );
    const runContext = { env, runs: this.#runs, context, extendLease: () => this.#extendLease() };
    if (source.kind === 'search')
      return advanceSearchRun(runContext, { run, table, maxCredits }, source.query);
    const service = createDataRequestService(env, platform);
    const request = await service.repository.findForTeam(teamId, source.request);
    if (request === undefined) return { kind: 'failed', failure: invalidSchedule.source };
    const query = (await readSourceQuery(env, request)) ?? savedQuery;
    if (query === null) return { kind: 'failed', failure: invalidSchedule.source };
    return startRequestRun({ ...runContext, service }, { run, table, maxCredits }, query, request.origin);
  }

  /** Advances a run and converts errors to an outcome. Unexpected errors are retried until the run has stalled. */
  async #advanceSafely(run: TableRunRow, table: TableRow): Promise<RunOutcome> {
    try {
      return await this.#advance(run, table);
    } catch (error) {
      if (error instanceof CreditsReservedError) return postponeForCredits(error.credits);
      if (error instanceof ProblemError) return { kind: 'failed', failure: toStoredProblem(error.problem) };
      logError('schedule_run_failed', error, { run: run.id });
      return this.#context.platform.now() < run.startedAt + STALL_TIMEOUT_MS
        ? { kind: 'later', waitMs: RETRY_AFTER_ERROR_MS }
        : { kind: 'failed', failure: { problem: 'internal' } };
    }
  }

  /** Runs the schedule until its run ends or has to wait. */
  async run(table: TableRow): Promise<NextAttempt> {
    const now = this.#context.platform.now();
    const { runId } = this.#schedule;
    const run =
      runId === null
        ? await this.#store.startRun(this.#job, this.#schedule, crypto.randomUUID(), table.asOf, now)
        : await this.#runs.get(runId);
    if (run?.state === 'running') {
      const undelivered = runId === null ? await this.#checkDelivery() : undefined;
      const outcome: RunOutcome =
        undelivered === undefined
          ? await this.#advanceSafely(run, table)
          : { kind: 'failed', failure: undelivered };
      if (outcome.kind === 'lost') {
        await deliverBoughtRows(this.#context.env, run.id, this.#context.platform.now());
        return 'done';
      }
      if (outcome.kind === 'later') return this.#postpone(run, outcome);
      const problem = outcome.kind === 'failed' ? outcome.failure : null;
      await this.#runs.finish(run, problem, this.#context.platform.now());
    }
    const id = run?.id ?? runId;
    return id === null ? 'done' : this.#publish(id, table);
  }

  /** Plans the next attempt of the run, and stores why it waits. */
  async #postpone(
    { id, problem }: TableRunRow,
    { waitMs, failure }: Extract<RunOutcome, { kind: 'later' }>,
  ): Promise<NextAttempt> {
    if (failure !== undefined || problem !== null) await this.#runs.update(id, { problem: failure ?? null });
    return { at: this.#context.platform.now() + waitMs };
  }

  /** Publishes an ended run. Releases the schedule last: after a crash the next job resumes here. */
  async #publish(id: string, table: TableRow): Promise<NextAttempt> {
    const { env, platform } = this.#context;
    const run = await this.#runs.get(id);
    const now = platform.now();
    // The table was deleted and registered again meanwhile: the schedule waits for its next run.
    if (run === undefined) return this.#release({ ...this.#schedule, id, problem: null }, false, now);
    const { teamId, tableId: subject, problem } = run;
    let isStopping = false;
    const isEnded = run.state === 'done' || problem !== null;
    // Also for a failed run: rows that were bought are delivered.
    if (isEnded && run.rows > 0) {
      await recordChange(env, { teamId, kind: 'table', subject, run: id, hasRows: true }, now);
    }
    const alert = { teamId, subject: `run:${id}` };
    if (problem !== null) {
      isStopping =
        isPermanent(problem) ||
        (await this.#runs.countConsecutiveFailures(this.#schedule, MAX_CONSECUTIVE_FAILURES)) >=
          MAX_CONSECUTIVE_FAILURES;
      const text = formatFailureAlert(table.title, problem, run.rows, isStopping);
      await enqueueAlert(env, { ...alert, kind: 'failure', text }, now);
    } else if (!isEnded) {
      await deliverBoughtRows(env, id, now);
    } else if (run.rows > 0) {
      await enqueueAlert(env, { ...alert, kind: 'change', text: formatChangeAlert(table.title, run) }, now);
    }
    return this.#release(run, isStopping, now);
  }

  async #release(run: EndedRun, isStopping: boolean, now: number): Promise<NextAttempt> {
    const at = await this.#store.finishRun(run, isStopping, now);
    return at === null ? 'done' : { at };
  }
}

/**
 * Runs a schedule under a lease. After a crash the cron finds the schedule when its lease has expired; the run resumes after the
 * last recorded page.
 * @param id - from {@link toTeamJobId}
 * @throws when D1 is unavailable
 */
export function runSchedule<E extends Env>(context: JobContext<E>, id: string): Promise<void> {
  return runJob(context, { kind: 'schedule', id }, async (job) => {
    const { team: teamId, id: tableId } = parseTeamJobId(id);
    const store = new ScheduleStore(context.env.DB);
    const { schedule, table } = await store.getWithTable(teamId, tableId);
    const now = context.platform.now();
    if (schedule === undefined || schedule.nextAt === null) return 'done';
    if (schedule.runId === null && schedule.nextAt > now) return { at: schedule.nextAt };
    if (table !== undefined) return new ScheduleRunner(context, store, schedule, job).run(table);
    await store.remove(teamId, tableId, now);
    return 'done';
  });
}

const stopReasons = {
  missing: sheetMissing,
  admin: { problem: 'stopped_by_admin' },
} as const satisfies Record<string, StoredProblem>;

/**
 * Stops an active schedule and alerts the team once. A run in progress finishes first.
 * @param reason - its sheet was deleted, or the admin wants it
 * @param now - milliseconds since 1970
 */
export async function stopSchedule(
  env: Env,
  { teamId, id, title }: Pick<TableRow, 'teamId' | 'id' | 'title'>,
  reason: keyof typeof stopReasons,
  now: number,
): Promise<void> {
  const problem: StoredProblem = stopReasons[reason];
  if (!(await new ScheduleStore(env.DB).stop(teamId, id, problem, now))) return;
  const text = formatFailureAlert(title, problem, 0, true);
  await enqueueAlert(env, { teamId, kind: 'failure', subject: `${reason}:${id}:${now}`, text }, now);
}
