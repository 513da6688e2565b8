// Executes runs step by step: continues, stops, undoes and discards them.

import { countField } from '../../shared/accounts.ts';
import type { Run } from '../../shared/api/saved-searches.ts';
import type { Connection } from '../../shared/connection.ts';
import { maxRunTitleLength } from '../../shared/limits.ts';
import { type CellError, isProblemCode } from '../../shared/problems.ts';
import { call } from '../client/gateway.ts';
import { unwrap } from '../client/http.ts';
import { createError, toFailure } from '../lib/addon-error.ts';
import { stepAccounts } from '../tables/accounts/step.ts';
import { stepDelivery } from '../tables/bulk/delivery-step.ts';
import { requireTable } from '../tables/located-table.ts';
import { stepLookup } from '../tables/lookup/step.ts';
import { findTable, saveTable, type TableRecord } from '../tables/registry.ts';
import {
  deleteRun,
  listUnfinishedRuns,
  type RunRecord,
  requireRun,
  saveRun,
  toProgress,
} from '../tables/runs/run-store.ts';
import { undoRun } from '../tables/runs/undo.ts';
import { listUndoEntries } from '../tables/runs/undo-log.ts';
import { stepSearch } from '../tables/search/step.ts';
import type { LastRun, Progress, RunCounts, Undone } from './api/index.ts';
import { finishDelivery } from './bulk/deliveries.ts';
import { logError } from './error-log.ts';
import { noteUndoneFill } from './tables/fill-rows.ts';
import { unregister } from './tables/registration.ts';

/** Delay after a step without answers from the provider, in ms. */
const IDLE_WAIT_MS = 3000;

/** After so many steps without answers a run pauses. */
const MAX_IDLE = 20;

/** Counts failed rows. Those of a search at companies are companies without rows. */
const countFailed = ({ failed, perCompany }: RunRecord): number =>
  perCompany === undefined ? Object.values(failed).reduce((sum, count) => sum + count, 0) : 0;

/** Records the progress since the last record in the team's history. */
function recordRunProgress(run: RunRecord, state: Run['state'], connection: Connection | undefined): void {
  const { recorded } = run.internal;
  const { rows, failed, credits, saved } = recorded ?? { rows: 0, failed: 0, credits: 0, saved: 0 };
  const total = { rows: run.rows, failed: countFailed(run), credits: run.credits, saved: run.saved };
  const code = run.failure?.code;
  const now = new Date().toISOString();
  if (connection !== undefined) {
    call(connection, 'createRun', {
      body: {
        id: recorded === undefined ? run.id : Utilities.getUuid(),
        kind: run.kind,
        title: run.title.slice(0, maxRunTitleLength),
        family: run.family,
        rows: Math.max(0, total.rows - rows),
        failed: Math.max(0, total.failed - failed),
        credits: total.credits - credits,
        saved: total.saved - saved,
        started_at: run.startedAt,
        // The calls of a run may reach machines whose clocks differ.
        ended_at: now < run.startedAt ? run.startedAt : now,
        state,
        ...(code !== undefined && isProblemCode(code) ? { problem: code } : {}),
      },
    });
  }
  run.internal.recorded = total;
}

/** Counts the rows of a run by outcome; failures other than missing records by their error word. */
function countRows(run: RunRecord): RunCounts {
  const { rows, done, failed, perCompany } = run;
  const { work, changed, added, updated } = run.internal;
  const { '#NOT_FOUND': notFound = 0, '#INVALID_KEY': invalid = 0, ...others } = failed;
  const found = work.kind === 'lookup' ? rows : done;
  const missing = perCompany === undefined ? { notFound } : { without: notFound };
  return { found, ...missing, invalid, ...others, changed, added, updated };
}

const UNCERTAIN: CellError = '#AMBIGUOUS';

/** Adds the rows of decided names to the run that could not decide them. */
function addDecision(before: LastRun, { done, rows, credits, saved, ...run }: RunRecord): LastRun {
  const { found = 0, notFound = 0, [UNCERTAIN]: uncertain = 0, ...others } = before.counts ?? {};
  const failed = run.failed['#NOT_FOUND'] ?? 0;
  return {
    at: new Date().toISOString(),
    rows: before.rows + rows,
    credits: before.credits + credits,
    saved: before.saved + saved,
    decided: true,
    counts: {
      ...others,
      found: found + rows,
      notFound: notFound + failed,
      [UNCERTAIN]: Math.max(0, uncertain - done),
    },
  };
}

