// Sheet in the realm: a handle by sheet id; the host stores the sheet.
import { type Bridge, exception } from '../bridge.ts';
import { emulated, type Method, method } from '../emulated.ts';
import { getProtections } from './protection.ts';
import { blockOf, type RangeParts, range } from './range.ts';

/** Class name, for parameter lists. */
export const SHEET = 'SpreadsheetApp.Sheet';

/** Dependencies of a sheet. */
export interface SheetParts extends RangeParts {
  readonly spreadsheet: () => object | null;
  /** Methods of the selection, shared by sheet and spreadsheet. */
  readonly selection: Readonly<Record<string, Method>>;
}

const ids = new WeakMap<object, number>();

export function idOf(sheet: unknown): number {
  const id = ids.get(Object(sheet));
  if (id === undefined) throw exception('Invalid argument: sheet');
  return id;
}

/** Creates the methods that insert and delete rows and columns. */
function lines(bridge: Bridge, id: number, self: () => object): Readonly<Record<string, Method>> {
  const change = (what: string, position: number, count: unknown, like = position): object => {
    bridge.ask(`${SHEET}.${what}`, id, position, Number(count), like);
    return self();
  };
  const of = (one: 'Row' | 'Column'): [string, Method][] => {
    const insert = `insert${one}s`;
    const after = (at: unknown, count: unknown = 1): object =>
      change(insert, Number(at) + 1, count, Number(at));
    const before = (at: unknown, count: unknown = 1): object => change(insert, Number(at), count);
    const remove = (at: unknown, count: unknown = 1): void => void change(`delete${one}s`, Number(at), count);
    return [
      [`insert${one}After`, method(after, 'Integer')],
      [`insert${one}Before`, method(before, 'Integer')],
      [`insert${one}sAfter`, method(after, 'Integer, Integer')],
      [`insert${one}sBefore`, method(before, 'Integer, Integer')],
      // Reference "insertRows", "deleteRow": they return nothing.
      [insert, method((at, count) => void before(at, count), 'Integer', 'Integer, Integer')],
      [`delete${one}`, method(remove, 'Integer')],
      [`delete${one}s`, method(remove, 'Integer, Integer')],
    ];
  };
  return Object.fromEntries([...of('Row'), ...of('Column')]);
}

/** Creates a Sheet. */
export function sheetHandle(parts: SheetParts, id: number): object {
  const { bridge } = parts;
  const facts = (): Record<string, unknown> => Object(bridge.ask(`${SHEET}.getDataRange`, id));
  const fact = (name: string) => method(() => facts()[name]);
  const getRange = (...args: unknown[]): object =>
    range(parts, blockOf(bridge.ask(`${SHEET}.getRange`, id, typeof args[0] === 'string' ? args[0] : args)));
  const change = (name: string, ...args: unknown[]): object => {
    bridge.ask(`${SHEET}.${name}`, id, ...args);
    return self;
  };
  const activate = (): object => {
    bridge.ask('SpreadsheetApp.Range.activate', id, 1, 1, 1, 1);
    return self;
  };
  /** Reference "clear" and related methods: apply to the whole sheet. */
  const clear = (...names: string[]) =>
    method(() => {
      const { maxRows, maxColumns } = facts();
      for (const name of names) bridge.ask(`SpreadsheetApp.Range.${name}`, id, 1, 1, maxRows, maxColumns);
      return self;
    });
  const isHidden = (what: string) =>
    method((position) => bridge.ask(`${SHEET}.isHidden`, id, what, position), 'Integer');
  const getFilter = (): object | null => {
    const { filter } = facts();
    if (filter === null) return null;
    const covered = range(parts, blockOf({ ...Object(filter), sheet: id }));
    return emulated('SpreadsheetApp.Filter', { getRange: method(() => covered) });
  };
  const self: object = emulated(SHEET, {
    getName: fact('name'),
    getSheetName: fact('name'),
    setName: method((name) => change('setName', name), 'String'),
    getSheetId: method(() => id),
    getIndex: fact('index'),
    getParent: method(() => parts.spreadsheet()),
    isSheetHidden: fact('hidden'),
    getRange: method(
      getRange,
      'String',
      'Integer, Integer',
      'Integer, Integer, Integer',
      'Integer, Integer, Integer, Integer',
    ),
    getDataRange: method(() => {
      const { rows, columns } = facts();
      return getRange(1, 1, Math.max(1, Number(rows)), Math.max(1, Number(columns)));
    }),
    getLastRow: fact('rows'),
    getLastColumn: fact('columns'),
    getMaxRows: fact('maxRows'),
    getMaxColumns: fact('maxColumns'),
    getFrozenRows: fact('frozenRows'),
    getFrozenColumns: fact('frozenColumns'),
    setFrozenRows: method((rows) => void change('setFrozenRows', rows), 'Integer'),
    setFrozenColumns: method((columns) => void change('setFrozenColumns', columns), 'Integer'),
    ...lines(bridge, id, () => self),
    appendRow: method((cells) => change('appendRow', [cells]), 'Cell[]'),
    isRowHiddenByUser: isHidden('rows'),
    isRowHiddenByFilter: isHidden('filter'),
    isColumnHiddenByUser: isHidden('columns'),
    getFilter: method(getFilter),
    getProtections: getProtections(bridge, parts, SHEET, id),
    ...parts.selection,
    activate: method(activate),
    clear: clear('clear'),
    clearContents: clear('clearContent'),
    clearFormats: clear('clearFormat'),
    clearNotes: clear('clearNote'),
  });
  ids.set(self, id);
  return self;
}
