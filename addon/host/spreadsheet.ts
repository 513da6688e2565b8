// SpreadsheetApp, the host's side: each execution works on a snapshot; what it writes is handed out as a journal.
import { type Area, readA1 } from './a1.ts';
import { Book, type Sheet } from './book.ts';
import { type Args, type Context, Exception, type Handler, type Handlers } from './calls.ts';
import { entered } from './entry.ts';
import { STYLES, styleOf } from './styles.ts';
import type { CellValue, Journal, Workbook, Write } from './types.ts';

/** An execution's snapshot, and what it wrote since the last flush. */
interface View {
  readonly book: Book;
  readonly journal: Write[];
}

export interface SpreadsheetsOptions {
  readonly workbook: Workbook | (() => Workbook | Promise<Workbook>);
  readonly timeZone: string;
  readonly owner: () => string;
  readonly onWrites: (journal: Journal) => void | Promise<void>;
}

/** The spreadsheet of one host. */
export class Spreadsheets {
  readonly #options: SpreadsheetsOptions;
  readonly #kept: Book | null;
  readonly #views = new WeakMap<Context, View>();

  constructor(options: SpreadsheetsOptions) {
    this.#options = options;
    const { workbook, timeZone } = options;
    this.#kept = typeof workbook === 'function' ? null : new Book(workbook, timeZone);
  }

  /** The workbook that the host keeps; throws where someone else keeps it. */
  get workbook(): Workbook {
    if (!this.#kept) throw new Error('the workbook is kept by who passed it as a function');
    return this.#kept.data;
  }

  /** Hands over what an execution has written so far; its next look sees the workbook as it is then. */
  async commit(context: Context): Promise<void> {
    const view = this.#views.get(context);
    this.#views.delete(context);
    if (!view || view.journal.length === 0) return;
    this.#kept?.apply(view.journal);
    await this.#options.onWrites(view.journal);
  }

  async #view(context: Context): Promise<View> {
    const known = this.#views.get(context);
    if (known) return known;
    const { workbook, timeZone } = this.#options;
    const data = typeof workbook === 'function' ? await workbook() : this.workbook;
    const view: View = { book: new Book(data, timeZone), journal: [] };
    this.#views.set(context, view);
    return view;
  }

  /** The calls of SpreadsheetApp; those on a range start with its sheet's id, row, column, rows and columns. */
  get handlers(): Handlers {
    return { ...this.#looks, ...this.#changes };
  }

  readonly #looks: Handlers = {
    'SpreadsheetApp.getActiveSpreadsheet': this.#look(({ book }) => {
      const { id, name, locale, timeZone } = book;
      return { id, name, locale, timeZone, owner: this.#options.owner() };
    }),
    'SpreadsheetApp.Spreadsheet.getSheets': this.#look(({ book }) =>
      book.sheets.map(({ id, name }) => ({ id, name })),
    ),
    'SpreadsheetApp.getActiveRange': this.#look(({ book }, _args, context) => activeArea(book, context)),
    'SpreadsheetApp.Sheet.getDataRange': this.#look(({ book }, args) => {
      const { rows, columns } = book.extent(args.number(0));
      const { name, maxRows, maxColumns, frozenRows } = book.sheet(args.number(0));
      return { name, rows, columns, maxRows, maxColumns, frozenRows };
    }),
    'SpreadsheetApp.Sheet.getRange': this.#look(({ book }, args) => {
      const sheet = book.sheet(args.number(0));
      const { area, id } = Array.isArray(args.at(1))
        ? { area: areaOf(args.at(1)), id: sheet.id }
        : named(book, sheet, args);
      return { sheet: id, ...inside(area, book.sheet(id)) };
    }),
    'SpreadsheetApp.Range.getValues': this.#look(({ book }, args) =>
      book.read('values', args.number(0), areaAt(args), ''),
    ),
    'SpreadsheetApp.Range.getFormulas': this.#look(({ book }, args) =>
      book.read('formulas', args.number(0), areaAt(args), ''),
    ),
    'SpreadsheetApp.Range.getNumberFormats': this.#look(({ book }, args) =>
      book
        .read('formats', args.number(0), areaAt(args), '')
        .map((row) => row.map((format) => format || '0.###############')),
    ),
    'SpreadsheetApp.Range.getDisplayValues': this.#look(({ book }, args) =>
      book.display(args.number(0), areaAt(args)),
    ),
  };

  readonly #changes: Handlers = {
    ...under(
      ['SpreadsheetApp.Range.setValue', 'SpreadsheetApp.Range.setValues'],
      this.#look((view, args) => write(view, enteredAt(view.book, args))),
    ),
    ...under(
      ['SpreadsheetApp.Range.setFormula', 'SpreadsheetApp.Range.setFormulas'],
      this.#look((view, args) => {
        const formulas = texts(args).map((row) =>
          row.map((text) => (text === '' || text.startsWith('=') ? text : `=${text}`)),
        );
        write(view, [{ kind: 'formulas', ...at(args), formulas }]);
      }),
    ),
    ...under(
      ['SpreadsheetApp.Range.setNumberFormat', 'SpreadsheetApp.Range.setNumberFormats'],
      this.#look((view, args) => write(view, [{ kind: 'formats', ...at(args), formats: texts(args) }])),
    ),
    ...under(
      ['SpreadsheetApp.Range.clear', 'SpreadsheetApp.Range.clearContent'],
      this.#look((view, args) => {
        const { rows, columns } = areaAt(args);
        write(view, [{ kind: 'clear', ...at(args), rows, columns }]);
      }),
    ),
    ...Object.fromEntries(
      Object.keys(STYLES).map((name) => [
        `SpreadsheetApp.Range.${name}`,
        this.#look((view, args) => {
          const { rows, columns } = areaAt(args);
          write(view, [
            { kind: 'style', ...at(args), rows, columns, style: styleOf(name), value: args.text(5) },
          ]);
        }),
      ]),
    ),
    'SpreadsheetApp.Range.activate': this.#look((view, args) => {
      const { rows, columns } = areaAt(args);
      write(view, [{ kind: 'select', ...at(args), rows, columns }]);
    }),
    'SpreadsheetApp.Sheet.setFrozenRows': this.#look((view, args) => {
      write(view, [{ kind: 'freeze', sheet: args.number(0), rows: args.number(1) }]);
    }),
    'SpreadsheetApp.Spreadsheet.insertSheet': this.#look((view, args) => {
      const { sheets } = view.book;
      const name = args.at(0) === null ? freeName(sheets) : args.text(0);
      if (sheets.some((sheet) => sheet.name === name)) {
        throw new Exception(`A sheet with the name "${name}" already exists. Please enter another name.`);
      }
      const sheet = Math.max(0, ...sheets.map(({ id }) => id)) + 1;
      write(view, [
        { kind: 'insertSheet', sheet, name, index: sheets.length },
        { kind: 'select', sheet, row: 1, column: 1, rows: 1, columns: 1 },
      ]);
      return { id: sheet, name };
    }),
    'SpreadsheetApp.flush': async (context) => {
      await this.commit(context);
      return null;
    },
  };

  #look(look: (view: View, args: Args, context: Context) => unknown): Handler {
    return async (context, args) => look(await this.#view(context), args, context) ?? null;
  }
}

