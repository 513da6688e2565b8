// Stores the state of runs in document properties, so that they survive any interruption.

import type { Query } from '../../../shared/api/query.ts';
import type { Run } from '../../../shared/api/saved-searches.ts';
import { createError } from '../../lib/addon-error.ts';
import { deleteStored, listStoredNames, readStored, writeStoredJson } from '../../lib/document-store.ts';
import { createGuard } from '../../lib/json.ts';
import type { LastRun, Progress, WriteMode } from '../../server/api/index.ts';
import type { StoredAccounts, TableRecord } from '../registry.ts';
import { getUndoState } from './undo.ts';
import type { UndoEntry } from './undo-log.ts';

const RUNS = 'CDAPI_RUN_';

/**
 * How long the gateway waits for the provider within one step, in ms. Calls already sent may take 12 s more, so a step
 * stays within 25 s.
 */
export const STEP_WAIT_MS = 4_000;
export const PAGE_WAIT_MS = 10_000;

/** The rows of a lookup, counted from the row below the heading, starting with 0. */
export interface RowScope {
  /** All rows, rows without values, rows with any empty cell, or rows that were looked up before. */
  rows: 'all' | 'blank' | 'gaps' | 'filled';
  /** Groups of rows; defaults to all. */
  only?: { from: number; count: number }[];
}

export interface AccountsState {
  source: StoredAccounts;
  /** The next of the distinct companies, and the digest of all. */
  cursor: number;
  digest: string;
  /** Steps since the last answer of every company. */
  idleSteps: number;
}

/** How far a run has written the rows of its table. */
export interface WriteState {
  mode: WriteMode;
  /** Rows that stay above the ones that the run writes. */
  base: number;
  written: number;
  /** The first page is written, if the mode is `replace`. */
  cleared: boolean;
  /** Number of rows to replace. They stay until a page or the end of the run replaces them. */
  former?: number;
  /** Cells that were changed by hand stay. */
  keepsChanges?: boolean;
}

export interface SearchState extends WriteState {
  kind: 'search';
  query?: Query;
  /** The next page, starting with 1. */
  page: number;
  pages: number;
  snapshot?: string;
  /** Fingerprints of the rows to replace. */
  previous?: string[];
  /** Maximum age of pages at the start of the run, in seconds; absent: no limit. */
  maxAgeS?: number;
  /** Steps that waited for full records of the page. */
  waits?: number;
  /** Rows come from companies instead of pages. */
  accounts?: AccountsState;
}

export interface LookupState {
  kind: 'lookup';
  scope: RowScope;
  fields: string[];
  /** The next row, and the fingerprint of the keys above it. */
  cursor: number;
  fingerprint: string;
  /** Rows above the cursor without an answer: their calls were cancelled at the end of a step. */
  skipped: number[];
  /** Rows of the next step. It adapts to the provider's speed, so that steps stay short. */
  batch: number;
  /** Steps since the last answer. */
  idleSteps: number;
  /** Maximum age of records at the start of the run, in seconds; absent: no limit. */
  maxAgeS?: number;
  /** The run whose uncertain names this one decides: its counts change, instead of counts of these names alone. */
  decides?: LastRun;
}

/** The source of a delivery: a data request, or a run of the table's schedule. */
export interface RowsSource {
  kind: 'request' | 'table';
  id: string;
}

export interface DeliveryState extends WriteState {
  kind: 'delivery';
  source: RowsSource;
  /** Cursor of the last written page; null before the first. */
  after: string | null;
  /** Paths to request, if they differ from those of the data request. */
  columns?: string[];
}

/** What a run does, and how far it is. */
export type RunWork = SearchState | LookupState | DeliveryState;

/** A stored run: its progress, and what the sidebar does not see. */
export interface RunRecord extends Omit<Progress, 'runId' | 'sheet' | 'waitMs' | 'undo'> {
  id: string;
  internal: {
    work: RunWork;
    /** UUID for cancelling the calls of this run; replaced after each stop. */
    cancelId: string;
    /** Rows whose values were replaced by others, and rows that were added to existing ones. */
    changed: number;
    added: number;
    /** Changed and added rows, if all rows were replaced. */
    updated: number;
    recorded: { rows: number; failed: number; credits: number; saved: number } | undefined;
  };
}

/** A run that has started, and its table. */
export interface StartedRun {
  run: RunRecord;
  table: TableRecord;
}

const isRun = createGuard<RunRecord>({ tableId: 'string', internal: 'object' });

const findRun = (id: string): RunRecord | undefined => readStored(RUNS + id, isRun);

export function createRun(
  table: TableRecord,
  kind: Run['kind'],
  total: number,
  maxCredits: number,
  work: RunWork,
): RunRecord {
  return {
    id: Utilities.getUuid(),
    kind,
    title: table.title,
    family: table.family,
    tableId: table.id,
    state: 'running',
    startedAt: new Date().toISOString(),
    done: 0,
    total,
    rows: 0,
    failed: {},
    credits: 0,
    saved: 0,
    maxCredits,
    internal: {
      work,
      cancelId: Utilities.getUuid(),
      changed: 0,
      added: 0,
      updated: 0,
      recorded: undefined,
    },
  };
}

/**
 * Builds the maximum age of a request. It grows with the run, so that records bought by the run count as fresh.
 * @returns the request's member in seconds; empty if any age is allowed
 */
export function buildMaxAge({ startedAt }: RunRecord, maxAgeS: number | undefined): { max_age_s?: number } {
  if (maxAgeS === undefined) return {};
  // Executions run on several machines, whose clocks may differ.
  const elapsedMs = Math.max(0, Date.now() - Date.parse(startedAt));
  return { max_age_s: maxAgeS + Math.ceil(elapsedMs / 1000) + 1 };
}

export function countWritten(
  run: RunRecord,
  written: { rows: number; changed?: number; added?: number; updated?: number },
): void {
  const { rows, changed = 0, added = 0, updated = 0 } = written;
  run.rows += rows;
  run.internal.changed += changed;
  run.internal.added += added;
  run.internal.updated += updated;
}

/** @throws AddonError if the store is full or missing */
export const saveRun = (run: RunRecord): void => writeStoredJson(RUNS + run.id, run);

export const deleteRun = (id: string): void => deleteStored(RUNS + id);

/** @throws AddonError `gone` if the run has ended or was discarded */
export function requireRun(id: string): RunRecord {
  const run = findRun(id);
  if (run === undefined) throw createError('gone', 'This run has ended. Start it again.');
  return run;
}

/** Lists unfinished runs, latest first. */
export function listUnfinishedRuns(): RunRecord[] {
  return listStoredNames(RUNS)
    .flatMap((id) => findRun(id) ?? [])
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** @param entries - the undo index, if the caller has read it */
export function toProgress(
  run: RunRecord,
  table: TableRecord | undefined,
  { waitMs, entries }: { waitMs?: number | undefined; entries?: readonly UndoEntry[] } = {},
): Progress {
  const { id, internal: _, ...progress } = run;
  return {
    runId: id,
    ...progress,
    sheet: table?.place.sheet ?? '',
    ...(waitMs === undefined ? {} : { waitMs }),
    undo: getUndoState(id, entries),
  };
}

/** Builds the limits of a request: remaining credits, and the id for cancelling. */
export const buildLimits = ({ maxCredits, credits, internal }: RunRecord) => ({
  max_credits: Math.max(0, maxCredits - credits),
  cancel_id: internal.cancelId,
});
