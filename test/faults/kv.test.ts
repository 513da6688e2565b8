// The stand-in for KV: it hides writes as long as it is told, and is a KV otherwise.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster, type WorkerName } from './cluster/cluster.ts';

const HIDE_MS = 1500;

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

it('a write is hidden from other Workers for its time, and then seen', async () => {
  const start = Date.now();
  await put('late', 'written', 'one');
  expect(await get('late', 'one')).toBe('written');
  expect(await get('late', 'two')).toBeNull();
  await expect.poll(() => get('late', 'two'), { timeout: 5000, interval: 50 }).toBe('written');
  expect(Date.now() - start).toBeGreaterThanOrEqual(HIDE_MS);
  expect(await cluster.run({ run: 'kv_get_many', keys: ['late', 'none'] })).toEqual({
    late: 'written',
    none: null,
  });
});

it('what was there before is seen as long as the new is hidden, also where it was deleted', async () => {
  await put('changed', 'old', 'one');
  await expect.poll(() => get('changed', 'two'), { timeout: 5000, interval: 50 }).toBe('old');
  await cluster.run({ run: 'kv_delete', key: 'changed' }, 'one');
  expect(await get('changed', 'one')).toBeNull();
  expect(await get('changed', 'two')).toBe('old');
  await expect.poll(() => get('changed', 'two'), { timeout: 5000, interval: 50 }).toBeNull();
});

it('a second write of a key within a second is refused as by the platform', async () => {
  await put('often', 'one');
  await expect(put('often', 'two')).rejects.toThrow('KV PUT failed: 429 Too Many Requests');
  expect(await get('often', 'objects')).toBe('one');
});

it('more than a hundred keys at once are refused as by the platform', async () => {
  const keys = Array.from({ length: 101 }, (_, at) => `k${at}`);
  await expect(cluster.run({ run: 'kv_get_many', keys })).rejects.toThrow('maximum of 100 keys');
});

it('what was written is there after kill -9 and a start', async () => {
  await put('kept', 'kept', 'one');
  await cluster.kill();
  await cluster.start();
  expect(await get('kept', 'one')).toBe('kept');
});
