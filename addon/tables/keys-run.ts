// Looks the keys of a column up and writes what was found beside them, up to 1,000 rows a step.
import type { Connection } from '../../shared/connection.ts';
import { type LookupRow, maxLookupKeys } from '../../shared/sheets-api.ts';
import { PENDING } from '../formula-cells.ts';
import { lookupAll } from '../gateway.ts';
import { sheetSpends } from '../spending.ts';
import { rangeOf } from './area.ts';
import { blank, entryMaker, printOf } from './entries.ts';
import type { Body, Found } from './find.ts';
import { lookAgain } from './here.ts';
import {
  type Key,
  keyOf,
  keysBody,
  lookupsOf,
  type Outcome,
  outcomeOf,
  rowsInScope,
  writtenColumns,
} from './keys.ts';
import { Refusal } from './refusal.ts';
import { keepPrints, printsOf, type TableRecord } from './registry.ts';
import { blocksOf, entriesPrint, rowPrint, writeRows } from './rows.ts';
import { ageNow, type KeysState, type RunRecord, STEP_WAIT_MS } from './runs.ts';

const MOVED =
  'Rows were moved while this ran. Select the rows that are missing and start again: nothing is paid twice.';

/** A print of the keys of the first rows, by which it is seen that people moved rows meanwhile. */
function keysPrint(body: Body, count: number): string {
  return count === 0 ? '' : printOf(body.values.slice(0, count).map(([key]) => String(key ?? '')));
}

function lookUp(
  run: RunRecord,
  table: TableRecord,
  state: KeysState,
  keys: readonly Key[],
  connection: Connection,
) {
  const requests = lookupsOf(table, keys, state.fields, ageNow(run, state.maxAgeS).max_age_s);
  const found = new Map<string, LookupRow>();
  if (requests.length === 0) return found;
  const spend = sheetSpends() ? {} : { max_credits: 0 };
  const asked = requests.map((request) => ({ ...request, ...spend, wait_ms: STEP_WAIT_MS }));
  for (const answer of lookupAll(connection, asked)) {
    if (!answer.ok) throw new Refusal(answer.code, answer.sentence);
    run.credits += answer.body.credits.spent;
    run.saved += answer.body.credits.saved;
    for (const row of answer.body.rows) found.set(row.key, row);
  }
  return found;
}

/** Joins rows to be written into blocks: rows between them that hold nothing at all may be written as nothing. */
function groupsOf(
  found: Found,
  rows: readonly number[],
  at: readonly number[],
): { from: number; to: number }[] {
  const groups: { from: number; to: number }[] = [];
  const [first = 0] = rows;
  const last = rows[rows.length - 1] ?? first;
  const full = new Set<number>();
  if (last - first + 1 > rows.length) {
    for (const area of blocksOf(found, found.row + 1 + first, last - first + 1, at)) {
      const range = rangeOf(found.sheet, area);
      for (const cells of [range.getValues(), range.getFormulas()]) {
        cells.forEach((line, down) => {
          if (line.some((cell) => cell !== '')) full.add(first + down);
        });
      }
    }
  }
  for (const row of rows) {
    const group = groups[groups.length - 1];
    const between =
      group === undefined ? [] : Array.from({ length: row - group.to - 1 }, (_, n) => row - 1 - n);
    if (group === undefined || between.some((each) => full.has(each))) groups.push({ from: row, to: row });
    else group.to = row;
  }
  return groups;
}

/** What a step works with. */
interface Step {
  run: RunRecord;
  table: TableRecord;
  state: KeysState;
  found: Found;
  body: Body;
  connection: Connection;
}

/** Looks where a table is, and reads its rows. */
function lookAt(run: RunRecord): Pick<Step, 'table' | 'found' | 'body'> {
  const { table, found, others } = lookAgain(run.tableId);
  return { table, found, body: keysBody(found, others) };
}

/** Tells whether everything is where it was, and what it was. */
function isSame(one: Pick<Step, 'found' | 'body'>, other: Pick<Step, 'found' | 'body'>): boolean {
  const told = ({ found, body }: Pick<Step, 'found' | 'body'>): string =>
    [found.sheet.getSheetId(), found.row, found.columns, ...body.values.map(printOf)].join();
  return told(one) === told(other);
}

/**
 * Looks rows up and writes them.
 * @returns what became of each; undefined where people changed the table meanwhile, and nothing was written
 */
