// A data request orders only records that are not cached and fresh, and delivers the others from the cache.
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DataRequestEstimate } from '../../../shared/api/data-requests.ts';
import type { LookupResponse } from '../../../shared/api/lookup.ts';
import type { Problem } from '../../../shared/problems.ts';
import { readRecords } from '../../../worker/data-requests/ingest/index.ts';
import { splitKeys } from '../../../worker/data-requests/order/split-keys.ts';
import { getRowStore } from '../../../worker/data-requests/state-machine.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { fetchCalls } from '../../../worker/gateway/single-flight/client.ts';
import { longIt } from '../../pick-cases.ts';
import { clock, endBackgroundWork } from '../platform.ts';
import { refuseKeys } from '../refuse-keys.ts';
import {
  call,
  callDropIn,
  companyIds,
  completeRequest,
  createRequest,
  getSpending,
  importCompanies,
  postRequest,
  readAllRows,
  waitUntilEnded,
} from './bulk.ts';
import { gzipLines, respond, ServiceHarness } from './service-harness.ts';

async function estimate(body: unknown): Promise<DataRequestEstimate> {
  const init = { method: 'POST', body: JSON.stringify(body) };
  const response = await call('/sheets/v1/estimate/data-request', init);
  expect(response.status).toBe(200);
  return response.json();
}

async function lookup(keys: string[], by: string): Promise<LookupResponse> {
  const body = JSON.stringify({ family: 'company_clean', by, keys, fields: ['name'] });
  const response = await call('/sheets/v1/lookup', { method: 'POST', body });
  expect(response.status).toBe(200);
  return response.json();
}

/** Counts the data requests that reached the provider. */
async function countSubmitted(): Promise<number> {
  const sql = 'SELECT count(*) AS n FROM requests WHERE provider_id IS NOT NULL';
  return Number(await env.DB.prepare(sql).first('n'));
}

/** Returns the credits that cached records have saved the team this month. Calls are counted some seconds after them. */
async function getSaved(): Promise<number> {
  await endBackgroundWork();
  return (await getLedger(env, 'team').getBudget()).saved.month;
}

const readIds = async (id: string): Promise<number[]> =>
  (await readAllRows(id, 100)).map(([own]) => Number(own)).toSorted((one, other) => one - other);

