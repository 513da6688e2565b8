// A workbook in memory: reads blocks of it and applies writes to it.
import type { Area } from './a1.ts';
import { formatDate } from './dates.ts';
import type { CellValue, Journal, Place, SheetData, Workbook, Write } from './types.ts';

/** Size of a new sheet in Google Sheets. */
const ROWS = 1000;
const COLUMNS = 26;

/** The layers of a sheet; each is rows of cells and may be ragged. */
interface Layers {
  readonly values: CellValue[][];
  readonly formulas: string[][];
  readonly display: string[][];
  readonly formats: string[][];
}

/** A sheet that can change. */
export interface Sheet extends Layers {
  readonly id: number;
  readonly name: string;
  maxRows: number;
  readonly maxColumns: number;
  frozenRows: number;
}

/** A workbook that can change. */
export class Book {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  readonly timeZone: string;
  readonly sheets: Sheet[];
  active: Place | undefined;

  constructor(workbook: Workbook, timeZone: string) {
    this.id = workbook.id;
    this.name = workbook.name;
    this.locale = workbook.locale ?? 'en_US';
    this.timeZone = workbook.timeZone ?? timeZone;
    this.sheets = workbook.sheets.map(copy);
    this.active = workbook.active;
  }

  /** The workbook as plain data. */
  get data(): Workbook {
    const { id, name, locale, timeZone, active } = this;
    const sheets = this.sheets.map(copy);
    return { id, name, locale, timeZone, sheets, ...(active ? { active } : {}) };
  }

  /** The sheet with this id; throws where it is gone. */
  sheet(id: number): Sheet {
    const sheet = this.sheets.find((each) => each.id === id);
    if (!sheet) throw new Error(`no sheet with id ${id}`);
    return sheet;
  }

  /** A block of a layer; `empty` where a cell has nothing. */
  read<Layer extends keyof Layers>(
    layer: Layer,
    id: number,
    area: Area,
    empty: Layers[Layer][number][number],
  ): Layers[Layer][number][number][][] {
    const rows = this.sheet(id)[layer];
    return block(area, (row, column) => rows[row]?.[column] ?? empty);
  }

  /** What the cells of a block show: as handed in, or made from the values. */
  display(id: number, area: Area): string[][] {
    const { display, values } = this.sheet(id);
    return block(area, (row, column) => display[row]?.[column] ?? this.#shown(values[row]?.[column] ?? ''));
  }

  #shown(value: CellValue): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
    if (typeof value === 'number') return String(value);
    return formatDate(value, this.timeZone, 'M/d/yyyy');
  }

  /** The last row and column that hold something, 0 where the sheet is empty. */
  extent(id: number): { rows: number; columns: number } {
    const sheet = this.sheet(id);
    let rows = 0;
    let columns = 0;
    for (const layer of [sheet.values, sheet.formulas]) {
      for (const [row, cells] of layer.entries()) {
        for (const [column, cell] of (cells ?? []).entries()) {
          if (cell === undefined || cell === '') continue;
          rows = Math.max(rows, row + 1);
          columns = Math.max(columns, column + 1);
        }
      }
    }
    return { rows, columns };
  }

  /** Applies writes in their order. */
  apply(journal: Journal): void {
    for (const write of journal) this.#write(write);
  }

  #write(write: Write): void {
    if (write.kind === 'insertSheet') {
      const { sheet: id, name } = write;
      this.sheets.splice(write.index, 0, copy({ id, name, values: [] }));
      return;
    }
    const sheet = this.sheet(write.sheet);
    if (write.kind === 'freeze') sheet.frozenRows = write.rows;
    else if (write.kind === 'select') {
      const { row, column, rows, columns } = write;
      this.active = { sheet: sheet.name, row, column, rows, columns };
    } else if (write.kind === 'values') {
      each(write, write.values, (row, column, value) => this.#put(sheet, row, column, value, ''));
    } else if (write.kind === 'formulas') {
      each(write, write.formulas, (row, column, formula) => this.#put(sheet, row, column, '', formula));
    } else if (write.kind === 'formats') {
      each(write, write.formats, (row, column, format) => set(sheet.formats, row, column, format, ''));
    } else if (write.kind === 'clear') {
      block(write, (row, column) => this.#put(sheet, row, column, '', ''));
    }
  }

  /** What a changed cell showed before no longer counts: its display is made from its value. */
  #put(sheet: Sheet, row: number, column: number, value: CellValue, formula: string): void {
    set(sheet.values, row, column, value, '');
    set(sheet.formulas, row, column, formula, '');
    const shown = sheet.display[row];
    if (shown && column < shown.length) shown[column] = this.#shown(value);
  }
}

function copy(sheet: SheetData): Sheet {
  return {
    id: sheet.id,
    name: sheet.name,
    values: sheet.values.map((row) => [...row]),
    formulas: (sheet.formulas ?? []).map((row) => [...row]),
    display: (sheet.display ?? []).map((row) => [...row]),
    formats: (sheet.formats ?? []).map((row) => [...row]),
    maxRows: sheet.maxRows ?? ROWS,
    maxColumns: sheet.maxColumns ?? COLUMNS,
    frozenRows: sheet.frozenRows ?? 0,
  };
}

function block<Item>(area: Area, item: (row: number, column: number) => Item): Item[][] {
  return Array.from({ length: area.rows }, (_, row) =>
    Array.from({ length: area.columns }, (_, column) => item(area.row - 1 + row, area.column - 1 + column)),
  );
}

function each<Item>(
  at: { readonly row: number; readonly column: number },
  rows: readonly (readonly Item[])[],
  visit: (row: number, column: number, item: Item) => void,
): void {
  for (const [row, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) visit(at.row - 1 + row, at.column - 1 + column, cell);
  }
}

function set<Item>(layer: Item[][], row: number, column: number, item: Item, empty: Item): void {
  while (layer.length <= row) layer.push([]);
  const cells = layer[row];
  if (!cells) return;
  while (cells.length < column) cells.push(empty);
  cells[column] = item;
}
