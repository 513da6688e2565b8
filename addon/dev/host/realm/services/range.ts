// Range in the realm: a handle; the host stores the cells.
import { toA1 } from '../../../../../shared/table/columns.ts';
import { STYLES } from '../../sheets/styles.ts';
import type { Block } from '../../sheets/workbook.ts';
import { createException } from '../bridge.ts';
import { emulateObject, type Method, type Methods, method } from '../emulated.ts';
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
  const callAndReturn = (name: string, ...args: unknown[]): object => {
    bridge.call(`${PATH}.${name}`, ...place, ...args);
    return self;
  };
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
    const path = `${PATH}.get${name}s`;
    return [
      [`get${name}s`, method(() => bridge.call(path, ...place))],
      [`get${name}`, method(() => firstCell(bridge.call(path, sheet, row, column, 1, 1)))],
    ];
  });
  const setters = Object.entries(SETTERS).flatMap(([name, type]): [string, Method][] => [
    [`set${name}s`, method((cells) => callAndReturn(`set${name}s`, cells), `${type}[][]`)],
    [`set${name}`, method((cell) => callAndReturn(`set${name}`, fillBlock(cell)), type)],
  ]);
  const actions = ACTIONS.map((name): [string, Method] => [name, method(() => callAndReturn(name))]);
  const getRichTexts = (area: readonly number[]): unknown[][] =>
    mapCells(bridge.call(`${PATH}.getRichTextValues`, ...area), createRichTextValue);
  const setRichTexts = (values: unknown): object =>
    callAndReturn('setRichTextValues', mapCells(values, richTexts.get));
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
      const layers = ['getValues', 'getFormulas'].map((name) => bridge.call(`${PATH}.${name}`, ...place));
      return layers.flat(3).every((cell) => cell === '');
    }),
    getRichTextValue: method(() => firstCell(getRichTexts([sheet, row, column, 1, 1]))),
    getRichTextValues: method(() => getRichTexts(place)),
    setRichTextValue: method((value) => setRichTexts(fillBlock(value)), RICH_TEXT),
    setRichTextValues: method(setRichTexts, `${RICH_TEXT}[][]`),
    getMergedRanges: method(() => {
      const merged = bridge.call(`${PATH}.getMergedRanges`, ...place);
      return Array.isArray(merged) ? merged.map(context.range) : [];
    }),
    getDataValidations: method(() =>
      mapCells(bridge.call(`${PATH}.getDataValidations`, ...place), createRule),
    ),
    setDataValidation: method(
      (rule) => callAndReturn('setDataValidation', ...getRule(rule)),
      DATA_VALIDATION,
      'String?',
    ),
    // The protection itself is among those of the sheet.
    protect: method(() => void callAndReturn('protect')),
    canEdit: method(() => bridge.call(`${PATH}.canEdit`, ...place)),
    sort: method((column) => callAndReturn('sort', column), 'Integer'),
    createFilter: method(() => {
      bridge.call(`${PATH}.createFilter`, ...place);
      return createFilter(context, block, []);
    }),
  };
  const self: object = emulateObject(PATH, {
    ...methods,
    ...Object.fromEntries([...getters, ...setters, ...actions]),
    ...metadataMethods(context, PATH, place, () => self),
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
