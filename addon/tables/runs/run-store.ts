// What a run is at, kept in the document's properties so that it can go on after anything.

import type { Query } from '../../../shared/api/query.ts';
import type { Run } from '../../../shared/api/saved-searches.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { deleteStored, listStoredNames, readStoredJson, writeStoredJson } from '../../lib/document-store.ts';
import type { Progress, WriteMode } from '../../server/api/index.ts';
import type { TableRecord } from '../registry.ts';
import { getUndoState } from './undo.ts';

const RUNS = 'CDAPI_RUN_';

/**
 * How long the gateway waits for the provider within one step, in ms. The answer may take 12 s more, until the calls that
 * were sent have ended; a step takes 25 s at most.
 */
export const STEP_WAIT_MS = 4_000;
export const PAGE_WAIT_MS = 10_000;

/** Which rows a run over keys is about, counted from the row under the heading, from 0. */
export interface RowScope {
  /** All of them; those without values; or those into which something was looked up before. */
  rows: 'all' | 'blank' | 'filled';
  /** Stretches of rows; all where absent. */
  only?: { from: number; count: number }[];
}

/** Where a run of a search is. */
export interface SearchState {
  mode: WriteMode;
  /** Where rows of another search come into a table; the table's own where absent. */
  query?: Query;
  /** The next page, from 1. */
  page: number;
  pages: number;
  snapshot?: string;
  /** Rows that stay in front of what the run writes. */
  base: number;
  written: number;
  /** What stood there has been cleared. */
  cleared: boolean;
  /** Pages may be so old when the run starts, in seconds; any age where absent. */
  maxAgeS?: number;
}

/** Where a run over keys is. */
export interface LookupState {
  scope: RowScope;
  /** Paths of the values that are written. */
  fields: string[];
  /** The next row, and a print of the keys of the rows before it. */
  cursor: number;
  fingerprint: string;
  /** Rows before the cursor that have no answer yet: their calls were withdrawn when a step ended. */
  skipped: number[];
  /** How many rows the next step looks up. It follows the pace of the provider, so that a step stays short. */
  batch: number;
  /** Steps since the last row came. */
  idleSteps: number;
  /** Records may be so old when the run starts, in seconds; any age where absent. */
  maxAgeS?: number;
}

/** Where rows are that were brought: of a bulk request, or of a run of the table's schedule. */
export interface RowsSource {
  kind: 'request' | 'table';
  /** Id of the request or the run. */
  id: string;
}

/** Where a run is that writes rows which were brought. */
export interface DeliveryState {
  source: RowsSource;
  mode: WriteMode;
  /** Cursor behind the last page that is in; null before the first. */
  after: string | null;
  /** Rows that the table had when the run started. */
  base: number;
  /** What stood there has been cleared. */
  cleared: boolean;
  /** Paths to ask for, where the request would give others by itself. */
  columns?: string[];
}

/** A run as it is kept. */
export interface RunRecord extends Omit<Progress, 'runId' | 'sheet' | 'waitMs' | 'undo'> {
  id: string;
  /** A UUID under which the calls of this run can be withdrawn; another one after each stop. */
  cancelId: string;
  /** What the gateway was told of it already. */
  recorded?: { rows: number; failed: number; credits: number; saved: number };
  search?: SearchState;
  lookup?: LookupState;
  delivery?: DeliveryState;
}

function isRun(value: unknown): value is RunRecord {
  return typeof value === 'object' && value !== null && 'tableId' in value && 'state' in value;
}

/** What a new run starts with. */
export function createRun(
  table: TableRecord,
  kind: Run['kind'],
  total: number,
  maxCredits: number,
  state: { search: SearchState } | { lookup: LookupState } | { delivery: DeliveryState },
): RunRecord {
  return {
    id: Utilities.getUuid(),
    cancelId: Utilities.getUuid(),
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
    ...state,
  };
}

/**
 * How old what is asked for may be at this moment, so that what the run itself has bought is not bought again.
 * @returns the member of a request that says so, in seconds; nothing where any age will do
 */
export function buildMaxAge({ startedAt }: RunRecord, maxAgeS: number | undefined): { max_age_s?: number } {
  if (maxAgeS === undefined) return {};
  return { max_age_s: maxAgeS + Math.ceil((Date.now() - Date.parse(startedAt)) / 1000) + 1 };
}

/** @throws AddonError where there is no room or nowhere to keep it */
export function saveRun(run: RunRecord): void {
  writeStoredJson(RUNS + run.id, run);
}

/** Forgets a run. */
export function deleteRun(id: string): void {
  deleteStored(RUNS + id);
}

/** @throws AddonError `gone` where no such run is kept: it has ended, or was dropped */
export function requireRun(id: string): RunRecord {
  const run = readStoredJson(RUNS + id);
  if (!isRun(run)) throw new AddonError('gone', 'This run has ended. Start it again.');
  return run;
}

/** Every run that has not ended, the latest first. */
export function listUnfinishedRuns(): RunRecord[] {
  return listStoredNames(RUNS)
    .flatMap((id) => {
      const run = readStoredJson(RUNS + id);
      return isRun(run) ? run : [];
    })
    .sort((one, other) => other.startedAt.localeCompare(one.startedAt));
}

/** A run as the page is told. */
export function toProgress(run: RunRecord, table: TableRecord | undefined, waitMs?: number): Progress {
  const {
    id,
    cancelId: _,
    search: __,
    lookup: ___,
    delivery: ____,
    recorded: _____,
    failure,
    ...progress
  } = run;
  return {
    runId: id,
    ...progress,
    sheet: table?.place.sheet ?? '',
    ...(failure === undefined ? {} : { failure }),
    ...(waitMs === undefined ? {} : { waitMs }),
    undo: getUndoState(id),
  };
}

/** The limits of a request of a run: what it may still spend, and the id under which it can be withdrawn. */
export function buildLimits({ maxCredits, credits, cancelId }: RunRecord): {
  max_credits: number;
  cancel_id: string;
} {
  return { max_credits: Math.max(0, maxCredits - credits), cancel_id: cancelId };
}
