// Range in the realm: a handle; the host stores the cells.
import { toA1 } from '../../../../../shared/table/columns.ts';
import { STYLES } from '../../sheets/styles.ts';
import { createException } from '../bridge.ts';
import { emulateObject, type Method, type Methods, method } from '../emulated.ts';
import { type MetadataContext, metadataMethods } from './developer-metadata.ts';
import { type Block, createRule, DATA_VALIDATION, getRule, parseBlock, rangeBlocks } from './handles.ts';
import { createRichTextValue, getRichText, RICH_TEXT } from './rich-text.ts';

const PATH = 'SpreadsheetApp.Range';

export type RangeContext = MetadataContext;

/** Names of the many-cell getters by one-cell getter. */
const GETTERS: Readonly<Record<string, string>> = {
  getValue: 'getValues',
  getDisplayValue: 'getDisplayValues',
  getFormula: 'getFormulas',
  getNumberFormat: 'getNumberFormats',
  getNote: 'getNotes',
  ...Object.fromEntries(STYLES.map(({ singular, plural }) => [`get${singular}`, `get${plural}`])),
};

/** Many-cell setter and cell type by one-cell setter. */
const SETTERS: Readonly<Record<string, readonly [string, string]>> = {
  setValue: ['setValues', 'Cell'],
  setFormula: ['setFormulas', 'String'],
  setNumberFormat: ['setNumberFormats', 'String'],
  setNote: ['setNotes', 'String?'],
};

export function createRange(context: RangeContext, block: Block): object {
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
    createRange(context, parseBlock(bridge.call('SpreadsheetApp.Sheet.getRange', sheet, area)));
  const getCell = (down: unknown, right: unknown): object => {
    const [below, beside] = [Number(down), Number(right)];
    if (below < 1 || below > rows || beside < 1 || beside > columns)
      throw createException('Cell reference out of range');
    return getOtherRange([row + below - 1, column + beside - 1, 1, 1]);
  };
  const fillBlock = (value: unknown): unknown[][] =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => value));

  const getters = Object.entries(GETTERS).flatMap(([single, many]): [string, Method][] => [
    [many, method(() => bridge.call(`${PATH}.${many}`, ...place))],
    [single, method(() => firstCell(bridge.call(`${PATH}.${many}`, sheet, row, column, 1, 1)))],
  ]);
  const setters = Object.entries(SETTERS).flatMap(([single, [many, type]]): [string, Method][] => [
    [many, method((cells) => callAndReturn(many, cells), `${type}[][]`)],
    [single, method((cell) => callAndReturn(single, fillBlock(cell)), type)],
  ]);
  const styles = STYLES.flatMap(({ singular, plural }): [string, Method][] => [
    [`set${singular}`, method((value) => callAndReturn(`set${singular}`, value ?? ''), 'String?')],
    [`set${plural}`, method((values) => callAndReturn(`set${plural}`, values), 'String?[][]')],
  ]);
  const richTexts = (area: readonly number[]): unknown[][] =>
    mapCells(bridge.call(`${PATH}.getRichTextValues`, ...area), createRichTextValue);
  const setRichTexts = (values: unknown): object =>
    callAndReturn('setRichTextValues', mapCells(values, getRichText));
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
    getRichTextValue: method(() => firstCell(richTexts([sheet, row, column, 1, 1]))),
    getRichTextValues: method(() => richTexts(place)),
    setRichTextValue: method((value) => setRichTexts(fillBlock(value)), RICH_TEXT),
    setRichTextValues: method(setRichTexts, `${RICH_TEXT}[][]`),
    getMergedRanges: method(() => createRanges(context, bridge.call(`${PATH}.getMergedRanges`, ...place))),
    merge: method(() => callAndReturn('merge')),
    breakApart: method(() => callAndReturn('breakApart')),
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
    clear: method(() => callAndReturn('clear')),
    clearContent: method(() => callAndReturn('clearContent')),
    sort: method((column) => callAndReturn('sort', column), 'Integer'),
    createFilter: method(() => {
      bridge.call(`${PATH}.createFilter`, ...place);
      return createFilter(context, block, []);
    }),
    activate: method(() => callAndReturn('activate')),
  };
  const self: object = emulateObject(PATH, {
    ...methods,
    ...Object.fromEntries([...getters, ...setters, ...styles]),
    ...metadataMethods(context, PATH, place, () => self),
  });
  rangeBlocks.set(self, block);
  return self;
}

/** Creates the Filter of a sheet. Conditions are known by their columns only. */
export function createFilter(context: RangeContext, block: Block, filteredColumns: unknown): object {
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

/** Creates ranges from the host's list of blocks. */
export function createRanges(context: RangeContext, list: unknown): object[] {
  return Array.isArray(list) ? list.map((block) => createRange(context, parseBlock(block))) : [];
}

function mapCells<Item>(rows: unknown, convert: (item: unknown) => Item): Item[][] {
  const list: unknown[] = Array.isArray(rows) ? rows : [];
  return list.map((row) => (Array.isArray(row) ? row.map(convert) : []));
}

function firstCell(rows: unknown): unknown {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return Array.isArray(row) ? row[0] : undefined;
}
