// Sheet in the realm: a handle by sheet id; the host stores the sheet.
import type { Bridge } from '../bridge.ts';
import { chained, emulateObject, type Method, method } from '../emulated.ts';
import { metadataMethods } from './developer-metadata.ts';
import { parseBlock, rangeBlocks, type SpreadsheetContext, sheetIds } from './handles.ts';
import { getProtectionsMethod } from './protection.ts';
import { createFilter } from './range.ts';

/** Class name, for parameter lists. */
export const SHEET = 'SpreadsheetApp.Sheet';

function rowAndColumnMethods(bridge: Bridge, id: number): Readonly<Record<string, Method>> {
  const change = (operation: string, position: number, count: unknown, copyFrom = position): unknown =>
    bridge.call(`${SHEET}.${operation}`, id, position, Number(count), copyFrom);
  const forAxis = (axis: 'Row' | 'Column'): [string, Method][] => {
    const insert = `insert${axis}s`;
    return [
      [
        `insert${axis}sAfter`,
        chained((at, count) => change(insert, Number(at) + 1, count, Number(at)), 'Integer, Integer'),
      ],
      [`insert${axis}sBefore`, chained((at, count) => change(insert, Number(at), count), 'Integer, Integer')],
      // Reference "deleteRows": it returns nothing.
      [
        `delete${axis}s`,
        method((at, count) => void change(`delete${axis}s`, Number(at), count), 'Integer, Integer'),
      ],
    ];
  };
  return Object.fromEntries([...forAxis('Row'), ...forAxis('Column')]);
}

/** @param selection - methods of the selection, which the spreadsheet has, too */
export function createSheet(
  context: SpreadsheetContext,
  id: number,
  selection: Readonly<Record<string, Method>>,
): object {
  const { bridge } = context;
  const call = (name: string, ...args: unknown[]): unknown => bridge.call(`${SHEET}.${name}`, id, ...args);
  const readProperties = (): Record<string, unknown> => Object(call('getDataRange'));
  const readProperty = (name: string) => method(() => readProperties()[name]);
  const getRange = (...args: unknown[]): object =>
    context.range(call('getRange', typeof args[0] === 'string' ? args[0] : args));
  const getFilter = (): object | null => {
    const { filter, filteredColumns } = readProperties();
    return filter === null
      ? null
      : createFilter(context, parseBlock({ ...Object(filter), sheet: id }), filteredColumns);
  };
  const self = emulateObject(SHEET, {
    getName: readProperty('name'),
    setName: chained((name) => call('setName', name), 'String'),
    getSheetId: method(() => id),
    isSheetHidden: readProperty('hidden'),
    getRange: method(
      getRange,
      'String',
      'Integer, Integer',
      'Integer, Integer, Integer',
      'Integer, Integer, Integer, Integer',
    ),
    getDataRange: method(() => {
      const { rows, columns } = readProperties();
      return getRange(1, 1, Math.max(1, Number(rows)), Math.max(1, Number(columns)));
    }),
    getLastRow: readProperty('rows'),
    getLastColumn: readProperty('columns'),
    getMaxRows: readProperty('maxRows'),
    getMaxColumns: readProperty('maxColumns'),
    getColumnWidth: method((column) => call('getColumnWidth', column), 'Integer'),
    setColumnWidths: chained(
      (column, count, width) => call('setColumnWidths', column, count, width),
      'Integer, Integer, Integer',
    ),
    setFrozenRows: method((rows) => void call('setFrozenRows', rows), 'Integer'),
    ...rowAndColumnMethods(bridge, id),
    // Reference "moveColumns": it returns nothing. The range may have any cells of the columns.
    moveColumns: method((range, to) => {
      const { column, columns } = rangeBlocks.get(range);
      call('moveColumns', column, columns, to);
    }, 'SpreadsheetApp.Range, Integer'),
    copyTo: method(() => context.sheet(Number(call('copyTo'))), 'SpreadsheetApp.Spreadsheet'),
    getFilter: method(getFilter),
    getProtections: getProtectionsMethod(context, SHEET, id),
    ...metadataMethods(context, SHEET, [id]),
    ...selection,
    activate: chained(() => bridge.call('SpreadsheetApp.Range.activate', id, 1, 1, 1, 1)),
    // Reference "clear": the whole sheet.
    clear: chained(() => {
      const { maxRows, maxColumns } = readProperties();
      bridge.call('SpreadsheetApp.Range.clear', id, 1, 1, maxRows, maxColumns);
    }),
  });
  sheetIds.set(self, id);
  return self;
}
