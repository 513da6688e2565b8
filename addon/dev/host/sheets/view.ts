// The snapshot and pending writes of one execution; checks bounds and protections.

import { type Args, type Context, Exception } from '../calls.ts';
import { overlap, within } from './layers.ts';
import type { Book, Sheet } from './mutable-workbook.ts';
import type { Area, CellValue, Journal, ProtectionData, Write } from './workbook.ts';

/** An execution's snapshot and its writes since the last flush. */
export interface View {
  readonly book: Book;
  readonly journal: Write[];
  /** The user whose permissions apply. */
  readonly user: string;
  readonly owner: string;
  /** Returns an unused sheet id. */
  readonly newSheetId: () => number;
}

/** Handles one call of SpreadsheetApp. */
export type Look = (view: View, args: Args, context: Context) => unknown;

/** Handlers by call name. Calls on a range start with its sheet's id, row, column, rows and columns. */
export type Looks = Readonly<Record<string, Look>>;

/** Registers one handler under several names. */
export function under(names: readonly string[], look: Look): Looks {
  return Object.fromEntries(names.map((name) => [name, look]));
}

/** Applies checked writes. */
export function write(view: View, ...journal: Journal): void {
  writeAll(view, journal);
}

/** Like `write`, for a list of any length. */
export function writeAll(view: View, journal: Journal): void {
  view.book.apply(journal);
  for (const each of journal) view.journal.push(each);
}

/** Returns the range of a call; throws if it is outside its sheet. */
export function areaAt({ book }: View, args: Args): Area {
  const area = {
    row: args.number(1),
    column: args.number(2),
    rows: args.number(3),
    columns: args.number(4),
  };
  return inside(area, book.sheet(args.number(0)));
}

/** Returns the first cell of a call's range. */
export function at(args: Args): { readonly sheet: number; readonly row: number; readonly column: number } {
  return { sheet: args.number(0), row: args.number(1), column: args.number(2) };
}

const TOO_SMALL: readonly (readonly [keyof Area, string])[] = [
  ['row', 'The starting row of the range is too small.'],
  ['column', 'The starting column of the range is too small.'],
  ['rows', 'The number of rows in the range must be at least 1.'],
  ['columns', 'The number of columns in the range must be at least 1.'],
];

/** Returns the area; throws Google's error if the sheet has no such cells. */
export function inside(area: Area, sheet: Sheet): Area {
  for (const [field, words] of TOO_SMALL) if (area[field] < 1) throw new Exception(words);
  if (area.row + area.rows - 1 > sheet.maxRows || area.column + area.columns - 1 > sheet.maxColumns) {
    throw new Exception('The coordinates of the range are outside the dimensions of the sheet.');
  }
  return area;
}

export function wholeOf(sheet: Sheet): Area {
  return { row: 1, column: 1, rows: sheet.maxRows, columns: sheet.maxColumns };
}

/** Checks whether the user may edit a protection. Class Protection: its editors and the owner always may. */
export function mayEdit(view: View, protection: ProtectionData): boolean {
  const { user, owner } = view;
  return protection.warningOnly === true || user === owner || protection.editors.includes(user);
}

/** Checks whether the user may edit all of an area. */
export function isFree(view: View, sheet: Sheet, area: Area): boolean {
  return sheet.protections.every(
    (protection) => mayEdit(view, protection) || !covers(protection, sheet, area),
  );
}

function covers({ area, except = [] }: ProtectionData, sheet: Sheet, wanted: Area): boolean {
  if (!overlap(wanted, area ?? wholeOf(sheet))) return false;
  return !except.some((free) => within(wanted, free));
}

/** Returns the range of a writing call; throws if the user may not edit all of it. */
export function editable(view: View, args: Args): Area {
  const area = areaAt(view, args);
  unprotected(view, view.book.sheet(args.number(0)), area);
  return area;
}

/** Throws if the user may not edit all of the area. */
export function unprotected(view: View, sheet: Sheet, area: Area = wholeOf(sheet)): void {
  if (!isFree(view, sheet, area)) throw refusedEdit();
}

export function refusedEdit(): Exception {
  return new Exception(
    'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
  );
}

/** Returns the rows; throws Google's error if their size differs from the range's. */
export function sized<Item>({ rows, columns }: Area, cells: Item[][]): Item[][] {
  const odd = cells.find((row) => row.length !== columns);
  const wrong =
    cells.length !== rows
      ? (['rows', cells.length, rows] as const)
      : odd
        ? (['columns', odd.length, columns] as const)
        : null;
  if (!wrong) return cells;
  const [what, has, wants] = wrong;
  throw new Exception(
    `The number of ${what} in the data does not match the number of ${what} in the range. The data has ${has} but the range has ${wants}.`,
  );
}

/** Returns the texts of a call on a range; null becomes ''. */
export function texts(view: View, args: Args): string[][] {
  const cells = args.rows(5).map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
  return sized(areaAt(view, args), cells);
}

/** Returns the values of a call on a range. */
export function cellsAt(view: View, args: Args): CellValue[][] {
  return sized(areaAt(view, args), args.cells(5));
}
