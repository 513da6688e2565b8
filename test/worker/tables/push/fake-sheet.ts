// Fake sheet: a grid of cells, A1 ranges, and how the API interprets input.
import { mapLines, shiftMetadata } from '../../../../addon/dev/host/sheets/developer-metadata.ts';
import { type Shift, shiftLayer } from '../../../../addon/dev/host/sheets/layers.ts';
import type { MetadataEntry, Write } from '../../../../addon/dev/host/types.ts';
import { formatMark, markKey } from '../../../../shared/table/locate.ts';

export type CellValue = string | number | boolean;

export interface Cell {
  value: CellValue;
  formula?: string;
  /** Pattern of the number format. */
  format?: string;
  /** The target of the link that the text shows. */
  link?: string;
  note?: string;
  /** `#rrggbb`, or the name of a theme colour. */
  background?: string;
}

/** Format changes of a cell. */
export type CellFormats = Partial<Record<'note' | 'background', string>>;

/** A rejection with Google's message. */
export class RefusedError extends Error {}

const MAX_CELL_LENGTH = 50_000;
const RANGE = /^'((?:[^']|'')+)'!([A-Z]{1,3})([1-9]\d*):([A-Z]{1,3})([1-9]\d*)$/;

const parseColumn = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Parses input like `USER_ENTERED`. */
function parseTyped(text: string): Cell {
  if (text.startsWith("'")) return { value: text.slice(1) };
  if (/^[=+]/.test(text) && text.length > 1) return { value: '#ERROR!', formula: text };
  if (text.trim() !== '' && !Number.isNaN(Number(text))) return { value: Number(text) };
  return { value: text };
}

export class FakeSheet {
  readonly sheetId: number;
  title: string;
  rows: number;
  columns: number;
  isProtected = false;
  /** Developer metadata of the sheet, its rows and columns. */
  metadata: readonly MetadataEntry[] = [];
  #cells: (Cell | undefined)[][] = [];

  constructor(sheetId: number, title: string, rows = 20, columns = 10) {
    this.sheetId = sheetId;
    this.title = title;
    this.rows = rows;
    this.columns = columns;
  }

  /** Returns a cell; rows and columns from 1. */
  cell(row: number, column: number): Cell | undefined {
    return this.#cells[row - 1]?.[column - 1];
  }

  set(row: number, column: number, cell: Cell | undefined): void {
    if (row < 1 || column < 1 || row > this.rows || column > this.columns)
      throw new Error('outside the grid');
    const cells = this.#cells[row - 1] ?? [];
    cells[column - 1] = cell;
    this.#cells[row - 1] = cells;
  }

  /** Sets values from a cell on; '' clears a cell. */
  fill(row: number, column: number, values: readonly (readonly CellValue[])[]): void {
    values.forEach((line, r) => {
      line.forEach((value, c) => {
        this.set(row + r, column + c, value === '' ? undefined : { value });
      });
    });
  }

  /** Returns values without trailing blank rows and cells. @param withFormulas - formulas instead of their results */
  values(
    row = 1,
    lastRow = this.rows,
    column = 1,
    lastColumn = this.columns,
    withFormulas = false,
  ): CellValue[][] {
    const read = (cell: Cell | undefined): CellValue =>
      (withFormulas ? cell?.formula : undefined) ?? cell?.value ?? '';
    const lines = Array.from({ length: lastRow - row + 1 }, (_, r) =>
      trimEnd(
        Array.from({ length: lastColumn - column + 1 }, (_, c) => read(this.cell(row + r, column + c))),
      ),
    );
    return lines.slice(0, lines.findLastIndex((line) => line.length > 0) + 1);
  }

  /** Changes note and background; '' removes them. */
  setFormat(row: number, column: number, formats: CellFormats): void {
    const { note, background, ...rest } = { value: '', ...this.cell(row, column) };
    const merged = { note: formats.note ?? note ?? '', background: formats.background ?? background ?? '' };
    this.set(row, column, {
      ...rest,
      ...(merged.note === '' ? {} : { note: merged.note }),
      ...(merged.background === '' ? {} : { background: merged.background }),
    });
  }

  /** Reorders columns or rows: `order` names the old one of each new one. */
  reorder(axis: Shift['axis'], order: readonly number[]): void {
    this.#cells = Array.from({ length: this.rows }, (_, r) =>
      axis === 'row'
        ? (this.#cells[(order[r] ?? 0) - 1] ?? [])
        : order.map((column) => this.cell(r + 1, column)),
    );
    this.metadata = mapLines(this.metadata, this.sheetId, axis, (at) => order.indexOf(at) + 1 || null);
  }

