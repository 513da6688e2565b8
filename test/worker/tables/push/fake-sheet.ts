// A spreadsheet as the Sheets API keeps it: grids of cells, ranges in A1 notation, what is read of an input.

/** What a cell holds. */
export type CellValue = string | number | boolean;

/** A cell; one with a formula was typed or has been parsed. */
export interface Cell {
  value: CellValue;
  formula?: string;
  /** The pattern of its number format. */
  format?: string;
  note?: string;
  /** `#rrggbb`, or the name of a theme's colour. */
  background?: string;
}

/** What a cell has beside its value; absent leaves it as it is. */
export type CellFormats = Partial<Record<'note' | 'background', string>>;

/** A refusal in words of Google's. */
export class RefusedError extends Error {}

const MAX_CELL_LENGTH = 50_000;
const RANGE = /^'((?:[^']|'')+)'!([A-Z]{1,3})([1-9]\d*):([A-Z]{1,3})([1-9]\d*)$/;

const parseColumn = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** What a person's typing would become. */
function parseTyped(text: string): Cell {
  if (text.startsWith("'")) return { value: text.slice(1) };
  if (/^[=+]/.test(text) && text.length > 1) return { value: '#ERROR!', formula: text };
  if (text.trim() !== '' && !Number.isNaN(Number(text))) return { value: Number(text) };
  return { value: text };
}

/** One sheet. */
export class FakeSheet {
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
  fill(row: number, column: number, values: readonly (readonly CellValue[])[]): void {
    values.forEach((line, r) => {
      line.forEach((value, c) => {
        this.set(row + r, column + c, value === '' ? undefined : { value });
      });
    });
  }

  /** All values, blank rows and cells at the end left out. */
  values(row = 1, lastRow = this.rows, column = 1, lastColumn = this.columns): CellValue[][] {
    const lines = Array.from({ length: lastRow - row + 1 }, (_, r) =>
      trimEnd(
        Array.from(
          { length: lastColumn - column + 1 },
          (_, c) => this.cell(row + r, column + c)?.value ?? '',
        ),
      ),
    );
    return lines.slice(0, lines.findLastIndex((line) => line.length > 0) + 1);
  }

  /** Changes what a cell has beside its value; '' takes it away. */
  setFormat(row: number, column: number, looks: CellFormats): void {
    const { note, background, ...rest } = { value: '', ...this.cell(row, column) };
    const dressed = { note: looks.note ?? note ?? '', background: looks.background ?? background ?? '' };
    this.set(row, column, {
      ...rest,
      ...(dressed.note === '' ? {} : { note: dressed.note }),
      ...(dressed.background === '' ? {} : { background: dressed.background }),
    });
  }

  /** Moves columns about: `order` names, for each place, the column that comes there. */
  reorderColumns(order: readonly number[]): void {
    this.#cells = Array.from({ length: this.rows }, (_, r) =>
      order.map((column) => this.cell(r + 1, column)),
    );
  }

  /** Moves rows about below a heading row. */
  reverseRows(heading: number): void {
    const { length } = this.values();
    const body = Array.from({ length: length - heading }, (_, r) => this.#cells[heading + r] ?? []);
    this.#cells.splice(heading, body.length, ...body.reverse());
  }

  /** How many cells have a formula. */
  get formulaCount(): number {
    return this.#cells.flat().filter((cell) => cell?.formula !== undefined).length;
  }

  /** A copy of everything that it holds. */
  snapshot(): unknown {
    return structuredClone(this.#cells);
  }
}

function trimEnd(line: CellValue[]): CellValue[] {
  return line.slice(0, line.findLastIndex((value) => value !== '') + 1);
}

/** A range that was read: its sheet, and rows and columns from 1. */
interface CellRange {
  sheet: FakeSheet;
  row: number;
  lastRow: number;
  column: number;
  lastColumn: number;
}

/** @throws Refused where it names no sheet, or cells that are not there */
export function parseRange(grids: readonly FakeSheet[], range: string): CellRange {
  const [, title, left = '', top, right = '', bottom] = RANGE.exec(range) ?? [];
  const sheet = grids.find((each) => each.title === title?.replaceAll("''", "'"));
  if (sheet === undefined) throw new RefusedError(`Unable to parse range: ${range}`);
  const block = {
    sheet,
    row: Number(top),
    lastRow: Number(bottom),
    column: parseColumn(left),
    lastColumn: parseColumn(right),
  };
  if (block.lastRow > sheet.rows || block.lastColumn > sheet.columns) {
    throw new RefusedError(
      `Range (${range}) exceeds grid limits. Max rows: ${sheet.rows}, max columns: ${sheet.columns}`,
    );
  }
  if (block.lastRow < block.row || block.lastColumn < block.column) throw new Error(`upside down: ${range}`);
  return block;
}

/** A cell that is written; undefined clears it. */
interface CellInput {
  row: number;
  column: number;
  cell: Cell | undefined;
}

/** The cells that an input becomes; nothing is written. @throws Refused, Error where it is no input that the API takes */
export function toCellInputs(
  { sheet, row, lastRow, column, lastColumn }: CellRange,
  values: readonly (readonly unknown[])[],
  option: unknown,
): CellInput[] {
  if (option !== 'RAW' && option !== 'USER_ENTERED') throw new RefusedError('Invalid valueInputOption');
  if (sheet.isProtected) {
    throw new RefusedError(
      'You are trying to edit a protected cell or object. Please contact the spreadsheet owner.',
    );
  }
  return values.flatMap((line, r) => {
    if (row + r > lastRow || column + line.length - 1 > lastColumn) {
      throw new RefusedError(`Requested writing within range, but tried writing to row [${row + r}]`);
    }
    return line.flatMap((value, c): CellInput[] => {
      const place = { row: row + r, column: column + c };
      if (value === null) return [];
      if (value === '') return [{ ...place, cell: undefined }];
      if (typeof value === 'string' && value.length > MAX_CELL_LENGTH) {
        throw new RefusedError(
          `Your input contains more than the maximum of ${MAX_CELL_LENGTH} characters in a single cell.`,
        );
      }
      if (typeof value === 'string')
        return [{ ...place, cell: option === 'RAW' ? { value } : parseTyped(value) }];
      if (typeof value === 'number' || typeof value === 'boolean') return [{ ...place, cell: { value } }];
      throw new RefusedError(`Invalid values[${r}][${c}]`);
    });
  });
}
