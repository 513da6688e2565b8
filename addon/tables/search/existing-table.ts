// Finds the table that a search has already filled, so that it can be updated instead of written twice.

import { accountColumn } from '../../../shared/accounts.ts';
import { distinguishTitle } from '../../../shared/lib/format-count.ts';
import type { AccountsSource, SearchOrder, SearchPlan } from '../../server/api/index.ts';
import { findAccounts } from '../accounts/companies.ts';
import { locateTables } from '../locate.ts';
import { listTables, listValuePaths, type TableRecord } from '../registry.ts';
import type { TargetTable } from '../target.ts';

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Tells whether a table lists records at the companies of an order. Their number may differ. */
function hasCompanies({ id, accounts: stored }: TableRecord, accounts: AccountsSource | undefined): boolean {
  const current = stored && findAccounts(id, stored);
  return (
    current?.sheet === accounts?.sheet &&
    current?.column === accounts?.column &&
    isEqual(current?.atLeast, accounts?.atLeast)
  );
}

/**
 * Finds the table with the rows of a search: the target of the order, or the last one written.
 * @returns undefined for an order at the selected cell, and without such a table
 */
export function findExistingTable({
  where,
  accounts,
  family,
  query,
}: SearchOrder): Omit<NonNullable<SearchPlan['existing']>, 'credits' | 'isMaximum'> | undefined {
  if (where.kind === 'cursor') return undefined;
  const tables = listTables();
  const same = tables.filter(
    (table) =>
      table.kind === 'search' &&
      !table.frozen &&
      (where.kind !== 'table' || table.id === where.tableId) &&
      isEqual([table.family, table.query], [family, query]) &&
      hasCompanies(table, accounts),
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
