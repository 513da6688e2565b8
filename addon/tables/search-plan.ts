// Says what a search would write and cost, and starts it: into a new sheet, at the cursor, or into a table that is there.
import type { Connection } from '../../shared/connection.ts';
import { operations } from '../../shared/operations.ts';
import { previewFields, previewMaxPage, previewPageSize } from '../../shared/preview-items.ts';
import { problems } from '../../shared/problems.ts';
import { search } from '../gateway.ts';
import type { Overwrite, SearchOrder, SearchPlan } from '../server/api.ts';
import { sheetSpends } from '../spending.ts';
import { type Area, rangeOf, type Sheet } from './area.ts';
import { blank, textEntry } from './entries.ts';
import { checkPlace, guarded } from './guard.ts';
import { here, placed } from './here.ts';
import { changedByHand, neighbourWarning, standingIn } from './overwrite.ts';
import { originColumns } from './provenance.ts';
import { Refusal } from './refusal.ts';
import { keepTable, type TableColumn, type TableRecord, tableOf } from './registry.ts';
import { allColumns } from './rows.ts';
import { keepRun, newRun, type RunRecord } from './runs.ts';
import { idColumn, SPENDING_OFF, searchBody } from './search-run.ts';
import { beginUndo, keepStep } from './undo.ts';
import { makeRoom, writeBlock } from './write.ts';

/** Google Sheets refuses longer names of sheets. */
const MAX_NAME = 100;

/** What a family's preview costs a page. */
function pageCredits({ family, query }: SearchOrder): number {
  const style = 'filters' in query ? 'filter' : 'es_dsl';
  const found = operations.find(
    (operation) => operation.name === 'preview' && operation.family === family && operation.style === style,
  );
  if (found === undefined) {
    throw new Refusal('bad_call', 'Records of this kind have no preview that takes such a query.');
  }
  return found.credits;
}

function columnsOf({ family, columns, mode, provenance = 'none' }: SearchOrder): TableColumn[] {
  const known = new Set(previewFields[family]);
  const paths = [...new Set(columns)];
  const wrong = paths.find((path) => !known.has(path));
  if (wrong !== undefined) throw new Refusal('bad_call', `“${wrong}” is no column of this preview.`);
  if (paths.length === 0) throw new Refusal('bad_call', 'Choose at least one column.');
  if (mode === 'update' && !paths.includes('id')) {
    throw new Refusal('bad_call', 'Rows are updated by their id: add the column id, or choose another way.');
  }
  return [
    ...paths.map((path): TableColumn => ({ role: 'value', path, heading: path })),
    ...originColumns(provenance),
  ];
}

function cursorArea(rows: number, columns: number): { sheet: Sheet; area: Area } {
  const cell = SpreadsheetApp.getActiveSpreadsheet().getCurrentCell();
  if (cell === null)
    throw new Refusal('bad_call', 'Click the cell where the table is to begin, and try again.');
  const area = { row: cell.getRow(), column: cell.getColumn(), rows: rows + 1, columns };
  return { sheet: cell.getSheet(), area };
}

/** What a target would lose, and what is to know of it. */
function targetOf(order: SearchOrder, rows: number): { willOverwrite?: Overwrite; warnings: string[] } {
  const { where, mode } = order;
  if (where.kind === 'newSheet') return { warnings: [] };
  if (where.kind === 'cursor') {
    const { sheet, area } = cursorArea(rows, columnsOf(order).length);
    checkPlace(sheet, area);
    const willOverwrite = standingIn(sheet, area);
    return { warnings: [], ...(willOverwrite === undefined ? {} : { willOverwrite }) };
  }
  const { table, found, others } = here(where.tableId);
  checkTable(table, order);
  const body = searchBody(found, others);
  checkPlace(found.sheet, { ...body.area, row: found.row, rows: body.area.rows + 1 });
  const all = body.values.map((_, at) => at);
  const willOverwrite =
    mode === 'append' ? undefined : changedByHand(table, found, body, all, allColumns(found));
  const beside = mode === 'replace' ? neighbourWarning(found) : undefined;
  const missing = order.columns.filter((path) => !table.columns.some((column) => column.path === path));
  const lost = table.columns.filter((_, at) => found.columns[at] === undefined);
  return {
    ...(willOverwrite === undefined ? {} : { willOverwrite }),
    warnings: [
      ...(beside === undefined ? [] : [beside]),
      ...(missing.length === 0 ? [] : [`The table has no column for ${missing.join(', ')}: left out.`]),
      ...lost.map(({ heading }) => `The heading “${heading}” is gone: that column is left out.`),
    ],
  };
}

function checkTable(table: TableRecord, { family, mode }: SearchOrder): void {
  if (table.kind !== 'search' || table.family !== family) {
    throw new Refusal('bad_call', 'This table shows other records. Write to a new sheet.');
  }
  if (table.frozen) throw new Refusal('bad_call', 'This table is frozen. Write to a new sheet.');
  if (mode === 'update' && idColumn(table) < 0) {
    throw new Refusal(
      'bad_call',
      'This table has no column id, by which rows could be updated. Replace or append.',
    );
  }
}

