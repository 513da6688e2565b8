// The stand-in for KV: it hides writes as long as it is told, and is a KV otherwise.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster, type WorkerName } from './cluster/cluster.ts';

const HIDE_MS = 1500;
/** What a busy machine may take. */
const patient = { timeout: 30_000, interval: 50 };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ front: 'control', hideWritesMs: HIDE_MS });
});
afterAll(async () => {
  await cluster?.close();
});

const get = (key: string, worker?: WorkerName) => cluster.run({ run: 'kv_get', key }, worker);
const put = (key: string, value: string, worker?: WorkerName) =>
  cluster.run({ run: 'kv_put', key, value, ttl_s: 60 }, worker);

it('a write and a deletion are hidden from other Workers for their time, and then seen', async () => {
  const start = Date.now();
  await put('changed', 'written', 'one');
  expect(await get('changed', 'one')).toBe('written');
  await expect.poll(() => get('changed', 'two'), patient).toBe('written');
  expect(Date.now() - start).toBeGreaterThanOrEqual(HIDE_MS);
  const deleted = Date.now();
  await cluster.run({ run: 'kv_delete', key: 'changed' }, 'one');
  expect(await get('changed', 'one')).toBeNull();
  await expect.poll(() => get('changed', 'two'), patient).toBeNull();
  expect(Date.now() - deleted).toBeGreaterThanOrEqual(HIDE_MS);
});

it('a second write of a key within a second, and more than a hundred keys at once, are refused as by the platform', async () => {
  const [first, second] = await Promise.allSettled([put('often', 'one'), put('often', 'two')]);
  const refused = [first, second].flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  expect(refused).toEqual([expect.stringContaining('KV PUT failed: 429 Too Many Requests')]);
  const keys = Array.from({ length: 101 }, (_, at) => `k${at}`);
  await expect(cluster.run({ run: 'kv_get_many', keys })).rejects.toThrow('maximum of 100 keys');
});
