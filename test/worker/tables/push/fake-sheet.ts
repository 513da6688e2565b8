// A spreadsheet as the Sheets API keeps it: grids of cells, ranges in A1 notation, what is read of an input.

/** What a cell holds. */
export type Held = string | number | boolean;

/** A cell; one with a formula was typed or has been parsed. */
export interface Cell {
  value: Held;
  formula?: string;
  /** The pattern of its number format. */
  format?: string;
  note?: string;
  /** `#rrggbb`, or the name of a theme's colour. */
  background?: string;
}

/** What a cell has beside its value; absent leaves it as it is. */
export type Looks = Partial<Record<'note' | 'background', string>>;

/** A refusal in words of Google's. */
export class Refused extends Error {}

const LIMIT = 50_000;
const RANGE = /^'((?:[^']|'')+)'!([A-Z]{1,3})([1-9]\d*):([A-Z]{1,3})([1-9]\d*)$/;

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** What a person's typing would become. */
function typed(text: string): Cell {
  if (text.startsWith("'")) return { value: text.slice(1) };
  if (/^[=+]/.test(text) && text.length > 1) return { value: '#ERROR!', formula: text };
  if (text.trim() !== '' && !Number.isNaN(Number(text))) return { value: Number(text) };
  return { value: text };
}

/** One sheet. */
export class Grid {
  readonly sheetId: number;
  title: string;
  rows: number;
  columns: number;
  isProtected = false;
  #cells: (Cell | undefined)[][] = [];

  constructor(sheetId: number, title: string, rows = 20, columns = 10) {
    this.sheetId = sheetId;
    this.title = title;
    this.rows = rows;
    this.columns = columns;
  }

  /** What stands in a cell; rows and columns from 1. */
  cell(row: number, column: number): Cell | undefined {
    return this.#cells[row - 1]?.[column - 1];
  }

  /** Puts something into a cell as a person would who knows what they want. */
  set(row: number, column: number, cell: Cell | undefined): void {
    if (row < 1 || column < 1 || row > this.rows || column > this.columns)
      throw new Error('outside the grid');
    const cells = this.#cells[row - 1] ?? [];
    cells[column - 1] = cell;
    this.#cells[row - 1] = cells;
  }

  /** Puts values in from a cell on; '' leaves a cell blank. */
  fill(row: number, column: number, values: readonly (readonly Held[])[]): void {
    values.forEach((line, r) => {
      line.forEach((value, c) => {
        this.set(row + r, column + c, value === '' ? undefined : { value });
      });
    });
  }

  /** All values, blank rows and cells at the end left out. */
  values(row = 1, lastRow = this.rows, column = 1, lastColumn = this.columns): Held[][] {
    const lines = Array.from({ length: lastRow - row + 1 }, (_, r) =>
      trimmed(
        Array.from(
          { length: lastColumn - column + 1 },
          (_, c) => this.cell(row + r, column + c)?.value ?? '',
        ),
      ),
    );
    return lines.slice(0, lines.findLastIndex((line) => line.length > 0) + 1);
  }

  /** Changes what a cell has beside its value; '' takes it away. */
  dress(row: number, column: number, looks: Looks): void {
    const { note, background, ...rest } = { value: '', ...this.cell(row, column) };
    const dressed = { note: looks.note ?? note ?? '', background: looks.background ?? background ?? '' };
    this.set(row, column, {
      ...rest,
      ...(dressed.note === '' ? {} : { note: dressed.note }),
      ...(dressed.background === '' ? {} : { background: dressed.background }),
    });
  }

  /** Moves columns about: `order` names, for each place, the column that comes there. */
  reorder(order: readonly number[]): void {
    this.#cells = Array.from({ length: this.rows }, (_, r) =>
      order.map((column) => this.cell(r + 1, column)),
    );
  }

  /** Moves rows about below a heading row. */
  reverse(heading: number): void {
    const { length } = this.values();
    const body = Array.from({ length: length - heading }, (_, r) => this.#cells[heading + r] ?? []);
    this.#cells.splice(heading, body.length, ...body.reverse());
  }

  /** How many cells have a formula. */
  get formulas(): number {
    return this.#cells.flat().filter((cell) => cell?.formula !== undefined).length;
  }

  /** A copy of everything that it holds. */
  snapshot(): unknown {
    return structuredClone(this.#cells);
  }
}

function trimmed(line: Held[]): Held[] {
  return line.slice(0, line.findLastIndex((value) => value !== '') + 1);
}

/** A range that was read: its sheet, and rows and columns from 1. */
interface Block {
  grid: Grid;
  row: number;
  lastRow: number;
  column: number;
  lastColumn: number;
}

/** @throws Refused where it names no sheet, or cells that are not there */
export function blockOf(grids: readonly Grid[], range: string): Block {
  const [, title, left = '', top, right = '', bottom] = RANGE.exec(range) ?? [];
  const grid = grids.find((each) => each.title === title?.replaceAll("''", "'"));
  if (grid === undefined) throw new Refused(`Unable to parse range: ${range}`);
  const block = {
    grid,
    row: Number(top),
    lastRow: Number(bottom),
    column: columnOf(left),
    lastColumn: columnOf(right),
  };
  if (block.lastRow > grid.rows || block.lastColumn > grid.columns) {
    throw new Refused(
      `Range (${range}) exceeds grid limits. Max rows: ${grid.rows}, max columns: ${grid.columns}`,
    );
  }
  if (block.lastRow < block.row || block.lastColumn < block.column) throw new Error(`upside down: ${range}`);
  return block;
}

/** A cell that is written; undefined clears it. */
interface Input {
  row: number;
  column: number;
  cell: Cell | undefined;
}

/** The cells that an input becomes; nothing is written. @throws Refused, Error where it is no input that the API takes */
export function inputOf(
  { grid, row, lastRow, column, lastColumn }: Block,
  values: readonly (readonly unknown[])[],
  option: unknown,
): Input[] {
  if (option !== 'RAW' && option !== 'USER_ENTERED') throw new Refused('Invalid valueInputOption');
  if (grid.isProtected) {
    throw new Refused(
      'You are trying to edit a protected cell or object. Please contact the spreadsheet owner.',
    );
  }
  return values.flatMap((line, r) => {
    if (row + r > lastRow || column + line.length - 1 > lastColumn) {
      throw new Refused(`Requested writing within range, but tried writing to row [${row + r}]`);
    }
    return line.flatMap((value, c): Input[] => {
      const place = { row: row + r, column: column + c };
      if (value === null) return [];
      if (value === '') return [{ ...place, cell: undefined }];
      if (typeof value === 'string' && value.length > LIMIT) {
        throw new Refused(
          `Your input contains more than the maximum of ${LIMIT} characters in a single cell.`,
        );
      }
      if (typeof value === 'string') return [{ ...place, cell: option === 'RAW' ? { value } : typed(value) }];
      if (typeof value === 'number' || typeof value === 'boolean') return [{ ...place, cell: { value } }];
      throw new Refused(`Invalid values[${r}][${c}]`);
    });
  });
}
