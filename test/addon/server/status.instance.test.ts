// Connection, settings, saved searches and formulas of the sidebar, against the running instance.
import { describe, expect, inject, it } from 'vitest';
import { createWorkbook, openInstanceSidebar } from './sidebar.ts';

const session = inject('session');
const link = `${session.url}/connect#${session.team_token}`;

describe('connecting', () => {
  it('connects with a link for the spreadsheet or one user, and disconnects', async () => {
    const sidebar = await openInstanceSidebar({ properties: { document: {} } });
    expect(await sidebar.callOk('status', {})).toMatchObject({
      connection: null,
      canConnectSheet: true,
      tab: 'enrich',
    });
    expect(await sidebar.call('count', { family: 'company_base', query: { text: '*' } })).toMatchObject({
      ok: false,
      code: 'not_connected',
    });
    expect(await sidebar.callOk('connect', { link, for: 'me' })).toMatchObject({
      connection: { for: 'me', team: 'Development', mode: 'sandbox', spending: true, confirmAbove: 1000 },
    });
    expect(sidebar.getProperties()).not.toHaveProperty('CDAPI_CONNECTION');
    expect(await sidebar.callOk('connect', { link, for: 'sheet' })).toMatchObject({
      connection: { for: 'sheet' },
    });
    expect(await sidebar.callOk('disconnect', { for: 'sheet' })).toMatchObject({ connection: { for: 'me' } });
    expect(await sidebar.callOk('disconnect', { for: 'me' })).toMatchObject({ connection: null });
  });
});

describe('stored settings', () => {
  it('include the open tab of each sheet', async () => {
    const sidebar = await openInstanceSidebar({
      workbook: {
        ...createWorkbook([]),
        sheets: [
          { id: 1, name: 'One', values: [] },
          { id: 2, name: 'Two', values: [] },
        ],
      },
    });
    await sidebar.callOk('setTab', { tab: 'bulk' });
    sidebar.edit((workbook) => ({
      ...workbook,
      active: { sheet: 'Two', row: 2, column: 2, rows: 3, columns: 1 },
    }));
    expect(await sidebar.callOk('status', {})).toMatchObject({
      tab: 'enrich',
      active: { sheet: 'Two', range: 'B2:B4', rows: 3 },
    });
    sidebar.edit((workbook) => ({ ...workbook, active: { sheet: 'One', row: 1, column: 1 } }));
    expect((await sidebar.callOk('status', {})).tab).toBe('bulk');
  });

  it('include saved searches of the team and the user', async () => {
    const sidebar = await openInstanceSidebar();
    const saved = {
      name: 'Makers',
      family: 'company_base',
      query: { text: 'industry:manufacturing' },
      shared: true,
    } as const;
    const list = await sidebar.callOk('saveSearch', saved);
    const makers = list.find(({ name }) => name === 'Makers');
    expect(makers).toMatchObject(saved);
    expect(await sidebar.callOk('savedSearches', {})).toEqual(list);
    const changed = { ...saved, query: { text: 'industry:mining' }, shared: false };
    const after = await sidebar.callOk('saveSearch', { ...changed, id: makers?.id ?? '' });
    expect(after).toHaveLength(list.length);
    expect(after.find(({ id }) => id === makers?.id)).toMatchObject(changed);
    const remaining = await sidebar.callOk('deleteSearch', { id: makers?.id ?? '' });
    expect(remaining.some(({ name }) => name === 'Makers')).toBe(false);
    expect(await sidebar.call('deleteSearch', { id: makers?.id ?? '' })).toMatchObject({
      ok: false,
      code: 'not_found',
    });
  });
});

describe('inserting a formula', () => {
  it.each([
    ['en_US', ','],
    ['de_DE', ';'],
  ])('writes the search into the active cell with quoted texts in %s', async (locale, comma) => {
    const sidebar = await openInstanceSidebar({
      workbook: { ...createWorkbook([]), locale, active: { sheet: 'Sheet1', row: 2, column: 3 } },
    });
    const filters = { name: 'a "quoted" name' };
    const put = await sidebar.callOk('insertFormula', {
      formula: 'CDAPI_PREVIEW',
      family: 'company_base',
      query: { filters },
      columns: ['id', 'name'],
      limit: 2,
      // "The same for every button that spends": the formula never spends more than the price that was shown.
      maxCredits: 20,
    });
    expect(put).toEqual({
      cell: 'Sheet1!C2',
      formula: `=CDAPI_PREVIEW("company_base"${comma} "{""name"":""a \\""quoted\\"" name""}"${comma} "id, name"${comma} 2${comma} "max_credits=20")`,
    });
    const { formulas, values } = sidebar.getSheet('Sheet1');
    expect([formulas?.[1]?.[2], values[1]?.[2]]).toEqual([put.formula, '']);
    const again = { formula: 'CDAPI_COUNT', family: 'company_base', query: { text: 'x' } } as const;
    expect(await sidebar.call('insertFormula', again)).toMatchObject({ code: 'confirm_first' });
    expect(await sidebar.callOk('insertFormula', { ...again, confirmed: true })).toMatchObject({
      formula: `=CDAPI_COUNT("company_base"${comma} "x")`,
    });
  });
});
