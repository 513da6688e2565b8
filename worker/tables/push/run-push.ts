// Job that runs a due push: writes the rows of a data request or a run page by page and resumes after the last stored page.

import type { Family } from '../../../shared/families/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/durations.ts';
import { createProblem, type Problem, problems } from '../../../shared/problems.ts';
import { getRowsFamily, readRows } from '../../data-requests/ingest/index.ts';
import { getRowStore } from '../../data-requests/state-machine.ts';
import type { PushRow, TableRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { findCallerByTokenId, requireScope } from '../../gateway/auth/tokens.ts';
import type { JobContext } from '../../gateway/context.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { incomingColumns, toPushTarget } from '../columns.ts';
import { getFillOperation } from '../fill-operation.ts';
import { enqueue } from '../job-queue.ts';
import { PushReporter } from '../reports/report-push.ts';
import { RunStore } from '../schedules/run-store.ts';
import { stopForMissingSheet } from '../schedules/stop-schedule.ts';
import { toReason } from '../schedules/view.ts';
import { type RowsSource, TableStore } from '../store.ts';
import { pushTokenInvalid } from '../token-problems.ts';
import type { GooglePlatform } from './google-http.ts';
import { type PushReport, pushTable } from './push-table.ts';
import { createPushDependencies, type PushDependencies } from './pusher.ts';
import { LEASE_MS, type PushLease, PushStore } from './store.ts';

/** Rows that are read and written together. */
const PAGE_ROWS = 2_000;
const PAGE_BYTES = 1_500_000;
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

/** One leased push. */
class PushRun<E extends Env> {
  readonly #env: E;
  readonly #now: () => number;
  readonly #store: PushStore;
  readonly #push: PushRow;
  #dueAt: number;
  /** Attempts since the last progress. */
  #tries: number;

  constructor({ env, platform }: JobContext<E>, store: PushStore, push: PushRow, dueAt: number) {
    this.#env = env;
    this.#now = platform.now;
    this.#store = store;
    this.#push = push;
    this.#dueAt = dueAt;
    this.#tries = push.tries;
  }

  get #lease(): PushLease {
    return { id: this.#push.id, dueAt: this.#dueAt };
  }

  /** Extends the lease and stores progress. @throws LeaseLostError */
  async #extendLease(change: Partial<PushRow> = {}): Promise<void> {
    const dueAt = this.#now() + LEASE_MS;
    if (!(await this.#store.update(this.#lease, { ...change, dueAt }))) throw new LeaseLostError();
    this.#dueAt = dueAt;
  }

  /** Wraps the network so that every write happens under a valid lease. */
  #withLease(google: GooglePlatform): GooglePlatform {
    return {
      ...google,
      fetch: async (url, init) => {
        if (init.method === 'POST' || this.#dueAt - this.#now() < LEASE_MARGIN_MS) await this.#extendLease();
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
  async writeRows(table: TableRow, dependencies: PushDependencies): Promise<boolean> {
    const pusher = dependencies.createPusher(this.#withLease(dependencies.google));
    const { teamId, id, family } = table;
    const columns = incomingColumns(table);
    const source = await new TableStore(this.#env.DB).getRowsSource(this.#push.rowsId);
    const { requestId } = source;
    // The table may have had another family when the rows were bought.
    const rowsFamily = (await getRowsFamily(getRowStore(this.#env), requestId)) ?? family;
    const target = toPushTarget(table, columns);
    const reporter = await PushReporter.load(this.#env, table);
    const onChanges = reporter?.createListener(pusher, columns);
    const deadline = this.#now() + MAX_JOB_MS;
    let { after, landed } = this.#push;
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
      landed += report.updated + report.unchanged + report.appended;
      this.#tries = 0;
      const progress = { landed, tries: 0, problem: null, updatedAt: this.#now() };
      if (isLast) {
        await reporter?.finish(pusher, this.#push.id);
        await this.#extendLease(progress);
        return true;
      }
      after = page.after;
      await this.#extendLease({ ...progress, after });
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

  async complete(): Promise<void> {
    const now = this.#now();
    await new RunStore(this.#env.DB).markDelivered(this.#push.rowsId, now);
    await this.#store.update(this.#lease, { state: 'done', updatedAt: now, dueAt: null });
  }

  /** Makes the push due again at once. */
  async requeue(): Promise<void> {
    await this.#store.update(this.#lease, { dueAt: this.#now() });
  }

  async remove(): Promise<void> {
    await this.#store.remove(this.#lease);
  }

  /** Stops the pushes of a table whose token is no longer valid, and alerts the team once. */
  async stop({ tokenId, title }: TableRow): Promise<void> {
    const now = this.#now();
    // Somebody may have taken the table over meanwhile.
    if (!(await this.#store.stop(this.#lease, this.#push, tokenId, now))) return this.requeue();
    await this.#alert(title, toReason(pushTokenInvalid), now);
  }

  async #alert(title: string, { detail, fix }: Pick<Problem, 'detail' | 'fix'>, now: number): Promise<void> {
    const { id, teamId } = this.#push;
    const text = `Rows that arrived for the table “${title}” could not be written into its spreadsheet. ${detail} ${fix}`;
    await enqueueAlert(this.#env, { teamId, kind: 'failure', subject: `push:${id}`, text }, now);
  }

  /** Schedules a retry, or fails the push after the last one. */
  async recordFailure({ code, detail, fix }: Problem, table: TableRow): Promise<void> {
    const now = this.#now();
    if (code === 'sheet_missing') await stopForMissingSheet(this.#env, table, now);
    const delay = (problems[code].policy.retry === 'never' ? PERSON_DELAYS : RETRY_DELAYS)[this.#tries];
    const change = { tries: this.#tries + 1, problem: { problem: code, detail, fix }, updatedAt: now };
    if (delay !== undefined) {
      await this.#store.update(this.#lease, { ...change, dueAt: now + delay });
      return;
    }
    await this.#alert(table.title, { detail, fix }, now);
    const failed = { ...change, state: 'failed', dueAt: null } as const;
    await this.#store.fail(this.#lease, failed, detail, crypto.randomUUID(), now);
  }
}

const toProblem = (error: unknown): Problem =>
  error instanceof ProblemError ? error.problem : createProblem('internal');

/**
 * Runs a push under a lease. Does nothing when the push has ended, is not due, waits for an older push to the same
 * table, or is leased by another worker. Stores the result; rows are never written twice.
 * @throws when D1 is unavailable: the sweep finds the push after its lease has expired
 */
export async function runPush<E extends Env>(
  context: JobContext<E>,
  id: string,
  dependencies: PushDependencies = createPushDependencies(context),
): Promise<void> {
  const { env, platform } = context;
  const store = new PushStore(env.DB);
  const now = platform.now();
  const dueAt = now + LEASE_MS;
  const push = await store.acquireLease(id, now, dueAt);
  if (push === undefined) return;
  const run = new PushRun(context, store, push, dueAt);
  const table = await new TableStore(env.DB).get(push.teamId, push.tableId);
  if (table?.push !== true) await run.remove();
  else {
    try {
      await ((await run.writeRows(table, dependencies)) ? run.complete() : run.requeue());
    } catch (error) {
      if (error instanceof LeaseLostError) return;
      if (error instanceof TokenInvalidError) return run.stop(table);
      if (!(error instanceof ProblemError)) logError('push_failed', error, { push: id });
      await run.recordFailure(toProblem(error), table);
    }
  }
  const due = await store.listDueForTable(push, platform.now());
  await enqueue(
    env,
    due.map((dueId) => ({ kind: 'push', id: dueId })),
  );
}
