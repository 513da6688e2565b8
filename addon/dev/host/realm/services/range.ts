// Range in the realm: a handle; the host stores the cells.
import { toA1 } from '../../../../../shared/table/columns.ts';
import { STYLES } from '../../sheets/styles.ts';
import type { Block } from '../../sheets/workbook.ts';
import { createException } from '../bridge.ts';
import { chained, emulateObject, type Method, type Methods, method } from '../emulated.ts';
import { metadataMethods } from './developer-metadata.ts';
import { createRule, DATA_VALIDATION, getRule, rangeBlocks, type SpreadsheetContext } from './handles.ts';
import { createRichTextValue, RICH_TEXT, richTexts } from './rich-text.ts';

const PATH = 'SpreadsheetApp.Range';

/** Cell types of properties that scripts can set: with setValue and, for many cells, setValues. */
const SETTERS: Readonly<Record<string, string>> = {
  Value: 'Cell',
  Formula: 'String',
  NumberFormat: 'String',
  Note: 'String?',
  ...Object.fromEntries(STYLES.map(({ name }) => [name, 'String?'])),
};

/** Properties that scripts can get, likewise. */
const GETTERS = [...Object.keys(SETTERS), 'DisplayValue'];

/** Methods without arguments that return the range. */
const ACTIONS = ['merge', 'breakApart', 'clear', 'clearContent', 'activate'];

export function createRange(context: SpreadsheetContext, block: Block): object {
  const { bridge } = context;
  const { sheet, row, column, rows, columns } = block;
  const place = [sheet, row, column, rows, columns];
  const lastRow = row + rows - 1;
  const lastColumn = column + columns - 1;
  const call = (name: string, ...args: unknown[]): unknown =>
    bridge.call(`${PATH}.${name}`, ...place, ...args);
  /** Returns another range of the sheet; the host checks its bounds. */
  const getOtherRange = (area: readonly number[]): object =>
    context.range(bridge.call('SpreadsheetApp.Sheet.getRange', sheet, area));
  const getCell = (down: unknown, right: unknown): object => {
    const [below, beside] = [Number(down), Number(right)];
    if (below < 1 || below > rows || beside < 1 || beside > columns)
      throw createException('Cell reference out of range');
    return getOtherRange([row + below - 1, column + beside - 1, 1, 1]);
  };
  const fillBlock = (value: unknown): unknown[][] =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => value));

  const getters = GETTERS.flatMap((name): [string, Method][] => {
    const many = `get${name}s`;
    return [
      [many, method(() => call(many))],
      [`get${name}`, method(() => firstCell(bridge.call(`${PATH}.${many}`, sheet, row, column, 1, 1)))],
    ];
  });
  const setters = Object.entries(SETTERS).flatMap(([name, type]): [string, Method][] => [
    [`set${name}s`, chained((cells) => call(`set${name}s`, cells), `${type}[][]`)],
    [`set${name}`, chained((cell) => call(`set${name}`, fillBlock(cell)), type)],
  ]);
  const actions = ACTIONS.map((name): [string, Method] => [name, chained(() => call(name))]);
  const getRichTexts = (area: readonly number[]): unknown[][] =>
    mapCells(bridge.call(`${PATH}.getRichTextValues`, ...area), createRichTextValue);
  const setRichTexts = (values: unknown): unknown =>
    call('setRichTextValues', mapCells(values, richTexts.get));
  const methods: Methods = {
    getRow: method(() => row),
    getColumn: method(() => column),
    getLastRow: method(() => lastRow),
    getLastColumn: method(() => lastColumn),
    getNumRows: method(() => rows),
    getNumColumns: method(() => columns),
    getA1Notation: method(() => toA1(block)),
    getSheet: method(() => context.sheet(sheet)),
    getCell: method(getCell, 'Integer, Integer'),
    isBlank: method(() => {
      const layers = ['getValues', 'getFormulas'].map((name) => call(name));
      return layers.flat(3).every((cell) => cell === '');
    }),
    getRichTextValue: method(() => firstCell(getRichTexts([sheet, row, column, 1, 1]))),
    getRichTextValues: method(() => getRichTexts(place)),
    setRichTextValue: chained((value) => setRichTexts(fillBlock(value)), RICH_TEXT),
    setRichTextValues: chained(setRichTexts, `${RICH_TEXT}[][]`),
    getMergedRanges: method(() => {
      const merged = call('getMergedRanges');
      return Array.isArray(merged) ? merged.map(context.range) : [];
    }),
    getDataValidations: method(() => mapCells(call('getDataValidations'), createRule)),
    setDataValidation: chained(
      (rule) => call('setDataValidation', ...getRule(rule)),
      DATA_VALIDATION,
      'String?',
    ),
    // The protection itself is among those of the sheet.
    protect: method(() => void call('protect')),
    canEdit: method(() => call('canEdit')),
    sort: chained((column) => call('sort', column), 'Integer'),
    createFilter: method(() => {
      call('createFilter');
      return createFilter(context, block, []);
    }),
  };
  const self = emulateObject(PATH, {
    ...methods,
    ...Object.fromEntries([...getters, ...setters, ...actions]),
    ...metadataMethods(context, PATH, place),
  });
  rangeBlocks.set(self, block);
  return self;
}

/** Creates the Filter of a sheet. Conditions are known by their columns only. */
export function createFilter(context: SpreadsheetContext, block: Block, filteredColumns: unknown): object {
  const covered = createRange(context, block);
  const conditions = new Set(Array.isArray(filteredColumns) ? filteredColumns.map(Number) : []);
  return emulateObject('SpreadsheetApp.Filter', {
    getRange: method(() => covered),
    getColumnFilterCriteria: method(
      (column) =>
        conditions.has(Number(column)) ? emulateObject('SpreadsheetApp.FilterCriteria', {}) : null,
      'Integer',
    ),
    remove: method(() => void context.bridge.call('SpreadsheetApp.Filter.remove', block.sheet)),
  });
}

function mapCells<Item>(rows: unknown, convert: (item: unknown) => Item): Item[][] {
  const list: unknown[] = Array.isArray(rows) ? rows : [];
  return list.map((row) => (Array.isArray(row) ? row.map(convert) : []));
}

function firstCell(rows: unknown): unknown {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return Array.isArray(row) ? row[0] : undefined;
}
