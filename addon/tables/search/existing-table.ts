// Finds the table that a search has already filled, so that it can be updated instead of written twice.

import { accountColumn } from '../../../shared/accounts.ts';
import { distinguishTitle } from '../../../shared/lib/distinguish-title.ts';
import type { AccountsSource, SearchOrder, SearchPlan } from '../../server/api/index.ts';
import { findAccounts } from '../accounts/companies.ts';
import { locateTables } from '../locate.ts';
import { listTables, listValuePaths, type TableRecord } from '../registry.ts';
import type { TargetTable } from '../target.ts';

/** Identifies the rows of a search: family, query and companies. Their number may differ. */
function getSearchKey({
  family,
  query,
  accounts,
}: Pick<TableRecord, 'family' | 'query'> & { accounts?: AccountsSource | undefined }): string {
  return JSON.stringify([family, query, accounts && [accounts.sheet, accounts.column, accounts.atLeast]]);
}

/**
 * Finds the table with the rows of a search: the target of the order, or the last one written.
 * @returns undefined for an order at the selected cell, and without such a table
 */
export function findExistingTable({
  where,
  accounts,
  ...search
}: SearchOrder): Omit<NonNullable<SearchPlan['existing']>, 'credits'> | undefined {
  if (where.kind === 'cursor') return undefined;
  const key = getSearchKey({ ...search, accounts });
  const tables = listTables();
  const same = tables.filter(
    (table) =>
      table.kind === 'search' &&
      !table.frozen &&
      (where.kind !== 'table' || table.id === where.tableId) &&
      getSearchKey({ ...table, accounts: table.accounts && findAccounts(table.id, table.accounts) }) === key,
  );
  // Reading the sheets takes a while.
  const places = same.length === 0 ? undefined : locateTables(tables).places;
  const table = same.find(({ id }) => places?.has(id));
  const sheet = table && places?.get(table.id)?.sheet.getName();
  if (table === undefined || sheet === undefined) return undefined;
  const { id, title } = table;
  const paths = listValuePaths(table);
  const own = accounts === undefined ? paths : paths.filter((path) => path !== accountColumn);
  return { tableId: id, title: distinguishTitle(title, sheet, listTitles(tables)), columns: own };
}

const listTitles = (tables: readonly TableRecord[]): string[] => tables.map(({ title }) => title);

/** Describes the table that an order writes into. */
export function describeTarget({ table, location, rows }: TargetTable): NonNullable<SearchPlan['target']> {
  const title = distinguishTitle(table.title, location.sheet.getName(), listTitles(listTables()));
  return { title, rows };
}
