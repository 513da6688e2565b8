// Takes a push on: rows of a data request or a run into a spreadsheet, part by part, from where the one before has come to.
import { createProblem, type Problem, problems } from '../../../shared/problems.ts';
import { readRows } from '../../data-requests/ingest/index.ts';
import { getRowStore } from '../../data-requests/state-machine.ts';
import type { PushRow, TableRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { incomingColumns } from '../columns.ts';
import { enqueue } from '../job-queue.ts';
import { stopForMissingSheet } from '../schedules/missing-sheet.ts';
import { RunStore } from '../schedules/run-store.ts';
import { TableStore } from '../store.ts';
import type { GooglePlatform } from './google-http.ts';
import { type PushReport, pushTable } from './push-table.ts';
import { createGooglePlatform, createPusher, type Pusher } from './pusher.ts';
import { LEASE_MS, type PushLease, PushStore } from './store.ts';

/** Rows that are read and written together. */
const PAGE_ROWS = 2_000;
const PAGE_BYTES = 1_500_000;
/** A lease that ends sooner is made longer before a call. */
const LEASE_MARGIN_MS = 180_000;
/** Nobody works on without a break for longer: the platform ends what takes a quarter of an hour. */
const MAX_JOB_MS = 600_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Pauses before the next tries while nothing lands; after the last it is given up. */
const retryDelays = {
  /** It passes by itself. */
  later: [
    15 * SECOND_MS,
    MINUTE_MS,
    5 * MINUTE_MS,
    15 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
    8 * HOUR_MS,
  ],
  /** Somebody has to do something, and may have just done it. */
  never: [5 * MINUTE_MS, 55 * MINUTE_MS],
} as const satisfies Record<string, readonly number[]>;

/** What a push is made with beside the context of all work. */
export interface PushDependencies {
  google: GooglePlatform;
  /** @throws ProblemError `push_not_configured` */
  pusher: (google: GooglePlatform) => Pusher;
}

function createDependencies<E extends Env>({ env, platform }: JobContext<E>): PushDependencies {
  return {
    google: createGooglePlatform(platform),
    pusher: (google) => {
      const pusher = createPusher(env, google);
      if (pusher === undefined) throw new ProblemError('push_not_configured');
      return pusher;
    },
  };
}

/** Somebody else has gone on with it. */
class LeaseLostError extends Error {}

/** One push that is being worked on. */
class PushRun<E extends Env> {
  readonly #env: E;
  readonly #now: () => number;
  readonly #store: PushStore;
  readonly #push: PushRow;
  #dueAt: number;
  /** Since something landed last. */
  #tries: number;

  constructor({ env, platform }: JobContext<E>, store: PushStore, push: PushRow, dueAt: number) {
    this.#env = env;
    this.#now = platform.now;
    this.#store = store;
    this.#push = push;
    this.#dueAt = dueAt;
    this.#tries = push.tries;
  }

  get #held(): PushLease {
    return { id: this.#push.id, dueAt: this.#dueAt };
  }

  /** Writes down how far it is, and holds it for longer. @throws LeaseLost */
  async #hold(change: Partial<PushRow> = {}): Promise<void> {
    const dueAt = this.#now() + LEASE_MS;
    if (!(await this.#store.update(this.#held, { ...change, dueAt }))) throw new LeaseLostError();
    this.#dueAt = dueAt;
  }

  /** Google, asked only by whoever holds the lease; before each write it is made sure that nobody was let go first. */
  #guarded(google: GooglePlatform): GooglePlatform {
    return {
      ...google,
      fetch: async (url, init) => {
        if (init.method === 'POST' || this.#dueAt - this.#now() < LEASE_MARGIN_MS) await this.#hold();
        return google.fetch(url, init);
      },
    };
  }

  /**
   * Writes part by part until all has landed, or the turn is over.
   * @returns whether all has landed
   * @throws LeaseLost, ProblemError
   */
  async writeRows(table: TableRow, tools: PushDependencies): Promise<boolean> {
    const pusher = tools.pusher(this.#guarded(tools.google));
    const { teamId, id, spreadsheetId, sheetId, headingRow, family } = table;
    const columns = incomingColumns(table);
    const requestId = await new TableStore(this.#env.DB).getRowsId(this.#push.rowsId);
    const idHeading = columns.find(({ path }) => path === 'id')?.heading ?? '';
    const ends = this.#now() + MAX_JOB_MS;
    let { after, landed } = this.#push;
    for (;;) {
      const page = await readRows(getRowStore(this.#env), {
        requestId,
        family,
        limit: PAGE_ROWS,
        maxBytes: PAGE_BYTES,
        columns: columns.map(({ path }) => path),
        ...(after === null ? {} : { after }),
      });
      const target = { spreadsheetId, sheetId, idHeading, row: headingRow };
      const isLast = page.after === null;
      const report = await pushTable(pusher, target, columns, page.rows, {
        existing: table.mode === 'append' ? 'keep' : 'mark',
        synced: isLast,
      });
      await this.#throwProblem(report);
      if (report.headingRow !== undefined && report.headingRow !== headingRow) {
        await new TableStore(this.#env.DB).setHeadingRow(teamId, id, report.headingRow);
      }
      landed += report.updated + report.unchanged + report.appended;
      this.#tries = 0;
      const change = { landed, tries: 0, problem: null, updatedAt: this.#now() };
      if (isLast) {
        await this.#hold(change);
        return true;
      }
      after = page.after;
      await this.#hold({ ...change, after });
      if (this.#now() >= ends) return false;
    }
  }

  /** @throws LeaseLost, ProblemError */
  async #throwProblem({ problem: found }: PushReport): Promise<void> {
    if (found === undefined) return;
    // What the lease ended is not Google's fault.
    await this.#hold();
    throw new ProblemError(found.code, found.detail, found.fix);
  }

  async complete(): Promise<void> {
    const at = this.#now();
    await new RunStore(this.#env.DB).markDelivered(this.#push.rowsId, at);
    await this.#store.update(this.#held, { state: 'done', updatedAt: at, dueAt: null });
  }

  /** Has it gone on with at once. */
  async requeue(): Promise<void> {
    await this.#store.update(this.#held, { dueAt: this.#now() });
  }

  async remove(): Promise<void> {
    await this.#store.remove(this.#held);
  }

  /** Tries again later, or gives it up. */
  async recordFailure(found: Problem, table: TableRow): Promise<void> {
    const { code, detail, fix } = found;
    const at = this.#now();
    const { id, teamId } = this.#push;
    const trouble = { problem: code, detail, fix };
    if (code === 'sheet_missing') await stopForMissingSheet(this.#env, table, at);
    const pause = retryDelays[problems[code].retry][this.#tries];
    const change = { tries: this.#tries + 1, problem: trouble, updatedAt: at };
    if (pause !== undefined) {
      await this.#store.update(this.#held, { ...change, dueAt: at + pause });
      return;
    }
    const text = `Rows that arrived for the table “${table.title}” could not be written into its spreadsheet. ${detail} ${fix}`;
    await enqueueAlert(this.#env, { teamId, kind: 'failure', subject: `push:${id}`, text }, at);
    const failed = { ...change, state: 'failed', dueAt: null } as const;
    await this.#store.fail(this.#held, failed, detail, crypto.randomUUID(), at);
  }
}

const toProblem = (error: unknown): Problem =>
  error instanceof ProblemError ? error.problem : createProblem('internal');

/**
 * Works on a push: nothing where it has ended, is not due, waits for an older one, or somebody else holds it. Whatever
 * becomes of it is written down; rows that have landed are not written twice.
 * @throws where D1 can't be reached: it is found again when its lease is over
 */
export async function runPush<E extends Env>(
  context: JobContext<E>,
  id: string,
  tools: PushDependencies = createDependencies(context),
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
      await ((await run.writeRows(table, tools)) ? run.complete() : run.requeue());
    } catch (error) {
      if (error instanceof LeaseLostError) return;
      if (!(error instanceof ProblemError)) logError('push_failed', error, { push: id });
      await run.recordFailure(toProblem(error), table);
    }
  }
  const next = await store.listDueForTable(push, platform.now());
  await enqueue(
    env,
    next.map((own) => ({ kind: 'push', id: own })),
  );
}
