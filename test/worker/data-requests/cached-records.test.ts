// A data request orders only what is not cached and fresh, and delivers the rest from the cache.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DataRequestEstimate } from '../../../shared/api/data-requests.ts';
import type { LookupResponse } from '../../../shared/api/lookup.ts';
import type { Problem } from '../../../shared/problems.ts';
import { splitKeys } from '../../../worker/data-requests/order/split-keys.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { fetchCalls } from '../../../worker/gateway/single-flight/client.ts';
import {
  call,
  createRequest,
  getSpending,
  importCompanies,
  postRequest,
  readAllRows,
  waitUntilEnded,
} from './bulk.ts';

beforeAll(() => importCompanies(60));

const ids = (...keys: number[]) => ({ family: 'company_clean', kind: 'ids', keys: keys.map(String) });

async function estimate(body: unknown): Promise<DataRequestEstimate> {
  const response = await call('/sheets/v1/estimate/data-request', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function lookup(keys: string[], by: string): Promise<LookupResponse> {
  const body = JSON.stringify({ family: 'company_clean', by, keys, fields: ['name'] });
  const response = await call('/sheets/v1/lookup', { method: 'POST', body });
  expect(response.status).toBe(200);
  return response.json();
}

/** How many data requests the provider has made. */
async function requestsAtProvider(): Promise<number> {
  const { results } = await env.DB.prepare('SELECT id FROM requests WHERE provider_id IS NOT NULL').run();
  return results.length;
}

const idsOf = async (id: string): Promise<unknown[]> => (await readAllRows(id, 100)).map(([own]) => own);

// Issue: "Ten ids ordered again minutes later cost 100 credits."
describe('ten ids ordered again', () => {
  const ten = ids(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

  it('cost 0 credits, ask the provider for nothing and are ready at once', async () => {
    await waitUntilEnded((await createRequest(ten)).id);
    const before = { ...(await getSpending()), made: await requestsAtProvider() };
    expect(await estimate(ten)).toEqual({ total: 10, records: 10, cached: 10, ordered: 0, credits: 0 });
    const again = await createRequest(ten);
    expect(again).toMatchObject({
      state: 'ready',
      asked: 10,
      cached: 10,
      rows: 10,
      credits: { reserved: 0, charged: 0 },
    });
    expect((await idsOf(again.id)).toSorted()).toEqual([1, 10, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect({ ...(await getSpending()), made: await requestsAtProvider() }).toEqual(before);
  });

  it('cost nothing where spending is off, either', async () => {
    const ledger = getLedger(env, 'team');
    await ledger.setBudget({ spending: false });
    try {
      expect(await createRequest(ten)).toMatchObject({ state: 'ready', rows: 10 });
    } finally {
      await ledger.setBudget({ spending: true });
    }
  });

  // "deliver the others from the cache": every record once, whichever way it came.
  it('among others: only the others are ordered, and each record is a row once', async () => {
    const some = ids(8, 9, 10, 11, 12);
    expect(await estimate(some)).toEqual({ total: 5, records: 5, cached: 3, ordered: 2, credits: 20 });
    const { id, ...view } = await createRequest(some);
    expect(view).toMatchObject({ asked: 5, cached: 3, credits: { reserved: 20 } });
    expect(await waitUntilEnded(id)).toMatchObject({ state: 'ready', rows: 5, credits: { charged: 20 } });
    expect((await idsOf(id)).toSorted()).toEqual([10, 11, 12, 8, 9]);
  });

  it('by query are resolved to ids, and only missing ids are ordered', async () => {
    const query = { family: 'company_clean', kind: 'es_dsl', es_dsl: { terms: { id: [11, 12, 13, 14] } } };
    expect(await estimate(query)).toEqual({ total: 4, records: 4, cached: 2, ordered: 2, credits: 20 });
    const { id } = await createRequest(query);
    expect(await waitUntilEnded(id)).toMatchObject({ kind: 'es_dsl', rows: 4, credits: { charged: 20 } });
    expect(await createRequest(query)).toMatchObject({ state: 'ready', cached: 4, credits: { charged: 0 } });
  });
});

describe('a record', () => {
  it('that a data request brought is not bought again by a lookup, by id or by shorthand name', async () => {
    await waitUntilEnded((await createRequest(ids(20, 21))).id);
    for (const [keys, by] of [
      [['20', '21'], 'id'],
      [['c-20', 'c-21'], 'shorthand_name'],
    ] as const) {
      const { rows, credits } = await lookup([...keys], by);
      expect(rows.map(({ status, record }) => [status, record])).toEqual([
        ['hit', { name: 'Company 20' }],
        ['hit', { name: 'Company 21' }],
      ]);
      expect(credits.spent).toBe(0);
    }
  });

  it('that a lookup brought is not ordered again, by id, shorthand name or profile URL', async () => {
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
  it('that is not fresh any more is ordered again', async () => {
    const { id } = await createRequest(ids(24));
    await waitUntilEnded(id);
    const row = await env.DB.prepare('SELECT identity FROM requests WHERE id = ?').bind(id).first();
    const splitAfter = (days: number) =>
      splitKeys(
        env,
        { kind: 'ids', family: 'company_clean', keys: ['24'] },
        {
          identity: String(row?.identity),
          payer: { team: 'team', token: 'token' },
          lane: 'formula',
          now: () => Date.now() + days * 86_400_000,
          fetchCalls: (ask) => fetchCalls(env, ask),
        },
      );
    expect(await splitAfter(29)).toMatchObject({ cached: ['24'], ordered: [] });
    expect(await splitAfter(31)).toMatchObject({ cached: [], ordered: ['24'] });
  });

  it('of the drop-in is passed on as it is, and cached', async () => {
    const form = new FormData();
    form.append('ids', '30');
    const post = () =>
      worker.default.fetch('http://127.0.0.1/cdapi/v2/data_requests/company_clean/ids', {
        method: 'POST',
        headers: { apikey: env.TEAM_TOKEN },
        body: form,
      });
    const before = await requestsAtProvider();
    for (const times of [1, 2]) {
      expect((await post()).status).toBe(201);
      expect(await requestsAtProvider()).toBe(before + times);
    }
    const { results } = await env.DB.prepare(
      'SELECT id FROM requests ORDER BY created_at DESC LIMIT 2',
    ).run();
    for (const { id } of results)
      expect(await waitUntilEnded(String(id))).toMatchObject({ cached: 0, rows: 1 });
    expect(await createRequest(ids(30))).toMatchObject({ state: 'ready', cached: 1 });
  });
});

describe('a price', () => {
  // Brief of the issue: "The server enforces the maximum", `price_changed`, 409.
  it('that is higher than the one that was shown is refused, and nothing is held', async () => {
    const before = await getSpending();
    const answer = await postRequest({ ...ids(40, 41), max_credits: 10 });
    expect(answer.status).toBe(409);
    const problem = await answer.json<Problem>();
    expect(problem.code).toBe('price_changed');
    expect(`${problem.detail} ${problem.fix}`).toBe(
      'The price changed from 10 to 20 credits. Check the new price, then order again.',
    );
    expect(await getSpending()).toEqual(before);
  });

  it('is refused as a question where it is no whole number', async () => {
    for (const max_credits of [-1, 1.5, '10'])
      expect((await postRequest({ ...ids(1), max_credits })).status).toBe(422);
  });
});
