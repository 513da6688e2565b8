// Bulk requests that bring nothing, and what they leave in the spreadsheet; what the others have cost.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import type { BulkOrder } from '../../../../addon/server/api/index.ts';
import type { DataRequestView } from '../../../../shared/api/data-requests.ts';
import { createProblem } from '../../../../shared/problems.ts';
import { answer } from '../../spreadsheet.ts';
import { gateway, openSidebar, type Sidebar, workbookOf } from '../sidebar.ts';
import { allShown, withSheet } from '../state.ts';
import { bulkOrder, peopleColumns, readyRequest, scripted, startBulk } from './bulk-orders.ts';

const { code, detail, fix } = createProblem(
  'provider_refused',
  'The provider refused it.',
  'Ask again later.',
);
const failed: Partial<DataRequestView> = { state: 'failed', problem: { code, detail, fix } };
const mine = workbookOf([['mine']]);
const atCursor: Partial<BulkOrder> = { where: { kind: 'cursor' } };

/** A spreadsheet that has ordered, and the Worker's word of that order. */
async function ordered(order: Partial<BulkOrder> = {}, workbook: Workbook = mine) {
  const open: DataRequestView = {
    ...readyRequest({ state: 'reserved', rows: 0, credits: { reserved: 200, charged: null } }),
    ended_at: null,
  };
  const told = { request: open };
  const fetch: Parameters<typeof openSidebar>[0] = {
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const list = { requests: [told.request], after: null };
      if (pathname.endsWith('/changes')) {
        const change = { kind: 'request', id: open.id, at: open.created_at };
        return answer(200, { changes: [change], cursor: 'c', more: false });
      }
      if (request.method === 'DELETE') {
        told.request = { ...told.request, state: 'cancelled', watched: false, ended_at: open.created_at };
        return answer(200, { request: told.request, released: true, message: 'Cancelled.' });
      }
      if (pathname.endsWith(open.id)) return answer(200, told.request);
      if (!pathname.endsWith('/v1/requests')) return gateway.fetch(request);
      return request.method === 'POST' ? answer(201, open) : answer(200, list);
    },
  };
  const bar = await openSidebar({ workbook, ...fetch });
  await startBulk(bar, { ...bulkOrder(order), confirmed: true });
  return {
    bar,
    end: (more: Partial<DataRequestView>): void => {
      told.request = {
        ...open,
        ended_at: open.created_at,
        credits: { reserved: 0, charged: 0 },
        ...more,
      };
    },
    /** By somebody else, or so much later that nobody can take anything back. */
    later: (): Promise<Sidebar> =>
      openSidebar({ workbook: bar.workbook(), properties: { document: bar.properties() }, ...fetch }),
  };
}

const notes = (bar: Sidebar, name: string): string[] =>
  (bar.sheet(name).notes ?? []).flat().filter((note) => note !== '');

describe('a bulk request that brings nothing', () => {
  it.each<[string, Partial<BulkOrder>]>([
    ['the sheet', {}],
    ['the headings', atCursor],
  ])('takes back %s that was made for it when it is cancelled, and says so', async (_, order) => {
    const { bar } = await ordered(order);
    const { message, list } = await bar.value('stopBulk', { id: readyRequest().id });
    expect(message).toBe('Cancelled. The sheet or headings made for its rows were removed.');
    expect(list.requests).toMatchObject([{ state: 'cancelled', written: false }]);
    expect(allShown(bar.workbook())).toEqual(allShown(mine));
    expect(await bar.value('tables', {})).toEqual([]);
  });

  it('takes its sheet away when it fails, also where nobody can undo any more', async () => {
    for (const look of ['bulkRequests', 'deliveries'] as const) {
      const { later, end } = await ordered();
      end(failed);
      const bar = await later();
      await bar.value(look, {});
      expect(allShown(bar.workbook())).toEqual(allShown(mine));
      expect(await bar.value('tables', {})).toEqual([]);
    }
  });

  it('leaves headings that stand among people’s cells, with a note that says why they are empty', async () => {
    const { bar: before, later, end } = await ordered(atCursor);
    end(failed);
    const bar = await later();
    await bar.value('bulkRequests', {});
    expect(bar.values('Sheet1')).toEqual(before.values('Sheet1'));
    expect(notes(bar, 'Sheet1')).toEqual([
      'No rows came from the bulk order of 2026-01-01. The provider refused it. Ask again later.',
    ]);
    await bar.value('bulkRequests', {});
    expect(notes(bar, 'Sheet1')).toHaveLength(1);
  });

  it.each([true, false])('loses nothing that a person wrote meanwhile (at once: %s)', async (atOnce) => {
    const typed = (values: Workbook['sheets'][number]['values']) => [...values, [], ['', 'typed']];
    const { bar, later, end } = await ordered();
    bar.edit((workbook) => withSheet(workbook, 'People', ({ values }) => ({ values: typed(values) })));
    end({ ...failed, state: 'cancelled' });
    const own = atOnce ? bar : await later();
    await own.value('bulkRequests', {});
    const left = own.values('People').flat().filter(Boolean);
    expect(left).toEqual(atOnce ? ['typed'] : [...peopleColumns, 'typed']);
    expect(notes(own, 'People')).toHaveLength(atOnce ? 0 : 1);
  });

  it('leaves a table that has rows of an earlier one as it is', async () => {
    const rows = [['1', 'Ada']];
    const { id, fetch } = scripted(rows);
    const first = await openSidebar({ fetch });
    const order = { id, where: { kind: 'newSheet' }, mode: 'replace', title: 'People' } as const;
    const { tableId } = await first.finish(await first.value('writeBulk', order));
    const before = allShown(first.workbook());
    const { document } = { document: first.properties() };
    first.close();
    const open = { ...readyRequest({ id: id.replace(/1$/, '2'), rows: 0 }), ended_at: null };
    let request: DataRequestView = open;
    const bar = await openSidebar({
      workbook: first.workbook(),
      properties: { document },
      fetch: async (asked) => {
        const { pathname } = new URL(asked.url);
        if (!pathname.endsWith('/v1/requests')) return gateway.fetch(asked);
        return asked.method === 'POST'
          ? answer(201, open)
          : answer(200, { requests: [request], after: null });
      },
    });
    const where = { kind: 'table', tableId } as const;
    await startBulk(bar, { ...bulkOrder({ where, mode: 'append' }), confirmed: true });
    request = { ...open, ...failed, ended_at: open.created_at };
    await bar.value('bulkRequests', {});
    expect(allShown(bar.workbook())).toEqual(before);
    expect(await bar.value('tables', {})).toMatchObject([{ id: tableId, rows: 1 }]);
  });
});

describe('what a table has cost', () => {
  it('has in it a bulk request that was made elsewhere, with the first table that gets its rows', async () => {
    const { id, fetch } = scripted([['1', 'Ada']]);
    const bar = await openSidebar({ fetch });
    const order = { id, where: { kind: 'newSheet' }, mode: 'replace' } as const;
    for (const title of ['First', 'Second']) {
      await bar.finish(await bar.value('writeBulk', { ...order, title }));
    }
    const costs = (await bar.value('tables', {})).map(({ title, credits }) => [title, credits]);
    expect(Object.fromEntries(costs)).toEqual({ First: 10, Second: 0 });
  });
});
