// What formulas may spend: the switches of a spreadsheet and of its sheets, and the confirmed prices of formulas. When a switch is
// off, lookups return cached records only.
import { hashText } from '../../shared/lib/hash.ts';
import { createError } from '../lib/addon-error.ts';
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

/** Confirmed prices of formulas: `fingerprint:credits`, the latest first, with commas between them. */
const CONFIRMED_PROPERTY = 'CDAPI_CONFIRMED';
/** Google's limit for a property is 9 KB. */
const MAX_CONFIRMED = 300;

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
  if (properties === null) throw createError('sheet_refused', NO_DOCUMENT);
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

/**
 * Reads from the cell of the running formula.
 * @returns undefined if Google refuses it
 */
function readOwnCell<T>(read: (cell: GoogleAppsScript.Spreadsheet.Range) => T): T | undefined {
  try {
    // Reference "getActiveRange": in a custom function, the cell of the formula.
    return read(SpreadsheetApp.getActiveRange());
  } catch {
    return undefined;
  }
}

/** Tells whether the running formula may spend credits: neither its spreadsheet nor its sheet is switched off. */
export function mayFormulaSpend(): boolean {
  const value = readSetting(PROPERTY);
  if (value === null || value === OFF) return value === null;
  const sheetId = readOwnCell((cell) => cell.getSheet().getSheetId());
  return sheetId !== undefined && !value.split(',').includes(String(sheetId));
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

const REFRESH = /,?\brefresh=\d+/gi;

/**
 * Computes the fingerprint of a formula on a sheet. The option `refresh`, spaces and separators don't count: Sheets changes them
 * with the locale, and the sidebar to run a formula again.
 */
const getFormulaFingerprint = (sheetId: number, formula: string): string =>
  hashText(
    `${sheetId} ${formula
      .replace(/\s/g, '')
      .replace(REFRESH, '')
      .replace(/""|[,;]/g, '')}`,
  ).toString(36);

const readConfirmations = (): string[] => (readSetting(CONFIRMED_PROPERTY) ?? '').split(',').filter(Boolean);

/** Returns the price that a person has confirmed for the running formula; undefined for none. */
export function findConfirmedCredits(): number | undefined {
  const confirmed = readConfirmations();
  if (confirmed.length === 0) return undefined;
  const own = readOwnCell((cell) => getFormulaFingerprint(cell.getSheet().getSheetId(), cell.getFormula()));
  if (own === undefined) return undefined;
  const found = confirmed.find((each) => each.startsWith(`${own}:`));
  return found === undefined ? undefined : Number(found.slice(own.length + 1));
}

/**
 * Confirms the prices of formulas of a sheet for everybody: each of their runs may spend as much. The oldest confirmations of the
 * spreadsheet are dropped.
 * @param formulas - as their cells will have them, with the credits
 * @throws AddonError if there are no document properties
 */
export function confirmFormulas(sheetId: number, formulas: ReadonlyMap<string, number>): void {
  const added = [...formulas].map(
    ([formula, credits]) => `${getFormulaFingerprint(sheetId, formula)}:${credits}`,
  );
  const fingerprints = added.map((each) => each.split(':')[0]);
  const others = readConfirmations().filter((each) => !fingerprints.includes(each.split(':')[0]));
  saveSetting(CONFIRMED_PROPERTY, [...added, ...others].slice(0, MAX_CONFIRMED).join(','));
}
