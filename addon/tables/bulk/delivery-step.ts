// Writes rows that were brought, of a bulk request or of a run of a table's schedule: a page a step, each row known by its id.
import type { RequestRows } from '../../../shared/api/data-requests.ts';
import type { Connection } from '../../../shared/connection.ts';
import { compareRow, idText, matchRows } from '../../../shared/sheets/upsert.ts';
import { requestPath, rowsOf, runPath } from '../../client/gateway-data-requests.ts';
import { Refusal } from '../../lib/addon-error.ts';
import { idCell } from '../../lib/cells.ts';
import {
  blank,
  canonical,
  type Entry,
  entryMaker,
  momentEntry,
  sameEntry,
  textEntry,
} from '../../sheet/entries.ts';
import { type Body, endOfSpace, type Found, readBody } from '../locate.ts';
import { here, lookAgain } from '../located-table.ts';
import { printsOf, type TableRecord } from '../registry.ts';
import { emptyBeside, lookupsBeside } from '../rows/adjacent-lookups.ts';
import {
  addRows,
  idColumn,
  idsOf,
  land,
  type Place,
  updateRows,
  type Written,
  withIds,
} from '../rows/update-rows.ts';
import {
  allColumns,
  ensureRoom,
  entriesPrint,
  type RowsPart,
  rowPrint,
  writeParts,
} from '../rows/write-rows.ts';
import { type BroughtState, newRun, type RunRecord } from '../runs/run-store.ts';
import { searchBody } from '../search/step.ts';

/** A step may take 25 s: so many rows are read and written in it, and so many compared cell by cell. */
const MAX_ROWS = 2000;
const MAX_COMPARED = 500;
const MAX_CELLS = 40_000;
const MIN_ROWS = 100;

/** Ids are whole numbers. */
const ID = /^\d+$/;

/** @throws Refusal where a table has no ids that rows could be known by */
export function needsIds(table: TableRecord, found?: Found): void {
  const id = idColumn(table);
  if (id < 0) {
    throw new Refusal(
      'bad_call',
      'This table has no column id, by which rows are known. Write to a new sheet.',
    );
  }
  if (found !== undefined && found.columns[id] === undefined) {
    const heading = table.columns[id]?.heading ?? 'id';
    throw new Refusal(
      'gone',
      `The heading “${heading}” of “${table.title}” is gone, and rows are known by it. Put it back above the ids and go on; nothing was changed.`,
    );
  }
}

/** The rows of a table without a gap, and beyond gaps those down to the last id. */
export function idBody(table: TableRecord, found: Found, others: readonly Found[]): Body {
  const id = idColumn(table);
  const together = searchBody(found, others);
  const all = readBody(found, endOfSpace(found, others), {
    gaps: true,
    isRow: (values) => ID.test(idText(values[id])),
  });
  return all.area.rows > together.area.rows ? all : together;
}

/**
 * What a run that writes brought rows starts with.
 * @param rows.credits - what the rows cost, where they are written for the first time; to write them costs nothing
 */
export function newRowsRun(
  table: TableRecord,
  { source, mode, columns }: Pick<BroughtState, 'source' | 'mode' | 'columns'>,
  { total, base, cleared, credits }: { total: number; base: number; cleared: boolean; credits: number },
): RunRecord {
  const run = newRun(table, source.kind === 'request' ? 'bulk' : 'refresh', total, credits, {
    brought: {
      source,
      mode,
      after: null,
      base,
      cleared,
      ...(columns === undefined ? {} : { columns }),
    },
  });
  return { ...run, credits };
}

function ask(run: RunRecord, state: BroughtState, connection: Connection): RequestRows {
  const { table } = here(run.tableId);
  const { source, after, mode, columns } = state;
  const most = mode === 'update' ? MAX_COMPARED : MAX_ROWS;
  const answer = rowsOf(connection, {
    of: source.kind === 'request' ? requestPath(source.id) : runPath(run.tableId, source.id),
    after,
    limit: Math.max(MIN_ROWS, Math.min(most, Math.floor(MAX_CELLS / table.columns.length))),
    ...(columns === undefined ? {} : { columns }),
  });
  if (!answer.ok) throw new Refusal(answer.code, answer.sentence);
  return answer.body;
}

/** Ids are numbers as on every path, unless those in the table are texts: a number among them would be sorted elsewhere. */
function idMaker(table: TableRecord, { values }: Body): (value: unknown) => Entry {
  const id = idColumn(table);
  const first = values.map((line) => line[id]).find((cell) => idText(cell) !== '');
  return (value) => {
    const text = idText(value);
    const cell = typeof first === 'string' ? text : idCell(text);
    return typeof cell === 'number' ? { cell, format: '' } : textEntry(cell);
  };
}

