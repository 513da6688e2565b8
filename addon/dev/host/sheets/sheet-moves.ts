// Handlers of SpreadsheetApp calls that move columns, sort ranges and copy sheets.
import { Exception } from '../calls.ts';
import type { Settings } from '../settings.ts';
import { sortCells } from './a1.ts';
import type { Sheet } from './mutable-sheet.ts';
import { checkCellLimit, outOfBounds } from './sheet-writes.ts';
import {
  checkEditable,
  readEditableRange,
  type SheetHandler,
  type SheetHandlers,
  type View,
  write,
} from './view.ts';

const SHEET = 'SpreadsheetApp.Sheet';

/** Whether developer metadata is copied is unverified: see `copiesMetadata` in settings.ts. */
function copySheet(
  view: View,
  { id, name: original, maxRows, maxColumns }: Sheet,
  { copiesMetadata }: Settings,
) {
  const { book } = view;
  checkCellLimit(book, maxRows * maxColumns);
  const names = new Set(book.sheets.map(({ name }) => name));
  let name = `Copy of ${original}`;
  for (let number = 2; names.has(name); number++) name = `Copy of ${original} ${number}`;
  const copy = view.newSheetId();
  // Reference "copyTo", into the same spreadsheet: the copy comes last.
  write(view, { kind: 'copySheet', sheet: id, copy, name, index: book.sheets.length });
  for (const entry of copiesMetadata ? book.metadata : []) {
    if (entry.location.type === 'SPREADSHEET' || entry.location.sheet !== id) continue;
    const location = { ...entry.location, sheet: copy };
    write(view, { kind: 'putMetadata', entry: { ...entry, id: view.newMetadataId(), location } });
  }
  return copy;
}

/** Arguments: sheet, first column, number of columns, and the column before which they go, in numbers before the move. */
const moveColumns: SheetHandler = (view, args) => {
  const sheet = view.book.sheet(args.number(0));
  const [column, count, to] = [args.number(1), args.number(2), args.number(3)];
  if (to < 1 || to > sheet.maxColumns + 1) throw outOfBounds('Columns');
  if (to >= column && to <= column + count) throw new Exception(`Invalid argument: ${to}`);
  checkEditable(view, sheet);
  write(view, { kind: 'moveColumns', sheet: sheet.id, column, count, to });
};

/** Reference "Range.sort". Arguments: the range, then a column, by which its rows are sorted ascending. */
const sort: SheetHandler = (view, args) => {
  const { sheet, area } = readEditableRange(view, args);
  const column = args.number(5);
  if (column < area.column || column >= area.column + area.columns)
    throw new Exception('The sort columns are outside the range.');
  const cells = view.book.read('values', sheet.id, { ...area, column, columns: 1 }, '').flat();
  write(view, { kind: 'sort', sheet: sheet.id, area, order: sortCells(cells, true) });
};

/** Handlers of calls that move, sort and copy. Calls on a sheet start with its id. */
export const SHEET_MOVES: SheetHandlers = {
  [`${SHEET}.moveColumns`]: moveColumns,
  [`${SHEET}.copyTo`]: (view, args, { settings }) =>
    copySheet(view, view.book.sheet(args.number(0)), settings),
  'SpreadsheetApp.Range.sort': sort,
};
