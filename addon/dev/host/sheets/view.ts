// The snapshot and pending writes of one execution; checks bounds and protections.

import { type Args, type Context, Exception } from '../calls.ts';
import { overlaps } from './layers.ts';
import type { Sheet } from './mutable-sheet.ts';
import type { MutableWorkbook } from './mutable-workbook.ts';
import type { Area, CellValue, Journal, ProtectionData, Write } from './workbook.ts';

/** An execution's snapshot and its writes since the last flush. */
export interface View {
  readonly book: MutableWorkbook;
  readonly journal: Write[];
  /** The user whose permissions apply. */
  readonly user: string;
  readonly owner: string | null;
  readonly newSheetId: () => number;
  /** Returns an unused id of developer metadata. */
  readonly newMetadataId: () => number;
}

/** Handles one call of SpreadsheetApp. */
export type SheetHandler = (view: View, args: Args, context: Context) => unknown;

/** Handlers by call name. Calls on a range start with its sheet's id, row, column, rows and columns. */
export type SheetHandlers = Readonly<Record<string, SheetHandler>>;

export function write(view: View, ...journal: Journal): void {
  writeAll(view, journal);
}

/** Like `write`, for a list of any length. */
export function writeAll(view: View, journal: Journal): void {
  view.book.apply(journal);
  for (const change of journal) view.journal.push(change);
}

/** Cells of a sheet. */
interface Range {
  readonly sheet: Sheet;
  readonly area: Area;
}

/** Returns the range of a call; throws if it is outside its sheet. */
export function readRange({ book }: View, args: Args): Range {
  const sheet = book.sheet(args.number(0));
  const area = {
    row: args.number(1),
    column: args.number(2),
    rows: args.number(3),
    columns: args.number(4),
  };
  return { sheet, area: checkBounds(area, sheet) };
}

/** Returns the first cell of a call's range. */
export function readFirstCell(args: Args): {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
} {
  return { sheet: args.number(0), row: args.number(1), column: args.number(2) };
}

const TOO_SMALL: readonly (readonly [keyof Area, string])[] = [
  ['row', 'The starting row of the range is too small.'],
  ['column', 'The starting column of the range is too small.'],
  ['rows', 'The number of rows in the range must be at least 1.'],
  ['columns', 'The number of columns in the range must be at least 1.'],
];

/** Returns the area; throws Google's error if the sheet has no such cells. */
export function checkBounds(area: Area, sheet: Sheet): Area {
  for (const [field, message] of TOO_SMALL) if (area[field] < 1) throw new Exception(message);
  if (area.row + area.rows - 1 > sheet.maxRows || area.column + area.columns - 1 > sheet.maxColumns) {
    throw new Exception('The coordinates of the range are outside the dimensions of the sheet.');
  }
  return area;
}

export function getWholeSheet(sheet: Sheet): Area {
  return { row: 1, column: 1, rows: sheet.maxRows, columns: sheet.maxColumns };
}

/** Checks whether the user may edit a protection. Class Protection: its editors and the owner always may. */
export function canEditProtection(view: View, protection: ProtectionData): boolean {
  const { user, owner } = view;
  return protection.warningOnly === true || user === owner || protection.editors.includes(user);
}

/** Checks whether the user may edit all of an area. */
export function canEditArea(view: View, sheet: Sheet, area: Area): boolean {
  return sheet.protections.every(
    (protection) =>
      canEditProtection(view, protection) || !overlaps(area, protection.area ?? getWholeSheet(sheet)),
  );
}

/** Returns the range of a writing call; throws if the user may not edit all of it. */
export function readEditableRange(view: View, args: Args): Range {
  const range = readRange(view, args);
  checkEditable(view, range.sheet, range.area);
  return range;
}

/** Throws if the user may not edit all of the area. */
export function checkEditable(view: View, sheet: Sheet, area: Area = getWholeSheet(sheet)): void {
  if (!canEditArea(view, sheet, area)) throw createProtectionError();
}

export function createProtectionError(): Exception {
  return new Exception(
    'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
  );
}

/** Returns the rows; throws Google's error if their size differs from the range's. */
export function checkSize<Item>({ rows, columns }: Area, cells: Item[][]): Item[][] {
  const check = (unit: string, actual: number, expected: number): void => {
    if (actual === expected) return;
    throw new Exception(
      `The number of ${unit} in the data does not match the number of ${unit} in the range. The data has ${actual} but the range has ${expected}.`,
    );
  };
  check('rows', cells.length, rows);
  for (const row of cells) check('columns', row.length, columns);
  return cells;
}

/** Returns the texts of a call on a range; null becomes ''. */
export function readTexts(view: View, args: Args): string[][] {
  const cells = args.rows(5).map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
  return checkSize(readRange(view, args).area, cells);
}

/** Returns the values of a call on a range. */
export function readCells(view: View, args: Args): CellValue[][] {
  return checkSize(readRange(view, args).area, args.cells(5));
}
