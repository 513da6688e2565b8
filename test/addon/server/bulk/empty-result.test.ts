// Bulk orders without rows: cleaning up; and the cost of tables.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import type { BulkOrder } from '../../../../addon/server/api/index.ts';
import type { DataRequestView } from '../../../../shared/api/data-requests.ts';
import { createProblem } from '../../../../shared/problems.ts';
import { createResponse } from '../../spreadsheet.ts';
import { createWorkbook, gateway, openSidebar, type Sidebar } from '../sidebar.ts';
import { describeWorkbook } from '../state.ts';
import {
  createBulkOrder,
  createReadyRequest,
  createScriptedRequest,
  peopleColumns,
  peopleHeadings,
  startBulk,
} from './bulk-orders.ts';

const { code, detail, fix } = createProblem(
  'provider_refused',
  'The provider refused it.',
  'Ask again later.',
);
const failed: Partial<DataRequestView> = { state: 'failed', problem: { code, detail, fix } };
const mine = createWorkbook([['mine']]);
const atCursor: Partial<BulkOrder> = { where: { kind: 'cursor' } };

/** Opens a spreadsheet with an order whose state the test controls. */
async function ordered(order: Partial<BulkOrder> = {}, workbook: Workbook = mine) {
  const open: DataRequestView = {
    ...createReadyRequest({
      state: 'reserved',
      rows: 0,
      credits: { reserved: 200, charged: null, saved: 0 },
    }),
    ended_at: null,
  };
  const current = { request: open };
  const fetch: Parameters<typeof openSidebar>[0] = {
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const list = { requests: [current.request], after: null };
      if (pathname.endsWith('/changes')) {
        const change = { kind: 'request', id: open.id, at: open.created_at };
        return createResponse(200, { changes: [change], cursor: 'c', more: false });
      }
      if (request.method === 'DELETE') {
        current.request = {
          ...current.request,
          state: 'cancelled',
          cancel_requested: true,
          ended_at: open.created_at,
        };
        return createResponse(200, { request: current.request, released: true, message: 'Cancelled.' });
      }
      if (pathname.endsWith(open.id)) return createResponse(200, current.request);
      if (!pathname.endsWith('/v1/requests')) return gateway.fetch(request);
      return request.method === 'POST' ? createResponse(201, open) : createResponse(200, list);
    },
  };
  const sidebar = await openSidebar({ workbook, ...fetch });
  await startBulk(sidebar, { ...createBulkOrder(order), confirmed: true });
  return {
    sidebar,
    end: (more: Partial<DataRequestView>): void => {
      current.request = {
        ...open,
        ended_at: open.created_at,
        credits: { reserved: 0, charged: 0, saved: 0 },
        ...more,
      };
    },
    /** Reopens the spreadsheet in another session, without an undo log. */
    later: (): Promise<Sidebar> =>
      openSidebar({
        workbook: sidebar.getWorkbook(),
        properties: { document: sidebar.getProperties() },
        ...fetch,
      }),
  };
}

/** Lists the notes besides those with field paths. */
const notes = (sidebar: Sidebar, name: string): string[] =>
  (sidebar.getSheet(name).notes ?? []).flat().filter((note) => note !== '' && !peopleColumns.includes(note));