  /** Moves the last row or column of an area, sorts rows, and inserts or deletes rows or columns, as a person does. */
  apply(write: Write): void {
    if (write.kind === 'moveRows' || write.kind === 'moveColumns') {
      const axis = write.kind === 'moveRows' ? 'row' : 'column';
      const from = write.kind === 'moveRows' ? write.row : write.column;
      const order = Array.from({ length: this[`${axis}s`] }, (_, at) => at + 1);
      order.splice(write.to - 1, 0, ...order.splice(from - 1, 1));
      this.reorder(axis, order);
    } else if (write.kind === 'sort') {
      const { row, rows } = write.area;
      const body = write.order.map((at) => this.#cells[row - 1 + at] ?? []);
      this.#cells.splice(row - 1, rows, ...body);
    } else if (write.kind === 'insertRows' || write.kind === 'deleteRows')
      this.shift({ axis: 'row', at: write.row, count: write.kind === 'insertRows' ? 1 : -1 });
    else if (write.kind === 'insertColumns' || write.kind === 'deleteColumns')
      this.shift({ axis: 'column', at: write.column, count: write.kind === 'insertColumns' ? 1 : -1 });
    else throw new Error(`not a change of a closed sheet: ${write.kind}`);
  }

  /** Inserts or deletes rows or columns. */
  shift(shift: Shift): void {
    shiftLayer<Cell | undefined>(this.#cells, shift, undefined);
    this[`${shift.axis}s`] += shift.count;
    this.metadata = shiftMetadata(this.metadata, this.sheetId, shift);
  }

  /** Copies cells and formats. */
  copy(sheetId: number, title: string): FakeSheet {
    const copy = new FakeSheet(sheetId, title, this.rows, this.columns);
    copy.#cells = structuredClone(this.#cells);
    return copy;
  }

  /** Reverses the rows below a heading row. */
  reverseRows(heading: number): void {
    const { length } = this.values();
    const body = Array.from({ length: length - heading }, (_, r) => this.#cells[heading + r] ?? []);
    this.#cells.splice(heading, body.length, ...body.reverse());
  }

  get formulaCount(): number {
    return this.#cells.flat().filter((cell) => cell?.formula !== undefined).length;
  }

  snapshot(): unknown {
    return structuredClone(this.#cells);
  }
}

function trimEnd(line: CellValue[]): CellValue[] {
  return line.slice(0, line.findLastIndex((value) => value !== '') + 1);
}

interface CellRange {
  sheet: FakeSheet;
  row: number;
  lastRow: number;
  column: number;
  lastColumn: number;
}

/** Parses an A1 range. @throws RefusedError for an unknown sheet or cells outside the grid */
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
  if (block.lastRow < block.row || block.lastColumn < block.column)
    throw new Error(`invalid range: ${range}`);
  return block;
}

/** A cell to write; undefined clears it. */
interface CellInput {
  row: number;
  column: number;
  cell: Cell | undefined;
}

/** Converts input to cells without writing them. @throws RefusedError */
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
      const position = { row: row + r, column: column + c };
      if (value === null) return [];
      if (value === '') return [{ ...position, cell: undefined }];
      if (typeof value === 'string' && value.length > MAX_CELL_LENGTH) {
        throw new RefusedError(
          `Your input contains more than the maximum of ${MAX_CELL_LENGTH} characters in a single cell.`,
        );
      }
      if (typeof value === 'string')
        return [{ ...position, cell: option === 'RAW' ? { value } : parseTyped(value) }];
      if (typeof value === 'number' || typeof value === 'boolean') return [{ ...position, cell: { value } }];
      throw new RefusedError(`Invalid values[${r}][${c}]`);
    });
  });
}

/** Marks a row and its columns with the headings of a table, as the program that made it does. */
export function markTable(
  sheet: FakeSheet,
  tableId: string,
  columns: readonly { id: string; heading: string }[],
  row = 1,
): void {
  const [cells = []] = sheet.values(row, row);
  const add = (type: 'ROW' | 'COLUMN', at: number, value: string): void => {
    const id = 1 + sheet.sheetId * 1000 + sheet.metadata.length;
    const location = { type, sheet: sheet.sheetId, at };
    sheet.metadata = [...sheet.metadata, { id, key: markKey, value, visibility: 'DOCUMENT', location }];
  };
  add('ROW', row, formatMark(tableId));
  for (const { id, heading } of columns) {
    const at = cells.indexOf(heading) + 1;
    if (at > 0) add('COLUMN', at, formatMark(tableId, id));
  }
}
