// Deliveries: each row is written once after any crash, in open and reopened spreadsheets.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import { pickCases } from '../../../pick-cases.ts';
import { listIds } from '../orders.ts';
import { gateway, openSidebar, type Sidebar } from '../sidebar.ts';
import { describeSheet, padRows } from '../state.ts';
import {
  createBulkOrder,
  dropEmptyRows,
  isWritten,
  limitPages,
  openTrigger,
  openWithDelivery,
  peopleHeadings,
  startBulk,
  waitForDelivery,
  writeDelivery,
} from './bulk-orders.ts';

const people = { by: 'search', query: { text: '*' }, limit: 300 } as const;

describe('a delivery of 300 rows', () => {
  it('is written once, wherever its run crashes and resumes', async () => {
    const moments: { workbook: Workbook; document: Record<string, string> }[] = [];
    let recording = false;
    const note = (): void => {
      if (recording) moments.push({ workbook: sidebar.getWorkbook(), document: sidebar.getProperties() });
    };
    const pages = limitPages(100);
    const sidebar: Sidebar = await openSidebar({
      fetch: async (request) => {
        note();
        const answered = await pages(request);
        note();
        return answered;
      },
      onWrites: note,
    });
    const { requests } = await startBulk(sidebar, createBulkOrder({ source: people }));
    expect(requests[0]).toMatchObject({ title: 'People', sheet: 'People', requested: 300, written: false });
    const cost = requests[0]?.credits.reserved;
    expect(cost).toBeGreaterThan(0);
    expect(sidebar.getValues('People')).toEqual([peopleHeadings]);
    const delivery = await waitForDelivery(sidebar);
    expect(delivery).toMatchObject({ title: 'People', kind: 'request', rowsId: requests[0]?.id });
    recording = true;
    const done = await writeDelivery(sidebar, delivery);
    recording = false;
    expect(done).toMatchObject({ state: 'done', kind: 'bulk', rows: 300, total: 300, credits: cost });
    const expected = padRows(sidebar.getValues('People'));
    expect(expected).toHaveLength(301);
    const ids = listIds(expected);
    expect(new Set(ids).size).toBe(300);
    expect(ids.every((id) => Number.isSafeInteger(id))).toBe(true);
    const { runs } = await sidebar.callOk('activity', {});
    expect(runs.find(({ rows }) => rows === 300)).toMatchObject({ kind: 'bulk', credits: cost });
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
    const list = await sidebar.callOk('bulkRequests', {});
    expect(list.requests[0]).toMatchObject({ written: true, tableId: delivery.tableId });
    expect(await sidebar.callOk('tables', {})).toMatchObject([
      {
        kind: 'bulk',
        rows: 300,
        request: delivery.rowsId,
        hasIds: true,
        limit: 300,
        credits: cost,
        lastRun: { credits: cost },
      },
    ]);
    expect(await sidebar.call('writeDelivery', delivery)).toMatchObject({ ok: false, code: 'gone' });

    expect(moments.length).toBeGreaterThanOrEqual(10);
    for (const { workbook, document } of pickCases(moments, 3)) {
      const again = await openSidebar({ workbook, properties: { document }, fetch: limitPages(100) });
      const [left] = (await again.callOk('deliveries', {})).deliveries;
      if (left !== undefined) expect((await writeDelivery(again, left)).state).toBe('done');
      expect(padRows(again.getValues('People'))).toEqual(expected);
      expect(await again.callOk('unfinished', {})).toEqual([]);
      again.close();
    }
  });
});