describe('a bulk order without rows', () => {
  it.each<[string, Partial<BulkOrder>]>([
    ['the sheet', {}],
    ['the headings', atCursor],
  ])('removes %s made for it when it is cancelled', async (_, order) => {
    const { sidebar } = await ordered(order);
    const { message, list } = await sidebar.callOk('stopBulk', { id: createReadyRequest().id });
    expect(message).toBe('Cancelled. The sheet or headings made for its rows were removed.');
    expect(list.requests).toMatchObject([{ state: 'cancelled', written: false }]);
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(describeWorkbook(mine));
    expect(await sidebar.callOk('tables', {})).toEqual([]);
  });

  it('removes its sheet when it fails, even after the undo log has expired', async () => {
    for (const method of ['bulkRequests', 'deliveries'] as const) {
      const { later, end } = await ordered();
      end(failed);
      const sidebar = await later();
      await sidebar.callOk(method, {});
      expect(describeWorkbook(sidebar.getWorkbook())).toEqual(describeWorkbook(mine));
      expect(await sidebar.callOk('tables', {})).toEqual([]);
    }
  });

  it('keeps headings beside other cells and adds an explaining note', async () => {
    const { sidebar: before, later, end } = await ordered(atCursor);
    end(failed);
    const sidebar = await later();
    await sidebar.callOk('bulkRequests', {});
    expect(sidebar.getValues('Sheet1')).toEqual(before.getValues('Sheet1'));
    expect(notes(sidebar, 'Sheet1')).toEqual([
      'No rows came from the bulk order of 2026-01-01. The provider refused it. Ask again later.',
    ]);
    await sidebar.callOk('bulkRequests', {});
    expect(notes(sidebar, 'Sheet1')).toHaveLength(1);
  });

  it.each([true, false])(
    'keeps cells that a person wrote meanwhile (in the same session: %s)',
    async (atOnce) => {
      const typed = (values: Workbook['sheets'][number]['values']) => [...values, [], ['', 'typed']];
      const { sidebar, later, end } = await ordered();
      sidebar.editSheet('People', ({ values }) => ({ values: typed(values) }));
      end({ ...failed, state: 'cancelled' });
      const session = atOnce ? sidebar : await later();
      await session.callOk('bulkRequests', {});
      const remaining = session.getValues('People').flat().filter(Boolean);
      expect(remaining).toEqual(atOnce ? ['typed'] : [...peopleHeadings, 'typed']);
      expect(notes(session, 'People')).toHaveLength(atOnce ? 0 : 1);
    },
  );

  it('keeps a table with rows of an earlier order', async () => {
    const rows = [['1', 'Ada']];
    const { id, fetch } = createScriptedRequest(rows);
    const first = await openSidebar({ fetch });
    const order = { id, where: { kind: 'newSheet' }, mode: 'replace', title: 'People' } as const;
    const { tableId } = await first.finishRun(await first.callOk('writeBulk', order));
    const before = describeWorkbook(first.getWorkbook());
    const { document } = { document: first.getProperties() };
    first.close();
    const open = { ...createReadyRequest({ id: id.replace(/1$/, '2'), rows: 0 }), ended_at: null };
    let request: DataRequestView = open;
    const sidebar = await openSidebar({
      workbook: first.getWorkbook(),
      properties: { document },
      fetch: async (httpRequest) => {
        const { pathname } = new URL(httpRequest.url);
        if (!pathname.endsWith('/v1/requests')) return gateway.fetch(httpRequest);
        return httpRequest.method === 'POST'
          ? createResponse(201, open)
          : createResponse(200, { requests: [request], after: null });
      },
    });
    const where = { kind: 'table', tableId } as const;
    await startBulk(sidebar, { ...createBulkOrder({ where, mode: 'append' }), confirmed: true });
    request = { ...open, ...failed, ended_at: open.created_at };
    await sidebar.callOk('bulkRequests', {});
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ id: tableId, rows: 1 }]);
  });
});

describe('the cost of a table', () => {
  it('includes an order made elsewhere, counted for the first table that receives its rows', async () => {
    const { id, fetch } = createScriptedRequest([['1', 'Ada']]);
    const sidebar = await openSidebar({ fetch });
    const order = { id, where: { kind: 'newSheet' }, mode: 'replace' } as const;
    for (const title of ['First', 'Second']) {
      await sidebar.finishRun(await sidebar.callOk('writeBulk', { ...order, title }));
    }
    const costs = (await sidebar.callOk('tables', {})).map(({ title, credits, lastRun }) => [
      title,
      [credits, lastRun.saved],
    ]);
    expect(Object.fromEntries(costs)).toEqual({ First: [10, 0], Second: [0, 0] });
  });
});
