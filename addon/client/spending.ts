// The spending switches of a spreadsheet and of the formulas of its sheets: when one is off, lookups return cached records only.
import { AddonError } from '../lib/addon-error.ts';
import { getDocumentProperties } from '../lib/document-store.ts';
import { getSpreadsheet } from '../lib/permissions.ts';

/**
 * `off`, or the ids of the sheets whose formulas don't spend, with commas between them. One property holds both, because
 * each read is a call of Google in every formula.
 */
const PROPERTY = 'CDAPI_SPENDING';
const OFF = 'off';
/** These ids, also while spending is off everywhere. */
const SHEETS_PROPERTY = 'CDAPI_SPENDING_SHEETS';

const NO_DOCUMENT = 'This setting can’t be saved here. Open the spreadsheet itself and change it there.';

/** The user property that holds a copy of a setting of this spreadsheet. */
const ownerCopyKey = (name: string): string => `${name}:${getSpreadsheet().getId()}`;

/** Reads a setting. A formula without document properties sees the owner's copy. */
function readSetting(name: string): string | null {
  const properties = getDocumentProperties();
  return properties === null
    ? PropertiesService.getUserProperties().getProperty(ownerCopyKey(name))
    : properties.getProperty(name);
}

/**
 * Saves a setting for everybody who works in this spreadsheet.
 * @param value - null deletes it
 * @throws AddonError if there are no document properties
 */
function saveSetting(name: string, value: string | null): void {
  const properties = getDocumentProperties();
  if (properties === null) throw new AddonError('sheet_refused', NO_DOCUMENT);
  const userProperties = PropertiesService.getUserProperties();
  if (value === null) {
    properties.deleteProperty(name);
    userProperties.deleteProperty(ownerCopyKey(name));
  } else {
    properties.setProperty(name, value);
    userProperties.setProperty(ownerCopyKey(name), value);
  }
}

/** Tells whether lookups in this spreadsheet may spend credits; the default is yes. */
export const isSpendingOn = (): boolean => readSetting(PROPERTY) !== OFF;

/** Switches spending on or off for everybody. @throws AddonError if there are no document properties */
export const setSheetSpending = (on: boolean): void =>
  saveSetting(PROPERTY, on ? readSetting(SHEETS_PROPERTY) : OFF);

export const listSheetsWithoutSpending = (): string[] =>
  (readSetting(SHEETS_PROPERTY) ?? '').split(',').filter(Boolean);

/** Tells whether the running formula may spend credits: neither its spreadsheet nor its sheet is switched off. */
export function mayFormulaSpend(): boolean {
  const value = readSetting(PROPERTY);
  if (value === null || value === OFF) return value === null;
  // Reference "getActiveRange": in a custom function, the cell of the formula.
  return !value.split(',').includes(String(SpreadsheetApp.getActiveRange().getSheet().getSheetId()));
}

/** Tells whether the formulas of a sheet may spend credits. */
export const maySheetSpend = (sheetId: number): boolean =>
  isSpendingOn() && !listSheetsWithoutSpending().includes(String(sheetId));

/**
 * Switches spending on or off for the formulas of a sheet, for everybody.
 * @throws AddonError if there are no document properties
 */
export function setFormulaSpending(sheetId: number, on: boolean): void {
  const others = listSheetsWithoutSpending().filter((id) => id !== String(sheetId));
  const off = on ? others : [...others, sheetId];
  const value = off.length === 0 ? null : off.join(',');
  saveSetting(SHEETS_PROPERTY, value);
  if (isSpendingOn()) saveSetting(PROPERTY, value);
}
