// The filter of a sheet. Univer's free core has none: this one hides rows by the displayed values of columns. What it
// knows is custom data of rows and columns, so that it moves with them.
import { type CustomData, InterceptorEffectEnum, type Worksheet } from '@univerjs/core';
import {
  INTERCEPTOR_POINT,
  MarkDirtyFilterChangeMutation,
  ReorderRangeMutation,
  SheetInterceptorService,
  SheetsRenderService,
} from '@univerjs/preset-sheets-core';
import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Area, SheetData } from '../../host/types.ts';
import { onCommands, runCommand } from './commands.ts';
import { setLineData } from './developer-metadata.ts';
import type { Grid } from './grid.ts';

const COLLATOR = new Intl.Collator(undefined, { numeric: true });
const MARKER = { open: '#80868b', filtered: '#188038' } as const;

const readRow = (sheet: Worksheet, row: number): CustomData => sheet.getConfig().rowData[row]?.custom ?? null;
const readColumn = (sheet: Worksheet, column: number): CustomData =>
  sheet.getConfig().columnData[column]?.custom ?? null;

const isHeading = (sheet: Worksheet, row: number): boolean => readRow(sheet, row)?.isFilterHeading === true;
const isHidden = (sheet: Worksheet, row: number): boolean => readRow(sheet, row)?.isFilteredOut === true;

/** Returns the values that a column's filter hides; undefined outside the filter. */
function readHiddenValues(sheet: Worksheet, column: number): ReadonlySet<string> | undefined {
  const hidden: unknown = readColumn(sheet, column)?.filteredOut;
  return Array.isArray(hidden) ? new Set(hidden.map(String)) : undefined;
}

/** A sheet's filter; numbers from 0. */
interface Filter {
  readonly heading: number;
  readonly last: number;
  readonly columns: readonly number[];
}

function readFilter(sheet: Worksheet): Filter | undefined {
  const { rowData, columnData } = sheet.getConfig();
  const heading = Object.keys(rowData)
    .map(Number)
    .find((row) => isHeading(sheet, row));
  const columns = Object.keys(columnData)
    .map(Number)
    .filter((column) => readHiddenValues(sheet, column));
  if (heading === undefined || columns.length === 0) return undefined;
  return { heading, last: Math.max(heading, sheet.getLastRowWithContent()), columns };
}

/** Reads what scripts see of a sheet's filter. */
export function readFilterData(sheet: Worksheet): Pick<SheetData, 'filter' | 'filteredColumns'> {
  const filter = readFilter(sheet);
  if (filter === undefined) return {};
  const { heading, last, columns } = filter;
  const [first = 0] = columns;
  return {
    filter: { row: heading + 1, rows: last - heading + 1, column: first + 1, columns: columns.length },
    filteredColumns: columns.flatMap((column) => (readHiddenValues(sheet, column)?.size ? [column + 1] : [])),
  };
}

const listRows = ({ heading, last }: Filter): number[] =>
  Array.from({ length: last - heading }, (_, at) => heading + 1 + at);

const readText = (sheet: Worksheet, row: number, column: number): string =>
  String(sheet.getCell(row, column)?.v ?? '');

/** Creates a filter whose first row has the headings, or removes it. @param area - null removes it */
export function setFilter(grid: Grid, sheetId: string, area: Area | null): void {
  const sheet = grid.workbook.getSheetBySheetId(sheetId);
  if (!sheet) return;
  const { rowData, columnData } = sheet.getConfig();
  const rows = Object.keys(rowData).map(Number);
  const columns = Object.keys(columnData).map(Number);
  const without = (custom: CustomData): CustomData => {
    const { isFilterHeading: _heading, isFilteredOut: _row, filteredOut: _column, ...rest } = custom ?? {};
    return rest;
  };
  const setLines = (axis: 'row' | 'column', lines: readonly number[], read: (line: number) => CustomData) =>
    setLineData(grid, sheetId, axis, Object.fromEntries(lines.map((line) => [line, read(line)])));
  setLines('row', rows, (row) => without(readRow(sheet, row)));
  setLines('column', columns, (column) => without(readColumn(sheet, column)));
  if (area !== null) {
    const covered = Array.from({ length: area.columns }, (_, at) => area.column - 1 + at);
    setLines('row', [area.row - 1], (row) => ({ ...readRow(sheet, row), isFilterHeading: true }));
    setLines('column', covered, (column) => ({ ...readColumn(sheet, column), filteredOut: [] }));
  }
  refresh(grid, sheetId);
}

export interface ColumnValues {
  readonly heading: string;
  readonly values: readonly { readonly text: string; readonly isShown: boolean }[];
}

/** Lists the values of a column in the filter; undefined outside it. @param column - from 0 */
export function listColumnValues(sheet: Worksheet, column: number): ColumnValues | undefined {
  const filter = readFilter(sheet);
  const hidden = readHiddenValues(sheet, column);
  if (filter === undefined || hidden === undefined) return undefined;
  const texts = new Set(listRows(filter).map((row) => readText(sheet, row, column)));
  return {
    heading: readText(sheet, filter.heading, column),
    values: [...texts].sort(COLLATOR.compare).map((text) => ({ text, isShown: !hidden.has(text) })),
  };
}

/** Hides the rows with these values in a column. @param column - from 0 */
export function filterColumn(grid: Grid, sheetId: string, column: number, hidden: readonly string[]): void {
  const sheet = grid.workbook.getSheetBySheetId(sheetId);
  if (!sheet) return;
  setLineData(grid, sheetId, 'column', { [column]: { ...readColumn(sheet, column), filteredOut: hidden } });
  refresh(grid, sheetId);
}

/** Decides again which rows are hidden, and draws the sheet. Sheets does it only when a filter changes, too. */
function refresh(grid: Grid, sheetId: string): void {
  const sheet = grid.workbook.getSheetBySheetId(sheetId);
  if (!sheet) return;
  const filter = readFilter(sheet);
  if (filter !== undefined) {
    const isOut = (row: number): boolean =>
      filter.columns.some((column) => readHiddenValues(sheet, column)?.has(readText(sheet, row, column)));
    const rows = listRows(filter).map((row): [number, CustomData] => [
      row,
      { ...readRow(sheet, row), isFilteredOut: isOut(row) },
    ]);
    setLineData(grid, sheetId, 'row', Object.fromEntries(rows));
  }
  runCommand(grid, MarkDirtyFilterChangeMutation, sheetId);
}

/** Lets the grid hide filtered rows and mark the headings of the filter. */
export function showFilters(grid: Grid): void {
  const { injector } = grid;
  const interceptors = injector.get(SheetInterceptorService);
  injector.get(SheetsRenderService).registerSkeletonChangingMutations(MarkDirtyFilterChangeMutation.id);
  // A sort, or its undoing, moves values to other rows.
  onCommands(grid, [ReorderRangeMutation], (params) => {
    if (isObject(params)) refresh(grid, String(params.subUnitId));
  });
  interceptors.intercept(INTERCEPTOR_POINT.ROW_FILTERED, {
    handler: (filtered, { worksheet, row }, next) => next(filtered || isHidden(worksheet, row)),
  });
  interceptors.intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    priority: 4,
    effect: InterceptorEffectEnum.Style,
    handler: (cell, { worksheet, row, col }, next) => {
      const hidden = cell && isHeading(worksheet, row) ? readHiddenValues(worksheet, col) : undefined;
      if (!cell || hidden === undefined) return next(cell);
      const color = hidden.size > 0 ? MARKER.filtered : MARKER.open;
      return next({ ...cell, markers: { ...cell.markers, br: { color, size: 9 } } });
    },
  });
}
