// What the sidebar shows and keeps beside tables, against the running instance.
import { describe, expect, inject, it } from 'vitest';
import { answer } from '../spreadsheet.ts';
import { companiesThere } from './orders.ts';
import { openSidebar, startRun, workbookOf } from './sidebar.ts';

const session = inject('session');
const link = `${session.url}/connect#${session.team_token}`;

describe('connecting', () => {
  it('by a pasted link, for the sheet or for one person; and disconnecting', async () => {
    const bar = await openSidebar({ properties: { document: {} } });
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

  it('by something else says what is wrong, without the token', async () => {
    const bar = await openSidebar({ properties: { document: {} } });
    const reply = await bar.ask('connect', { link: `${link.slice(0, -3)}abc`, for: 'sheet' });
    expect(reply).toMatchObject({ ok: false, message: expect.stringMatching(/not a connection link/) });
    expect(JSON.stringify(reply)).not.toContain(session.team_token.slice(4, -4));
  });

  it('by a mistyped link is nothing that went wrong in the sheet', async () => {
    const bar = await openSidebar({ properties: { document: {} } });
    await bar.ask('connect', { link: 'https://nowhere.example', for: 'sheet' });
    await bar.ask('connect', {
      link: `${session.url}/connect#${'x'.repeat(session.team_token.length)}`,
      for: 'me',
    });
    await bar.value('connect', { link, for: 'sheet' });
    expect((await bar.value('activity', {})).errors).toEqual([]);
  });

  it('says why a connection can’t be used', async () => {
    const bar = await openSidebar({
      fetch: async () => answer(401, { code: 'unauthorised', detail: 'Revoked.', fix: 'Ask.' }),
    });
    expect(await bar.value('status', {})).toMatchObject({
      connection: null,
      trouble: { message: 'Revoked. Ask.', code: 'unauthorised' },
    });
  });
});

describe('what is kept', () => {
  it('is the open tab, by sheet', async () => {
    const bar = await openSidebar({
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
    const bar = await openSidebar();
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

  it('is the history of runs, with what each cost', async () => {
    const bar = await openSidebar();
    const run = await startRun(bar, 'startSearch', {
      family: 'company_base',
      query: { text: '*' },
      columns: ['id', 'name'],
      pages: 1,
      where: { kind: 'newSheet' },
      mode: 'replace',
      title: 'History',
    });
    const done = await bar.finish(run);
    const { runs, hitRate, team } = await bar.value('activity', {});
    expect(runs[0]).toMatchObject({
      id: done.runId,
      kind: 'search',
      title: 'History',
      rows: 20,
      failed: 0,
      credits: done.credits,
      saved: done.saved,
      state: 'done',
    });
    expect(team).toBe('Development');
    expect(hitRate).toBeGreaterThanOrEqual(0);
  });
});

describe('fields and counts', () => {
  it('are asked of the gateway', async () => {
    const bar = await openSidebar();
    expect(await bar.value('count', { family: 'company_base', query: { text: '*' } })).toEqual({
      total: await companiesThere(),
      without: [],
    });
    const { columns, preview, defaults } = await bar.value('fields', { family: 'company_base' });
    expect(columns.length).toBeGreaterThan(preview.length);
    expect(defaults).toContain('name');
  });
});

describe('a formula of a search', () => {
  it('lands in the active cell, its texts quoted', async () => {
    const bar = await openSidebar({
      workbook: { ...workbookOf([]), active: { sheet: 'Sheet1', row: 2, column: 3 } },
    });
    const filters = { name: 'a "quoted" name' };
    const put = await bar.value('formulaFor', {
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
    expect(await bar.ask('formulaFor', again)).toMatchObject({ code: 'confirm_first' });
    expect(await bar.value('formulaFor', { ...again, confirmed: true })).toMatchObject({
      formula: '=CDAPI_COUNT("company_base", "x")',
    });
  });

  it('that waits is counted and set again', async () => {
    const bar = await openSidebar({
      workbook: workbookOf(
        [
          ['a.example', '#PENDING'],
          ['b.example', 'B'],
        ],
        {
          formulas: [['', '=CDAPI_ENRICH(A1:A2, "name")']],
        },
      ),
    });
    expect(await bar.value('pending', {})).toEqual({ formulas: 1 });
    bar.writes();
    expect(await bar.value('completePending', {})).toEqual({ again: 1, left: 0 });
    expect(bar.writes().map(({ kind }) => kind)).toContain('formulas');
    expect(bar.sheet('Sheet1').formulas?.[0]?.[1]).toBe('=CDAPI_ENRICH(A1:A2, "name")');
  });
});

describe('a call', () => {
  it.each([
    ['of no method', { method: 'nope', payload: {} }],
    ['of what every object has', { method: 'toString', payload: {} }],
    ['of nothing', null],
  ])('%s is refused in words', async (_, call) => {
    const bar = await openSidebar();
    expect(await bar.raw(JSON.stringify(call))).toMatchObject({ ok: false, code: 'bad_call' });
    expect(await bar.raw('{')).toMatchObject({ ok: false, code: 'bad_call' });
  });
});

it('what nobody expected is told in words, with its cause for who is asked for help', async () => {
  const bar = await openSidebar();
  expect(await bar.raw(JSON.stringify({ method: 'count', payload: null }))).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^This went wrong in the add-on: “.+”\. Try again; .+ your admin\.$/),
  });
});
