// Looks up keys and writes the results beside them, up to 1,000 rows per step.
import type { Connection } from '../../../shared/connection.ts';
import type { CellError } from '../../../shared/problems.ts';
import { createError } from '../../lib/addon-error.ts';
import { isPassingError } from '../../lib/cell-errors.ts';
import { createEntryConverter, fingerprint } from '../../sheet/entries.ts';
import type { BodyCells } from '../locate.ts';
import { relocateTable } from '../located-table.ts';
import type { TableRecord } from '../registry.ts';
import { openWrittenRows } from '../rows/write-rows.ts';
import { countWritten, type LookupState, type RunRecord } from '../runs/run-store.ts';
import { listKeyColumns } from './keys.ts';
import {
  buildOutcome,
  getMaxBatch,
  listRowsInScope,
  listWrittenColumns,
  type RowOutcome,
  readLookupBody,
} from './rows.ts';
import { type Step, saveComparedNames, tryKeys } from './try-keys.ts';
import { type Outcomes, writeOutcomes } from './write-outcomes.ts';

const BUDGET: CellError = '#BUDGET';
const INVALID: CellError = '#INVALID_KEY';

const ROWS_MOVED =
  'Rows were moved while this ran. Select the rows that are missing and start again: nothing is paid twice.';

/** Computes a fingerprint of the first keys, which reveals that rows were moved. */
function fingerprintKeys({ columns }: TableRecord, body: BodyCells, count: number): string {
  const at = columns.flatMap(({ role }, index) => (role === 'key' ? [index] : []));
  const keys = body.values.slice(0, count).flatMap((line) => at.map((index) => String(line[index] ?? '')));
  return count === 0 ? '' : fingerprint(keys);
}

function locateRows(run: RunRecord): Pick<Step, 'table' | 'location' | 'body'> {
  const { table, location } = relocateTable(run.tableId);
  return { table, location, body: readLookupBody(table, location) };
}

/** Tells whether the table has the same place and values. */
function isUnchanged(
  before: Pick<Step, 'location' | 'body'>,
  after: Pick<Step, 'location' | 'body'>,
): boolean {
  const describe = ({ location, body }: Pick<Step, 'location' | 'body'>): string =>
    [location.sheet.getSheetId(), location.row, location.columns, ...body.values.map(fingerprint)].join();
  return describe(before) === describe(after);
}

/**
 * Looks up rows and writes those with an answer.
 * @returns undefined if the table changed meanwhile and nothing was written
 */
function writeAnswers(step: Step, rows: readonly number[]): Outcomes | undefined {
  const { run, table, state, location, body } = step;
  const { finished, hasAnswers } = tryKeys(step, rows);
  if (hasAnswers && !isUnchanged(step, locateRows(run))) return undefined;
  saveComparedNames(table, finished);
  const hasSeveralKeys = listKeyColumns(table).length > 1;
  const written = openWrittenRows(table, location);
  const toEntry = createEntryConverter();
  const at = listWrittenColumns(table, state.fields).filter(
    (column) => location.columns[column] !== undefined,
  );
  const outcomes = new Map<number, RowOutcome>();
  for (const { row, answer, key, invalid } of finished.sort((a, b) => a.row - b.row)) {
    const line = body.values[row] ?? [];
    const isOurs = written.matches(line, at);
    const heading = hasSeveralKeys ? key?.heading : undefined;
    outcomes.set(row, buildOutcome(table, line, answer, { isOurs, at, toEntry, heading, invalid }));
  }
  writeOutcomes({ runId: run.id, table, location, body, written }, outcomes, at);
  return outcomes;
}

/** The report of a run names so many failed rows of each kind. */
const MAX_FAILED_ROWS = 5;

