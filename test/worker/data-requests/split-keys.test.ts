// Requests of which a part comes from the cache: whatever fails or is done twice, every row is there once, and nobody who was
// erased is ordered.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { readRecords } from '../../../worker/data-requests/ingest/index.ts';
import { getRowStore } from '../../../worker/data-requests/state-machine.ts';
import { addErasedKeys, beginErasure } from '../../../worker/gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../../worker/gateway/refusal-list/pseudonyms.ts';
import { sendDeliveredRecords } from '../../../worker/gateway/single-flight/client.ts';
import { clock } from '../platform.ts';
import { getSpending } from './bulk.ts';
import { gzipLines, ServiceHarness } from './service-harness.ts';

/** Cached records have ids that nothing else here uses. */
let next = 1_000;

/** Companies that the cache has. @returns their ids */
async function cached(harness: ServiceHarness, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => next++);
  const records = ids.map((id) => ({ id, name: `Cached ${id}` }));
  const { identity } = harness;
  await sendDeliveredRecords(env, { identity, family: 'company_clean', records, fetchedAt: clock.now });
  return ids.map(String);
}

async function idsOf(requestId: string): Promise<string[]> {
  const { records } = await readRecords(getRowStore(env), { requestId, limit: 5_000, maxBytes: 1e7 });
  return records.map(({ id }) => String(id));
}

beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});

describe('a request of which a part is cached', () => {
  // "Kill -9 at every step of a data request must still give every row exactly once".
  it('has every record once where each step is done twice, or ends before it is written down', async () => {
    const harness = new ServiceHarness();
    const own = await cached(harness, 5);
    const { id } = await harness.createRequest({ cached: own });
    const forget = env.DB.prepare('UPDATE requests SET cached_rows = NULL, rows = 0 WHERE id = ?').bind(id);
    await harness.advance(id);
    await forget.run();
    await Promise.all([harness.advance(id), harness.advance(id)]);
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 7, charged: 20 });
    expect((await idsOf(id)).toSorted()).toEqual(['1', '2', ...own].toSorted());
    expect(harness.countCalls('create')).toBe(1);
  });

  it('keeps its cached rows where the provider has none of the others', async () => {
    const harness = new ServiceHarness({ list: () => Response.json({ detail: 'no' }, { status: 422 }) });
    const { id } = await harness.createRequest({ cached: await cached(harness, 3) });
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({
      phase: 'ready',
      rows: 3,
      charged: 0,
      failure: { problem: 'not_found' },
    });
  });

  it('waits for what KV does not show yet', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest({ keys: [], cached: ['777'] });
    expect(await harness.advance(id)).toEqual({ over: false, waitMs: 1_000 });
    expect((await harness.getRow(id)).phase).toBe('reserved');
    const record = { id: 777, name: 'Late' };
    const { identity } = harness;
    await sendDeliveredRecords(env, {
      identity,
      family: 'company_clean',
      records: [record],
      fetchedAt: clock.now,
    });
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 1, charged: 0 });
    expect(harness.calls).toEqual([]);
  });

  it('never orders whoever was erased between its price and its sending', async () => {
    const harness = new ServiceHarness({ file: () => gzipLines({ id: 81, name: 'Stays' }) });
    const { id } = await harness.createRequest({ keys: ['81', '82'], cached: [] });
    const key = { family: 'company_clean', kind: 'id', value: '82' } as const;
    const erasure = crypto.randomUUID();
    await beginErasure(env.DB, erasure, clock.now, 'company');
    await addErasedKeys(env.DB, erasure, [await (await Pseudonyms.load(env.DB)).forKey(key)]);
    await harness.runSteps(id);
    expect(harness.orderedIds).toEqual([['81']]);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 1, charged: 10 });
  });

  it('caches what the provider delivered, and nothing of what came from the cache anew', async () => {
    const harness = new ServiceHarness();
    const own = await cached(harness, 2);
    clock.now += 3_600_000;
    const { id } = await harness.createRequest({ cached: own, keys: ['91', '92'] });
    harness.setScript({ file: () => gzipLines({ id: 91, name: 'One' }, { id: 92, name: 'Two' }) });
    await harness.runSteps(id);
    const { endedAt } = await harness.getRow(id);
    const fetchedAt = async (record: string) => {
      const text = await env.RECORDS.get(`record:${harness.identity}:company_clean:id:${record}`);
      return text === null ? null : JSON.parse(text).fetched_at;
    };
    await expect.poll(() => Promise.all(['91', '92'].map(fetchedAt))).toEqual([endedAt, endedAt]);
    expect(Number(await fetchedAt(own[0] ?? ''))).toBeLessThan(Number(endedAt));
  });
});

describe('a request that was stopped while it was being sent', () => {
  // Brief of the issue: Stop "must state exactly what was and will be charged".
  it('and that the provider did not take is not sent later, and costs nothing', async () => {
    const before = await getSpending();
    const harness = new ServiceHarness();
    const row = await harness.createRequest();
    harness.setScript({
      create: async () => {
        await harness.service.cancel(await harness.getRow(row.id));
        return Response.json({ detail: 'overload' }, { status: 503 });
      },
    });
    await harness.runSteps(row.id);
    expect(harness.countCalls('create')).toBe(1);
    expect(await harness.getRow(row.id)).toMatchObject({ phase: 'cancelled', charged: 0 });
    expect(await getSpending()).toEqual(before);
  });
});
