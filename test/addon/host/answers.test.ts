// What a realm does with an answer of the host that is none: it says so at once, and goes on with no sheet that there is not.
import { expect, test } from 'vitest';
import { Bridge, type Door } from '../../../addon/host/services/bridge.ts';
import { spreadsheetApp } from '../../../addon/host/services/spreadsheet.ts';
import { pack } from '../../../addon/host/wire.ts';

/** A host that answers these calls so, by their names. */
function door(answers: Readonly<Record<string, unknown>>): Door {
  return {
    ask: (name) => ({ ok: true, value: pack(answers[name] ?? null), bytes: [] }),
    tell: () => undefined,
    decode: () => '',
    encode: () => new Uint8Array(),
  };
}

const spreadsheet = { id: 'workbook', name: 'Workbook', locale: 'en_US', timeZone: 'GMT', owner: '' };
const sheets = [{ id: 7, name: 'Sheet1' }];

/** Calls a method of something that Apps Script gave. */
function call(on: unknown, method: string, ...args: unknown[]): unknown {
  const does: unknown = Reflect.get(Object(on), method);
  if (typeof does !== 'function') throw new TypeError(`no method ${method}`);
  return Reflect.apply(does, on, args);
}

const opened = (answers: Readonly<Record<string, unknown>>): unknown => {
  const all = { 'SpreadsheetApp.getActiveSpreadsheet': spreadsheet, ...answers };
  return call(spreadsheetApp(new Bridge(door(all))).service, 'getActiveSpreadsheet');
};

test('a sheet is known by its number', () => {
  const [sheet] = Object(call(opened({ 'SpreadsheetApp.Spreadsheet.getSheets': sheets }), 'getSheets'));
  expect(call(sheet, 'getSheetId')).toBe(7);
});

test.each([
  ['getSheets', { 'SpreadsheetApp.Spreadsheet.getSheets': [['a cell']] }, /tells no sheet: \["a cell"\]/],
  ['getActiveRange', { 'SpreadsheetApp.getActiveRange': { row: 1 } }, /tells no block: \{"row":1\}/],
])('%s throws where what came tells none', (method, answers, words) => {
  expect(() => call(opened(answers), method)).toThrow(words);
});
