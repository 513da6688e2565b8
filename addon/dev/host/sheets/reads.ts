// Handlers of SpreadsheetApp calls that only read.

import { type Args, type Context, Exception } from '../calls.ts';
import { parseA1 } from './a1.ts';
import { overlaps } from './layers.ts';
import type { Sheet } from './mutable-sheet.ts';
import type { MutableWorkbook } from './mutable-workbook.ts';
import { STYLES, styleKey } from './styles.ts';
import {
  canEditArea,
  canEditProtection,
  checkBounds,
  getWholeSheet,
  readRange,
  type SheetHandler,
  type SheetHandlers,
  type View,
} from './view.ts';
import type { Area, Block, Place, ProtectionData } from './workbook.ts';

/** Reference "getNumberFormats": the default format. */
const GENERAL = '0.###############';

/** Width of a column in a new sheet of Google Sheets, in pixels. */
const COLUMN_WIDTH = 100;

/** Getters of cell styles. */
const STYLE_READS: SheetHandlers = Object.fromEntries(
  STYLES.map((style): [string, SheetHandler] => [
    `SpreadsheetApp.Range.get${style.name}s`,
    (view, args) => {
      const { sheet, area } = readRange(view, args);
      return view.book.style(styleKey(style), sheet.id, area, style.defaultValue);
    },
  ]),
);

function readLayer(layer: 'values' | 'formulas' | 'notes' | 'formats', empty = ''): SheetHandler {
  return (view, args) => {
    const { sheet, area } = readRange(view, args);
    return view.book
      .read(layer, sheet.id, area, '')
      .map((row) => row.map((cell) => (cell === '' ? empty : cell)));
  };
}

const REFUSED = 'You do not have permission to perform that action.';

/** Handlers of calls that change nothing. */
export const READS: SheetHandlers = {
  'SpreadsheetApp.getActiveSpreadsheet': ({ book }) => {
    const { id, locale, timeZone } = book;
    return { id, locale, timeZone };
  },
  'SpreadsheetApp.Spreadsheet.getName': ({ book }, _args, { settings }) => {
    if (settings.nameFails) throw new Exception(REFUSED);
    return book.name;
  },
  'SpreadsheetApp.Spreadsheet.getSheets': ({ book }) => book.sheets.map(({ id, name }) => ({ id, name })),
  'SpreadsheetApp.getActiveRange': ({ book }, _args, context) => {
    if (context.settings.ownCellFails && context.kind === 'formula') throw new Exception(REFUSED);
    return getActiveArea(book, context);
  },
  'SpreadsheetApp.getActiveRangeList': ({ book }, _args, context) => {
    const active = getActiveArea(book, context);
    const areas = context.cell === null && book.selected.length > 0 ? book.selected : [active];
    return areas.map((area) => ({ ...area, sheet: active.sheet }));
  },
  'SpreadsheetApp.Sheet.getDataRange': ({ book }, args) => {
    const sheet = book.sheet(args.number(0));
    const { name, maxRows, maxColumns, hidden, filter, filteredColumns } = sheet;
    const { rows, columns } = book.extent(sheet.id);
    return { name, rows, columns, maxRows, maxColumns, hidden, filter, filteredColumns };
  },
  'SpreadsheetApp.Sheet.getColumnWidth': ({ book }, args) => {
    const sheet = book.sheet(args.number(0));
    const column = args.number(1);
    checkBounds({ row: 1, column, rows: 1, columns: 1 }, sheet);
    return sheet.columnWidths[column] ?? COLUMN_WIDTH;
  },
  'SpreadsheetApp.Sheet.getRange': ({ book }, args) => {
    const sheet = book.sheet(args.number(0));
    const { area, id } = Array.isArray(args.at(1))
      ? { area: toArea(args.at(1)), id: sheet.id }
      : resolveNotation(book, sheet, args);
    return { sheet: id, ...checkBounds(area, book.sheet(id)) };
  },
  'SpreadsheetApp.Range.getValues': readLayer('values'),
  'SpreadsheetApp.Range.getFormulas': readLayer('formulas'),
  'SpreadsheetApp.Range.getNotes': readLayer('notes'),
  'SpreadsheetApp.Range.getNumberFormats': readLayer('formats', GENERAL),
  'SpreadsheetApp.Range.getDisplayValues': (view, args) => {
    const { sheet, area } = readRange(view, args);
    return view.book.display(sheet.id, area);
  },
  // Reference "getRichTextValues": null for a cell without text.
  'SpreadsheetApp.Range.getRichTextValues': (view, args) => {
    const { sheet, area } = readRange(view, args);
    const links = view.book.read('links', sheet.id, area, null);
    return view.book
      .read('values', sheet.id, area, '')
      .map((row, r) =>
        row.map((text, c) => (typeof text === 'string' ? { text, runs: links[r]?.[c] ?? [] } : null)),
      );
  },
  'SpreadsheetApp.Range.getMergedRanges': (view, args) => {
    const { sheet, area } = readRange(view, args);
    return sheet.merges
      .filter((merge) => overlaps(merge, area))
      .map((merge) => ({ ...merge, sheet: sheet.id }));
  },
  'SpreadsheetApp.Range.canEdit': (view, args) => {
    const { sheet, area } = readRange(view, args);
    return canEditArea(view, sheet, area);
  },
  'SpreadsheetApp.Sheet.getProtections': (view, args) =>
    describeProtections(view, view.book.sheet(args.number(0)), args.string(1)),
  'SpreadsheetApp.Spreadsheet.getProtections': (view, args) =>
    view.book.sheets.flatMap((sheet) => describeProtections(view, sheet, args.string(0))),
  ...STYLE_READS,
};

function describeProtections(view: View, sheet: Sheet, type: string) {
  const describe = (protection: ProtectionData) => ({
    type,
    range: { ...(protection.area ?? getWholeSheet(sheet)), sheet: sheet.id },
    canEdit: canEditProtection(view, protection),
  });
  const hasType = (protection: ProtectionData) => (protection.area ? 'RANGE' : 'SHEET') === type;
  return sheet.protections.filter(hasType).map(describe);
}

/** Reference "getActiveRange": in a custom function, the cell of the formula. */
function getActiveArea(book: MutableWorkbook, context: Context): Block {
  const place: Place | undefined = context.cell ?? book.active;
  const sheet = (place && book.sheets.find(({ name }) => name === place.sheet)) ?? book.sheets[0];
  if (!sheet) throw new Error('the workbook has no sheets');
  const { row = 1, column = 1, rows = 1, columns = 1 } = place ?? {};
  return { sheet: sheet.id, row, column, rows, columns };
}

function resolveNotation(
  book: MutableWorkbook,
  sheet: Sheet,
  args: Args,
): { readonly area: Area; readonly id: number } {
  const text = args.string(1);
  const name = parseA1(text, sheet)?.sheet ?? null;
  const target = name === null ? sheet : book.sheets.find((item) => item.name === name);
  // Open ends, as in A2:A, extend to the end of the named sheet.
  const parsed = target && parseA1(text, target);
  if (!parsed) throw new Exception('Range not found');
  return { area: parsed.area, id: target.id };
}

function toArea(value: unknown): Area {
  const [row, column, rows, columns] = Array.isArray(value) ? value.map(Number) : [];
  return { row: row ?? 1, column: column ?? 1, rows: rows ?? 1, columns: columns ?? 1 };
}
