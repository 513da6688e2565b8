// Formulas that the sidebar inserts: rows and columns for their results exist before.
import { describe, expect, it } from 'vitest';
import { TestGateway } from '../gateway.ts';
import { Grid } from '../grid.ts';
import { callSidebar, callSidebarOk, openSpreadsheet } from '../spreadsheet.ts';

async function openAt(cell: string, formula = '') {
  const rows = Array.from({ length: 995 }, (_, at) => ['', at === 994 ? formula : '']);
  const grid = new Grid(rows);
  grid.select(cell);
  const sheet = await openSpreadsheet({ ...grid.options, fetch: new TestGateway().fetch });
  return { grid, sheet };
}

const search = { family: 'company_base', query: { text: 'industry:*ing' } } as const;

describe('a result that is longer than the sheet', () => {
  it('is an error if a person types the formula', async () => {
    const formula = '=CDAPI_SEARCH("company_base"; "industry:*ing"; 40)';
    const { grid, sheet } = await openAt('B995', formula);
    await grid.calculate(sheet.host);
    expect(grid.values('B995')).toEqual([['#REF!']]);
  });

  it('fills rows that the sidebar has added', async () => {
    const { grid, sheet } = await openAt('B995');
    const order = { ...search, formula: 'CDAPI_SEARCH', limit: 40 } as const;
    expect(await callSidebarOk(sheet, 'insertFormula', order)).toMatchObject({ cell: 'Sheet1!B995' });
    expect(grid.workbook.sheets[0]).toMatchObject({ maxRows: 1035, maxColumns: 26 });
    await grid.calculate(sheet.host);
    const ids = grid.values('B995:B1034').flat();
    expect([ids.length, ids.every((id) => typeof id === 'number')]).toEqual([40, true]);
  });

  it('fills columns that the sidebar has added', async () => {
    const { grid, sheet } = await openAt('Z1');
    const order = { ...search, formula: 'CDAPI_PREVIEW', limit: 1 } as const;
    await callSidebarOk(sheet, 'insertFormula', { ...order, columns: ['id', 'name'] });
    expect(grid.workbook.sheets[0]).toMatchObject({ maxRows: 1000, maxColumns: 27 });
    await grid.calculate(sheet.host);
    expect(grid.values('Z1:AA1')).toEqual([['id', 'name']]);
  });

  it('is not written if Google’s limit of cells has no room for it', async () => {
    const sheets = [{ id: 1, name: 'Sheet1', values: [], maxRows: 1000, maxColumns: 10_000 }];
    const sheet = await openSpreadsheet({
      language: 'ja',
      fetch: new TestGateway().fetch,
      workbook: { id: 'w', name: 'W', sheets, active: { sheet: 'Sheet1', row: 1000, column: 1 } },
    });
    const order = { ...search, formula: 'CDAPI_SEARCH', limit: 40 } as const;
    expect(await callSidebar(sheet, 'insertFormula', order)).toMatchObject({
      code: 'sheet_refused',
      message: expect.stringMatching(/^This spreadsheet has reached Google’s limit of cells/),
    });
    expect(sheet.host.workbook.sheets[0]?.formulas?.flat().join('') ?? '').toBe('');
  });
});