/** The rows of an answer, each id once, in the order of the table's columns; and which of those they fill. */
function toEntries(
  table: TableRecord,
  found: Found,
  body: Body,
  { columns, rows }: RequestRows,
): { entries: Entry[][]; at: number[] } {
  const toEntry = entryMaker();
  const toId = idMaker(table, body);
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const id = idColumn(table);
  const now = momentEntry(new Date());
  const origin: Readonly<Partial<Record<string, Entry>>> = { retrieved: now, source: textEntry('brought') };
  const at = table.columns.flatMap(({ role, path }, column) => {
    const has = role === 'value' ? places.has(path) : origin[role] !== undefined;
    return has && found.columns[column] !== undefined ? [column] : [];
  });
  const filled = new Set(at);
  const entries = new Map<string, Entry[]>();
  for (const row of rows) {
    const line = table.columns.map(({ role, path }, column): Entry => {
      if (!filled.has(column)) return blank;
      const value = row[places.get(path) ?? -1];
      return origin[role] ?? (column === id ? toId(value) : toEntry(value));
    });
    entries.set(idText(line[id]?.cell), line);
  }
  entries.delete('');
  return { entries: [...entries.values()], at };
}

/** In place of everything that stands in the table. */
function replaceAll({ runId, table, found, body, prints }: Place, entries: Entry[][]): Written {
  ensureRoom(runId, found, body, found.row + 1, entries.length);
  emptyBeside(runId, lookupsBeside(table.id, found));
  const left = Math.max(0, body.values.length - entries.length);
  const empty = Array.from({ length: left }, () => table.columns.map(() => blank));
  const part = { row: found.row + 1, entries: [...entries, ...empty] };
  writeParts(runId, found, [part], allColumns(found), idColumn(table));
  prints.clear();
  return { rows: entries.length, prints: entries.map((line) => entriesPrint(found, line)) };
}

/** The columns by which a row is another one: its values but the id. */
function valuesAmong(table: TableRecord, at: readonly number[]): number[] {
  const id = idColumn(table);
  return at.filter((column) => column !== id && table.columns[column]?.role === 'value');
}

/** What a row that stands there under an id already is to a row that comes. */
function standingAs(
  { table, found, prints }: Place,
  line: readonly Entry[],
  old: readonly unknown[],
  counted: readonly number[],
): 'same' | 'torn' | 'other' {
  const { changed: differing } = compareRow(line, old, {
    columns: counted,
    idColumn: idColumn(table),
    holds: (cell, entry) => canonical(cell) === canonical(entry.cell),
  });
  if (differing.length === 0) return 'same';
  const torn = differing.every((column) => old[column] === '') && !prints.has(rowPrint(found, old));
  return torn ? 'torn' : 'other';
}

/** Behind the table: what is there under its id stays. A row that a step which was cut off has begun is written in full. */
function appendNew(place: Place, { base }: BroughtState, entries: Entry[][], at: number[]): Written {
  const { runId, table, found, body } = place;
  const id = idColumn(table);
  const counted = valuesAmong(table, at);
  const { present, added } = matchRows(withIds(table, entries), idsOf(table, body));
  const fresh = added.map(({ line }) => line);
  const torn = new Map<number, Entry[]>();
  const standing: string[] = [];
  for (const { record, rows } of present) {
    const [row = 0] = rows;
    const old = body.values[row] ?? [];
    const as = standingAs(place, record.line, old, counted);
    if (as === 'same') standing.push(rowPrint(found, old));
    else if (as === 'torn' && row >= base) {
      torn.set(
        row,
        record.line.map((entry, column) => (column === id ? sameEntry(old[id]) : entry)),
      );
    }
  }
  const parts = [...torn]
    .sort(([one], [other]) => one - other)
    .map(([row, line]): RowsPart => ({ row: found.row + 1 + row, entries: [line] }));
  addRows(place, fresh, undefined, at);
  writeParts(runId, found, parts, at);
  const written = [...torn.values(), ...fresh];
  return {
    rows: written.length,
    prints: [...standing, ...written.map((line) => entriesPrint(found, line))],
  };
}

function put(place: Place, state: BroughtState, entries: Entry[][], at: number[]): Written {
  if (state.mode === 'replace' && !state.cleared) return replaceAll(place, entries);
  return state.mode === 'update'
    ? updateRows(place, entries, undefined, at, valuesAmong(place.table, at))
    : appendNew(place, state, entries, at);
}

/**
 * Reads the next page of a run's rows and writes it. A page that was written already, by a step that was cut off or by the
 * Worker, changes nothing. Changes the run: who called keeps it.
 * @returns whether there is more to come
 * @throws Refusal where the gateway or the sheet refuses; the run then stands where it stood
 */
export function stepRows(run: RunRecord, state: BroughtState, connection: Connection): boolean {
  const answer = ask(run, state, connection);
  // Reading took its time: people may have moved the table meanwhile.
  const { table, found, others } = lookAgain(run.tableId);
  if (table.frozen) throw new Refusal('bad_call', `“${table.title}” is frozen: nothing is written into it.`);
  needsIds(table, found);
  const body = idBody(table, found, others);
  const place: Place = { runId: run.id, table, found, body, prints: printsOf(table.id) };
  const { entries, at } = toEntries(table, found, body, answer);
  const written = put(place, state, entries, at);
  land(place, written);
  state.cleared = true;
  state.after = answer.after;
  run.done += answer.rows.length;
  run.rows += written.rows;
  run.total = answer.after === null ? run.done : Math.max(run.total, run.done);
  return answer.after !== null;
}
