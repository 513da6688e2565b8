// Refreshes: they buy only the chosen rows, and each once after any crash.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import { getPreviewPrice, getRecordPrice } from '../../../../shared/operations.ts';
import { createResponse } from '../../spreadsheet.ts';
import { createList, runEnrichment, runSearch } from '../orders.ts';
import { completeRun, gateway, openSidebar, type Sidebar, type SidebarOptions } from '../sidebar.ts';

let time = 0;
const now = (): number => time;
beforeEach(() => {
  time = Date.parse('2026-03-01T12:00:00Z');
  gateway.now = now;
});

/** Opens a sidebar and records the spreadsheet after each response to a kind of call. */
async function recorded(call: string, options: SidebarOptions = {}) {
  const kept: { workbook: Workbook; properties: { document: Record<string, string> } }[] = [];
  const sidebar: Sidebar = await openSidebar({
    ...options,
    now,
    fetch: async (request) => {
      const answered = await gateway.fetch(request);
      if (request.url.endsWith(call))
        kept.push({ workbook: sidebar.getWorkbook(), properties: { document: sidebar.getProperties() } });
      return answered;
    },
  });
  const refreshed = async (id: string, only: 'all' | 'stale') =>
    completeRun(sidebar, 'refreshTable', { id, only });
  /** Resumes from each recorded state. @returns the final progress of each run */
  const resumed = async () => {
    const ends: unknown[] = [];
    for (const moment of kept) {
      const again = await openSidebar({ ...moment, now });
      const [unfinished] = await again.callOk('unfinished', {});
      ends.push(await again.resumeRun(unfinished?.runId ?? ''));
    }
    return ends;
  };
  return { sidebar, kept, refreshed, resumed };
}

const NO_COUNTS = { found: 0, notFound: 0, invalid: 0, changed: 0, added: 0, updated: 0 };

describe('the last run of a table', () => {
  it('has the rows of a lookup that were found, not found, failed and changed, and its credits', async () => {
    const workbook = createList(['a.example', 'nobody.example', 'b.example', 'no website']);
    let name = 'First';
    const sidebar = await openSidebar({
      workbook,
      now,
      fetch: async (request) => {
        const answered = await gateway.fetch(request);
        if (!request.url.endsWith('/lookup')) return answered;
        const text = new TextDecoder().decode(answered.body);
        return createResponse(200, text.replace('Name of a.example', name));
      },
    });
    const lastRun = async () => (await sidebar.callOk('tables', {}))[0]?.lastRun;
    const { tableId: id } = await runEnrichment(sidebar, { fields: ['name'] });
    const counts = { ...NO_COUNTS, found: 2, notFound: 1, invalid: 1 };
    expect(await lastRun()).toMatchObject({ credits: 20, counts });
    name = 'Second';
    time += 60_000;
    const { runId } = await completeRun(sidebar, 'refreshTable', { id, only: 'all' });
    expect(await lastRun()).toMatchObject({ credits: 20, counts: { ...counts, changed: 1 } });
    await sidebar.callOk('undo', { runId });
    expect(await lastRun()).toMatchObject({ counts });
    expect(gateway.spent).toBe(40);
  });

  it('has the rows of a search that were changed by hand or are new', async () => {
    const sidebar = await openSidebar();
    const { tableId: id } = await runSearch(sidebar, { pages: 1, mode: 'update' });
    const lastRun = async () => (await sidebar.callOk('tables', {}))[0]?.lastRun;
    expect(await lastRun()).toMatchObject({ credits: 10, counts: { ...NO_COUNTS, found: 20 } });
    sidebar.editSheet('Companies', ({ values }) => ({
      values: values
        .slice(0, -1)
        .map((row, at) => (at === 1 ? row.map((cell, column) => (column === 1 ? 'Mine' : cell)) : row)),
    }));
    await completeRun(sidebar, 'refreshTable', { id, only: 'stale', confirmed: true });
    const counts = { ...NO_COUNTS, found: 20, changed: 1, added: 1 };
    expect(await lastRun()).toMatchObject({ credits: 0, counts });
    expect(gateway.spent).toBe(10);
  });

  it('has the new and changed rows of a search that replaces all', async () => {
    let industry = 'software';
    const sidebar = await openSidebar({
      now,
      fetch: async (request) => {
        const answered = await gateway.fetch(request);
        if (!request.url.endsWith('/preview')) return answered;
        return createResponse(200, new TextDecoder().decode(answered.body).replace('software', industry));
      },
    });
    const { tableId: id } = await runSearch(sidebar);
    const lastRun = async () => (await sidebar.callOk('tables', {}))[0]?.lastRun;
    expect(await lastRun()).toMatchObject({ credits: 20, counts: { ...NO_COUNTS, found: 40 } });
    industry = 'farming';
    time += 60_000;
    await completeRun(sidebar, 'refreshTable', { id, only: 'all' });
    expect(await lastRun()).toMatchObject({ credits: 20, counts: { ...NO_COUNTS, found: 40, updated: 2 } });
    await completeRun(sidebar, 'refreshTable', { id, only: 'stale' });
    expect(await lastRun()).toMatchObject({ credits: 0, counts: { ...NO_COUNTS, found: 40 } });
    expect(gateway.spent).toBe(40);
  });

  it('is that of the schedule whose rows the gateway wrote; Undo of an earlier run keeps the schedule known', async () => {
    const last = { id: 'run', at: '2099-01-01T07:00:00Z', state: 'done', rows: 3, credits: 6 };
    const schedule = { every: 'day', state: 'on', next_at: '2099-01-02T07:00:00Z', max_credits: 50 } as const;
    let tableId = '';
    const sidebar = await openSidebar({
      fetch: (request) =>
        /\/(?:tables|schedules)/.test(request.url)
          ? Promise.resolve(
              createResponse(200, {
                ...{ id: tableId, table: tableId, every: 'day', as_of: '', tables: [] },
                schedules: [{ table: tableId, ...schedule, last, month: { max_credits: 1500, spent: 6 } }],
              }),
            )
          : gateway.fetch(request),
    });
    ({ tableId } = await runSearch(sidebar, { pages: 1, mode: 'update' }));
    const { runId } = await completeRun(sidebar, 'refreshTable', { id: tableId, only: 'stale' });
    const order = { every: 'day', max_credits: 50, paused: false } as const;
    await sidebar.callOk('setAutoRefresh', { tableId, schedule: order, push: true });
    expect(await sidebar.callOk('tables', {})).toMatchObject([
      {
        lastRun: { at: last.at, credits: 6, counts: { updated: 3 } },
        autoRefresh: { every: 'day', nextAt: schedule.next_at, maxCredits: 50, spent: 6 },
      },
    ]);
    await sidebar.callOk('undo', { runId });
    await sidebar.callOk('untrackTable', { id: tableId });
    expect(sidebar.listCalls()).toContain(`DELETE tables/${tableId}`);
    expect(gateway.spent).toBe(10);
  });
});

