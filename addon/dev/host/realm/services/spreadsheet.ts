// SpreadsheetApp and Spreadsheet in the realm: handles; the host stores the workbook.
import { type Bridge, createException } from '../bridge.ts';
import { emulateObject, type Method, method } from '../emulated.ts';
import { metadataEnumerations, metadataMethods } from './developer-metadata.ts';
import { type Block, createRuleBuilder, parseBlock, sheetIds } from './handles.ts';
import { getProtectionsMethod, protectionTypes } from './protection.ts';
import { createRange, createRanges } from './range.ts';
import { createRichTextBuilder } from './rich-text.ts';
import { createSheet, SHEET, type SheetContext } from './sheet.ts';
import { createUi } from './ui.ts';
import { createUser } from './utilities.ts';

/** Class name, for parameter lists. */
export const SPREADSHEET = 'SpreadsheetApp.Spreadsheet';

const ids = new WeakMap<object, string>();

export function getSpreadsheetId(spreadsheet: unknown): string {
  const id = ids.get(Object(spreadsheet));
  if (id === undefined) throw createException('Invalid argument: spreadsheet');
  return id;
}

interface SheetReference {
  readonly id: number;
  readonly name: string;
}

function parseSheetReference(value: unknown): SheetReference {
  const { id, name }: { id?: unknown; name?: unknown } = Object(value);
  if (typeof id !== 'number') throw new TypeError(`the result is no sheet: ${JSON.stringify(value)}`);
  return { id, name: String(name) };
}

/** Creates SpreadsheetApp, a getter of the event source, and a converter of the edited range. */
export function createSpreadsheetApp(bridge: Bridge): {
  readonly service: object;
  readonly active: () => object | null;
  readonly toRange: (block: unknown) => object;
} {
  /** Returns null if there is no active spreadsheet. */
  const readActiveBlock = (): Block | null => {
    const block = bridge.call('SpreadsheetApp.getActiveRange');
    return block === null ? null : parseBlock(block);
  };
  const getActiveRange = (): object | null => {
    const block = readActiveBlock();
    return block && createRange(context, block);
  };
  const getCurrentCell = (): object | null => {
    const block = readActiveBlock();
    return block && createRange(context, { ...block, rows: 1, columns: 1 });
  };
  const getActiveSheet = (): object | null => {
    const block = readActiveBlock();
    return block && context.sheet(block.sheet);
  };
  const getActiveRangeList = (): object | null => {
    const blocks = bridge.call('SpreadsheetApp.getActiveRangeList');
    if (blocks === null) return null;
    return emulateObject('SpreadsheetApp.RangeList', {
      getRanges: method(() => createRanges(context, blocks)),
    });
  };
  const selection: Record<string, Method> = {
    getActiveRange: method(getActiveRange),
    getActiveRangeList: method(getActiveRangeList),
    getCurrentCell: method(getCurrentCell),
  };
  const setActiveSheet = method((sheet) => {
    bridge.call('SpreadsheetApp.Range.activate', sheetIds.get(sheet), 1, 1, 1, 1);
    return sheet;
  }, SHEET);

  const getSpreadsheet = (): object | null => {
    const data = bridge.call('SpreadsheetApp.getActiveSpreadsheet');
    if (data === null) return null;
    const properties: Record<string, unknown> = Object(data);
    const sheets = (): SheetReference[] => {
      const list = bridge.call(`${SPREADSHEET}.getSheets`);
      return Array.isArray(list) ? list.map(parseSheetReference) : [];
    };
    const findSheet = (name: unknown): object | null => {
      const match = sheets().find((sheet) => sheet.name === name);
      return match ? context.sheet(match.id) : null;
    };
    /** Reference "getRange": a notation without a sheet's name refers to the active sheet. */
    const getRange = (a1: unknown): object =>
      createRange(context, parseBlock(bridge.call(`${SHEET}.getRange`, readActiveBlock()?.sheet, a1)));
    const insertSheet = (...args: unknown[]): object => {
      const name = args.find((arg) => typeof arg === 'string') ?? null;
      const index = args.find((arg) => typeof arg === 'number') ?? null;
      return context.sheet(parseSheetReference(bridge.call(`${SPREADSHEET}.insertSheet`, name, index)).id);
    };
    const getOwner = (): object | null => {
      const owner = bridge.call(`${SPREADSHEET}.getOwner`);
      return owner === null ? null : createUser(owner);
    };
    const toast = (message: unknown, title: unknown = '', seconds: unknown = 5): void =>
      void bridge.call(`${SPREADSHEET}.toast`, message, title, seconds);
    const self: object = emulateObject(SPREADSHEET, {
      getId: method(() => properties.id),
      getName: method(() => bridge.call(`${SPREADSHEET}.getName`)),
      getSpreadsheetLocale: method(() => properties.locale),
      setSpreadsheetLocale: method(
        (locale) => void bridge.call(`${SPREADSHEET}.setSpreadsheetLocale`, locale),
        'String',
      ),
      getSpreadsheetTimeZone: method(() => properties.timeZone),
      getOwner: method(getOwner),
      getSheets: method(() => sheets().map(({ id }) => context.sheet(id))),
      getSheetByName: method(findSheet, 'String'),
      getActiveSheet: method(getActiveSheet),
      setActiveSheet,
      ...selection,
      getRange: method(getRange, 'String'),
      insertSheet: method(insertSheet, '', 'Integer', 'String', 'String, Integer'),
      deleteSheet: method(
        (sheet) => void bridge.call(`${SPREADSHEET}.deleteSheet`, sheetIds.get(sheet)),
        SHEET,
      ),
      getProtections: getProtectionsMethod(bridge, context, SPREADSHEET),
      ...metadataMethods(context, SPREADSHEET, [], () => self),
      toast: method(toast, 'String', 'String, String', 'String, String, Number'),
    });
    ids.set(self, String(properties.id));
    return self;
  };

  const context: SheetContext = {
    bridge,
    spreadsheet: getSpreadsheet,
    selection,
    sheet: (id) => createSheet(context, id),
    range: (block) => createRange(context, parseBlock(block)),
  };
  const service = emulateObject(
    'SpreadsheetApp',
    {
      getActiveSpreadsheet: method(getSpreadsheet),
      getActiveSheet: method(getActiveSheet),
      setActiveSheet,
      ...selection,
      getUi: method(() => createUi(bridge)),
      flush: method(() => void bridge.call('SpreadsheetApp.flush')),
      newDataValidation: method(() => createRuleBuilder()),
      newRichTextValue: method(() => createRichTextBuilder()),
    },
    {
      ...metadataEnumerations,
      ProtectionType: protectionTypes,
    },
  );
  return { service, active: getSpreadsheet, toRange: context.range };
}
