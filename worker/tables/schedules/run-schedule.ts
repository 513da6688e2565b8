// Job that runs a due schedule: leases it, starts or resumes its run, and publishes the result.

import { countRows } from '../../data-requests/ingest/index.ts';
import { CreditsReservedError } from '../../data-requests/order/reserved-credits.ts';
import { getRowStore } from '../../data-requests/state-machine.ts';
import { createDataRequestService } from '../../data-requests/workflow.ts';
import type { StoredProblem, TableRow, TableRunRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { type Caller, findCallerByTokenId, requireScope } from '../../gateway/auth/tokens.ts';
import type { JobContext } from '../../gateway/context.ts';
import { createBackgroundContext } from '../../gateway/services.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { recordChange } from '../changes.ts';
import { enqueue } from '../job-queue.ts';
import { TableStore } from '../store.ts';
import { cannot, formatChangeAlert, formatFailureAlert, isPermanent, rowsNotPickedUp } from './failures.ts';
import { checkRequestRun, startRequestRun } from './request-run.ts';
import { RunStore } from './run-store.ts';
import { advanceSearchRun, postponeForCredits, type RunOutcome } from './search-run.ts';
import { readSourceQuery } from './source-query.ts';
import { LEASE_MS, type LeasedSchedule, ScheduleStore, STALL_TIMEOUT_MS } from './store.ts';
import { DAY_MS } from './timing.ts';

/** Delay after an unexpected error. */
const RETRY_AFTER_ERROR_MS = 60_000;
/** The schedule stops after this many failed runs in a row. */
const MAX_CONSECUTIVE_FAILURES = 5;

/** The schedule stops when no spreadsheet has picked up the rows of this many runs for this long. */
const MAX_UNDELIVERED_RUNS = 3;
const MAX_UNDELIVERED_MS = 3 * DAY_MS;

const SEPARATOR = '@';

/** Encodes the key of a schedule as a job id. */
export function toJobId({ teamId, tableId }: Pick<LeasedSchedule, 'teamId' | 'tableId'>): string {
  return `${tableId}${SEPARATOR}${teamId}`;
}

/** Delivers the rows of a cancelled run. They are already paid for. */
async function deliverBoughtRows(env: Env, id: string, now: number): Promise<void> {
  const runs = new RunStore(env.DB);
  const run = await runs.get(id);
  if (run === undefined || run.state !== 'failed' || run.problem !== null) return;
  const { teamId, tableId: subject } = run;
  const rows = await countRows(getRowStore(env), id);
  if (rows === 0 || (await new TableStore(env.DB).get(teamId, subject)) === undefined) return;
  await runs.recordCancelledRows(id, rows);
  await recordChange(env, { teamId, kind: 'table', subject, run: id, hasRows: true }, now);
}

/**
 * Deletes the schedule of a table. Rows already bought are still delivered. The table keeps its `asOf`, so that a new schedule
 * continues from there.
 * @param now - milliseconds since 1970
 */
export async function deleteSchedule(env: Env, team: string, table: string, now: number): Promise<void> {
  const givenUp = await new ScheduleStore(env.DB).remove(team, table, now);
  for (const id of givenUp) await deliverBoughtRows(env, id, now);
}

/** Runs one leased schedule. */
class ScheduleRunner<E extends Env> {
  readonly #at: JobContext<E>;
  readonly #store: ScheduleStore;
  readonly #runs: RunStore;
  #held: LeasedSchedule;

  constructor(at: JobContext<E>, store: ScheduleStore, held: LeasedSchedule) {
    this.#at = at;
    this.#store = store;
    this.#runs = new RunStore(at.env.DB);
    this.#held = held;
  }

  async #hold(ms: number): Promise<boolean> {
    const held = await this.#store.extendLease(this.#held, this.#at.platform.now() + ms);
    if (held !== undefined) this.#held = held;
    return held !== undefined;
  }

  /** Returns the caller whose token pays; undefined when the token is no longer valid. */
  async #caller(): Promise<Caller | undefined> {
    const { env, platform } = this.#at;
    const caller = await findCallerByTokenId(env.DB, this.#held.tokenId, platform.now());
    return caller?.teamId === this.#held.teamId ? caller : undefined;
  }

  /** Returns the problem that stops a new run when rows of earlier runs wait for a spreadsheet. */
  async #undelivered(): Promise<StoredProblem | undefined> {
    const waiting = await this.#runs.findUndelivered(this.#held);
    if (waiting === undefined || waiting.runs < MAX_UNDELIVERED_RUNS) return undefined;
    const isLong = this.#at.platform.now() >= waiting.since + MAX_UNDELIVERED_MS;
    return isLong ? rowsNotPickedUp(waiting.runs, waiting.since) : undefined;
  }

  /** @throws ProblemError */
  async #goOn(run: TableRunRow, table: TableRow): Promise<RunOutcome> {
    const { env, platform, waitUntil } = this.#at;
    const { query: kept, maxCredits } = this.#held;
    const { source, family } = table;
    if (run.requestId !== null)
      return checkRequestRun(createDataRequestService(env, platform), this.#runs, run, run.requestId);
    const caller = await this.#caller();
    if (caller === undefined) return { kind: 'failed', trouble: cannot.token };
    requireScope(caller, family, source.kind === 'search' ? 'preview' : 'bulk');
    const payer = { team: caller.teamId, token: caller.tokenId };
    const context = await createBackgroundContext(env, platform, payer, waitUntil);
    const common = { env, runs: this.#runs, context, extendLease: () => this.#hold(LEASE_MS) };
    if (source.kind === 'search') return advanceSearchRun(common, { run, table, maxCredits }, source.query);
    const desk = createDataRequestService(env, platform);
    const first = await desk.repository.findForTeam(payer.team, source.request);
    if (first === undefined) return { kind: 'failed', trouble: cannot.source };
    const query = (await readSourceQuery(env, first)) ?? kept;
    if (query === null) return { kind: 'failed', trouble: cannot.source };
    return startRequestRun({ ...common, desk, payer }, { run, table, maxCredits }, query, first.origin);
  }

  /** Advances a run and converts errors to an outcome. Unexpected errors are retried until the run has stalled. */
  async #outcome(run: TableRunRow, table: TableRow): Promise<RunOutcome> {
    try {
      return await this.#goOn(run, table);
    } catch (error) {
      if (error instanceof CreditsReservedError) return postponeForCredits(error.credits);
      if (error instanceof ProblemError) {
        const { code: problem, detail, fix } = error.problem;
        return { kind: 'failed', trouble: { problem, detail, fix } };
      }
      logError('schedule_run_failed', error, { run: run.id });
      return this.#at.platform.now() < run.startedAt + STALL_TIMEOUT_MS
        ? { kind: 'later', waitMs: RETRY_AFTER_ERROR_MS }
        : { kind: 'failed', trouble: { problem: 'internal' } };
    }
  }

  /** Runs the schedule until its run ends or has to wait. */
  async run(table: TableRow): Promise<void> {
    const now = this.#at.platform.now();
    const { runId } = this.#held;
    const run =
      runId === null
        ? await this.#store.startRun(this.#held, crypto.randomUUID(), table.asOf, now)
        : await this.#runs.get(runId);
    if (run?.state === 'running') {
      const waiting = runId === null ? await this.#undelivered() : undefined;
      const outcome: RunOutcome =
        waiting === undefined ? await this.#outcome(run, table) : { kind: 'failed', trouble: waiting };
      if (outcome.kind === 'lost') return deliverBoughtRows(this.#at.env, run.id, this.#at.platform.now());
      if (outcome.kind === 'later') return this.#later(run, outcome);
      const problem = outcome.kind === 'failed' ? outcome.trouble : null;
      await this.#runs.finish(run, problem, this.#at.platform.now());
    }
    const id = run?.id ?? runId;
    if (id !== null) await this.#follow(id, table);
  }

  /** Schedules the next job of the run, and stores why it waits. */
  async #later(
    { id, problem }: TableRunRow,
    { waitMs, trouble }: Extract<RunOutcome, { kind: 'later' }>,
  ): Promise<void> {
    if (trouble !== undefined || problem !== null) await this.#runs.update(id, { problem: trouble ?? null });
    if (!(await this.#hold(waitMs)) || waitMs > 0) return;
    await enqueue(this.#at.env, [{ kind: 'schedule', id: toJobId(this.#held) }]);
  }

  /** Publishes an ended run. Releases the schedule last: after a crash the next job resumes here. */
  async #follow(id: string, table: TableRow): Promise<void> {
    const { env, platform } = this.#at;
    const run = await this.#runs.get(id);
    const now = platform.now();
    // The table was deleted and registered again meanwhile: the schedule waits for its next run.
    if (run === undefined) return this.#store.finishRun({ ...this.#held, id, problem: null }, false, now);
    const { teamId, tableId: subject, problem } = run;
    let stops = false;
    const isEnded = run.state === 'done' || problem !== null;
    // Also for a failed run: rows that were bought are delivered.
    if (isEnded && run.rows > 0) {
      await recordChange(env, { teamId, kind: 'table', subject, run: id, hasRows: true }, now);
    }
    const own = { teamId, subject: `run:${id}` };
    if (problem !== null) {
      stops =
        isPermanent(problem) ||
        (await this.#runs.countConsecutiveFailures(this.#held, MAX_CONSECUTIVE_FAILURES)) >=
          MAX_CONSECUTIVE_FAILURES;
      const text = formatFailureAlert(table.title, problem, run.rows, stops);
      await enqueueAlert(env, { ...own, kind: 'failure', text }, now);
    } else if (!isEnded) {
      await deliverBoughtRows(env, id, now);
    } else if (run.rows > 0) {
      await enqueueAlert(env, { ...own, kind: 'change', text: formatChangeAlert(table.title, run) }, now);
    }
    await this.#store.finishRun(run, stops, now);
  }
}

/**
 * Works on a schedule: nothing where it is not due, or somebody else holds it. Whoever is killed on the way is followed by
 * another when the lease is over, who goes on behind the last page that was noted.
 * @param id - from {@link toJobId}
 * @throws where D1 can't be reached: it is found again when its lease is over
 */
export async function runSchedule<E extends Env>(at: JobContext<E>, id: string): Promise<void> {
  const [tableId = '', ...team] = id.split(SEPARATOR);
  const teamId = team.join(SEPARATOR);
  const store = new ScheduleStore(at.env.DB);
  const held = await store.acquireLease(teamId, tableId, at.platform.now());
  if (held === undefined) return;
  const table = await new TableStore(at.env.DB).get(teamId, tableId);
  if (table === undefined) await store.remove(teamId, tableId, at.platform.now());
  else await new ScheduleRunner(at, store, held).run(table);
}