it('a refresh of whole records buys only the rows that were chosen', async () => {
  const { sidebar, refreshed } = await recorded('/lookup');
  const { tableId } = await runSearch(sidebar, { pages: 1 });
  const active = { sheet: 'Companies', row: 3, column: 2, rows: 3, columns: 1 };
  sidebar.edit((workbook) => ({ ...workbook, active }));
  await completeRun(sidebar, 'startRecords', { tableId, fields: ['founded'], rows: 'selection' });
  const ids = sidebar.getValues('Companies').slice(2, 5);
  const expected = ids.map(([id]) => String(id)).toSorted();
  const listKeys = () => gateway.lookups.flatMap(({ keys }) => keys).toSorted();
  expect(listKeys()).toEqual(expected);
  const records = (await sidebar.callOk('tables', {})).find(({ kind }) => kind === 'records');
  const id = records?.id ?? '';
  expect(records).toMatchObject({ rows: 3 });
  expect(await sidebar.callOk('planRefresh', { id, only: 'stale' })).toMatchObject({ rows: 3, credits: 0 });
  expect(await sidebar.callOk('planRefresh', { id, only: 'all' })).toMatchObject({
    rows: 3,
    credits: 3 * getRecordPrice('company_base'),
  });
  gateway.lookups.length = 0;
  expect(await refreshed(id, 'all')).toMatchObject({ state: 'done', rows: 3, total: 3 });
  expect(listKeys()).toEqual(expected);
});

describe('a refresh of all rows buys each once after any crash, one of stale rows nothing fresh', () => {
  it('of a search', async () => {
    const { sidebar, kept, refreshed, resumed } = await recorded('/preview');
    const { tableId: id } = await runSearch(sidebar, { pages: 2, mode: 'update' });
    const before = gateway.spent;
    expect(await sidebar.callOk('planRefresh', { id, only: 'stale' })).toMatchObject({
      warnings: [expect.stringMatching(/less than a day ago are free/)],
    });
    await refreshed(id, 'stale');
    expect(gateway.spent).toBe(before);
    const credits = 2 * getPreviewPrice('company_base');
    const plan = await sidebar.callOk('planRefresh', { id, only: 'all' });
    expect(plan).toMatchObject({ rows: 40, credits, warnings: [] });
    time += 60_000;
    kept.splice(0);
    expect(await refreshed(id, 'all')).toMatchObject({ state: 'done', done: 40, saved: 0 });
    expect(await resumed()).toMatchObject(Array(2).fill({ state: 'done', done: 40 }));
    expect(gateway.spent).toBe(before + credits);
  });

  it('of rows with equal keys has the price of the different records, as the card of the table', async () => {
    const workbook = createList(['a.example', 'www.a.example', 'b.example', 'no website']);
    const sidebar = await openSidebar({ workbook, now });
    const { tableId: id } = await runEnrichment(sidebar, { fields: ['name'] });
    const [{ rows, records = 0 } = { rows: 0 }] = await sidebar.callOk('tables', {});
    expect([rows, records]).toEqual([4, 2]);
    const { credits } = await sidebar.callOk('planRefresh', { id, only: 'all' });
    expect(credits).toBe(records * getRecordPrice('company_clean'));
  });

  it('of looked-up values', async () => {
    const workbook = createList(['a.example', 'b.example', 'c.example']);
    const { sidebar, kept, refreshed, resumed } = await recorded('/lookup', { workbook });
    const { tableId: id } = await runEnrichment(sidebar, { fields: ['name'] });
    const before = gateway.spent;
    expect(await sidebar.callOk('planRefresh', { id, only: 'stale' })).toMatchObject({ rows: 3, credits: 0 });
    await refreshed(id, 'stale');
    expect(gateway.spent).toBe(before);
    expect(await sidebar.callOk('planRefresh', { id, only: 'all' })).toMatchObject({ rows: 3, credits: 30 });
    time += 60_000;
    kept.splice(0);
    await refreshed(id, 'all');
    expect(await resumed()).toMatchObject([{ state: 'done', rows: 3, credits: 0 }]);
    expect(gateway.spent).toBe(before + 30);
    expect((await sidebar.callOk('tables', {}))[0]?.lastRun).toMatchObject({ rows: 3, credits: 30 });
  });
});
