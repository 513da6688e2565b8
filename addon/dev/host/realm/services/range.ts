// Range in the realm: a handle; the host stores the cells.
import { a1Of } from '../../sheets/a1.ts';
import { STYLES } from '../../sheets/styles.ts';
import type { Area } from '../../sheets/workbook.ts';
import { type Bridge, exception } from '../bridge.ts';
import { emulated, isPlain, type Method, type Methods, memberName, method } from '../emulated.ts';
import { RICH_TEXT, richTextOf, richTextValue } from './rich-text.ts';

const PATH = 'SpreadsheetApp.Range';

/** Dependencies of a range. */
export interface RangeParts {
  readonly bridge: Bridge;
  readonly sheet: (id: number) => object;
}

/** An area of a sheet. */
export interface Block extends Area {
  readonly sheet: number;
}

const blocks = new WeakMap<object, Block>();

export function blockOfRange(range: unknown): Block {
  const block = blocks.get(Object(range));
  if (!block) throw exception('Invalid argument: range');
  return block;
}

/** Parses a block from the host's result; throws if there is none. */
export function blockOf(value: unknown): Block {
  const { sheet, row, column, rows, columns }: Record<string, unknown> = Object(value);
  if (typeof sheet !== 'number')
    throw new TypeError(`an answer that tells no block: ${JSON.stringify(value)}`);
  return {
    sheet,
    row: Number(row),
    column: Number(column),
    rows: Number(rows),
    columns: Number(columns),
  };
}

/** Names of the many-cell getters by one-cell getter. */
const READERS: Readonly<Record<string, string>> = {
  getValue: 'getValues',
  getDisplayValue: 'getDisplayValues',
  getFormula: 'getFormulas',
  getNumberFormat: 'getNumberFormats',
  getNote: 'getNotes',
  ...Object.fromEntries(
    STYLES.filter(({ empty }) => empty !== null).map(({ one, many }) => [`get${one}`, `get${many}`]),
  ),
};

/** Many-cell setter and cell type by one-cell setter. */
const SETTERS: Readonly<Record<string, readonly [string, string]>> = {
  setValue: ['setValues', 'Cell'],
  setFormula: ['setFormulas', 'String'],
  setNumberFormat: ['setNumberFormats', 'String'],
  setNote: ['setNotes', 'String?'],
};

/** Creates a Range. */
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
  /** Returns another range of the sheet; the host checks its bounds. */
  const other = (area: readonly number[]): object =>
    range(parts, blockOf(bridge.ask('SpreadsheetApp.Sheet.getRange', sheet, area)));
  const offset = (...args: unknown[]): object => {
    const [down = 0, right = 0, high = rows, wide = columns] = args.map(Number);
    return other([row + down, column + right, high, wide]);
  };
  const cell = (down: unknown, right: unknown): object => {
    const [below, beside] = [Number(down), Number(right)];
    if (below < 1 || below > rows || beside < 1 || beside > columns)
      throw exception('Cell reference out of range');
    return other([row + below - 1, column + beside - 1, 1, 1]);
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
  const styles = STYLES.flatMap(({ one, many, takes }): [string, Method][] => [
    [`set${one}`, method((value) => change(`set${one}`, look(value)), takes)],
    [`set${many}`, method((looks) => change(`set${many}`, mapped(looks, look)), `${takes}[][]`)],
  ]);
  const richTexts = (area: readonly number[]): unknown[][] =>
    mapped(bridge.ask(`${PATH}.getRichTextValues`, ...area), richTextValue);
  const setRichTexts = (values: unknown): object => change('setRichTextValues', mapped(values, richTextOf));
  const merged = (): object[] => ranges(parts, bridge.ask(`${PATH}.getMergedRanges`, ...place));
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
    getCell: method(cell, 'Integer, Integer'),
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
    getGridId: method(() => sheet),
    getRichTextValue: method(() => topLeft(richTexts([sheet, row, column, 1, 1]))),
    getRichTextValues: method(() => richTexts(place)),
    setRichTextValue: method((value) => setRichTexts(filled(value)), RICH_TEXT),
    setRichTextValues: method(setRichTexts, `${RICH_TEXT}[][]`),
    getMergedRanges: method(merged),
    isPartOfMerge: method(() => merged().length > 0),
    canEdit: method(() => bridge.ask(`${PATH}.canEdit`, ...place)),
    clear: method((options) => cleared(options).reduce((_, name) => change(name), self), '', 'Object'),
    clearContent: method(() => change('clearContent')),
    clearFormat: method(() => change('clearFormat')),
    clearNote: method(() => change('clearNote')),
    activate: method(() => change('activate')),
  };
  const self: object = emulated(PATH, {
    ...shape,
    ...Object.fromEntries([...readers, ...setters, ...styles]),
  });
  blocks.set(self, block);
  return self;
}

/** Creates ranges from the host's list of blocks. */
export function ranges(parts: RangeParts, list: unknown): object[] {
  return Array.isArray(list) ? list.map((each) => range(parts, blockOf(each))) : [];
}

function mapped<Item>(rows: unknown, each: (item: unknown) => Item): Item[][] {
  const list: unknown[] = Array.isArray(rows) ? rows : [];
  return list.map((row) => (Array.isArray(row) ? row.map(each) : []));
}

/** Converts a style value for the journal; null removes the style. */
function look(value: unknown): string {
  return value === null ? '' : memberName(value) || String(value);
}

/** Reference "clear", options. Without options, contents and formats are cleared. */
const CLEARS: Readonly<Record<string, string>> = {
  contentsOnly: 'clearContent',
  formatOnly: 'clearFormat',
  commentsOnly: 'clearNote',
};

function cleared(options: unknown): string[] {
  if (!isPlain(options)) return ['clear'];
  const wanted = Object.entries(options).filter(([, value]) => value === true);
  const names = wanted.map(([option]) => {
    const name = CLEARS[option];
    if (name === undefined) throw exception(`not emulated: ${PATH}.clear with ${option}`);
    return name;
  });
  return names.length > 0 ? names : ['clear'];
}

function topLeft(rows: unknown): unknown {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return Array.isArray(row) ? row[0] : undefined;
}
