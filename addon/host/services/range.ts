// Range, the realm's side: a handle on a block of cells; the host holds the cells.
import { type Area, a1Of } from '../a1.ts';
import { STYLES } from '../styles.ts';
import type { Bridge } from './bridge.ts';
import { emulated, type Method, type Methods, method } from './emulated.ts';

const PATH = 'SpreadsheetApp.Range';

/** What a range needs of its surroundings. */
export interface RangeParts {
  readonly bridge: Bridge;
  /** The sheet with this id. */
  readonly sheet: (id: number) => object;
}

/** A block of a sheet, by the sheet's id. */
export interface Block extends Area {
  readonly sheet: number;
}

/** Reads a block out of an answer of the host. */
export function blockOf(value: unknown): Block {
  const { sheet, row, column, rows, columns }: Record<string, unknown> = Object(value);
  return {
    sheet: Number(sheet),
    row: Number(row),
    column: Number(column),
    rows: Number(rows),
    columns: Number(columns),
  };
}

/** Readers by the one-cell method: what the many-cell method is called. */
const READERS: Readonly<Record<string, string>> = {
  getValue: 'getValues',
  getDisplayValue: 'getDisplayValues',
  getFormula: 'getFormulas',
  getNumberFormat: 'getNumberFormats',
};

/** Setters by the one-cell method: what the many-cell method is called, and the type of a cell. */
const SETTERS: Readonly<Record<string, readonly [string, string]>> = {
  setValue: ['setValues', 'Cell'],
  setFormula: ['setFormulas', 'String'],
  setNumberFormat: ['setNumberFormats', 'String'],
};

/** A Range of Apps Script. */
export function range(parts: RangeParts, block: Block): object {
  const { bridge } = parts;
  const { sheet, row, column, rows, columns } = block;
  const place = [sheet, row, column, rows, columns];
  const lastRow = row + rows - 1;
  const lastColumn = column + columns - 1;
  const change = (name: string, ...args: unknown[]): object => {
    bridge.ask(`${PATH}.${name}`, ...place, ...args);
    return self;
  };
  /** The range that getRange gives for another block: the host checks that it lies in the sheet. */
  const other = (area: readonly number[]): object =>
    range(parts, blockOf(bridge.ask('SpreadsheetApp.Sheet.getRange', sheet, area)));
  const offset = (...args: unknown[]): object => {
    const [down = 0, right = 0, high = rows, wide = columns] = args.map(Number);
    return other([row + down, column + right, high, wide]);
  };
  const filled = (value: unknown): unknown[][] =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => value));

  const readers = Object.entries(READERS).flatMap(([single, many]): [string, Method][] => [
    [many, method(() => bridge.ask(`${PATH}.${many}`, ...place))],
    [single, method(() => topLeft(bridge.ask(`${PATH}.${many}`, sheet, row, column, 1, 1)))],
  ]);
  const setters = Object.entries(SETTERS).flatMap(([single, [many, type]]): [string, Method][] => [
    [many, method((cells) => change(many, cells), `${type}[][]`)],
    [single, method((cell) => change(single, filled(cell)), type)],
  ]);
  const styles = Object.entries(STYLES).map(([name, type]): [string, Method] => [
    name,
    method((value) => change(name, String(value)), type),
  ]);
  const shape: Methods = {
    getRow: method(() => row),
    getColumn: method(() => column),
    getLastRow: method(() => lastRow),
    getLastColumn: method(() => lastColumn),
    getRowIndex: method(() => row),
    getNumRows: method(() => rows),
    getNumColumns: method(() => columns),
    getHeight: method(() => rows),
    getWidth: method(() => columns),
    getA1Notation: method(() => a1Of(block)),
    getSheet: method(() => parts.sheet(sheet)),
    getCell: method(
      (down, right) => other([row + Number(down) - 1, column + Number(right) - 1, 1, 1]),
      'Integer, Integer',
    ),
    offset: method(
      offset,
      'Integer, Integer',
      'Integer, Integer, Integer',
      'Integer, Integer, Integer, Integer',
    ),
    isBlank: method(() => {
      const layers = ['getValues', 'getFormulas'].map((name) => bridge.ask(`${PATH}.${name}`, ...place));
      return layers.flat(3).every((cell) => cell === '');
    }),
    clear: method(() => change('clear')),
    clearContent: method(() => change('clearContent')),
    activate: method(() => change('activate')),
  };
  const self = emulated(PATH, {
    ...shape,
    ...Object.fromEntries([...readers, ...setters, ...styles]),
  });
  return self;
}

function topLeft(rows: unknown): unknown {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return Array.isArray(row) ? row[0] : undefined;
}