describe('a delivery', () => {
  it('is written when the spreadsheet is reopened', async () => {
    const { sidebar } = await openWithDelivery({ triggers: [openTrigger] });
    expect(await sidebar.reopen()).toEqual([null]);
    expect(new Set(listIds(sidebar.getValues('People'))).size).toBe(20);
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
    const before = sidebar.getWorkbook();
    expect(await sidebar.reopen()).toEqual([null]);
    expect(sidebar.getWorkbook()).toEqual(before);
  });

  it('is completed by the sidebar when the open trigger runs out of time', async () => {
    let passed = 0;
    const pages = limitPages(5);
    const { sidebar, delivery } = await openWithDelivery({
      triggers: [openTrigger],
      now: () => Date.now() + passed,
      fetch: async (request) => {
        if (/\/rows\?/.test(request.url)) passed += 2.5 * 60_000;
        return pages(request);
      },
    });
    expect(await sidebar.reopen()).toEqual([null]);
    expect(listIds(dropEmptyRows(sidebar.getValues('People')))).toHaveLength(10);
    const done = await writeDelivery(sidebar, delivery);
    expect(done).toMatchObject({ state: 'done', rows: 20 });
    expect(new Set(listIds(dropEmptyRows(sidebar.getValues('People')))).size).toBe(20);
  });

  it('is not written again automatically after Undo, but on request for free', async () => {
    const { sidebar, delivery } = await openWithDelivery();
    const run = await writeDelivery(sidebar, delivery);
    expect(await isWritten(sidebar, delivery)).toBe(true);
    const undone = await sidebar.callOk('undo', { runId: run.runId });
    expect(undone).toEqual({ cells: 84, sheet: 'People' });
    expect(sidebar.getWorkbook().sheets.map(({ name }) => name)).not.toContain('People');
    expect(await sidebar.callOk('tables', {})).toEqual([]);
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
    expect((await sidebar.callOk('bulkRequests', {})).requests).toMatchObject([{ title: 'People' }]);
    const again = await sidebar.callOk('writeBulk', {
      id: delivery.rowsId,
      where: { kind: 'newSheet' },
      mode: 'replace',
      title: 'People',
    });
    expect(await sidebar.finishRun(again)).toMatchObject({ state: 'done', rows: 20, credits: 0 });
    expect(new Set(listIds(sidebar.getValues('People'))).size).toBe(20);
  });

  it('leaves headings that were changed after its Undo', async () => {
    const { sidebar, delivery } = await openWithDelivery();
    const run = await writeDelivery(sidebar, delivery);
    sidebar.editSheet('People', ({ values: [headings = [], ...rows], ...sheet }) => ({
      ...sheet,
      values: [['Person', ...headings.slice(1)], ...rows],
    }));
    expect(await sidebar.callOk('undo', { runId: run.runId })).toMatchObject({ cells: 80 });
    expect(dropEmptyRows(sidebar.getValues('People'))).toEqual([['Person', ...peopleHeadings.slice(1)]]);
    expect(await isWritten(sidebar, delivery)).toBe(false);
  });

  it('keeps the name of its order when a later one updates the table', async () => {
    const { sidebar, delivery } = await openWithDelivery();
    await writeDelivery(sidebar, delivery);
    const { tableId, rowsId } = delivery;
    const read = async (id: string) =>
      (await sidebar.callOk('bulkRequests', {})).requests.find((request) => request.id === id);
    const where = { kind: 'table', tableId } as const;
    await startBulk(sidebar, createBulkOrder({ where, mode: 'update', title: 'Later people' }));
    const first = { title: 'People', tableId, sheet: 'People', written: true };
    expect(await read(rowsId)).toMatchObject(first);
    expect(await read(rowsId)).not.toHaveProperty('updated');
    const later = await waitForDelivery(sidebar);
    expect((await writeDelivery(sidebar, later)).state).toBe('done');
    expect(await read(rowsId)).toMatchObject({ ...first, updated: true });
    expect(await read(later.rowsId)).toMatchObject(first);
    expect(await read(later.rowsId)).not.toHaveProperty('updated');
    // Rows of the first order in a separate sheet are not older than their table.
    const copy = await sidebar.callOk('writeBulk', {
      ...{ id: rowsId, where: { kind: 'newSheet' }, mode: 'replace', title: 'Copy' },
    });
    await sidebar.finishRun(copy);
    expect(await read(rowsId)).toMatchObject({ title: 'Copy', sheet: 'Copy', written: true });
    expect(await read(rowsId)).not.toHaveProperty('updated');
  });

  it('is written once when two sidebars find it', async () => {
    const { sidebar, delivery } = await openWithDelivery();
    const runs = await Promise.all([
      sidebar.callOk('writeDelivery', delivery),
      sidebar.callOk('writeDelivery', delivery),
    ]);
    expect(runs[0]?.runId).toBe(runs[1]?.runId);
    const { runId = '' } = runs[0] ?? {};
    const steps = await Promise.all([sidebar.call('step', { runId }), sidebar.call('step', { runId })]);
    expect(steps.filter(({ ok }) => ok)).toHaveLength(1);
    expect(listIds(dropEmptyRows(sidebar.getValues('People')))).toHaveLength(20);
  });

  it('waits after Stop, and is not written again after Discard', async () => {
    const { sidebar, delivery } = await openWithDelivery({ fetch: limitPages(8), triggers: [openTrigger] });
    const { runId } = await sidebar.callOk('writeDelivery', delivery);
    await sidebar.callOk('step', { runId });
    expect(await sidebar.callOk('stop', { runId })).toMatchObject({ state: 'stopped', done: 8, total: 20 });
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
    expect(await sidebar.reopen()).toEqual([null]);
    expect(listIds(dropEmptyRows(sidebar.getValues('People')))).toHaveLength(8);
    expect((await sidebar.callOk('bulkRequests', {})).requests).toMatchObject([{ isAwaited: true }]);
    await sidebar.callOk('discardRun', { runId });
    // No text promises an automatic delivery any more.
    expect((await sidebar.callOk('bulkRequests', {})).requests[0]).not.toHaveProperty('isAwaited');
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
    expect(await isWritten(sidebar, delivery)).toBe(false);
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
    const { runs } = await sidebar.callOk('activity', {});
    expect(runs.find(({ id }) => id === runId)).toMatchObject({ kind: 'bulk', state: 'stopped', rows: 8 });
  });

  it('is found later when the gateway was unreachable', async () => {
    let down = false;
    const { sidebar } = await openWithDelivery({
      triggers: [openTrigger],
      fetch: async (request) => {
        if (down) throw new Error('Address unavailable');
        return gateway.fetch(request);
      },
    });
    down = true;
    expect(await sidebar.call('deliveries', {})).toMatchObject({ ok: false, code: 'gateway_unavailable' });
    expect(await sidebar.reopen()).toEqual([null]);
    down = false;
    expect(await sidebar.reopen()).toEqual([null]);
    expect(listIds(dropEmptyRows(sidebar.getValues('People')))).toHaveLength(20);
  });

  it('reports a missing table and writes nothing', async () => {
    const { sidebar, delivery } = await openWithDelivery();
    sidebar.edit((workbook) => ({
      ...workbook,
      sheets: workbook.sheets.filter(({ name }) => name !== 'People'),
    }));
    const before = sidebar.getWorkbook();
    expect(await sidebar.call('writeDelivery', delivery)).toMatchObject({
      ok: false,
      code: 'gone',
      message: expect.stringMatching(/Its sheet was deleted/),
    });
    expect(sidebar.getWorkbook()).toEqual(before);
    expect(await sidebar.callOk('untrackTable', { id: delivery.tableId })).toMatchObject({ tables: [] });
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
  });

  it('pauses at merged cells without changing the sheet, and resumes', async () => {
    const { sidebar, delivery } = await openWithDelivery();
    sidebar.editSheet('People', () => ({ merges: [{ row: 3, column: 1, rows: 2, columns: 2 }] }));
    const before = describeSheet(sidebar.getSheet('People'));
    const paused = await writeDelivery(sidebar, delivery);
    expect(paused).toMatchObject({
      state: 'paused',
      rows: 0,
      failure: { code: 'sheet_refused', message: expect.stringMatching(/merged cells/) },
    });
    expect(describeSheet(sidebar.getSheet('People'))).toEqual(before);
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
    sidebar.editSheet('People', () => ({ merges: [] }));
    const [left] = await sidebar.callOk('unfinished', {});
    const done = await sidebar.resumeRun(left?.runId ?? '');
    expect(done).toMatchObject({ state: 'done', rows: 20 });
  });
});
