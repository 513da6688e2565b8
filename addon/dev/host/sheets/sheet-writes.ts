// Handlers of SpreadsheetApp calls that change sheets or the selection.

import { maxCells } from '../../../../shared/table/cells.ts';
import { type Args, Exception } from '../calls.ts';
import { isKnownLocale } from './locales.ts';
import type { Sheet } from './mutable-sheet.ts';
import type { MutableWorkbook } from './mutable-workbook.ts';
import {
  canEditProtection,
  checkBounds,
  checkEditable,
  createProtectionError,
  readEditableRange,
  readRange,
  type SheetHandler,
  type SheetHandlers,
  type View,
  write,
} from './view.ts';
import type { Area, Journal } from './workbook.ts';

/** Limits of Google Sheets: characters of a sheet's name; and the size of a new sheet. */
const NAME_CHARACTERS = 100;
const NEW_SHEET_CELLS = 1000 * 26;

const SHEET = 'SpreadsheetApp.Sheet';
const SPREADSHEET = 'SpreadsheetApp.Spreadsheet';

export type Axis = 'Rows' | 'Columns';

/** Handlers of calls that change sheets. Calls on a sheet start with its id. */
export const SHEET_WRITES: SheetHandlers = {
  'SpreadsheetApp.Range.activate': (view, args) => {
    const { sheet, area } = readRange(view, args);
    write(view, { kind: 'select', sheet: sheet.id, ...area });
  },
  [`${SPREADSHEET}.insertSheet`]: insertSheet,
  [`${SPREADSHEET}.deleteSheet`]: (view, args) => {
    const sheet = view.book.sheet(args.number(0));
    checkEditable(view, sheet);
    if (view.book.sheets.length === 1) {
      throw new Exception("You can't remove all the sheets in a document.");
    }
    write(view, { kind: 'deleteSheet', sheet: sheet.id });
  },
  // Reference "setSpreadsheetLocale".
  [`${SPREADSHEET}.setSpreadsheetLocale`]: (view, args) => {
    const locale = args.string(0);
    if (!isKnownLocale(locale)) throw new Exception(`Invalid argument: ${locale}`);
    write(view, { kind: 'locale', locale });
  },
  [`${SHEET}.setName`]: (view, args) => {
    const sheet = view.book.sheet(args.number(0));
    const name = checkSheetName(view.book, args.string(1), sheet);
    write(view, { kind: 'renameSheet', sheet: sheet.id, name });
  },
  [`${SHEET}.setFrozenRows`]: (view, args) => {
    const sheet = view.book.sheet(args.number(0));
    const rows = args.number(1);
    if (rows < 0) throw new Exception(`Invalid argument: ${rows}`);
    if (rows >= sheet.maxRows) throw new Exception("You can't freeze all visible rows on the sheet.");
    write(view, { kind: 'freeze', sheet: sheet.id, rows });
  },
  // Reference "setColumnWidths".
  [`${SHEET}.setColumnWidths`]: (view, args) => {
    const sheet = view.book.sheet(args.number(0));
    const [column, count, width] = [args.number(1), args.number(2), args.number(3)];
    if (width < 0) throw new Exception(`Invalid argument: ${width}`);
    const area = checkBounds({ row: 1, column, rows: sheet.maxRows, columns: count }, sheet);
    checkEditable(view, sheet, area);
    write(view, { kind: 'columnWidths', sheet: sheet.id, column, count, width });
  },
  // Reference "createFilter": at most one filter in a sheet.
  'SpreadsheetApp.Range.createFilter': (view, args) => {
    const { sheet, area } = readEditableRange(view, args);
    if (sheet.filter !== null)
      throw new Exception("You can't create a filter in a sheet that already has a filter.");
    write(view, { kind: 'filter', sheet: sheet.id, area });
  },
  'SpreadsheetApp.Filter.remove': (view, args) => {
    const sheet = view.book.sheet(args.number(0));
    checkEditable(view, sheet, sheet.filter ?? undefined);
    write(view, { kind: 'filter', sheet: sheet.id, area: null });
  },
  [`${SHEET}.insertRows`]: insert('Rows'),
  [`${SHEET}.insertColumns`]: insert('Columns'),
  [`${SHEET}.deleteRows`]: remove('Rows'),
  [`${SHEET}.deleteColumns`]: remove('Columns'),
};

function insertSheet(view: View, args: Args) {
  const { book } = view;
  const name = args.at(0) === null ? defaultName(book) : checkSheetName(book, args.string(0));
  const at = args.at(1) === null ? book.sheets.length : args.number(1);
  if (at < 0 || at > book.sheets.length) throw new Exception(`Invalid argument: ${at}`);
  checkCellLimit(book, NEW_SHEET_CELLS);
  const sheet = view.newSheetId();
  write(
    view,
    { kind: 'insertSheet', sheet, name, index: at },
    { kind: 'select', sheet, row: 1, column: 1, rows: 1, columns: 1 },
  );
  return sheet;
}

/** Returns the name; throws if another sheet has it. Names are case-insensitive. */
function checkSheetName(book: MutableWorkbook, name: string, sheet?: Sheet): string {
  const taken = book.sheets.some(
    (other) => other !== sheet && other.name.toLowerCase() === name.toLowerCase(),
  );
  if (taken) {
    throw new Exception(`A sheet with the name "${name}" already exists. Please enter another name.`);
  }
  if (name === '' || name.length > NAME_CHARACTERS) throw new Exception(`Invalid argument: ${name}`);
  return name;
}

