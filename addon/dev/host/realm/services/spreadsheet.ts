// SpreadsheetApp and Spreadsheet in the realm: handles; the host stores the workbook.
import type { Block } from '../../sheets/workbook.ts';
import type { Bridge } from '../bridge.ts';
import { createRegistry, emulateObject, type Method, method } from '../emulated.ts';
import { metadataEnumerations, metadataMethods } from './developer-metadata.ts';
import { createRuleBuilder, parseBlock, type SpreadsheetContext, sheetIds } from './handles.ts';
import { getProtectionsMethod, protectionTypes } from './protection.ts';
import { createRange } from './range.ts';
import { createRichTextBuilder } from './rich-text.ts';
import { createSheet, SHEET } from './sheet.ts';
import { createUi } from './ui.ts';
import { createUser } from './utilities.ts';

/** Class name, for parameter lists. */
export const SPREADSHEET = 'SpreadsheetApp.Spreadsheet';

export const spreadsheetIds = createRegistry<string>('spreadsheet');

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
  const active = (create: (block: Block) => object): Method =>
    method(() => {
      const block = readActiveBlock();
      return block && create(block);
    });
  const getActiveRangeList = (): object | null => {
    const blocks = bridge.call('SpreadsheetApp.getActiveRangeList');
    if (!Array.isArray(blocks)) return null;
    return emulateObject('SpreadsheetApp.RangeList', { getRanges: method(() => blocks.map(context.range)) });
  };
  const selection: Record<string, Method> = {
    getActiveRange: active((block) => createRange(context, block)),
    getActiveRangeList: method(getActiveRangeList),
    getCurrentCell: active((block) => createRange(context, { ...block, rows: 1, columns: 1 })),
  };
  const sheetSelection: Record<string, Method> = {
    ...selection,
    getActiveSheet: active(({ sheet }) => context.sheet(sheet)),
    setActiveSheet: method((sheet) => {
      bridge.call('SpreadsheetApp.Range.activate', sheetIds.get(sheet), 1, 1, 1, 1);
      return sheet;
    }, SHEET),
  };

  const getSpreadsheet = (): object | null => {
    const data = bridge.call('SpreadsheetApp.getActiveSpreadsheet');
    if (data === null) return null;
    const properties: Record<string, unknown> = Object(data);
    /** Returns all sheets, or those with a name. */
    const listSheets = (name?: unknown): object[] => {
      const list = bridge.call(`${SPREADSHEET}.getSheets`);
      const sheets: { id: unknown; name: unknown }[] = Array.isArray(list) ? list : [];
      return sheets
        .filter((sheet) => name === undefined || sheet.name === name)
        .map(({ id }) => context.sheet(Number(id)));
    };
    /** Reference "getRange": a notation without a sheet's name refers to the active sheet. */
    const getRange = (a1: unknown): object =>
      context.range(bridge.call(`${SHEET}.getRange`, readActiveBlock()?.sheet, a1));
    const insertSheet = (...args: unknown[]): object => {
      const name = args.find((arg) => typeof arg === 'string') ?? null;
      const index = args.find((arg) => typeof arg === 'number') ?? null;
      return context.sheet(Number(bridge.call(`${SPREADSHEET}.insertSheet`, name, index)));
    };
    const getOwner = (): object | null => {
      const owner = bridge.call(`${SPREADSHEET}.getOwner`);
      return owner === null ? null : createUser(owner);
    };
    const toast = (message: unknown, title: unknown = '', seconds: unknown = 5): void =>
      void bridge.call(`${SPREADSHEET}.toast`, message, title, seconds);
    const self = emulateObject(SPREADSHEET, {
      getId: method(() => properties.id),
      getName: method(() => bridge.call(`${SPREADSHEET}.getName`)),
      getSpreadsheetLocale: method(() => properties.locale),
      setSpreadsheetLocale: method(
        (locale) => void bridge.call(`${SPREADSHEET}.setSpreadsheetLocale`, locale),
        'String',
      ),
      getSpreadsheetTimeZone: method(() => properties.timeZone),
      getOwner: method(getOwner),
      getSheets: method(() => listSheets()),
      getSheetByName: method((name) => listSheets(name)[0] ?? null, 'String'),
      ...sheetSelection,
      getRange: method(getRange, 'String'),
      insertSheet: method(insertSheet, '', 'Integer', 'String', 'String, Integer'),
      deleteSheet: method(
        (sheet) => void bridge.call(`${SPREADSHEET}.deleteSheet`, sheetIds.get(sheet)),
        SHEET,
      ),
      getProtections: getProtectionsMethod(context, SPREADSHEET),
      ...metadataMethods(context, SPREADSHEET, []),
      toast: method(toast, 'String', 'String, String', 'String, String, Number'),
    });
    spreadsheetIds.set(self, String(properties.id));
    return self;
  };

  const context: SpreadsheetContext = {
    bridge,
    spreadsheet: getSpreadsheet,
    sheet: (id) => createSheet(context, id, selection),
    range: (block) => createRange(context, parseBlock(block)),
  };
  const service = emulateObject(
    'SpreadsheetApp',
    {
      getActiveSpreadsheet: method(getSpreadsheet),
      ...sheetSelection,
      getUi: method(() => createUi(bridge)),
      flush: method(() => void bridge.call('SpreadsheetApp.flush')),
      newDataValidation: method(() => createRuleBuilder()),
      newRichTextValue: method(() => createRichTextBuilder()),
    },
    { ...metadataEnumerations, ProtectionType: protectionTypes },
  );
  return { service, active: getSpreadsheet, toRange: context.range };
}
