// Takes runs on, step by step, and brings them to their end: done, stopped, taken back or dropped.
import type { Run } from '../../shared/api/saved-searches.ts';
import type { Connection } from '../../shared/connection.ts';
import { maxRunTitleLength } from '../../shared/limits.ts';
import { isProblemCode } from '../../shared/problems.ts';
import { cancelLookup, noteRun } from '../client/gateway-history.ts';
import { Refusal, told } from '../lib/addon-error.ts';
import { stepRows } from '../tables/bulk/delivery-step.ts';
import { stepKeys } from '../tables/lookup/step.ts';
import { keepTable, tableOf } from '../tables/registry.ts';
import {
  forgetRun,
  keepRun,
  progressOf,
  type RunRecord,
  runOf,
  unfinishedRuns,
} from '../tables/runs/run-store.ts';
import { undoRun } from '../tables/runs/undo.ts';
import { stepSearch } from '../tables/search/step.ts';
import type { Progress } from './api/index.ts';
import { settle } from './bulk/deliveries.ts';
import { keepError } from './error-log.ts';

/** The pause after a step in which the provider answered nothing, in ms. */
const IDLE_WAIT_MS = 3000;

/** After so many of them in a row the run pauses. */
const MAX_IDLE = 20;

const total = (failed: Readonly<Record<string, number>>): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

/** Tells the gateway what a run did since it told so last; what comes of that is nothing that people wait for. */
function note(run: RunRecord, state: Run['state'], connection: Connection | undefined): void {
  const { rows, failed, credits, saved } = run.noted ?? { rows: 0, failed: 0, credits: 0, saved: 0 };
  const code = run.trouble?.code;
  if (connection !== undefined) {
    noteRun(connection, {
      id: run.noted === undefined ? run.id : Utilities.getUuid(),
      kind: run.kind,
      title: run.title.slice(0, maxRunTitleLength),
      family: run.family,
      rows: Math.max(0, run.rows - rows),
      failed: Math.max(0, total(run.failed) - failed),
      credits: run.credits - credits,
      saved: run.saved - saved,
      started_at: run.startedAt,
      ended_at: new Date().toISOString(),
      state,
      ...(code !== undefined && isProblemCode(code) ? { problem: code } : {}),
    });
  }
  run.noted = { rows: run.rows, failed: total(run.failed), credits: run.credits, saved: run.saved };
}

/** Does one step's work; tells whether there is more. */
function work(run: RunRecord, connection: Connection): boolean {
  const before = run.credits;
  const { search, keys, brought } = run;
  try {
    if (brought !== undefined) return stepRows(run, brought, connection);
    if (search !== undefined) return stepSearch(run, search, connection);
    return keys !== undefined && stepKeys(run, keys, connection);
  } finally {
    const table = tableOf(run.tableId);
    if (table !== undefined) {
      const { rows, credits, saved } = run;
      keepTable({
        ...table,
        credits: table.credits + credits - before,
        lastRun: { at: new Date().toISOString(), rows, credits, saved },
      });
    }
  }
}

const SLOW = 'The data provider is too slow at the moment. Resume in a few minutes: nothing is paid twice.';

/**
 * Takes a run one step on. What the gateway or the sheet refuses pauses it.
 * @throws Refusal `gone` where there is no such run
 */
export function stepRun(runId: string, connection: Connection): Progress {
  const run = runOf(runId);
  delete run.trouble;
  if (run.keys !== undefined && run.keys.idle >= MAX_IDLE) run.keys.idle = 0;
  try {
    const more = work(run, connection);
    run.state = more ? 'running' : 'done';
    if (more && run.keys !== undefined && run.keys.idle >= MAX_IDLE) throw new Refusal('pending', SLOW);
  } catch (error) {
    run.state = 'paused';
    run.trouble = told(error);
    keepError(run.trouble);
  }
  const waits = run.state === 'running' && run.keys !== undefined && run.keys.idle > 0;
  if (run.state === 'done') {
    note(run, 'done', connection);
    forgetRun(run.id);
    settle(run, true);
  } else {
    keepRun(run);
  }
  return progressOf(run, tableOf(run.tableId), waits ? IDLE_WAIT_MS : undefined);
}

/**
 * Withdraws the calls of the step under way that were not sent.
 * @throws Refusal where there is no such run, or the gateway cannot be reached
 */
export function withdraw(runId: string, connection: Connection): void {
  cancelLookup(connection, runOf(runId).cancelId);
}

/** Stops a run: it can be resumed. */
export function stopRun(runId: string, connection: Connection | undefined): Progress {
  const run = runOf(runId);
  run.state = 'stopped';
  // The gateway refuses the calls of a cancelled id for a minute.
  run.cancelId = Utilities.getUuid();
  note(run, 'stopped', connection);
  keepRun(run);
  return progressOf(run, tableOf(run.tableId));
}

/** Ends a run where it is. */
export function dropRun(runId: string, connection: Connection | undefined): void {
  const run = runOf(runId);
  if (run.state !== 'stopped') note(run, run.trouble === undefined ? 'stopped' : 'failed', connection);
  forgetRun(runId);
  settle(run, false);
}

/**
 * Takes a run back and ends it.
 * @throws Refusal where that can't be done; nothing is changed then
 */
export function takeBack(runId: string): number {
  const open = unfinishedRuns().find(({ id }) => id === runId);
  const cells = undoRun(runId);
  if (open !== undefined) settle(open, false);
  forgetRun(runId);
  return cells;
}

/** Runs that can go on. */
export function openRuns(): Progress[] {
  return unfinishedRuns().map((run) => progressOf(run, tableOf(run.tableId)));
}
