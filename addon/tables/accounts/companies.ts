// Reads the companies of a column, and finds the column again by developer metadata.
import { countField, maxAccountRows } from '../../../shared/accounts.ts';
import { namesPerson, normaliseWebsiteOrEmail } from '../../../shared/keys/email.ts';
import { formatKey, type NotKey, normaliseId } from '../../../shared/keys/index.ts';
import { formatMark, type Mark } from '../../../shared/table/locate.ts';
import { createError } from '../../lib/addon-error.ts';
import { isUnfinishedKey } from '../../lib/cell-errors.ts';
import type { AccountsSource, AtLeast } from '../../server/api/index.ts';
import { findSheet, getRange, type Sheet } from '../../sheet/area.ts';
import { requireSheet } from '../../sheet/guard.ts';
import { addMark, companiesMark, findMarks, listTablesIn, locateTables, removeMarks } from '../locate.ts';
import { findKeyHeading, NAME_HEADING } from '../lookup/candidate-columns.ts';
import type { StoredAccounts } from '../registry.ts';

/** More companies would make a run take hours. */
const MAX_COMPANIES = 5000;

/** Companies and rows of a step, which must end within 25 s. */
const STEP_COMPANIES = 50;
const STEP_ROWS = Math.floor(maxAccountRows / 4);

const NO_COUNTS = 'The column of numbers was deleted. Choose all companies, or count again.';
const GONE = 'The column of companies was deleted, or can’t be recognised any more. Start a new search.';

export interface Companies {
  /** Distinct companies in their order: websites as hosts, ids and names. */
  companies: string[];
  /** What cells are that are no company, such as private e-mail addresses. */
  notKeys: NotKey[];
}

export const getStepSize = ({ perCompany }: AccountsSource): number =>
  Math.max(1, Math.min(STEP_COMPANIES, Math.floor(STEP_ROWS / perCompany)));

/** Adds the id of its sheet to the column of an order. */
export const toStoredAccounts = (source: AccountsSource): StoredAccounts => ({
  ...source,
  sheetId: requireSheet(source.sheet).getSheetId(),
});

/** Marks the column of companies for a table, so that a refresh finds it wherever it moves. A protected one stays unmarked. */
export function markAccounts(tableId: string, { sheet: name, column }: AccountsSource): void {
  const sheet = requireSheet(name);
  const value = formatMark(tableId, companiesMark);
  removeMarks(tableId, (mark) => mark.value !== value || isAt(mark, sheet, column));
  if (findMarks(tableId, companiesMark).length > 0) return;
  try {
    addMark(sheet, value, { row: 1, rows: sheet.getMaxRows(), column, columns: 1 });
  } catch {
    // The run reads the column of the order, and a refresh asks for another search.
  }
}

const isAt = ({ sheetId, at }: Mark, sheet: Sheet, column: number): boolean =>
  sheetId === sheet.getSheetId() && at === column;

/** Finds the column of a table; undefined if it was deleted or never marked. */
export function findAccounts(
  tableId: string,
  { sheetId, perCompany, atLeast }: StoredAccounts,
): AccountsSource | undefined {
  const [mark, ...copies] = findMarks(tableId, companiesMark, sheetId);
  const sheet = findSheet(sheetId);
  return sheet === undefined || mark === undefined || copies.length > 0
    ? undefined
    : { sheet: sheet.getName(), column: mark.at, perCompany, ...(atLeast && { atLeast }) };
}

/**
 * Finds the column of a table.
 * @throws AddonError `gone` as {@link findAccounts}
 */
export function requireAccounts(tableId: string, stored: StoredAccounts): AccountsSource {
  const source = findAccounts(tableId, stored);
  if (source === undefined) throw createError('gone', GONE);
  return source;
}

/**
 * Converts a cell to a company. An e-mail address becomes its domain.
 * @param hasNames - the heading says that the column has names
 * @returns what it is instead, if it is none, such as a private e-mail address
 */
export function toCompany(text: string, hasNames: boolean): { company: string } | { is: NotKey } {
  const website = normaliseWebsiteOrEmail(text);
  if (website.ok) return { company: formatKey(website) };
  const id = normaliseId(text);
  if (id.ok) return { company: id.value };
  const isName = hasNames && (website.is === 'name' || website.is === 'other') && !namesPerson(text);
  return isName ? { company: text } : { is: website.is };
}

/**
 * Creates a check whether a row of a sheet has at least a number in a column of counts.
 * @throws AddonError `gone` if the column was deleted or is not in this sheet
 */
export function createCountCheck({ tableId, count }: AtLeast, sheet: Sheet): (row: number) => boolean {
  const tables = listTablesIn(sheet.getSheetId());
  const { columns = [] } = tables.find(({ id }) => id === tableId) ?? {};
  const location = locateTables(tables, sheet.getSheetId()).places.get(tableId);
  const column = location?.columns[columns.findIndex(({ path }) => path === countField)];
  if (column === undefined) throw createError('gone', NO_COUNTS);
  const rows = Math.max(1, sheet.getLastRow());
  const cells: unknown[][] = getRange(sheet, { row: 1, column, rows, columns: 1 }).getValues();
  return (row) => {
    const [cell] = cells[row - 1] ?? [];
    return typeof cell === 'number' && cell >= count;
  };
}

/**
 * Lists the companies of a column. Cells that are still loading or show an error, and rows with too few matches, are left out.
 * @throws AddonError if the sheet is gone, or there are too many
 */
export function readCompanies({ sheet: name, column, atLeast }: AccountsSource): Companies {
  const sheet = requireSheet(name);
  const { first, text: heading } = findKeyHeading(sheet, column);
  const rows = sheet.getLastRow() - first + 1;
  const cells: unknown[][] =
    rows < 1 ? [] : getRange(sheet, { row: first, column, rows, columns: 1 }).getValues();
  const hasEnough = atLeast && createCountCheck(atLeast, sheet);
  const all = cells
    .filter((_, at) => hasEnough?.(first + at) !== false)
    .flat()
    .filter((cell) => !isUnfinishedKey(cell))
    .map((cell) => String(cell ?? '').trim())
    .filter((text) => text !== '')
    .map((text) => toCompany(text, NAME_HEADING.test(heading)));
  const companies = [...new Set(all.flatMap((each) => ('company' in each ? each.company : [])))];
  if (companies.length > MAX_COMPANIES)
    throw createError('bad_call', 'A search takes at most {max} companies. Split the column.', {
      max: MAX_COMPANIES,
    });
  return { companies, notKeys: all.flatMap((each) => ('is' in each ? each.is : [])) };
}
