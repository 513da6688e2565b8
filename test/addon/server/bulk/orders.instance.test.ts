// Bulk orders from the sidebar: plans, prices, rejections and failures.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import type { BulkOrder, BulkSource } from '../../../../addon/server/api/index.ts';
import { measureSpending } from '../../functions/sheets.ts';
import { createResponse, realFetch } from '../../spreadsheet.ts';
import { createWorkbook, openInstanceSidebar, parseBody } from '../sidebar.ts';
import { describeWorkbook } from '../state.ts';
import { createBulkOrder, peopleColumns, peopleHeadings, startBulk, tryStartBulk } from './bulk-orders.ts';

const ids = (more: Partial<Extract<BulkSource, { by: 'column' }>> = {}): BulkSource => ({
  by: 'column',
  sheet: 'Sheet1',
  column: 1,
  sort: 'id',
  scope: 'all',
  ...more,
});

const column = (cells: readonly CellValue[]) => createWorkbook(cells.map((cell) => [cell]));

describe('a bulk order', () => {
  it('of a search is planned with records and price, for free', async () => {
    const sidebar = await openInstanceSidebar();
    const people = await sidebar.callOk('planBulk', createBulkOrder());
    // Other tests may have bought some of them.
    expect(people.credits).toBe((people.records - people.cached) * 10);
    expect(people).toMatchObject({
      records: 20,
      creditsPerRecord: 10,
      invalid: 0,
      warnings: [expect.stringMatching(/ match; you’ll get 20\.$/)],
    });
    const jobs = createBulkOrder({
      family: 'job_base',
      source: { by: 'search', query: { filters: { title: 'engineer' } }, limit: 10_000 },
      columns: ['title'],
    });
    const plan = await sidebar.callOk('planBulk', jobs);
    expect(plan.records).toBeGreaterThan(0);
    expect(plan).toMatchObject({ credits: plan.records - plan.cached, creditsPerRecord: 1, warnings: [] });
    expect(sidebar.listCalls()).toEqual(['POST estimate/data-request', 'POST estimate/data-request']);
  });

  it.each([
    ['job_base', { filters: {} }],
    ['company_clean', { es_dsl: { query: { match_all: {} } } }],
  ] as const)('of a search of %s without conditions is planned up to its limit', async (family, query) => {
    const sidebar = await openInstanceSidebar();
    const source: BulkSource = { by: 'search', query, limit: 20 };
    const plan = await sidebar.callOk('planBulk', createBulkOrder({ family, source, columns: ['id'] }));
    expect(plan).toMatchObject({
      records: 20,
      warnings: [expect.stringMatching(/ match; you’ll get 20\.$/)],
    });
  });

  it('of a column counts invalid cells, skips blanks and orders each key once', async () => {
    const sidebar = await openInstanceSidebar({
      workbook: column([
        'Employee id',
        1001,
        '1002',
        '',
        'nonsense',
        1001,
        '-4',
        7.123456789012345e18,
        '1e3',
      ]),
    });
    const plan = await sidebar.callOk('planBulk', createBulkOrder({ source: ids() }));
    expect(plan).toMatchObject({ records: 2, credits: 20, invalid: 4 });
    expect(plan.warnings).toEqual([
      '4 cells skipped: 1 name, 3 numbers that are no IDs.',
      '1 cell repeats a record: each record is ordered once.',
    ]);
    expect(sidebar.listCalls()).toEqual(['POST estimate/data-request']);
  });

  it('of 1,000 ids below a heading has 1,000 keys', async () => {
    const sidebar = await openInstanceSidebar({
      workbook: column(['Company id', ...Array.from({ length: 1000 }, (_, at) => at + 1)]),
    });
    expect(await sidebar.callOk('columns', {})).toMatchObject([
      { heading: 'Company id', keys: 1000, distinct: 1000 },
    ]);
  });

  it('of 20,000 ids is refused before anything is spent', async () => {
    const sidebar = await openInstanceSidebar({
      workbook: column(['Id', ...Array.from({ length: 20_000 }, (_, at) => at + 1)]),
    });
    const before = sidebar.getWorkbook();
    const spent = await measureSpending(async () => {
      const order = createBulkOrder({ source: ids() });
      for (const reply of [await sidebar.call('planBulk', order), await tryStartBulk(sidebar, order)]) {
        expect(reply).toMatchObject({
          ok: false,
          message: expect.stringMatching(
            /^These are 20,000 different records.*at most 10,000\. Select fewer/,
          ),
        });
      }
    });
    expect(spent).toBe(0);
    expect(sidebar.listCalls()).toEqual([]);
    expect(sidebar.getWorkbook()).toEqual(before);
  });

  it.each<[string, Partial<BulkOrder>, RegExp]>([
    ['websites', { source: ids({ sort: 'website' }) }, /^Websites can’t be ordered in bulk\. .*profile URLs/],
    [
      'a limit beyond',
      { source: { by: 'search', query: { text: '*' }, limit: 10_001 } },
      /source is not as expected/,
    ],
    ['a text query that needs the form', { family: 'job_base' }, /text or DSL\. Use a search by the fields/],
    [
      'filters of a family without filters',
      { family: 'company_clean', source: { by: 'search', query: { filters: {} }, limit: 20 } },
      /by the fields of the form\. Use a query as text or DSL/,
    ],
    ['an invalid column', { columns: ['na me'] }, /“na me” is not a field/],
    [
      'too many columns',
      { columns: Array.from({ length: 101 }, (_, at) => `f${at}`) },
      /at most 100 columns/,
    ],
    ['a missing table', { where: { kind: 'table', tableId: 'x' } }, /no longer tracked/],
    ['a column without keys', { source: ids() }, /There is nothing to order/],
  ])('is refused with a message for %s', async (_, more, words) => {
    const sidebar = await openInstanceSidebar({ workbook: column(['Id', 'a', 'b']) });
    const before = sidebar.getWorkbook();
    for (const reply of [
      await sidebar.call('planBulk', createBulkOrder(more)),
      await tryStartBulk(sidebar, createBulkOrder(more)),
    ]) {
      expect(reply).toMatchObject({ ok: false, message: expect.stringMatching(words) });
    }
    expect(sidebar.listCalls().filter((call) => call !== 'POST estimate/data-request')).toEqual([]);
    expect(sidebar.getWorkbook()).toEqual(before);
  });

  it('is refused when spending is off or nothing matches', async () => {
    const sidebar = await openInstanceSidebar();
    const query = { text: 'full_name:zzzzzzzz' };
    const nothing = createBulkOrder({ source: { by: 'search', query, limit: 20 } });
    expect(await tryStartBulk(sidebar, nothing)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Nothing matches, and nothing was changed/),
    });
    await sidebar.callOk('setSpending', { on: false });
    expect((await sidebar.callOk('planBulk', createBulkOrder())).warnings).toContainEqual(
      expect.stringMatching(/^Spending is off/),
    );
    expect(await tryStartBulk(sidebar, createBulkOrder())).toMatchObject({ ok: false, code: 'spending_off' });
    expect(sidebar.getWorkbook().sheets).toHaveLength(1);
  });

  it.each([
    ['a new sheet', { kind: 'newSheet' as const }],
    ['the cursor', { kind: 'cursor' as const }],
  ])('leaves nothing at %s when the gateway refuses it', async (_, where) => {
    const sidebar = await openInstanceSidebar({
      workbook: createWorkbook([['mine']]),
      fetch: async (request) =>
        request.method === 'POST' && request.url.endsWith('/v1/requests')
          ? createResponse(402, {
              code: 'over_budget',
              detail: 'This needs 200 credits.',
              fix: 'Ask your admin.',
            })
          : realFetch(request),
    });
    const before = describeWorkbook(sidebar.getWorkbook());
    expect(await tryStartBulk(sidebar, { ...createBulkOrder({ where }), confirmed: true })).toEqual({
      ok: false,
      code: 'over_budget',
      message: 'This needs 200 credits. Ask your admin.',
    });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
    expect(await sidebar.callOk('tables', {})).toEqual([]);
  });

  // "12 of these records are on their way in another order. Order again when that order is ready. These records are then free."
  it('warns about records in another open order', async () => {
    const detail = '12 of these records are on their way in another order.';
    const fix = 'Order again when that order is ready. These records are then free.';
    const sidebar = await openInstanceSidebar({
      workbook: column(['Id', 1, 2]),
      fetch: async (request) =>
        request.url.endsWith('/estimate/data-request')
          ? createResponse(200, {
              total: 20,
              records: 20,
              cached: 0,
              ordered: 20,
              credits: 200,
              problem: { code: 'already_ordered', detail, fix },
            })
          : realFetch(request),
    });
    const plan = await sidebar.callOk('planBulk', createBulkOrder({ source: ids() }));
    expect(plan.warnings).toContain(`${detail} ${fix}`);
  });

  it('succeeds even if the list of orders fails to load', async () => {
    const sidebar = await openInstanceSidebar({
      fetch: async (request) =>
        request.method === 'GET'
          ? createResponse(503, { code: 'provider_unavailable', detail: 'Down.', fix: 'Wait.' })
          : realFetch(request),
    });
    const title = 'Made all the same';
    const source = { by: 'search', query: { text: '*' }, limit: 2 } as const;
    const { requests } = await startBulk(sidebar, createBulkOrder({ title, source }));
    expect(requests).toMatchObject([{ title, sheet: title, requested: 2, written: false }]);
  });

  it('is created once when its response was lost', async () => {
    let lost = 0;
    const keys: unknown[] = [];
    const sidebar = await openInstanceSidebar({
      fetch: async (request) => {
        const answered = await realFetch(request);
        if (request.method !== 'POST' || !request.url.endsWith('/v1/requests')) return answered;
        keys.push(new Headers({ ...request.headers }).get('idempotency-key'));
        expect(parseBody(request)).toMatchObject({ kind: 'es_dsl', limit: 1, columns: peopleColumns });
        lost += 1;
        if (lost === 1) throw new Error('Address unavailable');
        return answered;
      },
    });
    const before = (await sidebar.callOk('bulkRequests', {})).requests.length;
    const title = 'Ordered once';
    const { requests } = await startBulk(
      sidebar,
      createBulkOrder({ title, source: { by: 'search', query: { text: '*' }, limit: 1 } }),
    );
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(requests).toHaveLength(Math.min(100, before + 1));
    expect(requests[0]).toMatchObject({ title, sheet: title, requested: 1, written: false });
    expect(sidebar.getValues(title)).toEqual([peopleHeadings]);
    const { url } = await sidebar.callOk('bulkEvents', { id: requests[0]?.id ?? '' });
    const events = await fetch(url);
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    await events.body?.cancel();
    const { message, list } = await sidebar.callOk('stopBulk', { id: requests[0]?.id ?? '' });
    expect(message).toMatch(/\.$/);
    expect(list.requests[0]?.id).toBe(requests[0]?.id);
  });
});
