// Writes the report: a sheet with a row for each check, and JSON to paste into an issue. Both are without personal data.

import type { Check, Finding } from './check.ts';
import { describeOwner } from './probes.ts';

const SHEET_NAME = 'CDAPI check';
const HEADINGS = ['assumption', 'expected', 'found', 'result'];
/** The cells of the JSON, to the right of the rows. */
const JSON_COLUMN = HEADINGS.length + 2;

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*/g;
/** Scopes of Google name nobody. */
const LINK = /https?:\/\/(?!www\.googleapis\.com\/auth\/)[^\s"')]+/g;
const ID = /[\w-]{20,}/g;

/**
 * Removes personal data and file names: addresses, links, ids, and the given names.
 * @param names - such as the spreadsheet's
 */
function redact(text: string, names: readonly string[]): string {
  const anonymous = text.replace(EMAIL, '(address)').replace(LINK, '(link)').replace(ID, '(id)');
  return names
    .filter((name) => name !== '')
    .reduce((shown, name) => shown.split(name).join('(name)'), anonymous);
}

/** Everything that an error of Google may name. */
function listNames(spreadsheet: GoogleAppsScript.Spreadsheet.Spreadsheet): string[] {
  const sheets = spreadsheet.getSheets().map((sheet) => sheet.getName());
  return [
    spreadsheet.getId(),
    spreadsheet.getName(),
    ...sheets.filter((name) => !name.startsWith(SHEET_NAME)),
  ];
}

/** Returns the report's sheet, without its old contents. */
function getReportSheet(
  spreadsheet: GoogleAppsScript.Spreadsheet.Spreadsheet,
): GoogleAppsScript.Spreadsheet.Sheet {
  const sheet = spreadsheet.getSheetByName(SHEET_NAME) ?? spreadsheet.insertSheet(SHEET_NAME, 0);
  sheet.clear();
  return sheet;
}

/**
 * Writes the report.
 * @param findings - by the checks' ids
 * @returns the number of failed checks
 */
export function writeReport(
  spreadsheet: GoogleAppsScript.Spreadsheet.Spreadsheet,
  checks: readonly Check[],
  findings: ReadonlyMap<string, Finding>,
): number {
  const names = listNames(spreadsheet);
  const results = checks.flatMap(({ id, expected }) => {
    const finding = findings.get(id);
    if (finding === undefined) return [];
    const { found, status } = finding;
    // Only messages of errors may contain names.
    return [{ id, expected, found: redact(found, found.startsWith('failed: ') ? names : []), status }];
  });
  const report = { locale: spreadsheet.getSpreadsheetLocale(), owner: describeOwner(), results };
  const rows = results.map(({ id, expected, found, status }) => [id, expected, found, status]);
  const sheet = getReportSheet(spreadsheet);
  // An apostrophe keeps each text from being parsed.
  const texts = [HEADINGS, ...rows].map((row) => row.map((text) => `'${text}`));
  sheet.getRange(1, 1, texts.length, HEADINGS.length).setValues(texts);
  sheet
    .getRange(1, JSON_COLUMN, 2, 1)
    .setValues([['To paste into an issue: copy the cell below'], [`'${JSON.stringify(report)}`]]);
  sheet.getRange(1, 1, 1, JSON_COLUMN).setFontWeight('bold');
  sheet.setFrozenRows(1);
  spreadsheet.setActiveSheet(sheet);
  return results.filter(({ status }) => status === 'FAIL').length;
}
