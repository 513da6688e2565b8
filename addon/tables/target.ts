// Placement of rows: in a new sheet, at the selected cell, or in an existing table.

import { defined } from '../../shared/lib/defined.ts';
import { addNumber } from '../../shared/lib/format-count.ts';
import { createError } from '../lib/addon-error.ts';
import type { Overwrite, Target, WriteMode } from '../server/api/index.ts';
import type { Area, Sheet } from '../sheet/area.ts';
import { blankEntry, textEntry } from '../sheet/entries.ts';
import { requireWritable, withSheetErrors } from '../sheet/guard.ts';
import { t } from '../texts/texts.ts';
import { markTable } from './locate.ts';
import { createPlace, type LocatedTable, requireTable, warnAboutDeleted } from './located-table.ts';
import { addColumnIds, listTables, type NewColumn, type TableRecord } from './registry.ts';
import { findAdjacentChanges, findAdjacentLookups, warnAboutCleared } from './rows/adjacent-lookups.ts';
import { layOutSheet, listHeadingNotes, widenColumns } from './rows/layout.ts';
import { findContent, findManualChanges, mergeOverwrites, warnAboutNeighbours } from './rows/overwrite.ts';
import { growSheet, writeBlocks } from './rows/write-blocks.ts';
import { readRowsFor } from './rows/write-page.ts';
import { findIdColumn } from './rows/write-rows.ts';
import { recordStep } from './runs/undo-log.ts';

/** Maximum length of a sheet name in Google Sheets. */
const MAX_SHEET_NAME = 100;

/** Rows to place. */
export interface Placement {
  where: Target;
  mode: WriteMode;
  columns: NewColumn[];
  title: string;
  rows: number;
  /** @throws AddonError if an existing table can't receive them */
  check: (table: TableRecord) => void;
}

function getCursorArea(rows: number, columns: number): { sheet: Sheet; area: Area } {
  const cell = SpreadsheetApp.getActiveSpreadsheet().getCurrentCell();
  if (cell === null) throw createError('bad_call', 'Click the top-left cell for the table and try again.');
  const area = { row: cell.getRow(), column: cell.getColumn(), rows: rows + 1, columns };
  return { sheet: cell.getSheet(), area };
}

const NO_IDS =
  'They can’t be kept: the table has no ID column, and without IDs nobody can tell which new row is which.';

/** Offers to keep changed cells, or says why it can't be done. */
const offerToKeep = (table: TableRecord, overwrite: Overwrite): Overwrite =>
  findIdColumn(table) < 0
    ? { ...overwrite, question: `${overwrite.question} ${t(NO_IDS)}` }
    : { ...overwrite, canKeep: true };

/** An existing table to write into, and the number of its rows. */
export interface TargetTable extends LocatedTable {
  rows: number;
}

/**
 * Checks what a placement would replace.
 * @throws AddonError if the target can't receive the rows
 */
export function checkPlacement(placement: Placement): {
  willOverwrite?: Overwrite;
  warnings: string[];
  target?: TargetTable;
} {
  const { where, mode, columns, rows, check } = placement;
  if (where.kind === 'newSheet') return { warnings: [] };
  if (where.kind === 'cursor') {
    const { sheet, area } = getCursorArea(rows, columns.length);
    requireWritable(sheet, area);
    const willOverwrite = findContent(sheet, area);
    return { warnings: [], ...defined({ willOverwrite }) };
  }
  const { table, location } = requireTable(where.tableId);
  check(table);
  const body = readRowsFor(mode, table, location);
  requireWritable(location.sheet, { ...body.area, row: location.row, rows: body.area.rows + 1 });
  const lookups = mode === 'replace' ? findAdjacentLookups(table.id, location) : [];
  const changed =
    mode === 'append' ? [] : [findManualChanges(table, location, body), ...findAdjacentChanges(lookups)];
  const overwrite = mergeOverwrites(changed.flatMap((part) => part ?? []));
  const willOverwrite = overwrite && offerToKeep(table, overwrite);
  const emptied = lookups.flatMap(({ location: place, at }) =>
    at.flatMap((column) => place.columns[column] ?? []),
  );
  const beside = mode === 'replace' ? warnAboutNeighbours(location, emptied) : undefined;
  const missing = columns.filter(
    ({ role, path }) => role === 'value' && !table.columns.some((column) => column.path === path),
  );
  return {
    ...defined({ willOverwrite }),
    target: { table, location, rows: body.values.length },
    warnings: [
      ...warnAboutCleared(lookups),
      ...(beside === undefined ? [] : [beside]),
      ...(missing.length === 0
        ? []
        : [
            t('The table has no column for {headings}: left out.', {
              headings: missing.map(({ heading }) => heading).join(', '),
            }),
          ]),
      ...warnAboutDeleted(table, location),
    ],
  };
}