function defaultName({ sheets }: MutableWorkbook): string {
  for (let number = sheets.length + 1; ; number++) {
    if (!sheets.some(({ name }) => name === `Sheet${number}`)) return `Sheet${number}`;
  }
}

/** Throws if the spreadsheet would have too many cells. */
export function checkCellLimit({ sheets }: MutableWorkbook, added: number): void {
  const cells = sheets.reduce((sum, { maxRows, maxColumns }) => sum + maxRows * maxColumns, 0);
  if (cells + added <= maxCells) return;
  throw new Exception(
    `This action would increase the number of cells in the workbook above the limit of ${maxCells} cells.`,
  );
}

/**
 * Arguments: sheet, position, count, and the line to copy formats from: lines inserted after a line look like it, lines
 * inserted before a line look like that one, as in the menu "Insert" of Sheets.
 */
function insert(axis: Axis): SheetHandler {
  return (view, args) => {
    const sheet = view.book.sheet(args.number(0));
    const [position, count] = [args.number(1), args.number(2)];
    const max = sheet[`max${axis}`];
    if (position < 1 || position > max + 1 || count < 1) throw outOfBounds(axis);
    checkCellLimit(view.book, count * sheet[axis === 'Rows' ? 'maxColumns' : 'maxRows']);
    checkSplit(view, sheet, axis, position);
    const source = getLines(sheet, axis, Math.min(args.number(3), max), 1);
    const formatWrites = copyFormats(view.book, sheet, axis, source, position, count);
    write(view, createShift('insert', sheet.id, axis, position, count), ...formatWrites);
  };
}

/**
 * Throws if an insertion would split cells that the user may not edit: a protected sheet, or a protected range that spans
 * `position`.
 */
function checkSplit(view: View, sheet: Sheet, axis: Axis, position: number): void {
  const side = axis === 'Rows' ? ('row' as const) : ('column' as const);
  const isSplit = sheet.protections.some((protection) => {
    const { area } = protection;
    if (!area) return !canEditProtection(view, protection);
    const spansPosition = area[side] < position && position < area[side] + area[`${side}s`];
    return spansPosition && !canEditProtection(view, protection);
  });
  if (isSplit) throw createProtectionError();
}

/** Creates the writes that copy number formats and styles to new lines. */
function copyFormats(
  book: MutableWorkbook,
  { id, styles }: Sheet,
  axis: Axis,
  source: Area,
  position: number,
  count: number,
): Journal {
  const place = {
    sheet: id,
    row: axis === 'Rows' ? position : 1,
    column: axis === 'Rows' ? 1 : position,
  };
  const copies = (cells: string[][]): string[][] =>
    axis === 'Rows'
      ? Array.from({ length: count }, () => cells[0] ?? [])
      : cells.map(([cell = '']) => new Array<string>(count).fill(cell));
  const formats = trimBlanks(book.read('formats', id, source, ''));
  const styleCells = [...styles.keys()].map((style) => ({
    style,
    cells: trimBlanks(book.style(style, id, source, '')),
  }));
  return [
    ...(formats.length > 0 ? [{ kind: 'formats', ...place, formats: copies(formats) } as const] : []),
    ...styleCells
      .filter(({ cells }) => cells.length > 0)
      .map(({ style, cells }) => ({ kind: 'styles', ...place, style, styles: copies(cells) }) as const),
  ];
}

/** Removes blank rows and columns at the end. */
function trimBlanks(cells: readonly string[][]): string[][] {
  const rows = cells.slice(0, findLastIndex(cells, (row) => row.some(Boolean)) + 1);
  const width = rows.reduce((widest, row) => Math.max(widest, findLastIndex(row, Boolean) + 1), 0);
  return rows.map((row) => row.slice(0, width));
}

function findLastIndex<Item>(items: readonly Item[], matches: (item: Item) => unknown): number {
  return items.reduce((last, item, at) => (matches(item) ? at : last), -1);
}

function remove(axis: Axis): SheetHandler {
  return (view, args) => {
    const sheet = view.book.sheet(args.number(0));
    const [position, count] = [args.number(1), args.number(2)];
    if (position < 1 || count < 1 || position + count - 1 > sheet[`max${axis}`]) throw outOfBounds(axis);
    const frozenLines = axis === 'Rows' ? sheet.frozenRows : 0;
    const frozen = Math.max(0, frozenLines - position + 1);
    const unfrozen = count - Math.min(frozen, count);
    if (unfrozen >= sheet[`max${axis}`] - frozenLines) {
      throw new Exception(`Sorry, it is not possible to delete all non-frozen ${axis.toLowerCase()}.`);
    }
    checkEditable(view, sheet, getLines(sheet, axis, position, count));
    write(view, createShift('delete', sheet.id, axis, position, count));
  };
}

export function outOfBounds(axis: Axis): Exception {
  return new Exception(`Those ${axis.toLowerCase()} are out of bounds.`);
}

function getLines({ maxRows, maxColumns }: Sheet, axis: Axis, position: number, count: number) {
  return axis === 'Rows'
    ? { row: position, rows: count, column: 1, columns: maxColumns }
    : { column: position, columns: count, row: 1, rows: maxRows };
}

function createShift(
  operation: 'insert' | 'delete',
  sheet: number,
  axis: Axis,
  position: number,
  count: number,
) {
  return axis === 'Rows'
    ? ({ kind: `${operation}Rows`, sheet, row: position, count } as const)
    : ({ kind: `${operation}Columns`, sheet, column: position, count } as const);
}
