// What a run is at, kept in the document's properties so that it can go on after anything.
import type { Run } from '../../shared/sheets-api.ts';
import type { Progress, WriteMode } from '../server/api.ts';
import { Refusal } from './refusal.ts';
import type { TableRecord } from './registry.ts';
import { forgetKept, keepJson, keptJson, keptNames } from './store.ts';
import { undoState } from './undo.ts';

const RUNS = 'CDAPI_RUN_';

/** Which rows a run over keys is about, counted from the row under the heading, from 0. */
export interface RowScope {
  /** Only rows without values. */
  blank: boolean;
  /** Stretches of rows; all where absent. */
  only?: { from: number; count: number }[];
}

/** Where a run of a search is. */
export interface SearchState {
  mode: WriteMode;
  /** The next page, from 1. */
  page: number;
  pages: number;
  snapshot?: string;
  /** Rows that stay in front of what the run writes. */
  base: number;
  written: number;
  /** What stood there has been cleared. */
  cleared: boolean;
}

/** Where a run over keys is. */
export interface KeysState {
  scope: RowScope;
  /** Paths of the values that are written. */
  fields: string[];
  /** The next row, and a print of the keys of the rows before it. */
  cursor: number;
  print: string;
  /** `pending`: every row was asked once, some are still being fetched. */
  phase: 'first' | 'pending';
  /** Steps since the last row came. */
  idle: number;
  /** Rows that keep their old values while new ones are being fetched. */
  late: number;
  /** Records may be so old when the run starts, in seconds; any age where absent. */
  maxAgeS?: number;
}

/** A run as it is kept. */
export interface RunRecord extends Omit<Progress, 'runId' | 'sheet' | 'waitMs' | 'undo'> {
  id: string;
  /** What the gateway was told of it already. */
  noted?: { rows: number; failed: number; credits: number; saved: number };
  search?: SearchState;
  keys?: KeysState;
}

function isRun(value: unknown): value is RunRecord {
  return typeof value === 'object' && value !== null && 'tableId' in value && 'state' in value;
}

/** What a new run starts with. */
export function newRun(
  table: TableRecord,
  kind: Run['kind'],
  total: number,
  state: { search: SearchState } | { keys: KeysState },
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
    pending: 0,
    credits: 0,
    saved: 0,
    ...state,
  };
}

/** @throws Error with one sentence, where there is no room or nowhere to keep it */
export function keepRun(run: RunRecord): void {
  keepJson(RUNS + run.id, run);
}

/** Forgets a run. */
export function forgetRun(id: string): void {
  forgetKept(RUNS + id);
}

/** @throws Refusal `gone` where no such run is kept: it has ended, or was dropped */
export function runOf(id: string): RunRecord {
  const run = keptJson(RUNS + id);
  if (!isRun(run)) throw new Refusal('gone', 'This run has ended. Start it again.');
  return run;
}

/** Every run that has not ended, the latest first. */
export function unfinishedRuns(): RunRecord[] {
  return keptNames(RUNS)
    .flatMap((id) => {
      const run = keptJson(RUNS + id);
      return isRun(run) ? run : [];
    })
    .sort((one, other) => other.startedAt.localeCompare(one.startedAt));
}

/** A run as the page is told. */
export function progressOf(run: RunRecord, table: TableRecord | undefined, waitMs?: number): Progress {
  const { id, search: _, keys: __, noted: ___, trouble, ...told } = run;
  return {
    runId: id,
    ...told,
    sheet: table?.place.sheet ?? '',
    ...(trouble === undefined ? {} : { trouble }),
    ...(waitMs === undefined ? {} : { waitMs }),
    undo: undoState(id),
  };
}
