// The workbook as an Excel file. Formulas become their values: Excel does not know those of the add-on.
import writeExcelFile, { type Row, type Sheet } from 'write-excel-file/universal';
import type { CellValue, SheetData } from '../../host/sheets/workbook.ts';
import { toSerial } from '../grid/engine-values.ts';
import type { Grid } from '../grid/grid.ts';
import { readWorkbook } from '../grid/snapshot.ts';

/** Excel refuses longer names of sheets. */
const MAX_NAME = 31;
const RESERVED = /[\\/?*[\]:]/g;
/** Excel measures widths in digits of the default font. */
const PIXELS_PER_DIGIT = 7;

/** Returns names that Excel accepts, each once whatever its case. */
function toSheetNames(sheets: readonly SheetData[]): string[] {
  const taken = new Set<string>();
  return sheets.map(({ name }) => {
    const allowed = name.replace(RESERVED, ' ');
    let unique = allowed.slice(0, MAX_NAME);
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) {
      const suffix = ` (${number})`;
      unique = allowed.slice(0, MAX_NAME - suffix.length) + suffix;
    }
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** Texts keep their type, so none of them becomes a formula. */
function toCell(value: CellValue, format: string, weight: string): Row[number] {
  const style = weight === 'bold' ? ({ fontWeight: 'bold' } as const) : {};
  if (typeof value === 'string') return value === '' ? null : { value, type: String, ...style };
  if (typeof value === 'boolean') return { value, type: Boolean, ...style };
  const number = typeof value === 'number' ? value : toSerial(value);
  return { value: number, type: Number, ...(format === '' || format === '@' ? {} : { format }), ...style };
}

const toExcelSheet = (sheet: SheetData, name: string): Sheet<Blob> => ({
  sheet: name,
  data: sheet.values.map((row, line) =>
    row.map((value, column) =>
      toCell(value, sheet.formats?.[line]?.[column] ?? '', sheet.styles?.fontWeight?.[line]?.[column] ?? ''),
    ),
  ),
  columns: Object.values(sheet.columnWidths ?? {}).map((pixels) => ({ width: pixels / PIXELS_PER_DIGIT })),
  ...(sheet.frozenRows ? { stickyRowsCount: sheet.frozenRows } : {}),
});

/** Formats all visible sheets, with number formats, bold cells, widths and frozen rows. */
export function formatExcelFile(grid: Grid): Promise<Blob> {
  const sheets = readWorkbook(grid).sheets.filter(({ hidden }) => hidden !== true);
  const names = toSheetNames(sheets);
  return writeExcelFile(sheets.map((sheet, at) => toExcelSheet(sheet, names[at] ?? sheet.name))).toBlob();
}
