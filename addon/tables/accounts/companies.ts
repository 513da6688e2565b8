// Reads the companies of a column, and finds the column again after changes of the spreadsheet.
import { maxAccountRows } from '../../../shared/accounts.ts';
import { namesPerson, normaliseWebsiteOrEmail } from '../../../shared/keys/email.ts';
import { formatKey, type NotKey, normaliseId } from '../../../shared/keys/index.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { isUnfinishedKey } from '../../lib/cell-errors.ts';
import type { AccountsSource } from '../../server/api/index.ts';
import { findSheet, getRange, type Sheet } from '../../sheet/area.ts';
import { findKeyHeading, NAME_HEADING } from '../lookup/candidate-columns.ts';
import type { StoredAccounts } from '../registry.ts';

/** More companies would make a run take hours. */
const MAX_COMPANIES = 5000;

/** Companies and rows of a step, which must end within 25 s. */
const STEP_COMPANIES = 50;
const STEP_ROWS = Math.floor(maxAccountRows / 4);

const GONE = 'The column of companies was deleted or renamed. Put its heading back, or start a new search.';

/** Companies of a column. */
export interface Companies {
  /** Distinct companies in their order: websites as hosts, ids and names. */
  companies: string[];
  /** What cells are that are no company, such as private e-mail addresses. */
  notKeys: NotKey[];
}

/** Returns the number of companies in a call. */
export const getStepSize = ({ perCompany }: AccountsSource): number =>
  Math.max(1, Math.min(STEP_COMPANIES, Math.floor(STEP_ROWS / perCompany)));

function requireSheet(name: string): Sheet {
  const sheet: Sheet | null = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(name);
  if (sheet === null) throw new AddonError('gone', `There is no sheet “${name}” any more.`);
  return sheet;
}

/** Adds to an order what finds its column again. */
export function toStoredAccounts(source: AccountsSource): StoredAccounts {
  const sheet = requireSheet(source.sheet);
  return { ...source, sheetId: sheet.getSheetId(), heading: findKeyHeading(sheet, source.column).text };
}

/**
 * Finds the column of a table.
 * @throws AddonError `gone` if it was deleted or renamed
 */
export function locateAccounts({ sheetId, heading, column, perCompany }: StoredAccounts): AccountsSource {
  const sheet = findSheet(sheetId);
  if (sheet === undefined) throw new AddonError('gone', GONE);
  const others = Array.from({ length: sheet.getLastColumn() }, (_, at) => at + 1);
  const found = [column, ...others].find((each) => findKeyHeading(sheet, each).text === heading);
  if (found === undefined) throw new AddonError('gone', GONE);
  return { sheet: sheet.getName(), column: found, perCompany };
}

/**
 * Converts a cell to a company. An e-mail address becomes its domain.
 * @param hasNames - the heading says that the column has names
 * @returns what it is instead, if it is none, such as a private e-mail address
 */
function toCompany(text: string, hasNames: boolean): { company: string } | { is: NotKey } {
  const website = normaliseWebsiteOrEmail(text);
  if (website.ok) return { company: formatKey(website) };
  const id = normaliseId(text);
  if (id.ok) return { company: id.value };
  const isName = hasNames && (website.is === 'name' || website.is === 'other') && !namesPerson(text);
  return isName ? { company: text } : { is: website.is };
}

/**
 * Lists the companies of a column. Cells that are still loading or show an error are left out.
 * @throws AddonError if the sheet is gone, or there are too many
 */
export function readCompanies({ sheet: name, column }: AccountsSource): Companies {
  const sheet = requireSheet(name);
  const { first, text: heading } = findKeyHeading(sheet, column);
  const rows = sheet.getLastRow() - first + 1;
  const cells: unknown[][] =
    rows < 1 ? [] : getRange(sheet, { row: first, column, rows, columns: 1 }).getValues();
  const all = cells
    .flat()
    .filter((cell) => !isUnfinishedKey(cell))
    .map((cell) => String(cell ?? '').trim())
    .filter((text) => text !== '')
    .map((text) => toCompany(text, NAME_HEADING.test(heading)));
  const companies = [...new Set(all.flatMap((each) => ('company' in each ? each.company : [])))];
  if (companies.length > MAX_COMPANIES)
    throw new AddonError(
      'bad_call',
      `A search takes at most ${MAX_COMPANIES.toLocaleString('en')} companies. Split the column.`,
    );
  return { companies, notKeys: all.flatMap((each) => ('is' in each ? each.is : [])) };
}