function toLastRun(run: RunRecord): TableRecord['lastRun'] {
  const { rows, credits, saved } = run;
  const { work } = run.internal;
  if (work.kind === 'lookup' && work.decides !== undefined) return addDecision(work.decides, run);
  return {
    at: new Date().toISOString(),
    rows,
    credits,
    saved,
    counts: countRows(run),
    ...(work.kind === 'delivery' && work.source.kind === 'table' ? { scheduleRun: work.source.id } : {}),
  };
}

/**
 * Executes one step.
 * @returns whether there is more to do
 */
function runStep(run: RunRecord, connection: Connection): boolean {
  const before = run.credits;
  const { work } = run.internal;
  try {
    if (work.kind === 'delivery') return stepDelivery(run, work, connection);
    if (work.kind === 'lookup') return stepLookup(run, work, connection);
    return work.accounts === undefined
      ? stepSearch(run, work, connection)
      : stepAccounts(run, work, work.accounts, connection);
  } finally {
    const table = findTable(run.tableId);
    if (table !== undefined)
      saveTable({ ...table, credits: table.credits + run.credits - before, lastRun: toLastRun(run) });
  }
}

/** Selects the heading of the numbers, which may stand beyond the visible columns, unless the person has left the sheet. */
function showNewColumn({ tableId }: RunRecord): void {
  const { table, location } = requireTable(tableId);
  const column = location.columns[table.columns.findIndex(({ path }) => path === countField)];
  const isOpen = SpreadsheetApp.getActiveSheet().getSheetId() === location.sheet.getSheetId();
  if (isOpen && column !== undefined) location.sheet.getRange(location.row, column).activate();
}

const SLOW = 'The data provider is too slow at the moment. Resume in a few minutes: nothing is paid twice.';

/**
 * Executes the next step of a run. Errors of the gateway or the sheet pause it.
 * @throws AddonError `gone` if the run does not exist
 */
export function stepRun(runId: string, connection: Connection): Progress {
  const run = requireRun(runId);
  delete run.failure;
  const { work } = run.internal;
  const lookup = work.kind === 'lookup' ? work : undefined;
  if (lookup !== undefined && lookup.idleSteps >= MAX_IDLE) lookup.idleSteps = 0;
  try {
    const more = runStep(run, connection);
    run.state = more ? 'running' : 'done';
    if (more && lookup !== undefined && lookup.idleSteps >= MAX_IDLE) throw createError('pending', SLOW);
  } catch (error) {
    run.state = 'paused';
    run.failure = toFailure(error);
    logError(run.failure);
  }
  const waits = run.state === 'running' && lookup !== undefined && lookup.idleSteps > 0;
  if (run.state === 'done') {
    if (run.kind === 'count') showNewColumn(run);
    recordRunProgress(run, 'done', connection);
    deleteRun(run.id);
    finishDelivery(run, true);
  } else {
    saveRun(run);
  }
  return toProgress(run, findTable(run.tableId), { waitMs: waits ? IDLE_WAIT_MS : undefined });
}

/**
 * Cancels the unsent calls of the current step.
 * @throws AddonError if the run does not exist, or the gateway can't be reached
 */
export function cancelStep(runId: string, connection: Connection): void {
  unwrap(call(connection, 'cancelLookup', { params: { id: requireRun(runId).internal.cancelId } }));
}

/** Stops a run; it can be resumed. */
export function stopRun(runId: string, connection: Connection | undefined): Progress {
  const run = requireRun(runId);
  run.state = 'stopped';
  // The gateway rejects calls with a cancelled id for a minute.
  run.internal.cancelId = Utilities.getUuid();
  recordRunProgress(run, 'stopped', connection);
  saveRun(run);
  return toProgress(run, findTable(run.tableId));
}

/** Discards a run. The written rows stay. */
export function discardRun(runId: string, connection: Connection | undefined): void {
  const run = requireRun(runId);
  if (run.state !== 'stopped')
    recordRunProgress(run, run.failure === undefined ? 'stopped' : 'failed', connection);
  deleteRun(runId);
  finishDelivery(run, false);
}

/**
 * Undoes a run and ends it. A table that it created is no longer refreshed or filled, and rows of an undone fill stay blank.
 * @throws AddonError if it can't be undone; nothing is changed then
 */
export function undo(runId: string): Undone {
  const open = listUnfinishedRuns().find(({ id }) => id === runId);
  const { fill, ...undone } = undoRun(runId, unregister);
  for (const { id } of fill?.tables ?? []) noteUndoneFill(id);
  if (open !== undefined) finishDelivery(open, false);
  deleteRun(runId);
  return undone;
}

export function listOpenRuns(): Progress[] {
  const entries = listUndoEntries();
  return listUnfinishedRuns().map((run) => toProgress(run, findTable(run.tableId), { entries }));
}
