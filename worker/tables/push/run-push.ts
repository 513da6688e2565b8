// Job that runs a due push: writes the rows of a data request or a run page by page and resumes after the last stored page.

import type { Family } from '../../../shared/families/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/durations.ts';
import { createProblem, type Problem, problems } from '../../../shared/problems.ts';
import { RowIndex, readRows } from '../../data-requests/ingest/index.ts';
import { getRowStore } from '../../data-requests/state-machine.ts';
import type { PushRow, TableRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { findCallerByTokenId, requireScope } from '../../gateway/auth/tokens.ts';
import type { JobContext } from '../../gateway/context.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { type LeasedJob, type NextAttempt, runJob } from '../../queue/jobs.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { pushTokenInvalid } from '../budgets.ts';
import { loadReporter } from '../reports/report-push.ts';
import { stopSchedule } from '../schedules/run-schedule.ts';
import { RunStore } from '../schedules/run-store.ts';
import { toReason, toStoredProblem } from '../schedules/view.ts';
import { getFillOperation, incomingColumns, type RowsSource, TableStore, toPushTarget } from '../store.ts';
import type { GooglePlatform } from './google-http.ts';
import { type PushReport, pushTable } from './push-table.ts';
import { createGoogleAccess, createPusher, type GoogleAccess } from './pusher.ts';
import { PushStore } from './store.ts';

/** Rows that are read and written together. */
const PAGE_ROWS = 2_000;
const PAGE_BYTES = 1_500_000;
/** Longer than a call to Google and the longest delay before it. */
const LEASE_MS = 240_000;
/** A lease is extended before a call when less than this time remains. */
const LEASE_MARGIN_MS = 180_000;
/** Below the platform's limit of 15 minutes for a queue consumer. */
const MAX_JOB_MS = 600_000;

/** Delays between attempts without progress. The push fails after the last one. */
const RETRY_DELAYS: readonly number[] = [
  ...[15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS],
];
/** Those if a person must act first, and may just have done so. */
const PERSON_DELAYS: readonly number[] = [5 * MINUTE_MS, 55 * MINUTE_MS];

/** Another worker has taken over the push. */
class LeaseLostError extends Error {}

/** The token of the table is no longer valid. */
class TokenInvalidError extends Error {}

class PushRun<E extends Env> {
  readonly #env: E;
  readonly #now: () => number;
  readonly #store: PushStore;
  readonly #push: PushRow;
  readonly #job: LeasedJob;
  /** Attempts since the last progress. */
  #attempts: number;

  constructor({ env, platform }: JobContext<E>, store: PushStore, push: PushRow, job: LeasedJob) {
    this.#env = env;
    this.#now = platform.now;
    this.#store = store;
    this.#push = push;
    this.#job = job;
    this.#attempts = push.attempts;
  }

  /** @throws LeaseLostError */
  async #extendLease(): Promise<void> {
    if (!(await this.#job.extend(LEASE_MS))) throw new LeaseLostError();
  }

  /** @throws LeaseLostError */
  async #storeProgress(progress: Parameters<PushStore['update']>[1]): Promise<void> {
    if (!(await this.#store.update(this.#job, progress))) throw new LeaseLostError();
  }

  /** Wraps the network so that every write happens under a valid lease. */
  #withLease(google: GooglePlatform): GooglePlatform {
    return {
      ...google,
      fetch: async (url, init) => {
        if (init.method === 'POST' || this.#job.leaseUntil - this.#now() < LEASE_MARGIN_MS)
          await this.#extendLease();
        return google.fetch(url, init);
      },
    };
  }

  /**
   * Requires that the table's token may read the rows.
   * @throws TokenInvalidError, ProblemError `forbidden_scope`
   */
  async #requireToken(
    table: TableRow,
    family: Family,
    { operation, isAddition = false }: RowsSource,
  ): Promise<void> {
    const caller = await findCallerByTokenId(this.#env.DB, table.tokenId, this.#now());
    if (caller?.teamId !== table.teamId) throw new TokenInvalidError();
    requireScope(caller, family, isAddition ? getFillOperation(table) : operation);
  }

  /**
   * Writes page by page until all rows are written or the job's time is over.
   * @returns whether all rows are written
   * @throws LeaseLostError, TokenInvalidError, ProblemError
   */
  async writeRows(table: TableRow, access: GoogleAccess): Promise<boolean> {
    const pusher = createPusher({ ...access, google: this.#withLease(access.google) });
    const { teamId, id, family } = table;
    const columns = incomingColumns(table);
    const source = await new TableStore(this.#env.DB).getRowsSource(this.#push.rowsId);
    const { requestId } = source;
    // The table may have had another family when the rows were bought.
    const rowsFamily = (await new RowIndex(this.#env.DB).getFamily(requestId)) ?? family;
    const target = toPushTarget(table, columns);
    const reporter = await loadReporter(this.#env, table);
    const onChanges = reporter?.createListener(pusher, columns);
    const deadline = this.#now() + MAX_JOB_MS;
    let { after, rowsWritten } = this.#push;
    for (;;) {
      await this.#requireToken(table, rowsFamily, source);
      const page = await readRows(getRowStore(this.#env), {
        requestId,
        family,
        limit: PAGE_ROWS,
        maxBytes: PAGE_BYTES,
        columns: columns.map(({ path }) => path),
        ...(after === null ? {} : { after }),
      });
      const isLast = page.after === null;
      const report = await pushTable(pusher, target, page.rows, {
        mode: source.isAddition === true ? 'append' : table.mode,
        synced: isLast,
        ...(onChanges === undefined ? {} : { onChanges }),
      });
      if (table.awaitsHeadings && report.headingRow !== undefined) {
        await new TableStore(this.#env.DB).setPlaced(teamId, id);
        target.create = false;
      }
      await this.#throwProblem(report);
      rowsWritten += report.updated + report.unchanged + report.appended;
      this.#attempts = 0;
      const progress = { rowsWritten, attempts: 0, problem: null, updatedAt: this.#now() };
      if (isLast) {
        await reporter?.finish(pusher, this.#push.id);
        await this.#storeProgress(progress);
        return true;
      }
      after = page.after;
      await this.#storeProgress({ ...progress, after });
      await this.#extendLease();
      if (this.#now() >= deadline) return false;
    }
  }

  /** @throws LeaseLostError, ProblemError */
  async #throwProblem({ problem }: PushReport): Promise<void> {
    if (problem === undefined) return;
    // A lost lease aborts calls and looks like a failure of Google.
    await this.#extendLease();
    throw new ProblemError(problem.code, problem.detail, problem.fix);
  }

  async complete(): Promise<NextAttempt> {
    const now = this.#now();
    await new RunStore(this.#env.DB).markDelivered(this.#push.rowsId, now);
    await this.#store.update(this.#job, { state: 'done', updatedAt: now });
    return 'done';
  }

  /** Stops the pushes of a table until another token takes it over, and alerts the team once. */
  async stop({ title }: TableRow): Promise<NextAttempt> {
    const now = this.#now();
    await this.#store.update(this.#job, { problem: null, updatedAt: now });
    await this.#alert(title, toReason(pushTokenInvalid), now);
    return { at: null };
  }

  async #alert(title: string, { detail, fix }: Pick<Problem, 'detail' | 'fix'>, now: number): Promise<void> {
    const { id, teamId } = this.#push;
    const text = `Rows that arrived for the table “${title}” could not be written into its spreadsheet. ${detail} ${fix}`;
    await enqueueAlert(this.#env, { teamId, kind: 'failure', subject: `push:${id}`, text }, now);
  }

  /** Plans a retry, or fails the push after the last one. */
  async recordFailure(problem: Problem, table: TableRow): Promise<NextAttempt> {
    const { code, detail } = problem;
    const now = this.#now();
    if (code === 'sheet_missing') await stopSchedule(this.#env, table, 'missing', now);
    const delay = (problems[code].policy.retry === 'never' ? PERSON_DELAYS : RETRY_DELAYS)[this.#attempts];
    const change = { attempts: this.#attempts + 1, problem: toStoredProblem(problem), updatedAt: now };
    if (delay !== undefined) {
      await this.#store.update(this.#job, change);
      return { at: now + delay };
    }
    await this.#alert(table.title, problem, now);
    await this.#store.update(this.#job, { ...change, state: 'failed' });
    return { failed: { code, error: detail, teamId: table.teamId } };
  }
}

const toProblem = (error: unknown): Problem =>
  error instanceof ProblemError ? error.problem : createProblem('internal');

/**
 * Runs a push under a lease. Does nothing when the push has ended, is not due, waits for an older push to the same
 * table, or is leased by another worker. Stores the result; rows are never written twice.
 * @throws when D1 is unavailable: the cron finds the push after its lease has expired
 */
export function runPush<E extends Env>(
  context: JobContext<E>,
  id: string,
  access: GoogleAccess = createGoogleAccess(context),
): Promise<void> {
  return runJob(context, { kind: 'push', id }, async (job) => {
    const { env, platform } = context;
    const store = new PushStore(env.DB);
    const push = await store.get(id);
    if (push?.state !== 'waiting') return 'done';
    const table = await new TableStore(env.DB).get(push.teamId, push.tableId);
    if (table?.push !== true) {
      await store.remove(job);
      return 'done';
    }
    const run = new PushRun(context, store, push, job);
    try {
      return (await run.writeRows(table, access)) ? await run.complete() : { at: platform.now() };
    } catch (error) {
      if (error instanceof LeaseLostError) return 'done';
      if (error instanceof TokenInvalidError) return run.stop(table);
      if (!(error instanceof ProblemError)) logError('push_failed', error, { push: id });
      return run.recordFailure(toProblem(error), table);
    }
  });
}
