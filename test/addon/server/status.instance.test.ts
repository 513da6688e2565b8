// What the sidebar shows and keeps beside tables, against the running instance.
import { describe, expect, inject, it } from 'vitest';
import { openConnected, workbookOf } from './sidebar.ts';

const session = inject('session');
const link = `${session.url}/connect#${session.team_token}`;

describe('connecting', () => {
  it('by a pasted link, for the sheet or for one person; and disconnecting', async () => {
    const bar = await openConnected({ properties: { document: {} } });
    expect(await bar.value('status', {})).toMatchObject({
      connection: null,
      canConnectSheet: true,
      tab: 'search',
    });
    expect(await bar.ask('count', { family: 'company_base', query: { text: '*' } })).toMatchObject({
      ok: false,
      code: 'not_connected',
    });
    expect(await bar.value('connect', { link, for: 'me' })).toMatchObject({
      connection: { for: 'me', team: 'Development', mode: 'embedded', spending: true, confirmAbove: 1000 },
    });
    expect(bar.properties()).not.toHaveProperty('CDAPI_CONNECTION');
    expect(await bar.value('connect', { link, for: 'sheet' })).toMatchObject({
      connection: { for: 'sheet' },
    });
    expect(await bar.value('disconnect', { for: 'sheet' })).toMatchObject({ connection: { for: 'me' } });
    expect(await bar.value('disconnect', { for: 'me' })).toMatchObject({ connection: null });
  });
});

describe('what is kept', () => {
  it('is the open tab, by sheet', async () => {
    const bar = await openConnected({
      workbook: {
        ...workbookOf([]),
        sheets: [
          { id: 1, name: 'One', values: [] },
          { id: 2, name: 'Two', values: [] },
        ],
      },
    });
    await bar.value('setTab', { tab: 'enrich' });
    bar.edit((workbook) => ({
      ...workbook,
      active: { sheet: 'Two', row: 2, column: 2, rows: 3, columns: 1 },
    }));
    expect(await bar.value('status', {})).toMatchObject({
      tab: 'search',
      active: { sheet: 'Two', range: 'B2:B4', rows: 3 },
    });
    bar.edit((workbook) => ({ ...workbook, active: { sheet: 'One', row: 1, column: 1 } }));
    expect((await bar.value('status', {})).tab).toBe('enrich');
  });

  it('are searches, for the team or for oneself', async () => {
    const bar = await openConnected();
    const saved = {
      name: 'Makers',
      family: 'company_base',
      query: { text: 'industry:manufacturing' },
      shared: true,
    } as const;
    const list = await bar.value('saveSearch', saved);
    const own = list.find(({ name }) => name === 'Makers');
    expect(own).toMatchObject(saved);
    expect(await bar.value('savedSearches', {})).toEqual(list);
    const left = await bar.value('deleteSearch', { id: own?.id ?? '' });
    expect(left.some(({ name }) => name === 'Makers')).toBe(false);
    expect(await bar.ask('deleteSearch', { id: own?.id ?? '' })).toMatchObject({
      ok: false,
      code: 'not_found',
    });
  });
});

describe('a formula of a search', () => {
  it('lands in the active cell, its texts quoted', async () => {
    const bar = await openConnected({
      workbook: { ...workbookOf([]), active: { sheet: 'Sheet1', row: 2, column: 3 } },
    });
    const filters = { name: 'a "quoted" name' };
    const put = await bar.value('insertFormula', {
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
      formula:
        '=CDAPI_PREVIEW("company_base", "{""name"":""a \\""quoted\\"" name""}", "id, name", 2, "max_credits=20")',
    });
    expect(bar.sheet('Sheet1').formulas?.[1]?.[2]).toBe(put.formula);
    const again = { formula: 'CDAPI_COUNT', family: 'company_base', query: { text: 'x' } } as const;
    expect(await bar.ask('insertFormula', again)).toMatchObject({ code: 'confirm_first' });
    expect(await bar.value('insertFormula', { ...again, confirmed: true })).toMatchObject({
      formula: '=CDAPI_COUNT("company_base", "x")',
    });
  });
});
