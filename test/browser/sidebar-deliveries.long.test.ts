// Deliveries while the sidebar is open.
import { describe, expect, it } from 'vitest';
import { createBulkOrder, startBulk } from '../addon/server/bulk/bulk-orders.ts';
import { createEnrichOrder, createList, runEnrichment } from '../addon/server/orders.ts';
import { gateway, type Sidebar as Server } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'search' });

const ARRIVED = '20 rows arrived in “Staff” on sheet “Staff”. 200 credits charged.';

const order = (server: Server) => startBulk(server, createBulkOrder({ title: 'Staff' }));
const sheets = ({ server }: ServedSidebar): string[] => server.getWorkbook().sheets.map(({ name }) => name);

/** Lets time pass until a text is shown. */
const passUntil = (sidebar: ServedSidebar, text: string | RegExp) =>
  sidebar
    .whileTimePasses(() => sidebar.page.getByText(text).filter({ visible: true }).count(), 1000)
    .toBeGreaterThan(0);

const COPIED_MARK = 4711;

/** Copies the mark of a column to another one, so that the table can't be located. */
const copyMark = (server: Server): void =>
  server.edit((workbook) => {
    const marks = workbook.metadata ?? [];
    const mark = marks.find(({ location }) => location.type === 'COLUMN');
    if (mark?.location.type !== 'COLUMN') throw new Error('no mark');
    return {
      ...workbook,
      metadata: [...marks, { ...mark, id: COPIED_MARK, location: { ...mark.location, at: 9 } }],
    };
  });

const removeCopiedMark = (server: Server): void =>
  server.edit((workbook) => ({
    ...workbook,
    metadata: (workbook.metadata ?? []).filter(({ id }) => id !== COPIED_MARK),
  }));

describe('a delivery', () => {
  it('is written once, announced, and can be undone', async () => {
    const sidebar = await open({ before: order });
    await sidebar.shows(ARRIVED);
    await eventually(() => sidebar.sent('deliveries').length).toBe(2);
    expect(sidebar.sent('writeDelivery')).toMatchObject([
      { rowsId: gateway.requests.all[0]?.id, kind: 'request' },
    ]);
    await sidebar.price().toMatch(/20 rows cost/);
    await sidebar.button('Undo').click();
    await sidebar.shows('Undone in “Staff” (84 cells restored). Credits aren’t refunded');
    expect(sheets(sidebar)).toEqual(['Companies', 'People']);
  });

  it('is announced with the rows that stayed empty if it filled new rows, and can be undone', async () => {
    const settings = {
      push: false,
      every: 'day',
      max_credits: 100,
      month_credits: 100,
      paused: false,
      refresh_days: null,
    } as const;
    const keys = ['a.example', 'b.example', 'c.example', 'nobody.example'];
    const sidebar = await open({
      workbook: createList(keys.slice(0, 1)),
      before: async (server) => {
        const { tableId } = await runEnrichment(server, createEnrichOrder());
        await server.callOk('setEnrichment', { tableId, settings });
        const added = keys.slice(1).map((key) => [key]);
        server.editSheet('Sheet1', ({ values }) => ({ values: [...values, ...added] }));
      },
    });
    await sidebar.shows('3 new rows in Company data for “Website”: 2 filled for 20 credits, 1 not found.');
    const names = () => sidebar.server.getValues('Sheet1').map(([, name]) => name);
    expect(names()).toEqual([
      'Name',
      ...['a', 'b', 'c'].map((key) => `Name of ${key}.example`),
      '#NOT_FOUND',
    ]);
    await sidebar.button('Undo').click();
    await sidebar.shows(/^Undone/);
    expect(names()).toEqual(['Name', 'Name of a.example', '', '', '']);
  });

  it('waits for the current run and keeps its result on the screen', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sidebar = await open({
      changes: { step: (progress) => promise.then(() => progress) },
      stopped: true,
    });
    await passUntil(sidebar, /20 rows cost/);
    await sidebar.settle();
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('0 of 20');
    // The first step has ended: only its answer is late.
    await eventually(() => gateway.previews.length).toBe(1);
    await sidebar.settle();
    await order(sidebar.server);
    await sidebar.page.clock.runFor(60_000);
    expect(sidebar.sent('writeDelivery')).toEqual([]);
    resolve();
    await passUntil(sidebar, ARRIVED);
    await sidebar.shows('20 of 20 rows · 10 credits');
    expect(await sidebar.button('Undo').count()).toBe(2);
  });

  it('offers a retry if it could not be written', async () => {
    const sidebar = await open({
      before: async (server) => {
        await order(server);
        copyMark(server);
      },
      stopped: true,
    });
    await sidebar.shows(/^The rows of “Staff” are ready, but the sidebar couldn’t write them\./);
    await sidebar.page.clock.runFor(60_000);
    await sidebar.settle();
    expect(sidebar.sent('writeDelivery')).toHaveLength(1);
    removeCopiedMark(sidebar.server);
    await passUntil(sidebar, /20 rows cost/);
    await sidebar.button('Write rows').click();
    await sidebar.shows(ARRIVED);
    expect(sidebar.sent('writeDelivery')).toHaveLength(2);
  });
});
