// Several key columns: tried in their order, at most one record for each row, and the status says which key was found.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import { createEnrichOrder } from '../../server/orders.ts';
import { completeRun, createWorkbook, gateway, startRun, tryStartRun } from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';
import { openMatching } from './matching.ts';

const heading = ['Website', 'Id', 'Company'];

const order = createEnrichOrder({
  statusColumn: true,
  moreKeys: [
    { column: 2, holds: 'id' },
    { column: 3, holds: 'name' },
  ],
});

const openRows = (...rows: CellValue[][]) => openMatching(createWorkbook([heading, ...rows]));

describe('a row with several keys', () => {
  it('is looked up by the first one with a record, for the shown price at most', async () => {
    const { sidebar, calls } = await openRows(
      ['site-1.example', '1', 'Acme One'],
      ['nobody.example', '2', 'Acme Two'],
      ['no website', '', 'Acme Three'],
      ['#NOT_FOUND', 'x', 'Nobody'],
      ['', '', ''],
      ['nobody.example', '', ''],
      ['no website', 'x', ''],
    );
    const before = describeWorkbook(sidebar.getWorkbook());
    const { approval, ...plan } = await sidebar.callOk('planEnrich', order);
    // Five rows with a valid key, and two pages for the candidates of four names.
    expect(plan).toMatchObject({ rows: 6, credits: 5 * 10 + 20, isMaximum: true, invalid: 1 });
    const done = await sidebar.finishRun(await sidebar.callOk('startEnrich', { ...order, approval }));
    expect(done).toMatchObject({ state: 'done', rows: 3, failed: { '#NOT_FOUND': 2, '#INVALID_KEY': 1 } });
    expect(gateway.lookups.map(({ by, keys }) => [by, keys])).toEqual([
      ['website', ['site-1.example', 'nobody.example']],
      ['id', ['2']],
    ]);
    expect(calls.map(({ companies }) => companies.map(({ name }) => name))).toEqual([
      ['Acme Three', 'Nobody'],
    ]);
    expect(done.credits).toBe(30);
    const statuses = sidebar
      .getValues('Sheet1')
      .slice(1)
      .map((row) => String(row.at(-1)).slice(0, 18));
    expect(statuses).toEqual([
      'bought, by Website',
      'bought, by Id',
      'bought, by Company',
      '#NOT_FOUND No comp',
      '',
      '#NOT_FOUND No reco',
      '#INVALID_KEY This ',
    ]);
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
  });

  it('costs nothing again: after a run, in a refresh, and in another order', async () => {
    const { sidebar } = await openRows(['site-1.example', '1', ''], ['nobody.example', '2', '']);
    const { tableId } = await completeRun(sidebar, 'startEnrich', order);
    expect(gateway.spent).toBe(20);
    const columns = sidebar.getValues('Sheet1')[0];
    await completeRun(sidebar, 'refreshTable', { id: tableId, only: 'stale' });
    const byId = createEnrichOrder({
      by: 'id',
      column: 2,
      statusColumn: true,
      moreKeys: [{ column: 1, holds: 'website' }],
    });
    await completeRun(sidebar, 'startEnrich', byId);
    // The same table: the same columns, and one more record, by the id of the first row.
    expect(sidebar.getValues('Sheet1')[0]).toEqual(columns);
    expect([...gateway.bought.entries()]).toEqual([
      ['company_clean site-1.example', 1],
      ['company_clean 2', 1],
      ['company_clean 1', 1],
    ]);
    expect(sidebar.getValues('Sheet1').map((row) => row.at(-1))).toEqual([
      'Status',
      'bought, by Id',
      'already bought, by Id',
    ]);
    expect(await sidebar.callOk('planEnrich', byId)).toMatchObject({ credits: 0, rows: 2 });
  });

  it('asks again if a key has changed since the price was shown', async () => {
    const { sidebar } = await openRows(['nobody.example', '2', '']);
    const { approval } = await sidebar.callOk('planEnrich', order);
    // The sidebar polls it to notice the change.
    const readDigest = async () => (await sidebar.callOk('deliveries', { watched: order })).digest;
    expect(await readDigest()).toBe(approval.digest);
    sidebar.editSheet('Sheet1', (sheet) => ({
      ...sheet,
      values: [heading, ['nobody.example', '3', '']],
    }));
    expect(await readDigest()).not.toBe(approval.digest);
    expect(await sidebar.callOk('deliveries', { watched: { ...order, sheet: 'Deleted' } })).toEqual({
      deliveries: [],
    });
    expect(await sidebar.call('startEnrich', { ...order, approval })).toMatchObject({
      ok: false,
      code: 'price_changed',
    });
    expect(await tryStartRun(sidebar, 'startEnrich', order)).toMatchObject({ ok: true });
  });

  it('waits for a key that is late before it tries the next one', async () => {
    const { sidebar } = await openRows(['site-1.example', '1', '']);
    gateway.pendingCounts.set('site-1.example', 1);
    const run = await startRun(sidebar, 'startEnrich', order);
    expect(await sidebar.callOk('step', { runId: run.runId })).toMatchObject({ state: 'running', done: 0 });
    expect(await sidebar.finishRun({ ...run, state: 'running' })).toMatchObject({ state: 'done', rows: 1 });
    expect(gateway.lookups.map(({ by }) => by)).toEqual(['website', 'website']);
  });
});
