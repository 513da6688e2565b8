// Search and lookup orders for tests, and their runs.
import type { CellValue, Workbook } from '../../../addon/dev/host/types.ts';
import type { EnrichOrder, Progress, SearchOrder } from '../../../addon/server/api/index.ts';
import { completeRun, createWorkbook, type Sidebar } from './sidebar.ts';

export const searchColumns = ['id', 'name', 'website', 'industry', 'canonical_url'];

/** Headings of the columns. */
export const searchHeadings = ['ID', 'Name', 'Website', 'Industry', 'Profile URL'];

/** Creates an order of two pages of base companies into a new sheet. */
export function createSearchOrder(more: Partial<SearchOrder> = {}): SearchOrder {
  return {
    family: 'company_base',
    query: { text: '*' },
    columns: searchColumns,
    pages: 2,
    where: { kind: 'newSheet' },
    mode: 'replace',
    title: 'Companies',
    ...more,
  };
}

/** Runs a search until it ends. */
export async function runSearch(
  sidebar: Sidebar,
  more: Partial<SearchOrder> = {},
  confirmed = false,
): Promise<Progress> {
  return completeRun(sidebar, 'startSearch', { ...createSearchOrder(more), confirmed });
}

/** Lists the ids of a table. */
export const listIds = (values: readonly (readonly CellValue[])[]): CellValue[] =>
  values.slice(1).map(([id]) => id ?? '');

/** Creates an order of two fields for the websites in the first column. */
export function createEnrichOrder(more: Partial<EnrichOrder> = {}): EnrichOrder {
  return {
    sheet: 'Sheet1',
    column: 1,
    by: 'website',
    family: 'company_clean',
    scope: 'all',
    fields: ['name', 'founded'],
    ...more,
  };
}

/** Creates a workbook with a list of keys below a heading. */
export const createList = (keys: readonly CellValue[], sheet = {}): Workbook =>
  createWorkbook([['Website'], ...keys.map((key) => [key])], sheet);

/** Runs a lookup until it ends. */
export async function runEnrichment(
  sidebar: Sidebar,
  more: Partial<EnrichOrder> = {},
  confirmed = false,
): Promise<Progress> {
  return completeRun(sidebar, 'startEnrich', { ...createEnrichOrder(more), confirmed });
}
