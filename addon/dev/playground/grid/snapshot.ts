// Reads the grid's workbook for SpreadsheetApp.
import {
  BooleanNumber,
  CellValueType,
  type ICellData,
  type IStyleData,
  type Nullable,
  numfmt,
  type Workbook,
  type Worksheet,
} from '@univerjs/core';
import { FormulaDataModel } from '@univerjs/preset-sheets-core';
import type { CellValue, Workbook as HostWorkbook, Run, SheetData } from '../../host/types.ts';
import { locale } from '../locale.ts';
import { toStyleLayers } from './cell-styles.ts';
import { getSheetNumber, toArea } from './cells.ts';
import { readMetadata } from './developer-metadata.ts';
import { getNumberFormat } from './engine-values.ts';
import { readFilterData } from './filter.ts';
import type { Grid } from './grid.ts';
import { getLinks, getNote } from './notes-and-links.ts';
import { fromSerial } from './serial-dates.ts';

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
export function readWorkbook({ api, injector, workbook }: Grid, at?: ActiveCell): HostWorkbook {
  const formulas = injector.get(FormulaDataModel);
  return {
    id: workbook.getUnitId(),
    name: workbook.getName(),
    locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sheets: workbook.getSheets().map((sheet) => readSheet(workbook, sheet, formulas)),
    metadata: readMetadata(workbook),
    ...readSelection(api, workbook, at),
  };
}

/** Reads the sheet on the screen, and the selection. */
export function readActiveSheet(grid: Grid): Pick<HostWorkbook, 'active'> & { data: SheetData | undefined } {
  const name = grid.workbook.getActiveSheet().getName();
  const { sheets, ...rest } = readWorkbook(grid);
  return { ...rest, data: sheets.find((sheet) => sheet.name === name) };
}

function readSelection(api: Grid['api'], workbook: Workbook, at?: ActiveCell): Pick<HostWorkbook, 'active'> {
  if (at !== undefined) {
    const name = workbook.getSheetBySheetId(at.sheetId)?.getName();
    return name === undefined ? {} : { active: { sheet: name, row: at.row + 1, column: at.column + 1 } };
  }
  const selected = api.getActiveWorkbook()?.getActiveRange()?.getRange();
  return selected ? { active: { sheet: workbook.getActiveSheet().getName(), ...toArea(selected) } } : {};
}

function readSheet(workbook: Workbook, sheet: Worksheet, model: FormulaDataModel): SheetData {
  const unitId = workbook.getUnitId();
  const sheetId = sheet.getSheetId();
  const spilled = model.getArrayFormulaCellData()[unitId]?.[sheetId] ?? {};
  const values: CellValue[][] = [];
  const formulas: string[][] = [];
  const display: string[][] = [];
  const formats: string[][] = [];
  const notes: string[][] = [];
  const links: (readonly Run[] | null)[][] = [];
  const cellStyleRows: Nullable<IStyleData>[][] = [];
  const cellStyles = workbook.getStyles();
  for (let row = 0; row < countRows(sheet, spilled); row += 1) {
    const columns = listColumns(sheet, row, spilled[row]);
    const cells = columns.map((column) => spilled[row]?.[column] ?? sheet.getCellRaw(row, column));
    const patterns = columns.map((column, at) => {
      return (
        sheet.getCellStyle(row, column)?.n?.pattern ?? getNumberFormat(cells[at]?.custom, cells[at]?.v) ?? ''
      );
    });
    formats.push(patterns);
    const storedCells = columns.map((column) => sheet.getCellRaw(row, column));
    notes.push(storedCells.map((cell) => getNote(cell?.custom)));
    links.push(storedCells.map((cell) => getLinks(cell?.custom, cell?.v)));
    cellStyleRows.push(storedCells.map((cell) => cellStyles.getStyleByCell(cell)));
    values.push(cells.map((cell, at) => toCellValue(cell, patterns[at])));
    formulas.push(columns.map((column) => model.getFormulaStringByCell(row, column, sheetId, unitId) ?? ''));
    display.push(columns.map((column) => String(sheet.getCell(row, column)?.v ?? '')));
  }
  return {
    id: getSheetNumber(sheetId),
    name: sheet.getName(),
    values,
    formulas,
    display,
    formats,
    notes,
    links,
    styles: toStyleLayers(cellStyleRows),
    merges: sheet.getMergeData().map(toArea),
    hidden: sheet.isSheetHidden() === BooleanNumber.TRUE,
    maxRows: sheet.getRowCount(),
    maxColumns: sheet.getColumnCount(),
    ...readFilterData(sheet),
    columnWidths: readColumnWidths(sheet),
    frozenRows: Math.max(0, sheet.getFreeze().ySplit),
  };
}

/** Returns the widths of columns in pixels by column number. */
function readColumnWidths(sheet: Worksheet): Record<number, number> {
  return Object.fromEntries(
    Array.from({ length: sheet.getColumnCount() }, (_, at) => [at + 1, sheet.getColumnWidth(at)]),
  );
}

type Cells = Record<number, Record<number, unknown> | undefined>;

function countRows(sheet: Worksheet, spilled: Cells): number {
  return 1 + Math.max(sheet.getLastRowWithContent(), ...Object.keys(spilled).map(Number));
}

function listColumns(sheet: Worksheet, row: number, spilled: Record<number, unknown> | undefined): number[] {
  const last = Math.max(
    -1,
    ...Object.keys(sheet.getCellMatrix().getRow(row) ?? {}).map(Number),
    ...Object.keys(spilled ?? {}).map(Number),
  );
  return Array.from({ length: last + 1 }, (_, column) => column);
}

function toCellValue(cell: Nullable<ICellData>, pattern = ''): CellValue {
  const value = cell?.v;
  if (value === null || value === undefined) return '';
  if (cell?.t === CellValueType.BOOLEAN) return value === 1 || value === true;
  return typeof value === 'number' && numfmt.isDateFormat(pattern) ? fromSerial(value) : value;
}
