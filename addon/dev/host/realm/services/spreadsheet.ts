// SpreadsheetApp and Spreadsheet in the realm: handles; the host stores the workbook.
import { type Bridge, exception } from '../bridge.ts';
import { emulated, enumeration, type Method, method } from '../emulated.ts';
import { getProtections, protectionTypes } from './protection.ts';
import { type Block, blockOf, blockOfRange, range, ranges } from './range.ts';
import { richTextBuilder } from './rich-text.ts';
import { idOf, SHEET, type SheetParts, sheetHandle } from './sheet.ts';
import { ui } from './ui.ts';
import { user } from './utilities.ts';

/** Class name, for parameter lists. */
export const SPREADSHEET = 'SpreadsheetApp.Spreadsheet';
const RANGE = 'SpreadsheetApp.Range';
const WRAP_STRATEGY = 'SpreadsheetApp.WrapStrategy';

const ids = new WeakMap<object, string>();

export function spreadsheetId(spreadsheet: unknown): string {
  const id = ids.get(Object(spreadsheet));
  if (id === undefined) throw exception('Invalid argument: spreadsheet');
  return id;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

function named(value: unknown): Named {
  const { id, name }: { id?: unknown; name?: unknown } = Object(value);
  if (typeof id !== 'number') throw new TypeError(`an answer that tells no sheet: ${JSON.stringify(value)}`);
  return { id, name: String(name) };
}

/** Creates SpreadsheetApp and a getter of the event source. */
export function spreadsheetApp(bridge: Bridge): {
  readonly service: object;
  readonly active: () => object | null;
} {
  /** Returns null if there is no active spreadsheet. */
  const activeBlock = (): Block | null => {
    const told = bridge.ask('SpreadsheetApp.getActiveRange');
    return told === null ? null : blockOf(told);
  };
  const activeRange = (): object | null => {
    const block = activeBlock();
    return block && range(parts, block);
  };
  const currentCell = (): object | null => {
    const block = activeBlock();
    return block && range(parts, { ...block, rows: 1, columns: 1 });
  };
  const activeSheet = (): object | null => {
    const block = activeBlock();
    return block && parts.sheet(block.sheet);
  };
  const activeRangeList = (): object | null => {
    const told = bridge.ask('SpreadsheetApp.getActiveRangeList');
    if (told === null) return null;
    return emulated('SpreadsheetApp.RangeList', { getRanges: method(() => ranges(parts, told)) });
  };
  const selection: Record<string, Method> = {
    getActiveRange: method(activeRange),
    getActiveRangeList: method(activeRangeList),
    getCurrentCell: method(currentCell),
    getSelection: method(() =>
      emulated('SpreadsheetApp.Selection', {
        getActiveRange: method(activeRange),
        getActiveRangeList: method(activeRangeList),
        getActiveSheet: method(activeSheet),
        getCurrentCell: method(currentCell),
      }),
    ),
    setActiveRange: method(select, RANGE),
    setCurrentCell: method(select, RANGE),
  };
  const ofSheets: Record<string, Method> = { ...selection, getActiveCell: method(currentCell) };
  function select(chosen: unknown): unknown {
    const { sheet, row, column, rows, columns } = blockOfRange(chosen);
    bridge.ask(`${RANGE}.activate`, sheet, row, column, rows, columns);
    return chosen;
  }
  const setActiveSheet = method((chosen) => {
    bridge.ask(`${RANGE}.activate`, idOf(chosen), 1, 1, 1, 1);
    return chosen;
  }, SHEET);

  const spreadsheet = (): object | null => {
    const told = bridge.ask('SpreadsheetApp.getActiveSpreadsheet');
    if (told === null) return null;
    const facts: Record<string, unknown> = Object(told);
    const sheets = (): Named[] => {
      const list = bridge.ask(`${SPREADSHEET}.getSheets`);
      return Array.isArray(list) ? list.map(named) : [];
    };
    const found = (is: (sheet: Named) => boolean): object | null => {
      const one = sheets().find(is);
      return one ? parts.sheet(one.id) : null;
    };
    /** Reference "getRange": a notation without a sheet's name refers to the active sheet. */
    const getRange = (a1: unknown): object =>
      range(parts, blockOf(bridge.ask(`${SHEET}.getRange`, activeBlock()?.sheet, a1)));
    const insertSheet = (...args: unknown[]): object => {
      const name = args.find((arg) => typeof arg === 'string') ?? null;
      const index = args.find((arg) => typeof arg === 'number') ?? null;
      return parts.sheet(named(bridge.ask(`${SPREADSHEET}.insertSheet`, name, index)).id);
    };
    const toast = (message: unknown, title: unknown = '', seconds: unknown = 5): void =>
      void bridge.ask(`${SPREADSHEET}.toast`, message, title, seconds);
    const self = emulated(SPREADSHEET, {
      getId: method(() => facts.id),
      getName: method(() => facts.name),
      getUrl: method(() => `https://docs.google.com/spreadsheets/d/${String(facts.id)}/edit`),
      getSpreadsheetLocale: method(() => facts.locale),
      getSpreadsheetTimeZone: method(() => facts.timeZone),
      getOwner: method(() => user(facts.owner)),
      getSheets: method(() => sheets().map(({ id }) => parts.sheet(id))),
      getNumSheets: method(() => sheets().length),
      getSheetByName: method((name) => found((sheet) => sheet.name === name), 'String'),
      getSheetById: method((id) => found((sheet) => sheet.id === id), 'Integer'),
      getActiveSheet: method(activeSheet),
      setActiveSheet,
      ...ofSheets,
      getRange: method(getRange, 'String'),
      insertSheet: method(insertSheet, '', 'Integer', 'String', 'String, Integer'),
      deleteSheet: method((sheet) => void bridge.ask(`${SPREADSHEET}.deleteSheet`, idOf(sheet)), SHEET),
      getProtections: getProtections(bridge, parts, SPREADSHEET),
      toast: method(toast, 'String', 'String, String', 'String, String, Number'),
    });
    ids.set(self, String(facts.id));
    return self;
  };

  const parts: SheetParts = {
    bridge,
    spreadsheet,
    selection: ofSheets,
    sheet: (id) => sheetHandle(parts, id),
  };
  const service = emulated(
    'SpreadsheetApp',
    {
      getActiveSpreadsheet: method(spreadsheet),
      getActive: method(spreadsheet),
      getActiveSheet: method(activeSheet),
      setActiveSheet,
      ...selection,
      getUi: method(() => ui(bridge)),
      flush: method(() => void bridge.ask('SpreadsheetApp.flush')),
      newRichTextValue: method(() => richTextBuilder()),
    },
    {
      ProtectionType: protectionTypes,
      WrapStrategy: enumeration(WRAP_STRATEGY, ['WRAP', 'OVERFLOW', 'CLIP']),
    },
  );
  return { service, active: spreadsheet };
}