describe('the sandbox as provider', () => {
  const ten = companyIds([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  beforeAll(async () => {
    await importCompanies(60);
    await completeRequest(ten);
  });

  // "Ten ids ordered again minutes later cost 100 credits."
  it('delivers ten cached ids at once and free, even if spending is off', async () => {
    const before = { ...(await getSpending()), submitted: await countSubmitted() };
    const saved = await getSaved();
    expect(await estimate(ten)).toEqual({ total: 10, records: 10, cached: 10, ordered: 0, credits: 0 });
    const ledger = getLedger(env, 'team');
    await ledger.setBudget({ spending: false });
    try {
      const again = await createRequest(ten);
      expect(again).toMatchObject({
        state: 'ready',
        requested: 10,
        cached: 10,
        rows: 10,
        credits: { reserved: 0, charged: 0, saved: 100 },
      });
      expect(await readIds(again.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    } finally {
      await ledger.setBudget({ spending: true });
    }
    expect({ ...(await getSpending()), submitted: await countSubmitted() }).toEqual(before);
    expect(await getSaved()).toBe(saved + 100);
  });

  // "deliver the others from the cache": every record once.
  it('orders only missing ids, of a key list and of a query', async () => {
    const some = companyIds([8, 9, 10, 11, 12]);
    expect(await estimate(some)).toEqual({ total: 5, records: 5, cached: 3, ordered: 2, credits: 20 });
    const { id, ...view } = await createRequest(some);
    expect(view).toMatchObject({ requested: 5, cached: 3, credits: { reserved: 20 } });
    expect(await waitUntilEnded(id)).toMatchObject({ state: 'ready', rows: 5, credits: { charged: 20 } });
    expect(await readIds(id)).toEqual([8, 9, 10, 11, 12]);

    const query = { family: 'company_clean', kind: 'es_dsl', es_dsl: { terms: { id: [11, 12, 13, 14] } } };
    expect(await estimate(query)).toEqual({ total: 4, records: 4, cached: 2, ordered: 2, credits: 20 });
    expect(await completeRequest(query)).toMatchObject({ kind: 'es_dsl', rows: 4, credits: { charged: 20 } });
    expect(await createRequest(query)).toMatchObject({ state: 'ready', cached: 4, credits: { charged: 0 } });
  });

  it('does not charge a lookup of delivered records, by id or by shorthand name', async () => {
    for (const [by, ...keys] of [
      ['id', '1', '2'],
      ['shorthand_name', 'c-1', 'c-2'],
    ] as const) {
      const { rows, credits } = await lookup(keys, by);
      expect(rows.map(({ status, record }) => [status, record])).toEqual([
        ['hit', { name: 'Company 1' }],
        ['hit', { name: 'Company 2' }],
      ]);
      expect(credits.spent).toBe(0);
    }
  });

  it('does not order records that a lookup bought, by id, shorthand name or profile URL', async () => {
    expect((await lookup(['22', '23'], 'id')).credits.spent).toBe(20);
    for (const [kind, keys] of [
      ['ids', ['22', '23']],
      ['shorthand_names', ['c-22', 'C-23']],
      ['urls', ['https://network.example/company/c-22', 'network.example/company/c-23/']],
    ]) {
      const request = await createRequest({ family: 'company_clean', kind, keys });
      expect(request).toMatchObject({ state: 'ready', rows: 2, cached: 2, credits: { charged: 0 } });
    }
  });

  // "Fresh for: companies 30 d".
  it('orders a company again after 30 days', async () => {
    const row = await env.DB.prepare('SELECT identity FROM requests').first();
    const splitAfter = (days: number) =>
      splitKeys(
        env,
        { kind: 'ids', family: 'company_clean', keys: ['1'] },
        {
          identity: String(row?.identity),
          payer: { team: 'team', token: 'token' },
          lane: 'formula',
          now: () => Date.now() + days * 86_400_000,
          fetchCalls: (request) => fetchCalls(env, request),
        },
      );
    expect(await splitAfter(29)).toMatchObject({ cached: ['1'], ordered: [] });
    expect(await splitAfter(31)).toMatchObject({ cached: [], ordered: ['1'] });
  });

  longIt('submits drop-in data requests unchanged, and caches their records', async () => {
    const form = new FormData();
    form.append('ids', '30');
    const before = await countSubmitted();
    for (const times of [1, 2]) {
      expect((await callDropIn('company_clean/ids', { method: 'POST', body: form })).status).toBe(201);
      expect(await countSubmitted()).toBe(before + times);
    }
    const sql = 'SELECT id FROM requests ORDER BY created_at DESC LIMIT 2';
    for (const { id } of (await env.DB.prepare(sql).run()).results)
      expect(await waitUntilEnded(String(id))).toMatchObject({ cached: 0, rows: 1 });
    expect(await createRequest(companyIds([30]))).toMatchObject({ state: 'ready', cached: 1 });
  });

  // "The server enforces the maximum", `price_changed`, 409.
  it('refuses a price above the confirmed one without a reservation', async () => {
    const before = await getSpending();
    const answer = await postRequest(companyIds([40, 41], { max_credits: 10 }));
    expect(answer.status).toBe(409);
    expect(await answer.json<Problem>()).toMatchObject({
      code: 'price_changed',
      detail: 'The price changed from 10 to 20 credits.',
    });
    for (const max_credits of [-1, 1.5, '10'])
      expect((await postRequest(companyIds([40], { max_credits }))).status).toBe(422);
    expect(await getSpending()).toEqual(before);
  });
});

describe('a data request with cached records', () => {
  beforeEach(() => {
    clock.now = new Date().setUTCHours(6, 0, 0, 0);
  });

  // "Kill -9 at every step of a data request must still give every row exactly once".
  it('delivers each record once if steps repeat, race or are lost', async () => {
    const harness = new ServiceHarness();
    const cached = ['1001', '1002', '1003'];
    await harness.cacheCompanies(cached);
    const { id } = await harness.createRequest({ cached });
    const loseResult = env.DB.prepare(
      'UPDATE requests SET cached_slices = 0, cached_rows = NULL, rows = 0 WHERE id = ?',
    ).bind(id);
    const saved = await getSaved();
    await harness.advance(id);
    await loseResult.run();
    await Promise.all([harness.advance(id), harness.advance(id)]);
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 5, charged: 20 });
    // The last step is lost, too: the three cached companies count once.
    await harness.runSteps(id);
    expect(await getSaved()).toBe(saved + 30);
    const query = { requestId: id, limit: 5_000, maxBytes: 1e7 };
    const { records } = await readRecords(getRowStore(env), query);
    expect(records.map((record) => String(record.id)).toSorted()).toEqual(['1', '2', ...cached].toSorted());
    expect(harness.countCalls('create')).toBe(1);
  });

  it('keeps its cached rows if the provider has none of the others', async () => {
    const harness = new ServiceHarness({ list: respond(422) });
    await harness.cacheCompanies([1011, 1012]);
    const { id } = await harness.createRequest({ cached: ['1011', '1012'] });
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({
      phase: 'ready',
      rows: 2,
      charged: 0,
      failure: { problem: 'not_found' },
    });
  });

  it('waits for records that KV does not show yet', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest({ keys: [], cached: ['777'] });
    expect(await harness.advance(id)).toEqual({ over: false, waitMs: 1_000 });
    expect((await harness.getRow(id)).phase).toBe('reserved');
    await harness.cacheCompanies([777]);
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 1, charged: 0 });
    expect(harness.calls).toEqual([]);
  });

  it('does not order a company that was erased after the price was calculated', async () => {
    const harness = new ServiceHarness({ file: () => gzipLines({ id: 81, name: 'Stays' }) });
    const { id } = await harness.createRequest({ keys: ['81', '82'], cached: [] });
    const key = { family: 'company_clean', kind: 'id', value: '82' } as const;
    await refuseKeys(key);
    await harness.runSteps(id);
    expect(harness.orderedIds).toEqual([['81']]);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 1, charged: 10 });
  });

  it('keeps all digits of delivered records in rows, in the cache and in the rows of a later order', async () => {
    const id = '9007199254740993';
    const line = `{"id":${id},"name":"Long","company_id":9007199254740995}`;
    const file = (): Response =>
      new Response(new Blob([`${line}\n`]).stream().pipeThrough(new CompressionStream('gzip')));
    const harness = new ServiceHarness({ file });
    const first = await harness.createRequest({ keys: [id], cached: [] });
    await harness.runSteps(first.id);
    const readText = () => env.RECORDS.get(`record:${harness.identity}:company_clean:id:${id}`);
    await expect.poll(readText).toContain(`"record":${line}}`);
    const second = await harness.createRequest({ keys: [], cached: [id] });
    await harness.runSteps(second.id);
    const query = { requestId: second.id, limit: 10, maxBytes: 100_000 };
    expect((await readRecords(getRowStore(env), query)).records).toEqual([
      { id: BigInt(id), name: 'Long', company_id: 9007199254740995n },
    ]);
    expect(harness.orderedIds).toEqual([[id]]);
  });

  it('caches delivered records, and does not refresh cached ones', async () => {
    const harness = new ServiceHarness({ file: () => gzipLines({ id: 91, name: 'One' }, { id: 92 }) });
    await harness.cacheCompanies([1021]);
    clock.now += 3_600_000;
    const { id } = await harness.createRequest({ cached: ['1021'], keys: ['91', '92'] });
    await harness.runSteps(id);
    const { endedAt } = await harness.getRow(id);
    const readFetchedAt = async (recordId: string) => {
      const text = await env.RECORDS.get(`record:${harness.identity}:company_clean:id:${recordId}`);
      return text === null ? null : JSON.parse(text).fetched_at;
    };
    await expect.poll(() => Promise.all(['91', '92'].map(readFetchedAt))).toEqual([endedAt, endedAt]);
    expect(Number(await readFetchedAt('1021'))).toBeLessThan(Number(endedAt));
  });
});
