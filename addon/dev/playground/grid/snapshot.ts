// Reads the grid's workbook for SpreadsheetApp.
import {
  BooleanNumber,
  CellValueType,
  type ICellData,
  type IRange,
  type IStyleData,
  type Nullable,
  numfmt,
  type Workbook,
  type Worksheet,
} from '@univerjs/core';
import { FormulaDataModel } from '@univerjs/preset-sheets-core';
import type { Area, CellValue, Workbook as HostWorkbook, Run, SheetData } from '../../host/types.ts';
import { looksOf } from './cell-styles.ts';
import { dateFromSerial, formatOf } from './engine-values.ts';
import type { Grid } from './grid.ts';
import { linksOf, noteOf } from './notes-and-links.ts';
import { numberOf } from './sheet-ids.ts';

/** A user's active cell; row and column are 0-based. */
export interface ActiveCell {
  sheetId: string;
  row: number;
  column: number;
}

/**
 * Reads the whole workbook.
 * @param grid - the spreadsheet
 * @param at - the user's active cell if it is not the selection on the screen
 */
export function snapshot({ api, injector, workbook }: Grid, at?: ActiveCell): HostWorkbook {
  const formulas = injector.get(FormulaDataModel);
  return {
    id: workbook.getUnitId(),
    name: workbook.getName(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sheets: workbook.getSheets().map((sheet) => sheetData(workbook, sheet, formulas)),
    ...activeIn(api, workbook, at),
  };
}

function activeIn(api: Grid['api'], workbook: Workbook, at?: ActiveCell): Pick<HostWorkbook, 'active'> {
  if (at !== undefined) {
    const name = workbook.getSheetBySheetId(at.sheetId)?.getName();
    return name === undefined ? {} : { active: { sheet: name, row: at.row + 1, column: at.column + 1 } };
  }
  const selected = api.getActiveWorkbook()?.getActiveRange()?.getRange();
  return selected ? { active: { sheet: workbook.getActiveSheet().getName(), ...areaOf(selected) } } : {};
}

function sheetData(workbook: Workbook, sheet: Worksheet, model: FormulaDataModel): SheetData {
  const unitId = workbook.getUnitId();
  const sheetId = sheet.getSheetId();
  const spilled = model.getArrayFormulaCellData()[unitId]?.[sheetId] ?? {};
  const values: CellValue[][] = [];
  const formulas: string[][] = [];
  const display: string[][] = [];
  const formats: string[][] = [];
  const notes: string[][] = [];
  const links: (readonly Run[] | null)[][] = [];
  const looks: Nullable<IStyleData>[][] = [];
  const cellStyles = workbook.getStyles();
  for (let row = 0; row < contentRows(sheet, spilled); row += 1) {
    const columns = columnsOf(sheet, row, spilled[row]);
    const cells = columns.map((column) => spilled[row]?.[column] ?? sheet.getCellRaw(row, column));
    const patterns = columns.map((column, at) => {
      return sheet.getCellStyle(row, column)?.n?.pattern ?? formatOf(cells[at]?.custom, cells[at]?.v) ?? '';
    });
    formats.push(patterns);
    const own = columns.map((column) => sheet.getCellRaw(row, column));
    notes.push(own.map((cell) => noteOf(cell?.custom)));
    links.push(own.map((cell) => linksOf(cell?.custom, cell?.v)));
    looks.push(own.map((cell) => cellStyles.getStyleByCell(cell)));
    values.push(cells.map((cell, at) => plainValue(cell, patterns[at])));
    formulas.push(columns.map((column) => model.getFormulaStringByCell(row, column, sheetId, unitId) ?? ''));
    display.push(columns.map((column) => String(sheet.getCell(row, column)?.v ?? '')));
  }
  return {
    id: numberOf(sheetId),
    name: sheet.getName(),
    values,
    formulas,
    display,
    formats,
    notes,
    links,
    styles: stylesOf(looks),
    merges: sheet.getMergeData().map(areaOf),
    hidden: sheet.isSheetHidden() === BooleanNumber.TRUE,
    hiddenRows: sheet.getHiddenRows().flatMap(({ startRow, endRow }) => numbers(startRow, endRow)),
    hiddenColumns: sheet
      .getHiddenCols()
      .flatMap(({ startColumn, endColumn }) => numbers(startColumn, endColumn)),
    maxRows: sheet.getRowCount(),
    maxColumns: sheet.getColumnCount(),
    frozenRows: Math.max(0, sheet.getFreeze().ySplit),
    frozenColumns: Math.max(0, sheet.getFreeze().xSplit),
  };
}

function areaOf({ startRow, startColumn, endRow, endColumn }: IRange): Required<Area> {
  return {
    row: startRow + 1,
    column: startColumn + 1,
    rows: endRow - startRow + 1,
    columns: endColumn - startColumn + 1,
  };
}

/** Returns the 1-based numbers of a 0-based range of rows or columns. */
function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at + 1);
}

/** Groups cell styles into one layer per style in use. */
function stylesOf(cells: readonly (readonly Nullable<IStyleData>[])[]): Record<string, string[][]> {
  const known = new Map<IStyleData, [string, string][]>();
  const layers = new Map<string, string[][]>();
  for (const [row, own] of cells.entries()) {
    for (const [column, style] of own.entries()) {
      if (!style) continue;
      const looks = known.get(style) ?? looksOf(style);
      known.set(style, looks);
      for (const [name, value] of looks) {
        const layer = layers.get(name) ?? cells.map((line) => line.map(() => ''));
        layers.set(name, layer);
        const line = layer[row];
        if (line !== undefined) line[column] = value;
      }
    }
  }
  return Object.fromEntries(layers);
}

type Cells = Record<number, Record<number, unknown> | undefined>;

function contentRows(sheet: Worksheet, spilled: Cells): number {
  return 1 + Math.max(sheet.getLastRowWithContent(), ...Object.keys(spilled).map(Number));
}

function columnsOf(sheet: Worksheet, row: number, spilled: Record<number, unknown> | undefined): number[] {
  const last = Math.max(
    -1,
    ...Object.keys(sheet.getCellMatrix().getRow(row) ?? {}).map(Number),
    ...Object.keys(spilled ?? {}).map(Number),
  );
  return Array.from({ length: last + 1 }, (_, column) => column);
}

function plainValue(cell: Nullable<ICellData>, pattern = ''): CellValue {
  const value = cell?.v;
  if (value === null || value === undefined) return '';
  if (cell?.t === CellValueType.BOOLEAN) return value === 1 || value === true;
  return typeof value === 'number' && numfmt.isDateFormat(pattern) ? dateFromSerial(value) : value;
}
