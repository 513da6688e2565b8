// The grid's workbook as the add-on sees it through SpreadsheetApp.
import {
  CellValueType,
  type ICellData,
  type Nullable,
  numfmt,
  type Workbook,
  type Worksheet,
} from '@univerjs/core';
import { FormulaDataModel } from '@univerjs/preset-sheets-core';
import type { CellValue, Workbook as HostWorkbook, Run, SheetData } from '../host/types.ts';
import { linksOf, noteOf } from './cell-extras.ts';
import type { Grid } from './grid.ts';
import { numberOf } from './sheet-ids.ts';
import { dateFromSerial, formatOf } from './values.ts';

/**
 * Reads the whole workbook as it stands.
 * @param grid - the spreadsheet
 */
export function snapshot({ api, injector, workbook }: Grid): HostWorkbook {
  const formulas = injector.get(FormulaDataModel);
  const selected = api.getActiveWorkbook()?.getActiveRange()?.getRange();
  return {
    id: workbook.getUnitId(),
    name: workbook.getName(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sheets: workbook.getSheets().map((sheet) => sheetData(workbook, sheet, formulas)),
    ...(selected && {
      active: {
        sheet: workbook.getActiveSheet().getName(),
        row: selected.startRow + 1,
        column: selected.startColumn + 1,
        rows: selected.endRow - selected.startRow + 1,
        columns: selected.endColumn - selected.startColumn + 1,
      },
    }),
  };
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
  for (let row = 0; row < contentRows(sheet, spilled); row += 1) {
    const columns = columnsOf(sheet, row, spilled[row]);
    const cells = columns.map((column) => spilled[row]?.[column] ?? sheet.getCellRaw(row, column));
    const patterns = columns.map((column, at) => {
      return sheet.getCellStyle(row, column)?.n?.pattern ?? formatOf(cells[at]?.custom, cells[at]?.v) ?? '';
    });
    formats.push(patterns);
    notes.push(columns.map((column) => noteOf(sheet.getCellRaw(row, column)?.custom)));
    links.push(columns.map((column) => linksOf(sheet.getCellRaw(row, column)?.custom)));
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
    maxRows: sheet.getRowCount(),
    maxColumns: sheet.getColumnCount(),
    frozenRows: Math.max(0, sheet.getFreeze().ySplit),
    frozenColumns: Math.max(0, sheet.getFreeze().xSplit),
  };
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