function chooseSheetName(title: string): string {
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
      .slice(0, MAX_SHEET_NAME - 5)
      // Of a title that was cut.
      .replace(/…$/, '')
      .trimEnd() || t('Search');
  return addNumber(base, (name) => taken.has(name.toLowerCase()));
}

/** Google Sheets creates sheets of 1,000 rows and 26 columns. */
const NEW_SHEET_CELLS = 26_000;

/**
 * Creates a sheet with a free name like the title.
 * @param runId - the run that can undo it
 */
export function createSheet(title: string, runId: string): Sheet {
  const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
  const name = chooseSheetName(title);
  const sheet = withSheetErrors(undefined, () => spreadsheet.insertSheet(name), NEW_SHEET_CELLS);
  recordStep(runId, { do: 'sheet', sheet: sheet.getSheetId() });
  return sheet;
}

/**
 * Writes and marks the headings of a new table, and clears the cells below them.
 * @param runId - the run that can undo it
 */
export function createTable(
  { where, title, rows }: Pick<Placement, 'where' | 'title' | 'rows'>,
  { id, columns }: Pick<TableRecord, 'id' | 'columns'>,
  runId: string,
): TableRecord['place'] {
  let sheet: Sheet;
  let area: Area;
  if (where.kind === 'cursor') {
    ({ sheet, area } = getCursorArea(rows, columns.length));
  } else {
    sheet = createSheet(title, runId);
    sheet.setFrozenRows(1);
    area = { row: 1, column: 1, rows: 1, columns: columns.length };
  }
  growSheet(runId, sheet, area);
  const places = columns.map((_, at) => area.column + at);
  withSheetErrors(sheet, () => markTable({ id, columns }, { sheet, row: area.row, columns: places }));
  const headings = columns.map(({ heading }) => textEntry(heading));
  const notes = listHeadingNotes(columns);
  writeBlocks(runId, sheet, area, [{ row: area.row, entries: headings, notes }], true);
  const blank = columns.map(() => blankEntry);
  const below = Array.from({ length: area.rows - 1 }, (_, at) => ({
    row: area.row + 1 + at,
    entries: blank,
  }));
  writeBlocks(runId, sheet, area, below);
  const layout = { from: area.column, columns };
  if (where.kind === 'cursor') widenColumns(runId, sheet, layout);
  else layOutSheet(sheet, layout);
  return createPlace(sheet);
}

/** Returns the title of a new table: numbered if another table has it. */
export function distinguishTable(title: string): string {
  const taken = new Set(listTables().map((table) => table.title.toLowerCase()));
  return addNumber(title, (name) => taken.has(name.toLowerCase()));
}

/** Creates the record of a new table. Tables with the same title are numbered, as their sheets are. */
export function createTableRecord(
  { title, columns, mode }: Placement,
  more: Pick<TableRecord, 'kind' | 'family'> & Partial<TableRecord>,
): TableRecord {
  return {
    id: Utilities.getUuid(),
    title: distinguishTable(title),
    columns: addColumnIds(columns),
    mode,
    provenance: 'none',
    place: { spreadsheetId: '', sheetId: 0, sheet: '' },
    lastRun: { at: new Date().toISOString(), rows: 0, credits: 0, saved: 0 },
    credits: 0,
    frozen: false,
    ...more,
  };
}