function under(names: readonly string[], handler: Handler): Handlers {
  return Object.fromEntries(names.map((name) => [name, handler]));
}

function write(view: View, journal: Journal): void {
  view.book.apply(journal);
  view.journal.push(...journal);
}

/** Reference "getActiveRange": in a custom function it is the cell that holds the formula. */
function activeArea(book: Book, context: Context): Area & { readonly sheet: number } {
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
  const found = readA1(args.text(1), sheet);
  const other = found?.sheet == null ? sheet : book.sheets.find(({ name }) => name === found.sheet);
  if (!found || !other) throw new Exception('Range not found');
  return { area: found.area, id: other.id };
}

function areaOf(value: unknown): Area {
  const [row, column, rows, columns] = Array.isArray(value) ? value.map(Number) : [];
  return { row: row ?? 1, column: column ?? 1, rows: rows ?? 1, columns: columns ?? 1 };
}

function areaAt(args: Args): Area {
  return { row: args.number(1), column: args.number(2), rows: args.number(3), columns: args.number(4) };
}

function at(args: Args): { readonly sheet: number; readonly row: number; readonly column: number } {
  return { sheet: args.number(0), row: args.number(1), column: args.number(2) };
}

const TOO_SMALL: readonly (readonly [keyof Area, string])[] = [
  ['row', 'The starting row of the range is too small.'],
  ['column', 'The starting column of the range is too small.'],
  ['rows', 'The number of rows in the range must be at least 1.'],
  ['columns', 'The number of columns in the range must be at least 1.'],
];

function inside(area: Area, sheet: Sheet): Area {
  for (const [field, words] of TOO_SMALL) if (area[field] < 1) throw new Exception(words);
  if (area.row + area.rows - 1 > sheet.maxRows || area.column + area.columns - 1 > sheet.maxColumns) {
    throw new Exception('The coordinates of the range are outside the dimensions of the sheet.');
  }
  return area;
}

/** Rows that have the size of the range; throws, in Google's words, where they have another. */
function sized(args: Args): CellValue[][] {
  const { rows, columns } = areaAt(args);
  const cells = args.cells(5);
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

function texts(args: Args): string[][] {
  return sized(args).map((row) => row.map(String));
}

/** The writes of a block of values: the values as one block, then each formula among them. */
function enteredAt(book: Book, args: Args): Journal {
  const place = at(args);
  const formats = book.read('formats', place.sheet, areaAt(args), '');
  const entries = sized(args).map((row, r) =>
    row.map((value, c) => entered(value, formats[r]?.[c] ?? '', book.timeZone)),
  );
  const values = entries.map((row) => row.map((entry) => (entry.formula === undefined ? entry.value : '')));
  const formulas = entries.flatMap((row, r) =>
    row.flatMap((entry, c): Write[] =>
      entry.formula === undefined
        ? []
        : [
            {
              kind: 'formulas',
              sheet: place.sheet,
              row: place.row + r,
              column: place.column + c,
              formulas: [[entry.formula]],
            },
          ],
    ),
  );
  return [{ kind: 'values', ...place, values }, ...formulas];
}

function freeName(sheets: readonly Sheet[]): string {
  for (let number = sheets.length + 1; ; number++) {
    if (!sheets.some(({ name }) => name === `Sheet${number}`)) return `Sheet${number}`;
  }
}
