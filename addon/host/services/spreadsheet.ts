// SpreadsheetApp, Spreadsheet and Sheet, the realm's side: handles; the host holds the workbook.
import type { Bridge } from './bridge.ts';
import { emulated, method } from './emulated.ts';
import { blockOf, type RangeParts, range } from './range.ts';
import { ui } from './ui.ts';
import { user } from './utilities.ts';

const SHEET = 'SpreadsheetApp.Sheet';
const SPREADSHEET = 'SpreadsheetApp.Spreadsheet';

interface Named {
  readonly id: number;
  readonly name: string;
}

function named(value: unknown): Named {
  const { id, name }: { id?: unknown; name?: unknown } = Object(value);
  return { id: Number(id), name: String(name) };
}

/** SpreadsheetApp, and the spreadsheet that events carry as their source. */
export function spreadsheetApp(bridge: Bridge): { readonly service: object; readonly active: () => object } {
  const parts: RangeParts = { bridge, sheet: (id) => sheet(id) };
  const rangeOf = (answer: unknown): object => range(parts, blockOf(answer));
  const activeBlock = () => blockOf(bridge.ask('SpreadsheetApp.getActiveRange'));
  const activeSheet = (): object => sheet(activeBlock().sheet);
  const activeRange = (): object => range(parts, activeBlock());
  const currentCell = (): object => range(parts, { ...activeBlock(), rows: 1, columns: 1 });

  const sheet = (id: number): object => {
    const facts = (): Record<string, unknown> => Object(bridge.ask(`${SHEET}.getDataRange`, id));
    const fact = (name: string) => method(() => facts()[name]);
    const getRange = (...args: unknown[]): object =>
      rangeOf(bridge.ask(`${SHEET}.getRange`, id, typeof args[0] === 'string' ? args[0] : args));
    const activate = (): object => {
      bridge.ask('SpreadsheetApp.Range.activate', id, 1, 1, 1, 1);
      return self;
    };
    const freeze = (rows: unknown): void => void bridge.ask(`${SHEET}.setFrozenRows`, id, rows);
    const clear = (): object => {
      const { rows, columns } = facts();
      bridge.ask('SpreadsheetApp.Range.clear', id, 1, 1, rows, columns);
      return self;
    };
    const self: object = emulated(SHEET, {
      getName: fact('name'),
      getSheetName: fact('name'),
      getSheetId: method(() => id),
      getParent: method(() => spreadsheet()),
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
      getActiveRange: method(activeRange),
      getActiveCell: method(currentCell),
      getCurrentCell: method(currentCell),
      setFrozenRows: method(freeze, 'Integer'),
      activate: method(activate),
      clear: method(clear),
      clearContents: method(clear),
    });
    return self;
  };

  const spreadsheet = (): object => {
    const facts: Record<string, unknown> = Object(bridge.ask('SpreadsheetApp.getActiveSpreadsheet'));
    const sheets = (): Named[] => {
      const list = bridge.ask(`${SPREADSHEET}.getSheets`);
      return Array.isArray(list) ? list.map(named) : [];
    };
    const find = (name: unknown): object | null => {
      const found = sheets().find((each) => each.name === name);
      return found ? sheet(found.id) : null;
    };
    /** Reference "getRange": a notation with a sheet's name is looked up in that sheet, one without in the active one. */
    const getRange = (a1: unknown): object =>
      rangeOf(bridge.ask(`${SHEET}.getRange`, activeBlock().sheet, a1));
    const toast = (message: unknown, title: unknown = '', seconds: unknown = 5): void =>
      void bridge.ask(`${SPREADSHEET}.toast`, message, title, seconds);
    return emulated(SPREADSHEET, {
      getId: method(() => facts.id),
      getName: method(() => facts.name),
      getUrl: method(() => `https://docs.google.com/spreadsheets/d/${String(facts.id)}/edit`),
      getSpreadsheetLocale: method(() => facts.locale),
      getSpreadsheetTimeZone: method(() => facts.timeZone),
      getOwner: method(() => user(facts.owner)),
      getSheets: method(() => sheets().map(({ id }) => sheet(id))),
      getNumSheets: method(() => sheets().length),
      getSheetByName: method(find, 'String'),
      getActiveSheet: method(activeSheet),
      getActiveRange: method(activeRange),
      getActiveCell: method(currentCell),
      getCurrentCell: method(currentCell),
      getRange: method(getRange, 'String'),
      insertSheet: method(
        (name) => sheet(named(bridge.ask(`${SPREADSHEET}.insertSheet`, name ?? null)).id),
        '',
        'String',
      ),
      toast: method(toast, 'String', 'String, String', 'String, String, Number'),
    });
  };

  const service = emulated('SpreadsheetApp', {
    getActiveSpreadsheet: method(spreadsheet),
    getActive: method(spreadsheet),
    getActiveSheet: method(activeSheet),
    getActiveRange: method(activeRange),
    getCurrentCell: method(currentCell),
    getUi: method(() => ui(bridge)),
    flush: method(() => void bridge.ask('SpreadsheetApp.flush')),
  });
  return { service, active: spreadsheet };
}
