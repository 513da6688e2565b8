// What a person in front of the sidebar asks for: searches and look-ups as the page orders them, and runs until they end.
import type { CellValue, Workbook } from '../../../addon/dev/host/types.ts';
import type { EnrichOrder, Progress, SearchOrder } from '../../../addon/server/api/index.ts';
import { type Sidebar, startRun, workbookOf } from './sidebar.ts';

/** The columns that searches write where a test says no others. */
export const searchColumns = ['id', 'name', 'website', 'industry', 'canonical_url'];

/** A search for base companies into a new sheet, two pages of it. */
export function searchOrder(more: Partial<SearchOrder> = {}): SearchOrder {
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

/** Searches and writes until the run ends. */
export async function written(
  bar: Sidebar,
  more: Partial<SearchOrder> = {},
  confirmed = false,
): Promise<Progress> {
  return bar.finish(await startRun(bar, 'startSearch', { ...searchOrder(more), confirmed }));
}

/** The ids of a table that was written, without its heading. */
export const idsOf = (values: readonly (readonly CellValue[])[]): CellValue[] =>
  values.slice(1).map(([id]) => id ?? '');

/** All websites of the first sheet's first column, for two fields. */
export function enrichOrder(more: Partial<EnrichOrder> = {}): EnrichOrder {
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

/** A list with a heading. */
export const list = (keys: readonly CellValue[], sheet = {}): Workbook =>
  workbookOf([['Website'], ...keys.map((key) => [key])], sheet);

/** Looks a list up until the run ends. */
export async function enriched(
  bar: Sidebar,
  more: Partial<EnrichOrder> = {},
  confirmed = false,
): Promise<Progress> {
  return bar.finish(await startRun(bar, 'startEnrich', { ...enrichOrder(more), confirmed }));
}
