// Bulk requests from the sidebar: what they bring and cost, what is refused, and what a failure leaves behind.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import type { BulkOrder, BulkSource } from '../../../../addon/server/api/index.ts';
import { spentBy } from '../../functions/sheets.ts';
import { answer, network } from '../../spreadsheet.ts';
import { bodyOf, openConnected, workbookOf } from '../sidebar.ts';
import { allShown } from '../state.ts';
import { askBulk, bulkOrder, peopleColumns, startBulk } from './bulk-orders.ts';

const ids = (more: Partial<Extract<BulkSource, { by: 'column' }>> = {}): BulkSource => ({
  by: 'column',
  sheet: 'Sheet1',
  column: 1,
  sort: 'id',
  scope: 'all',
  ...more,
});

const column = (cells: readonly CellValue[]) => workbookOf(cells.map((cell) => [cell]));

describe('a bulk request', () => {
  it('of a search says what comes and what it costs, and asks nothing that costs', async () => {
    const bar = await openConnected();
    const people = await bar.value('planBulk', bulkOrder());
    // Other tests have bought some of them.
    expect(people.credits).toBe((people.records - people.cached) * 10);
    expect(people).toMatchObject({
      records: 20,
      creditsPerRecord: 10,
      invalid: 0,
      warnings: [expect.stringMatching(/ match; you’ll get 20\.$/)],
    });
    const jobs = bulkOrder({
      family: 'job_base',
      source: { by: 'search', query: { filters: { title: 'engineer' } } },
      columns: ['title'],
    });
    const plan = await bar.value('planBulk', jobs);
    expect(plan.records).toBeGreaterThan(0);
    expect(plan).toMatchObject({ credits: plan.records - plan.cached, creditsPerRecord: 1, warnings: [] });
    expect(bar.calls()).toEqual(['POST estimate/data-request', 'POST estimate/data-request']);
  });

  it('of a column counts what can’t be read, leaves out blanks, and asks for each key once', async () => {
    const bar = await openConnected({
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
    const plan = await bar.value('planBulk', bulkOrder({ source: ids() }));
    expect(plan).toMatchObject({ records: 2, credits: 20, invalid: 4 });
    expect(plan.warnings).toEqual([
      '4 cells aren’t keys (skipped).',
      '1 cell repeats a key: each key is ordered once.',
    ]);
    expect(bar.calls()).toEqual(['POST estimate/data-request']);
  });

  // Issue: "“999 ids” for 1,000."
  it('of 1,000 ids below a heading counts 1,000', async () => {
    const bar = await openConnected({
      workbook: column(['Company id', ...Array.from({ length: 1000 }, (_, at) => at + 1)]),
    });
    expect(await bar.value('columns', {})).toMatchObject([
      { heading: 'Company id', keys: 1000, distinct: 1000 },
    ]);
  });

  it('for 20,000 ids is refused before a credit is spent', async () => {
    const bar = await openConnected({
      workbook: column(['Id', ...Array.from({ length: 20_000 }, (_, at) => at + 1)]),
    });
    const before = bar.workbook();
    const spent = await spentBy(async () => {
      const order = bulkOrder({ source: ids() });
      for (const reply of [await bar.ask('planBulk', order), await askBulk(bar, order)]) {
        expect(reply).toMatchObject({
          ok: false,
          message: expect.stringMatching(/^These are 20,000 different keys.*at most 10,000\. Select fewer/),
        });
      }
    });
    expect(spent).toBe(0);
    expect(bar.calls()).toEqual([]);
    expect(bar.workbook()).toEqual(before);
  }, 120_000);

  it.each<[string, Partial<BulkOrder>, RegExp]>([
    ['websites', { source: ids({ sort: 'website' }) }, /^Websites can’t be ordered in bulk\. .*profile URLs/],
    [
      'a limit beyond',
      { source: { by: 'search', query: { text: '*' }, limit: 10_001 } },
      /source is not as expected/,
    ],
    ['text where only the form can', { family: 'job_base' }, /text or DSL\. Use a search by the fields/],
    [
      'filters where there are none',
      { family: 'company_clean', source: { by: 'search', query: { filters: {} } } },
      /by the fields of the form\. Use a query as text or DSL/,
    ],
    ['a column that is no path', { columns: ['na me'] }, /“na me” is not a field/],
    [
      'too many columns',
      { columns: Array.from({ length: 101 }, (_, at) => `f${at}`) },
      /at most 100 columns/,
    ],
    ['a table that is gone', { where: { kind: 'table', tableId: 'x' } }, /no longer tracked/],
    ['nothing to ask for', { source: ids() }, /There are no keys/],
  ])('for %s is refused in words, and nothing is asked for', async (_, more, words) => {
    const bar = await openConnected({ workbook: column(['Id', 'a', 'b']) });
    const before = bar.workbook();
    for (const reply of [await bar.ask('planBulk', bulkOrder(more)), await askBulk(bar, bulkOrder(more))]) {
      expect(reply).toMatchObject({ ok: false, message: expect.stringMatching(words) });
    }
    expect(bar.calls().filter((call) => call !== 'POST estimate/data-request')).toEqual([]);
    expect(bar.workbook()).toEqual(before);
  });

  it('is refused where spending is off for the sheet, or nothing matches', async () => {
    const bar = await openConnected();
    const nothing = bulkOrder({ source: { by: 'search', query: { text: 'full_name:zzzzzzzz' } } });
    expect(await askBulk(bar, nothing)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Nothing matches, and nothing was changed/),
    });
    await bar.value('setSpending', { on: false });
    expect((await bar.value('planBulk', bulkOrder())).warnings).toContainEqual(
      expect.stringMatching(/^Spending is off/),
    );
    expect(await askBulk(bar, bulkOrder())).toMatchObject({ ok: false, code: 'spending_off' });
    expect(bar.workbook().sheets).toHaveLength(1);
  });

  it.each([
    ['a new sheet', { kind: 'newSheet' as const }],
    ['the cursor', { kind: 'cursor' as const }],
  ])('that the gateway refuses leaves nothing behind at %s', async (_, where) => {
    const bar = await openConnected({
      workbook: workbookOf([['mine']]),
      fetch: async (request) =>
        request.method === 'POST' && request.url.endsWith('/v1/requests')
          ? answer(402, { code: 'over_budget', detail: 'This needs 200 credits.', fix: 'Ask your admin.' })
          : network(request),
    });
    const before = allShown(bar.workbook());
    expect(await askBulk(bar, { ...bulkOrder({ where }), confirmed: true })).toEqual({
      ok: false,
      code: 'over_budget',
      message: 'This needs 200 credits. Ask your admin.',
    });
    expect(allShown(bar.workbook())).toEqual(before);
    expect(await bar.value('tables', {})).toEqual([]);
  });

  // "12 of these records are on their way in another order. Order again when that order is ready. These records are then free."
  it('whose records are on their way in another order says so before the click', async () => {
    const detail = '12 of these records are on their way in another order.';
    const fix = 'Order again when that order is ready. These records are then free.';
    const bar = await openConnected({
      workbook: column(['Id', 1, 2]),
      fetch: async (request) =>
        request.url.endsWith('/estimate/data-request')
          ? answer(200, {
              total: 20,
              records: 20,
              cached: 0,
              ordered: 20,
              credits: 200,
              problem: { code: 'already_ordered', detail, fix },
            })
          : network(request),
    });
    const plan = await bar.value('planBulk', bulkOrder({ source: ids() }));
    expect(plan.warnings).toContain(`${detail} ${fix}`);
  });

  it('that is made is not told as failed where the list of all can’t be had', async () => {
    const bar = await openConnected({
      fetch: async (request) =>
        request.method === 'GET'
          ? answer(503, { code: 'provider_unavailable', detail: 'Down.', fix: 'Wait.' })
          : network(request),
    });
    const title = 'Made all the same';
    const source = { by: 'search', query: { text: '*' }, limit: 2 } as const;
    const { requests } = await startBulk(bar, bulkOrder({ title, source }));
    expect(requests).toMatchObject([{ title, sheet: title, asked: 2, written: false }]);
  });

  it('whose answer nobody hears is made once, and stands in the list', async () => {
    let lost = 0;
    const keys: unknown[] = [];
    const bar = await openConnected({
      fetch: async (request) => {
        const answered = await network(request);
        if (request.method !== 'POST' || !request.url.endsWith('/v1/requests')) return answered;
        keys.push(new Headers({ ...request.headers }).get('idempotency-key'));
        expect(bodyOf(request)).toMatchObject({ kind: 'es_dsl', limit: 1, columns: peopleColumns });
        lost += 1;
        if (lost === 1) throw new Error('Address unavailable');
        return answered;
      },
    });
    const before = (await bar.value('bulkRequests', {})).requests.length;
    const title = 'Heard late';
    const { requests } = await startBulk(
      bar,
      bulkOrder({ title, source: { by: 'search', query: { text: '*' }, limit: 1 } }),
    );
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(requests).toHaveLength(Math.min(100, before + 1));
    expect(requests[0]).toMatchObject({ title, sheet: title, asked: 1, written: false });
    expect(bar.values(title)).toEqual([peopleColumns]);
    const { url } = await bar.value('bulkEvents', { id: requests[0]?.id ?? '' });
    const events = await fetch(url);
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    await events.body?.cancel();
    const { message, list } = await bar.value('stopBulk', { id: requests[0]?.id ?? '' });
    expect(message).toMatch(/\.$/);
    expect(list.requests[0]?.id).toBe(requests[0]?.id);
  });
});
