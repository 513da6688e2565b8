// The strict bindings refuse what the deployed platform refuses, record every call, and show KV writes late.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { getObject } from '../../../worker/lib/objects.ts';
import { makeStrict, StrictRuntime, strictStorage, type Violation } from './index.ts';

const clock = { now: Date.UTC(2026, 8, 1) };
const createRuntime = (lagMs?: number) =>
  new StrictRuntime({ clock: () => clock.now, ...(lagMs === undefined ? {} : { lagMs }) });
const wrap = () => createRuntime().wrapBindings(env);
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const toCodes = (violations: readonly Violation[]) => violations.map(({ code }) => code);

let keys = 0;
const newKey = (): string => `strict:${keys++}`;

describe('an invocation', () => {
  it('records every call with its binding and method', async () => {
    const { env: bindings, listCalls } = wrap();
    await bindings.RECORDS.get(['a', 'b']);
    await bindings.DB.batch([bindings.DB.prepare('SELECT 1'), bindings.DB.prepare('SELECT ?').bind(2)]);
    await getObject(bindings, bindings.SANDBOX_ACCOUNT, 'strict').getState();
    await bindings.AUTH_RATE_LIMIT.limit({ key: 'somebody' });
    await bindings.SANDBOX_FILES.head('none');
    await bindings.STRICT_QUEUE.send('hello');
    expect(listCalls()).toEqual([
      'RECORDS.get',
      'DB.batch',
      'SANDBOX_ACCOUNT.getState',
      'AUTH_RATE_LIMIT.limit',
      'SANDBOX_FILES.head',
      'STRICT_QUEUE.send',
    ]);
    expect(() => bindings.DB.withSession).toThrow(/the strict .* has no/);
  });

  it('obtains objects only near the region of the deployment', () => {
    const { env: bindings, listViolations } = wrap();
    expect(() => bindings.LEDGER.getByName('team')).toThrow('lacks the location hint weur');
    expect(() => bindings.LEDGER.getByName('team', { locationHint: 'enam' })).toThrow('weur');
    getObject(bindings, bindings.LEDGER, 'team');
    expect(toCodes(listViolations())).toEqual(['location', 'location']);
  });

  it('has a thousand operations, over all services', async () => {
    const { env: bindings, listViolations } = wrap();
    for (const _ of range(1000)) await bindings.RECORDS.get('a');
    expect(listViolations()).toEqual([]);
    await expect(bindings.RECORDS.get('a')).rejects.toThrow('Too many API requests');
    expect(() => getObject(bindings, bindings.SANDBOX_ACCOUNT, 'strict').getState()).toThrow('Too many');
    expect(toCodes(listViolations())).toEqual(['operations', 'operations']);
  });

  it('has a thousand queries, counting each statement of a batch', async () => {
    const { env: bindings, listViolations } = wrap();
    const statement = bindings.DB.prepare('SELECT 1');
    await bindings.DB.batch(range(998).map(() => statement));
    await statement.first();
    await bindings.DB.exec('SELECT 1');
    expect(listViolations()).toEqual([]);
    expect(() => statement.bind().first()).toThrow('Too many API requests');
    expect(() => bindings.DB.batch([statement])).toThrow('Too many API requests');
    expect(toCodes(listViolations())).toEqual(['queries', 'queries']);
  });

  it('has six connections: a seventh call waits for a response or a failure', async () => {
    const responses: PromiseWithResolvers<null>[] = [];
    class KvNamespace {
      get(): Promise<null> {
        const response = Promise.withResolvers<null>();
        responses.push(response);
        return response.promise;
      }
    }
    const { env: bindings, countConnections } = createRuntime().wrapBindings({ KV: new KvNamespace() });
    const calls = Promise.allSettled(range(8).map(() => bindings.KV.get()));
    await expect.poll(() => responses.length).toBe(6);
    expect(countConnections()).toEqual({ peak: 8, waiting: 2 });
    responses[0]?.resolve(null);
    responses[1]?.reject(new Error('gone'));
    await expect.poll(() => responses.length).toBe(8);
    for (const { resolve } of responses) resolve(null);
    await calls;
    expect(countConnections()).toEqual({ peak: 8, waiting: 0 });
  });
});

