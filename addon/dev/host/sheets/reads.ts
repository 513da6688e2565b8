// Handlers of SpreadsheetApp calls that only read.

import { type Args, type Context, Exception } from '../calls.ts';
import { readA1 } from './a1.ts';
import { overlap } from './layers.ts';
import type { Book, Sheet } from './mutable-workbook.ts';
import { STYLES, styleName } from './styles.ts';
import { areaAt, inside, isFree, type Look, type Looks, mayEdit, type View, wholeOf } from './view.ts';
import type { Area, ProtectionData } from './workbook.ts';

/** Reference "getNumberFormats": the default format. */
const GENERAL = '0.###############';

/** Getters of cell styles. */
const STYLE_LOOKS: Looks = Object.fromEntries(
  STYLES.flatMap((style): [string, Look][] => {
    const { empty, many } = style;
    if (empty === null) return [];
    const read: Look = (view, args) =>
      view.book
        .style(styleName(style), args.number(0), areaAt(view, args), String(empty))
        .map((row) => row.map((look) => (typeof empty === 'number' ? Number(look) : look)));
    return [[`SpreadsheetApp.Range.get${many}`, read]];
  }),
);

/** Handlers of calls that change nothing. */
export const LOOKS: Looks = {
  'SpreadsheetApp.getActiveSpreadsheet': ({ book, owner }) => {
    const { id, name, locale, timeZone } = book;
    return { id, name, locale, timeZone, owner };
  },
  'SpreadsheetApp.Spreadsheet.getSheets': ({ book }) => book.sheets.map(({ id, name }) => ({ id, name })),
  'SpreadsheetApp.getActiveRange': ({ book }, _args, context) => activeArea(book, context),
  'SpreadsheetApp.getActiveRangeList': ({ book }, _args, context) => {
    const active = activeArea(book, context);
    const areas = context.cell === null && book.selected.length > 0 ? book.selected : [active];
    return areas.map((area) => ({ ...area, sheet: active.sheet }));
  },
  'SpreadsheetApp.Sheet.getDataRange': ({ book }, args) => {
    const sheet = book.sheet(args.number(0));
    const { name, maxRows, maxColumns, frozenRows, frozenColumns, hidden, filter } = sheet;
    const index = book.sheets.indexOf(sheet) + 1;
    const { rows, columns } = book.extent(sheet.id);
    return { name, index, rows, columns, maxRows, maxColumns, frozenRows, frozenColumns, hidden, filter };
  },
  'SpreadsheetApp.Sheet.isHidden': ({ book }, args) => {
    const { hiddenRows, hiddenColumns, filteredRows } = book.sheet(args.number(0));
    const hidden = { rows: hiddenRows, columns: hiddenColumns, filter: filteredRows }[args.text(1)] ?? [];
    return hidden.includes(args.number(2));
  },
  'SpreadsheetApp.Sheet.getRange': ({ book }, args) => {
    const sheet = book.sheet(args.number(0));
    const { area, id } = Array.isArray(args.at(1))
      ? { area: areaOf(args.at(1)), id: sheet.id }
      : named(book, sheet, args);
    return { sheet: id, ...inside(area, book.sheet(id)) };
  },
  'SpreadsheetApp.Range.getValues': (view, args) =>
    view.book.read('values', args.number(0), areaAt(view, args), ''),
  'SpreadsheetApp.Range.getFormulas': (view, args) =>
    view.book.read('formulas', args.number(0), areaAt(view, args), ''),
  'SpreadsheetApp.Range.getNotes': (view, args) =>
    view.book.read('notes', args.number(0), areaAt(view, args), ''),
  'SpreadsheetApp.Range.getNumberFormats': (view, args) =>
    view.book
      .read('formats', args.number(0), areaAt(view, args), '')
      .map((row) => row.map((format) => format || GENERAL)),
  'SpreadsheetApp.Range.getDisplayValues': (view, args) =>
    view.book.display(args.number(0), areaAt(view, args)),
  // Reference "getRichTextValues": null for a cell without text.
  'SpreadsheetApp.Range.getRichTextValues': (view, args) => {
    const area = areaAt(view, args);
    const links = view.book.read('links', args.number(0), area, null);
    return view.book
      .read('values', args.number(0), area, '')
      .map((row, r) =>
        row.map((text, c) => (typeof text === 'string' ? { text, runs: links[r]?.[c] ?? [] } : null)),
      );
  },
  'SpreadsheetApp.Range.getMergedRanges': (view, args) => {
    const area = areaAt(view, args);
    const sheet = view.book.sheet(args.number(0));
    return sheet.merges
      .filter((merge) => overlap(merge, area))
      .map((merge) => ({ ...merge, sheet: sheet.id }));
  },
  'SpreadsheetApp.Range.canEdit': (view, args) =>
    isFree(view, view.book.sheet(args.number(0)), areaAt(view, args)),
  'SpreadsheetApp.Sheet.getProtections': (view, args) =>
    protections(view, view.book.sheet(args.number(0)), args.text(1)),
  'SpreadsheetApp.Spreadsheet.getProtections': (view, args) =>
    view.book.sheets.flatMap((sheet) => protections(view, sheet, args.text(0))),
  ...STYLE_LOOKS,
};

function protections(view: View, sheet: Sheet, type: string) {
  const block = (area: Area) => ({ ...area, sheet: sheet.id });
  const told = (protection: ProtectionData) => ({
    type,
    range: block(protection.area ?? wholeOf(sheet)),
    description: protection.description ?? '',
    warningOnly: protection.warningOnly === true,
    except: (protection.except ?? []).map(block),
    editors: protection.editors,
    canEdit: mayEdit(view, protection),
  });
  const wanted = (protection: ProtectionData) => (protection.area ? 'RANGE' : 'SHEET') === type;
  return sheet.protections.filter(wanted).map(told);
}

/** Reference "getActiveRange": in a custom function, the cell of the formula. */
export function activeArea(book: Book, context: Context): Area & { readonly sheet: number } {
  const place = context.cell ?? book.active;
  const sheet = (place && book.sheets.find(({ name }) => name === place.sheet)) ?? book.sheets[0];
  if (!sheet) throw new Error('a workbook without sheets');
  const one = { row: place?.row ?? 1, column: place?.column ?? 1, rows: 1, columns: 1 };
  const size =
    context.cell === null && book.active
      ? { rows: book.active.rows ?? 1, columns: book.active.columns ?? 1 }
      : {};
  return { sheet: sheet.id, ...one, ...size };
}

function named(book: Book, sheet: Sheet, args: Args): { readonly area: Area; readonly id: number } {
  const text = args.text(1);
  const name = readA1(text, sheet)?.sheet ?? null;
  const other = name === null ? sheet : book.sheets.find((each) => each.name === name);
  // Open ends, as in A2:A, extend to the end of the named sheet.
  const found = other && readA1(text, other);
  if (!found) throw new Exception('Range not found');
  return { area: found.area, id: other.id };
}

function areaOf(value: unknown): Area {
  const [row, column, rows, columns] = Array.isArray(value) ? value.map(Number) : [];
  return { row: row ?? 1, column: column ?? 1, rows: rows ?? 1, columns: columns ?? 1 };
}
