// Templates: each builds a sheet whose formulas buy nothing until a person raises the limit, and Undo removes it.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../addon/dev/host/types.ts';
import { templates } from '../../../addon/tables/templates/templates.ts';
import { runEnrichment } from '../server/orders.ts';
import { createWorkbook, gateway, openSidebar, type Sidebar } from '../server/sidebar.ts';

const WEBSITES = ['acme.example', 'globex.example', 'initech.example'];
const withWebsites = () => createWorkbook([['Website'], ...WEBSITES.map((website) => [website])]);

const formulasOf = (sidebar: Sidebar, name: string): string[] =>
  (sidebar.getSheet(name).formulas ?? []).flat().filter((formula): formula is string => Boolean(formula));

describe.each(templates.map(({ id, title, credits, isMaximum }) => ({ id, title, credits, isMaximum })))(
  'the template $title',
  ({ id, title, credits, isMaximum }) => {
    it('buys nothing, limits what its formulas spend by B3, and is undone', async () => {
      const sidebar = await openSidebar({ workbook: withWebsites() });
      const views = await sidebar.callOk('templates', {});
      expect(views.find((view) => view.id === id)).toMatchObject({ title, credits });
      const { sheet, runId } = await sidebar.callOk('buildTemplate', { id });
      expect(sheet).toBe(title);
      expect(gateway.spent).toBe(0);
      const values = sidebar.getValues(sheet);
      expect([values[0]?.[0], values[2]?.slice(0, 2)]).toEqual([title, ['Credit limit', 0]]);
      const { columnWidths = {}, styles } = sidebar.getSheet(sheet);
      expect(Math.min(...Object.values(columnWidths))).toBeGreaterThanOrEqual(100);
      expect(Object.keys(columnWidths).length).toBeGreaterThanOrEqual(4);
      expect(styles?.fontWeight?.[5]?.[0]).toBe('bold');
      expect(values[3]?.[0]).toBe(isMaximum ? 'Price at most' : 'Price now');
      // The cells below headings may name filters.
      const headings = values.filter((_, row) => styles?.fontWeight?.[row]?.[0] === 'bold').flat();
      expect(headings.filter((heading) => String(heading).includes('_'))).toEqual([]);
      const formulas = formulasOf(sidebar, sheet);
      expect(formulas).toContain('="max_credits="&B3');
      const paid = formulas.filter((formula) => /CDAPI_(?!COST|COUNT|SEARCH)/.test(formula));
      expect(paid.length).toBeGreaterThan(0);
      for (const formula of paid) {
        expect(formula).toMatch(/[;,] C3\)/);
        // An error is no way to ask for the limit.
        expect(formula).toMatch(/B\$?3=0.+"(?:Set|Type the price into) B3 to /);
      }
      expect(await sidebar.callOk('undo', { runId })).toMatchObject({ cells: expect.any(Number) });
      expect(sidebar.getWorkbook().sheets.map(({ name }) => name)).toEqual(['Sheet1']);
    });
  },
);

it('are priced by what the team has already, again after a purchase', async () => {
  const sidebar = await openSidebar({ workbook: withWebsites() });
  const price = async (id: string) =>
    (await sidebar.callOk('templates', {})).find((view) => view.id === id)?.now;
  expect(await price('leads')).toBe(30);
  await runEnrichment(sidebar, {});
  expect([await price('leads'), await price('hygiene')]).toEqual([0, 0]);
  // This gateway knows no people: their price is the highest.
  expect(await price('people')).toBeUndefined();
});

it('has a column of keys below its titles', async () => {
  const sidebar = await openSidebar({ workbook: withWebsites() });
  const { sheet } = await sidebar.callOk('buildTemplate', { id: 'leads' });
  const columns = await sidebar.callOk('columns', {});
  expect(columns.find((column) => column.sheet === sheet)).toMatchObject({
    ...{ letter: 'A', heading: 'E-mail or website', headingRow: 6, keys: 4 },
  });
});

it('lists people and jobs beside their accounts, below headings in words and without the first row of the formula', async () => {
  const sidebar = await openSidebar({ workbook: withWebsites() });
  const { sheet } = await sidebar.callOk('buildTemplate', { id: 'people' });
  expect(sidebar.getValues(sheet)[5]).toEqual(['Account', '', 'Company', 'Name', 'Job title', 'Country']);
  // Results in the column of the accounts would count as accounts.
  const columns = await sidebar.callOk('columns', {});
  expect(columns.find((column) => column.sheet === sheet)).toMatchObject({
    letter: 'A',
    keys: 3,
    distinct: 3,
  });
  expect(formulasOf(sidebar, sheet).at(-1)).toMatch(
    /LET\(list[;,] CDAPI_PEOPLE.+IF\(ROWS\(list\)=1[;,] list[;,] FILTER.+SEQUENCE\(ROWS\(list\)\)>1/,
  );
});

it('takes its examples from a column of websites of this spreadsheet, otherwise from known companies', async () => {
  const firstKeys = (cells: CellValue[][]) => cells.slice(6, 9).map(([cell]) => cell);
  const own = await openSidebar({ workbook: withWebsites() });
  await own.callOk('buildTemplate', { id: 'jobs' });
  expect(firstKeys(own.getValues('Hiring signals'))).toEqual(WEBSITES);
  const empty = await openSidebar();
  const { runId } = await empty.callOk('buildTemplate', { id: 'jobs' });
  expect(firstKeys(empty.getValues('Hiring signals'))).toEqual(['shopify.com', 'spotify.com', 'stripe.com']);
  empty.editSheet('Hiring signals', ({ values }) => ({
    values: values.map((row, at) => (at === 6 ? ['mine.example'] : row)),
  }));
  expect(await empty.call('undo', { runId })).toMatchObject({ ok: false, code: 'gone' });
});