function writeKeys(step: Step, rows: readonly number[]): Outcome[] | undefined {
  const { run, table, state, found, body, connection } = step;
  const keys = new Map(rows.map((at) => [at, keyOf(table, body.values[at]?.[0])]));
  const answers = lookUp(run, table, state, [...keys.values()], connection);
  if (answers.size > 0 && !isSame(step, lookAt(run))) return undefined;
  const prints = printsOf(table.id);
  const toEntry = entryMaker();
  const at = writtenColumns(table, state.fields).filter((column) => found.columns[column] !== undefined);
  const outcomes = new Map(
    rows.map((row): [number, Outcome] => {
      const line = body.values[row] ?? [];
      const key = keys.get(row);
      const answer = key?.kind === 'key' ? answers.get(key.text) : undefined;
      const isOurs = prints.has(rowPrint(found, line));
      return [row, outcomeOf(table, line, answer, { isOurs, at, toEntry })];
    }),
  );
  const firstValue = at.find((column) => table.columns[column]?.role === 'value');
  for (const { from, to } of groupsOf(found, rows, at)) {
    const places = Array.from({ length: to - from + 1 }, (_, down) => from + down);
    const entries = places.map((row) => outcomes.get(row)?.entries ?? table.columns.map(() => blank));
    const notes = places.map((row) =>
      table.columns.map((_, column) => (column === firstValue ? outcomes.get(row)?.note : undefined)),
    );
    const extras = table.provenance === 'notes' ? { notes } : {};
    writeRows(run.id, found, found.row + 1 + from, entries, at, extras);
  }
  SpreadsheetApp.flush();
  for (const row of rows) prints.delete(rowPrint(found, body.values[row] ?? []));
  for (const { entries } of outcomes.values()) prints.add(entriesPrint(found, entries));
  keepPrints(table.id, prints);
  return [...outcomes.values()];
}

const isPending = ({ word }: Outcome): boolean => word === PENDING;

function count(run: RunRecord, state: KeysState, outcomes: readonly Outcome[]): void {
  for (const { word, kept } of outcomes) {
    if (word === undefined) run.rows += 1;
    else if (word !== PENDING) run.failed[word] = (run.failed[word] ?? 0) + 1;
    else {
      run.pending += 1;
      if (kept) state.late += 1;
    }
  }
}

/** Rows that say that they are still being fetched. */
function pendingRows({ table, found, body, state }: Step): number[] {
  const status = table.columns.findIndex(({ role }) => role === 'status');
  const value = table.columns.findIndex(({ role, path }) => role === 'value' && state.fields.includes(path));
  const marker = status < 0 ? value : status;
  return rowsInScope(table, found, body, { rows: 'all' }, state.fields).filter((at) =>
    String(body.values[at]?.[marker] ?? '').startsWith(PENDING),
  );
}

/** Goes through all rows again: what was looked up already is remembered, costs nothing, and is written the same. */
function startAgain(run: RunRecord, state: KeysState): void {
  Object.assign(state, { cursor: 0, print: '', late: 0 });
  Object.assign(run, { done: 0, rows: 0, failed: {}, pending: 0 });
}

function stepFirst(step: Step): boolean {
  const { run, table, state, found, body } = step;
  if (keysPrint(body, state.cursor) !== state.print) {
    if (state.scope.only !== undefined) throw new Refusal('gone', MOVED);
    startAgain(run, state);
  }
  const open = rowsInScope(table, found, body, state.scope, state.fields).filter((at) => at >= state.cursor);
  const rows = open.slice(0, maxLookupKeys);
  const outcomes = rows.length === 0 ? [] : writeKeys(step, rows);
  if (outcomes === undefined) return true;
  count(run, state, outcomes);
  run.done += rows.length;
  state.cursor = open.length > rows.length ? (rows[rows.length - 1] ?? 0) + 1 : body.values.length;
  state.print = keysPrint(body, state.cursor);
  if (open.length > rows.length) return true;
  if (state.late > 0) {
    const { pending } = run;
    startAgain(run, state);
    run.pending = pending;
    state.idle += 1;
    return true;
  }
  state.phase = 'pending';
  // Those of the steps before, also of one that was cut off.
  const others = pendingRows(step).filter((at) => !rows.includes(at));
  run.pending = others.length + outcomes.filter(isPending).length;
  return run.pending > 0;
}

function stepPending(step: Step): boolean {
  const { run, state } = step;
  const waiting = pendingRows(step);
  const rows = waiting.slice(0, maxLookupKeys);
  if (rows.length === 0) {
    run.pending = 0;
    return false;
  }
  const outcomes = writeKeys(step, rows);
  if (outcomes === undefined) return true;
  run.pending = waiting.length - rows.length;
  count(run, state, outcomes);
  state.idle = outcomes.every(isPending) ? state.idle + 1 : 0;
  return run.pending > 0;
}

/**
 * Looks the next rows up and writes them. Changes the run: who called keeps it.
 * @returns whether there is more to come
 * @throws Refusal where the gateway or the sheet refuses; the run then stands where it stood, but for what it paid
 */
export function stepKeys(run: RunRecord, state: KeysState, connection: Connection): boolean {
  const step: Step = { run, state, connection, ...lookAt(run) };
  return state.phase === 'first' ? stepFirst(step) : stepPending(step);
}
