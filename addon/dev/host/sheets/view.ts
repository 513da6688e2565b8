// What one execution sees of the spreadsheet and writes to it; the bounds and protections that its writes must keep.

import { type Args, type Context, Exception } from '../calls.ts';
import { overlap, within } from './layers.ts';
import type { Book, Sheet } from './mutable-workbook.ts';
import type { Area, CellValue, Journal, ProtectionData, Write } from './workbook.ts';

/** An execution's snapshot, and what it wrote since the last flush. */
export interface View {
  readonly book: Book;
  readonly journal: Write[];
  /** Whose rights count. */
  readonly user: string;
  /** The spreadsheet's owner. */
  readonly owner: string;
  /** An id that no sheet has or had. */
  readonly newSheetId: () => number;
}

/** Answers one call of SpreadsheetApp. */
export type Look = (view: View, args: Args, context: Context) => unknown;

/** Calls by name. Those on a range start with its sheet's id, row, column, rows and columns. */
export type Looks = Readonly<Record<string, Look>>;

/** The same answer under several names. */
export function under(names: readonly string[], look: Look): Looks {
  return Object.fromEntries(names.map((name) => [name, look]));
}

/** Makes writes that were checked. */
export function write(view: View, ...journal: Journal): void {
  writeAll(view, journal);
}

/** As `write`, of any number of them. */
export function writeAll(view: View, journal: Journal): void {
  view.book.apply(journal);
  for (const each of journal) view.journal.push(each);
}

/** The area that a call on a range names, inside its sheet. */
export function areaAt({ book }: View, args: Args): Area {
  const area = {
    row: args.number(1),
    column: args.number(2),
    rows: args.number(3),
    columns: args.number(4),
  };
  return inside(area, book.sheet(args.number(0)));
}

/** The first cell of the range that a call names. */
export function at(args: Args): { readonly sheet: number; readonly row: number; readonly column: number } {
  return { sheet: args.number(0), row: args.number(1), column: args.number(2) };
}

const TOO_SMALL: readonly (readonly [keyof Area, string])[] = [
  ['row', 'The starting row of the range is too small.'],
  ['column', 'The starting column of the range is too small.'],
  ['rows', 'The number of rows in the range must be at least 1.'],
  ['columns', 'The number of columns in the range must be at least 1.'],
];

/** The area; throws, in Google's words, where the sheet has no such cells. */
export function inside(area: Area, sheet: Sheet): Area {
  for (const [field, words] of TOO_SMALL) if (area[field] < 1) throw new Exception(words);
  if (area.row + area.rows - 1 > sheet.maxRows || area.column + area.columns - 1 > sheet.maxColumns) {
    throw new Exception('The coordinates of the range are outside the dimensions of the sheet.');
  }
  return area;
}

/** The whole sheet. */
export function wholeOf(sheet: Sheet): Area {
  return { row: 1, column: 1, rows: sheet.maxRows, columns: sheet.maxColumns };
}

/** Whether the execution's user may edit a protection. Class Protection: its editors and the owner always may. */
export function mayEdit(view: View, protection: ProtectionData): boolean {
  const { user, owner } = view;
  return protection.warningOnly === true || user === owner || protection.editors.includes(user);
}

/** Whether all of an area may be edited. */
export function isFree(view: View, sheet: Sheet, area: Area): boolean {
  return sheet.protections.every(
    (protection) => mayEdit(view, protection) || !covers(protection, sheet, area),
  );
}

function covers({ area, except = [] }: ProtectionData, sheet: Sheet, wanted: Area): boolean {
  if (!overlap(wanted, area ?? wholeOf(sheet))) return false;
  return !except.some((free) => within(wanted, free));
}

/** The range of a call that writes; throws where its user may not edit all of it. */
export function editable(view: View, args: Args): Area {
  const area = areaAt(view, args);
  unprotected(view, view.book.sheet(args.number(0)), area);
  return area;
}

/** Throws where the execution's user may not edit all of the area. */
export function unprotected(view: View, sheet: Sheet, area: Area = wholeOf(sheet)): void {
  if (!isFree(view, sheet, area)) throw refusedEdit();
}

/** What an edit of something protected is answered. */
export function refusedEdit(): Exception {
  return new Exception(
    'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
  );
}

/** Rows that have the size of the range; throws, in Google's words, where they have another. */
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

/** The texts of a call on a range, in its size; null is ''. */
export function texts(view: View, args: Args): string[][] {
  const cells = args.rows(5).map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
  return sized(areaAt(view, args), cells);
}

/** The cells of a call on a range, in its size. */
export function cellsAt(view: View, args: Args): CellValue[][] {
  return sized(areaAt(view, args), args.cells(5));
}
