// Handlers of SpreadsheetApp calls that move rows and columns, sort ranges and copy sheets.
import { Exception } from '../calls.ts';
import type { Settings } from '../settings.ts';
import { compareCells } from './a1.ts';
import type { Sheet } from './mutable-sheet.ts';
import { getActiveArea } from './reads.ts';
import { type Axis, checkCellLimit, outOfBounds } from './sheet-writes.ts';
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
  index: number,
  { copiesMetadata }: Settings,
) {
  const { book } = view;
  checkCellLimit(book, maxRows * maxColumns);
  const names = new Set(book.sheets.map(({ name }) => name));
  let name = `Copy of ${original}`;
  for (let number = 2; names.has(name); number++) name = `Copy of ${original} ${number}`;
  const copy = view.newSheetId();
  write(view, { kind: 'copySheet', sheet: id, copy, name, index });
  for (const entry of copiesMetadata ? book.metadata : []) {
    if (entry.location.type === 'SPREADSHEET' || entry.location.sheet !== id) continue;
    const location = { ...entry.location, sheet: copy };
    write(view, { kind: 'putMetadata', entry: { ...entry, id: view.newMetadataId(), location } });
  }
  return { id: copy, name };
}

/**
 * Reference "moveColumns", "moveRows". Arguments: sheet, first line, number of lines, and the line before which they go,
 * in numbers before the move.
 */
function move(axis: Axis): SheetHandler {
  return (view, args) => {
    const sheet = view.book.sheet(args.number(0));
    const [at, count, to] = [args.number(1), args.number(2), args.number(3)];
    if (to < 1 || to > sheet[`max${axis}`] + 1) throw outOfBounds(axis);
    if (to >= at && to <= at + count) throw new Exception(`Invalid argument: ${to}`);
    checkEditable(view, sheet);
    write(
      view,
      axis === 'Rows'
        ? { kind: 'moveRows', sheet: sheet.id, row: at, count, to }
        : { kind: 'moveColumns', sheet: sheet.id, column: at, count, to },
    );
  };
}

/** Reference "Range.sort". Arguments: the range, then pairs of a column and whether it is ascending. */
const sort: SheetHandler = (view, args) => {
  const area = readEditableRange(view, args);
  const sheet = args.number(0);
  const keys = args.rows(5).map(([column, isAscending]) => ({ column: Number(column), isAscending }));
  if (keys.some(({ column }) => column < area.column || column >= area.column + area.columns))
    throw new Exception('The sort columns are outside the range.');
  const rows = view.book.read('values', sheet, area, '');
  const compare = (a: number, b: number): number => {
    for (const { column, isAscending } of keys) {
      const [one, other] = [a, b].map((row) => rows[row]?.[column - area.column] ?? '');
      const order = compareCells(one ?? '', other ?? '', isAscending === true);
      if (order !== 0) return order;
    }
    return a - b;
  };
  write(view, { kind: 'sort', sheet, area, order: [...rows.keys()].sort(compare) });
};

/** Handlers of calls that move, sort and copy. Calls on a sheet start with its id. */
export const SHEET_MOVES: SheetHandlers = {
  [`${SHEET}.moveRows`]: move('Rows'),
  [`${SHEET}.moveColumns`]: move('Columns'),
  // Reference "copyTo", into the same spreadsheet: the copy comes last.
  [`${SHEET}.copyTo`]: (view, args, { settings }) =>
    copySheet(view, view.book.sheet(args.number(0)), view.book.sheets.length, settings),
  'SpreadsheetApp.Spreadsheet.duplicateActiveSheet': (view, _args, context) => {
    const sheet = view.book.sheet(getActiveArea(view.book, context).sheet);
    const copy = copySheet(view, sheet, view.book.sheets.indexOf(sheet) + 1, context.settings);
    write(view, { kind: 'select', sheet: copy.id, row: 1, column: 1, rows: 1, columns: 1 });
    return copy;
  },
  'SpreadsheetApp.Range.sort': sort,
};