describe('KV', () => {
  it.each(['put', 'delete'] as const)('refuses a %s within a second of another write', async (method) => {
    const runtime = createRuntime();
    const key = newKey();
    await runtime.wrapBindings(env).env.RECORDS.put(key, 'one');
    const { env: bindings, listViolations } = runtime.wrapBindings(env);
    clock.now += 999;
    const message = `KV ${method.toUpperCase()} failed: 429 Too Many Requests`;
    await expect(bindings.RECORDS[method](key, 'two')).rejects.toThrow(message);
    expect(listViolations()).toEqual([{ code: 'kv_write_rate', binding: 'RECORDS', message }]);
    clock.now += 1;
    await bindings.RECORDS.put(key, 'two');
    expect(await bindings.RECORDS.get(key)).toBe('two');
  });

  it('hides a write from other locations, and a minute longer from one that has read the old value', async () => {
    const [lagMs, key] = [120_000, newKey()];
    await env.RECORDS.put(key, '{"is":"old"}');
    const runtime = createRuntime(lagMs);
    const [near, far] = ['near', 'far'].map(
      (location) => runtime.wrapBindings(env, { location }).env.RECORDS,
    );
    await near?.put(key, '{"is":"new"}');
    expect(await near?.get([key], 'text')).toEqual(new Map([[key, '{"is":"new"}']]));
    clock.now += lagMs - 1;
    expect(await far?.get(key)).toBe('{"is":"old"}');
    expect(await far?.get([key], { type: 'json' })).toEqual(new Map([[key, { is: 'old' }]]));
    clock.now += 59_999;
    expect(await far?.get(key, 'json')).toEqual({ is: 'old' });
    clock.now += 1;
    expect(await far?.get(key, 'json')).toEqual({ is: 'new' });
  });
});

it('a bucket refuses a write within a second of another one of the key', async () => {
  const runtime = createRuntime();
  const [key, other] = [newKey(), newKey()];
  await runtime.wrapBindings(env).env.ROWS.put(key, 'one');
  const { env: bindings, listViolations } = runtime.wrapBindings(env);
  clock.now += 999;
  const message = 'put: Reduce your concurrent request rate for the same object. (10058)';
  await expect(bindings.ROWS.put(key, 'two')).rejects.toThrow(message);
  expect(listViolations()).toEqual([{ code: 'r2_write_rate', binding: 'ROWS', message }]);
  await bindings.ROWS.put(other, 'two');
  await bindings.ROWS.delete(key);
  clock.now += 1;
  await bindings.ROWS.put(key, 'two');
  expect(await (await bindings.ROWS.get(key))?.text()).toBe('two');
});

it('records refusals of the local platform', async () => {
  const { env: bindings, listViolations } = wrap();
  await expect(bindings.RECORDS.put(newKey(), '', { expirationTtl: 59 })).rejects.toThrow('at least 60');
  await expect(bindings.DB.batch([bindings.DB.prepare('SELEKT')])).rejects.toThrow('syntax error');
  expect(toCodes(listViolations())).toEqual(['refused', 'refused']);
});

describe('a queue', () => {
  const buildBatch = (count: number, body: string) => range(count).map(() => ({ body }));

  it.each<[string, (queue: Queue) => Promise<unknown>]>([
    ['a message of more than 128 KB', (queue) => queue.send('x'.repeat(128_001))],
    ['an object of more than 128 KB', (queue) => queue.send({ text: 'é'.repeat(63_995) })],
    ['more than 100 messages at once', (queue) => queue.sendBatch(buildBatch(101, ''))],
    ['more than 256 KB at once', (queue) => queue.sendBatch(buildBatch(3, 'x'.repeat(100_000)))],
  ])('refuses %s', async (_, send) => {
    const { env: bindings, listViolations } = wrap();
    await expect(send(bindings.STRICT_QUEUE)).rejects.toThrow('exceeds limit');
    expect(listViolations()).toMatchObject([{ code: 'message_size', binding: 'STRICT_QUEUE' }]);
  });
});

describe('a value of more than 2 MB', () => {
  it('is refused by D1, alone and in a batch', async () => {
    await env.DB.exec('CREATE TABLE IF NOT EXISTS strict_values (value)');
    const { env: bindings, listViolations } = wrap();
    const insert = bindings.DB.prepare('INSERT INTO strict_values (value) VALUES (?)');
    await insert.bind('é'.repeat(1_000_000)).run();
    expect(listViolations()).toEqual([]);
    const large = insert.bind('é'.repeat(1_000_001));
    expect(() => large.run()).toThrow('SQLITE_TOOBIG');
    expect(() => bindings.DB.batch([large])).toThrow('SQLITE_TOOBIG');
    expect(toCodes(listViolations())).toEqual(['value_size', 'value_size']);
  });

  it.each([
    ['as one value', ['name', 'x'.repeat(2_000_001)]],
    ['together with the others of its row', ['x'.repeat(1_000_001), 'x'.repeat(1_000_000)]],
    ['as bytes', ['name', new Uint8Array(2_000_001)]],
  ])('is refused by the storage of an object %s', (_, values) =>
    runInDurableObject(env.SANDBOX_ACCOUNT.getByName(newKey()), (_instance, state) => {
      const insert = 'INSERT INTO pairs (name, value) VALUES (?, ?)';
      state.storage.sql.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value TEXT)');
      const violations: Violation[] = [];
      const { sql } = strictStorage(state.storage, (violation) => violations.push(violation));
      expect(() => sql.exec(insert, ...values)).toThrow('SQLITE_TOOBIG');
      expect(violations).toMatchObject([{ code: 'value_size', binding: 'storage' }]);
      // An object with a strict state gets the same storage.
      expect(() => makeStrict(state).storage.sql.exec(insert, ...values)).toThrow('SQLITE_TOOBIG');
      expect(sql.exec('SELECT * FROM pairs').toArray()).toEqual([]);
    }),
  );
});