/**
 * Says what a search would write and cost; free.
 * @throws Refusal
 */
export function planSearch(order: SearchOrder, connection: Connection): SearchPlan {
  columnsOf(order);
  if (!Number.isInteger(order.pages) || order.pages < 1 || order.pages > previewMaxPage) {
    throw new Refusal('bad_call', `Choose from 1 to ${previewMaxPage} pages.`);
  }
  const credits = pageCredits(order);
  const answer = search(connection, { ...order.query, family: order.family, items_per_page: 1 });
  if (!answer.ok) throw new Refusal(answer.code, answer.sentence);
  const { total } = answer.body;
  const pages = Math.min(order.pages, Math.ceil(total / previewPageSize));
  const rows = Math.min(total, pages * previewPageSize);
  const { warnings, ...target } = targetOf(order, rows);
  return {
    total,
    pages,
    rows,
    credits: pages * credits,
    ...target,
    warnings: [
      ...warnings,
      ...(total === 0 ? ['Nothing matches. Widen the search.'] : []),
      ...(sheetSpends() ? [] : ['Spending is off for this sheet: switch it on to write a preview.']),
    ],
  };
}

function sheetName(title: string): string {
  const taken = new Set(
    SpreadsheetApp.getActiveSpreadsheet()
      .getSheets()
      .map((sheet) => sheet.getName().toLowerCase()),
  );
  const base =
    title
      .replace(/[[\]*?/\\:]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_NAME - 5) || 'Search';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base} ${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** Writes the headings of a new table, and nothing under them for as many rows as will come. */
function makeTable(order: SearchOrder, run: RunRecord, rows: number): TableRecord['place'] {
  const columns = columnsOf(order);
  let sheet: Sheet;
  let area: Area;
  if (order.where.kind === 'cursor') {
    ({ sheet, area } = cursorArea(rows, columns.length));
  } else {
    sheet = SpreadsheetApp.getActiveSpreadsheet().insertSheet(sheetName(order.title));
    keepStep(run.id, { do: 'sheet', sheet: sheet.getSheetId() });
    sheet.setFrozenRows(1);
    area = { row: 1, column: 1, rows: 1, columns: columns.length };
  }
  makeRoom(run.id, sheet, area);
  const empty = Array.from({ length: area.rows - 1 }, () => columns.map(() => blank));
  writeBlock(run.id, sheet, area, [columns.map(({ heading }) => textEntry(heading)), ...empty]);
  if (order.where.kind === 'newSheet') {
    guarded(sheet, () => rangeOf(sheet, { ...area, rows: 1 }).setFontWeight('bold'));
  }
  return {
    sheetId: sheet.getSheetId(),
    sheet: sheet.getName(),
    row: area.row,
    columns: columns.map((_, at) => area.column + at),
  };
}

function known(order: SearchOrder): { table: TableRecord; base: number; cleared: boolean } | undefined {
  if (order.where.kind !== 'table') return undefined;
  const { table, found, others } = here(order.where.tableId);
  const { mode } = order;
  const base = mode === 'append' ? searchBody(found, others).values.length : 0;
  const told = { title: order.title, query: order.query, pages: order.pages, mode };
  return { table: { ...placed(table, found), ...told }, base, cleared: mode !== 'replace' };
}

/**
 * Starts a search: writes its headings where they are new, and nothing else yet.
 * @throws Refusal `confirm_first` where something typed by hand would be replaced
 */
export function startSearch(
  order: SearchOrder & { confirmed?: boolean },
  connection: Connection,
): { run: RunRecord; table: TableRecord } {
  const plan = planSearch(order, connection);
  if (!sheetSpends()) {
    throw new Refusal('spending_off', SPENDING_OFF);
  }
  if (plan.total === 0)
    throw new Refusal('not_found', `Nothing matches, and nothing was changed. ${problems.not_found.fix}`);
  if (plan.willOverwrite !== undefined && order.confirmed !== true) {
    throw new Refusal('confirm_first', plan.willOverwrite.question);
  }
  const there = known(order);
  const table: TableRecord = there?.table ?? {
    id: Utilities.getUuid(),
    title: order.title,
    kind: 'search',
    family: order.family,
    query: order.query,
    pages: order.pages,
    columns: columnsOf(order),
    mode: order.mode,
    provenance: order.provenance ?? 'none',
    place: { sheetId: 0, sheet: '', row: 1, columns: [] },
    lastRun: { at: new Date().toISOString(), rows: 0, credits: 0, saved: 0 },
    credits: 0,
    frozen: false,
  };
  const run = newRun(table, there === undefined ? 'search' : 'refresh', plan.rows, {
    search: {
      mode: there === undefined ? 'replace' : order.mode,
      page: 1,
      pages: plan.pages,
      base: there?.base ?? 0,
      written: 0,
      cleared: there?.cleared ?? true,
    },
  });
  beginUndo(run.id, table.id, tableOf(table.id));
  if (there === undefined) table.place = makeTable(order, run, plan.rows);
  SpreadsheetApp.flush();
  keepTable(table);
  keepRun(run);
  return { run, table };
}