/** @param first - the first row of the body in its sheet */
function countOutcomes(run: RunRecord, outcomes: Outcomes, first: number): void {
  const { failed, failedRows = {} } = run;
  for (const [row, { word, isChanged, is }] of outcomes) {
    if (word === undefined) countWritten(run, { rows: 1, changed: Number(isChanged) });
    else {
      failed[word] = (failed[word] ?? 0) + 1;
      failedRows[word] = [...(failedRows[word] ?? []), first + row].slice(0, MAX_FAILED_ROWS);
      run.failedRows = failedRows;
      if (is !== undefined) run.notKeys = { ...run.notKeys, [is]: (run.notKeys?.[is] ?? 0) + 1 };
    }
  }
  run.done += outcomes.size;
}

/**
 * Starts again with the first row. Bought records are free and written unchanged. Rows that the run has filled and that left
 * its scope stay counted: the result is that of the whole run.
 * @param open - number of rows in scope now
 */
function restart(run: RunRecord, state: LookupState, open: number): void {
  const done = Math.max(0, run.total - open);
  // Of these, only empty rows are looked up again: the others keep their error.
  const isKept = (word: string): boolean => done > 0 && state.scope.rows === 'blank' && !isPassingError(word);
  const keep = <V>(of: Readonly<Record<string, V>> = {}): Record<string, V> =>
    Object.fromEntries(Object.entries(of).filter(([word]) => isKept(word)));
  const failed = keep(run.failed);
  const rows = Math.max(0, done - Object.values(failed).reduce((sum, count) => sum + count, 0));
  Object.assign(state, { cursor: 0, fingerprint: '', skipped: [] });
  Object.assign(run, { done, rows, failed, failedRows: keep(run.failedRows) });
  if (!isKept(INVALID)) run.notKeys = {};
}

const MIN_BATCH = 10;

/** Doubles the batch if all rows were answered in time; otherwise shrinks it to the number of answers. */
function nextBatchSize(limitedRequests: number, answered: number, batch: number, max: number): number {
  if (answered === limitedRequests) return Math.min(max, batch * 2);
  return Math.max(MIN_BATCH, Math.ceil(answered * 1.25));
}

/**
 * Looks up the next rows and writes them. Modifies the run; the caller saves it.
 * @returns whether there are more rows
 * @throws AddonError if the gateway or the sheet refuses; the run keeps its position but records what it paid
 */
export function stepLookup(run: RunRecord, state: LookupState, connection: Connection): boolean {
  const step: Step = { run, state, connection, ...locateRows(run) };
  const { table, location, body } = step;
  const inScope = listRowsInScope(table, location, body, state.scope, state.fields).rows;
  // Resuming a run also retries the rows that had no budget.
  if (run.state !== 'running' && (run.failed[BUDGET] ?? 0) > 0) restart(run, state, inScope.length);
  if (fingerprintKeys(table, body, state.cursor) !== state.fingerprint) {
    if (state.scope.only !== undefined) throw createError('gone', ROWS_MOVED);
    restart(run, state, inScope.length);
  }
  const skipped = new Set(state.skipped);
  const open = inScope.filter((at) => at >= state.cursor || skipped.has(at));
  const rows = open.slice(0, state.batch);
  const outcomes = rows.length === 0 ? new Map<number, RowOutcome>() : writeAnswers(step, rows);
  if (outcomes === undefined) return true;
  countOutcomes(run, outcomes, location.row + 1);
  const isLast = open.length === rows.length;
  const behind = rows[rows.length - 1] ?? 0;
  state.cursor = isLast ? body.values.length : Math.max(state.cursor, behind + 1);
  state.fingerprint = fingerprintKeys(table, body, state.cursor);
  state.skipped = open.filter((at) => at < state.cursor && !outcomes.has(at));
  state.batch = nextBatchSize(
    rows.length,
    outcomes.size,
    state.batch,
    getMaxBatch(table, run.maxCredits > 0),
  );
  state.idleSteps = outcomes.size === 0 ? state.idleSteps + 1 : 0;
  return !isLast || state.skipped.length > 0;
}
