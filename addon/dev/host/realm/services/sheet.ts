// Sheet in the realm: a handle by sheet id; the host stores the sheet.
import type { Bridge } from '../bridge.ts';
import { emulateObject, type Method, method } from '../emulated.ts';
import { metadataMethods } from './developer-metadata.ts';
import { parseBlock, rangeBlocks, sheetIds } from './handles.ts';
import { getProtectionsMethod } from './protection.ts';
import { createFilter, createRange, type RangeContext } from './range.ts';

/** Class name, for parameter lists. */
export const SHEET = 'SpreadsheetApp.Sheet';

export interface SheetContext extends RangeContext {
  /** Methods of the selection, shared by sheet and spreadsheet. */
  readonly selection: Readonly<Record<string, Method>>;
}

/** Creates the methods that insert and delete rows and columns. */
function rowAndColumnMethods(
  bridge: Bridge,
  id: number,
  self: () => object,
): Readonly<Record<string, Method>> {
  const change = (operation: string, position: number, count: unknown, copyFrom = position): object => {
    bridge.call(`${SHEET}.${operation}`, id, position, Number(count), copyFrom);
    return self();
  };
  const forAxis = (axis: 'Row' | 'Column'): [string, Method][] => {
    const insert = `insert${axis}s`;
    const insertAfter = (at: unknown, count: unknown = 1): object =>
      change(insert, Number(at) + 1, count, Number(at));
    const insertBefore = (at: unknown, count: unknown = 1): object => change(insert, Number(at), count);
    const remove = (at: unknown, count: unknown = 1): void =>
      void change(`delete${axis}s`, Number(at), count);
    return [
      [`insert${axis}After`, method(insertAfter, 'Integer')],
      [`insert${axis}Before`, method(insertBefore, 'Integer')],
      [`insert${axis}sAfter`, method(insertAfter, 'Integer, Integer')],
      [`insert${axis}sBefore`, method(insertBefore, 'Integer, Integer')],
      // Reference "insertRows", "deleteRow": they return nothing.
      [insert, method((at, count) => void insertBefore(at, count), 'Integer', 'Integer, Integer')],
      [`delete${axis}`, method(remove, 'Integer')],
      [`delete${axis}s`, method(remove, 'Integer, Integer')],
    ];
  };
  return Object.fromEntries([...forAxis('Row'), ...forAxis('Column')]);
}

export function createSheet(context: SheetContext, id: number): object {
  const { bridge } = context;
  const readProperties = (): Record<string, unknown> => Object(bridge.call(`${SHEET}.getDataRange`, id));
  const readProperty = (name: string) => method(() => readProperties()[name]);
  const getRange = (...args: unknown[]): object =>
    createRange(
      context,
      parseBlock(bridge.call(`${SHEET}.getRange`, id, typeof args[0] === 'string' ? args[0] : args)),
    );
  const callAndReturn = (name: string, ...args: unknown[]): object => {
    bridge.call(`${SHEET}.${name}`, id, ...args);
    return self;
  };
  const activate = (): object => {
    bridge.call('SpreadsheetApp.Range.activate', id, 1, 1, 1, 1);
    return self;
  };
  /** Reference "clear" and related methods: apply to the whole sheet. */
  const clear = (...names: string[]) =>
    method(() => {
      const { maxRows, maxColumns } = readProperties();
      for (const name of names) bridge.call(`SpreadsheetApp.Range.${name}`, id, 1, 1, maxRows, maxColumns);
      return self;
    });
  const isHidden = (kind: string) =>
    method((position) => bridge.call(`${SHEET}.isHidden`, id, kind, position), 'Integer');
  const getFilter = (): object | null => {
    const { filter, filteredColumns } = readProperties();
    return filter === null
      ? null
      : createFilter(context, parseBlock({ ...Object(filter), sheet: id }), filteredColumns);
  };
  const self: object = emulateObject(SHEET, {
    getName: readProperty('name'),
    getSheetName: readProperty('name'),
    setName: method((name) => callAndReturn('setName', name), 'String'),
    getSheetId: method(() => id),
    getIndex: readProperty('index'),
    getParent: method(() => context.spreadsheet()),
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
    getFrozenRows: readProperty('frozenRows'),
    getFrozenColumns: readProperty('frozenColumns'),
    getColumnWidth: method((column) => bridge.call(`${SHEET}.getColumnWidth`, id, column), 'Integer'),
    setColumnWidth: method(
      (column, width) => callAndReturn('setColumnWidths', column, 1, width),
      'Integer, Integer',
    ),
    setColumnWidths: method(
      (column, count, width) => callAndReturn('setColumnWidths', column, count, width),
      'Integer, Integer, Integer',
    ),
    setFrozenRows: method((rows) => void callAndReturn('setFrozenRows', rows), 'Integer'),
    setFrozenColumns: method((columns) => void callAndReturn('setFrozenColumns', columns), 'Integer'),
    ...rowAndColumnMethods(bridge, id, () => self),
    // Reference "moveColumns", "moveRows": they return nothing. The range may have any cells of the lines.
    moveColumns: method((range, to) => {
      const { column, columns } = rangeBlocks.get(range);
      bridge.call(`${SHEET}.moveColumns`, id, column, columns, to);
    }, 'SpreadsheetApp.Range, Integer'),
    moveRows: method((range, to) => {
      const { row, rows } = rangeBlocks.get(range);
      bridge.call(`${SHEET}.moveRows`, id, row, rows, to);
    }, 'SpreadsheetApp.Range, Integer'),
    copyTo: method(
      () => context.sheet(Number(Object(bridge.call(`${SHEET}.copyTo`, id)).id)),
      'SpreadsheetApp.Spreadsheet',
    ),
    appendRow: method((cells) => callAndReturn('appendRow', [cells]), 'Cell[]'),
    isRowHiddenByUser: isHidden('rows'),
    isRowHiddenByFilter: isHidden('filter'),
    isColumnHiddenByUser: isHidden('columns'),
    getFilter: method(getFilter),
    getProtections: getProtectionsMethod(bridge, context, SHEET, id),
    ...metadataMethods(context, SHEET, [id], () => self),
    ...context.selection,
    activate: method(activate),
    clear: clear('clear'),
    clearContents: clear('clearContent'),
    clearFormats: clear('clearFormat'),
    clearNotes: clear('clearNote'),
  });
  sheetIds.set(self, id);
  return self;
}
