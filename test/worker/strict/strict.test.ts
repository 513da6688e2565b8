// The strict bindings: what the deployed platform refuses is refused, every call is on record, and KV shows writes late.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makeStrict, StrictRuntime, strictStorage, type Violation } from './index.ts';

const clock = { now: Date.UTC(2026, 8, 1) };
const world = (lagMs?: number) =>
  new StrictRuntime({ clock: () => clock.now, ...(lagMs === undefined ? {} : { lagMs }) });
const strict = () => world().wrapBindings(env);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const places = (count: number): string =>
  numbers(count)
    .fill(0)
    .map(() => '?')
    .join();

let keys = 0;
/** A key that no other test uses. */
const newKey = (): string => `strict:${keys++}`;

describe('the calls of an invocation', () => {
  it('are on record, each with its binding and method', async () => {
    const { env: bindings, listCalls: touched } = strict();
    await bindings.RECORDS.get(['a', 'b']);
    await bindings.DB.batch([bindings.DB.prepare('SELECT 1'), bindings.DB.prepare('SELECT ?').bind(2)]);
    await bindings.SANDBOX_ACCOUNT.getByName('strict').getState();
    await bindings.AUTH_RATE_LIMIT.limit({ key: 'somebody' });
    await bindings.SANDBOX_FILES.head('none');
    await bindings.STRICT_QUEUE.send('hello');
    expect(touched()).toEqual([
      'RECORDS.get',
      'DB.batch',
      'SANDBOX_ACCOUNT.getState',
      'AUTH_RATE_LIMIT.limit',
      'SANDBOX_FILES.head',
      'STRICT_QUEUE.send',
    ]);
  });

  it('can not pass by a method that nobody counts', () => {
    expect(() => strict().env.DB.withSession).toThrow(/the strict .* knows no/);
  });

  it('are a thousand operations at most, whichever service they call', async () => {
    const { env: bindings, listViolations: violations } = strict();
    for (const _ of numbers(1000)) await bindings.RECORDS.get('a');
    expect(violations()).toEqual([]);
    await expect(bindings.RECORDS.get('a')).rejects.toThrow('Too many API requests');
    expect(() => bindings.SANDBOX_ACCOUNT.getByName('strict').getState()).toThrow('Too many');
    expect(violations().map(({ code }) => code)).toEqual(['operations', 'operations']);
  });

  it('are a thousand queries at most, those of a batch counted one by one', async () => {
    const { env: bindings, listViolations: violations } = strict();
    const one = bindings.DB.prepare('SELECT 1');
    await bindings.DB.batch(numbers(998).map(() => one));
    await one.first();
    await bindings.DB.exec('SELECT 1');
    expect(violations()).toEqual([]);
    expect(() => one.bind().first()).toThrow('Too many API requests');
    expect(() => bindings.DB.batch([one])).toThrow('Too many API requests');
    expect(violations().map(({ code }) => code)).toEqual(['queries', 'queries']);
  });

  it('hold six connections: the seventh waits for an answer or a failure', async () => {
    const answers: PromiseWithResolvers<null>[] = [];
    class KvNamespace {
      get(): Promise<null> {
        const answer = Promise.withResolvers<null>();
        answers.push(answer);
        return answer.promise;
      }
    }
    const { env: bindings, countConnections: connections } = world().wrapBindings({ KV: new KvNamespace() });
    const calls = Promise.allSettled(numbers(8).map(() => bindings.KV.get()));
    await expect.poll(() => answers.length).toBe(6);
    expect(connections()).toEqual({ peak: 8, waiting: 2 });
    answers[0]?.resolve(null);
    answers[1]?.reject(new Error('gone'));
    await expect.poll(() => answers.length).toBe(8);
    for (const { resolve } of answers) resolve(null);
    await calls;
    expect(connections()).toEqual({ peak: 8, waiting: 0 });
  });
});

describe('KV', () => {
  it.each(['put', 'delete'] as const)(
    'refuses a second write of a key within a second by %s',
    async (method) => {
      const shared = world();
      const key = newKey();
      await shared.wrapBindings(env).env.RECORDS.put(key, 'one');
      const { env: bindings, listViolations: violations } = shared.wrapBindings(env);
      clock.now += 999;
      const message = `KV ${method.toUpperCase()} failed: 429 Too Many Requests`;
      await expect(bindings.RECORDS[method](key, 'two')).rejects.toThrow(message);
      expect(violations()).toEqual([{ code: 'kv_write_rate', binding: 'RECORDS', message }]);
      clock.now += 1;
      await bindings.RECORDS.put(key, 'two');
      expect(await bindings.RECORDS.get(key)).toBe('two');
    },
  );

  it('hides a write from other places for its time, in every way of reading, and a minute more from who missed it', async () => {
    const [lagMs, key] = [120_000, newKey()];
    await env.RECORDS.put(key, '{"is":"old"}');
    const shared = world(lagMs);
    const near = shared.wrapBindings(env, { location: 'near' }).env.RECORDS;
    const far = shared.wrapBindings(env, { location: 'far' }).env.RECORDS;
    await near.put(key, '{"is":"new"}');
    expect(await near.get([key], 'text')).toEqual(new Map([[key, '{"is":"new"}']]));
    clock.now += lagMs - 1;
    expect(await far.get(key)).toBe('{"is":"old"}');
    expect(await far.get([key], { type: 'json' })).toEqual(new Map([[key, { is: 'old' }]]));
    clock.now += 59_999;
    expect(await far.get(key, 'json')).toEqual({ is: 'old' });
    clock.now += 1;
    expect(await far.get(key, 'json')).toEqual({ is: 'new' });
  });
});

describe('what the local platform refuses by itself is refused and noted', () => {
  it.each<[string, (bindings: Cloudflare.Env) => Promise<unknown>, string]>([
    [
      'a TTL of less than a minute',
      ({ RECORDS }) => RECORDS.put(newKey(), '', { expirationTtl: 59 }),
      'at least 60',
    ],
    ['101 keys at once', ({ RECORDS }) => RECORDS.get(numbers(101).map(String)), 'maximum of 100 keys'],
    [
      '101 parameters',
      ({ DB }) =>
        DB.prepare(`SELECT 1 WHERE 1 IN (${places(101)})`)
          .bind(...numbers(101))
          .first(),
      'too many SQL variables',
    ],
    ['broken SQL in a batch', ({ DB }) => DB.batch([DB.prepare('SELEKT')]), 'syntax error'],
  ])('%s', async (_, call, message) => {
    const { env: bindings, listViolations: violations } = strict();
    await expect(call(bindings)).rejects.toThrow(message);
    expect(violations()).toMatchObject([{ code: 'refused', message: expect.stringContaining(message) }]);
  });
});

describe('a queue', () => {
  const batch = (count: number, body: string) => numbers(count).map(() => ({ body }));

  it.each<[string, (queue: Queue) => Promise<unknown>]>([
    ['a message of more than 128 KB', (queue) => queue.send('x'.repeat(128_001))],
    ['an object of more than 128 KB', (queue) => queue.send({ text: 'é'.repeat(63_995) })],
    ['more than 100 messages at once', (queue) => queue.sendBatch(batch(101, ''))],
    ['more than 256 KB at once', (queue) => queue.sendBatch(batch(3, 'x'.repeat(100_000)))],
  ])('refuses %s', async (_, send) => {
    const { env: bindings, listViolations: violations } = strict();
    await expect(send(bindings.STRICT_QUEUE)).rejects.toThrow('exceeds limit');
    expect(violations()).toMatchObject([{ code: 'message_size', binding: 'STRICT_QUEUE' }]);
  });
});

describe('a value of more than 2 MB', () => {
  it('is refused by D1, alone and in a batch', async () => {
    await env.DB.exec('CREATE TABLE IF NOT EXISTS strict_values (value)');
    const { env: bindings, listViolations: violations } = strict();
    const insert = bindings.DB.prepare('INSERT INTO strict_values (value) VALUES (?)');
    await insert.bind('é'.repeat(1_000_000)).run();
    expect(violations()).toEqual([]);
    const large = insert.bind('é'.repeat(1_000_001));
    expect(() => large.run()).toThrow('SQLITE_TOOBIG');
    expect(() => bindings.DB.batch([large])).toThrow('SQLITE_TOOBIG');
    expect(violations().map(({ code }) => code)).toEqual(['value_size', 'value_size']);
  });

  it.each([
    ['as one value', ['name', 'x'.repeat(2_000_001)]],
    ['together with others of its row', ['x'.repeat(1_000_001), 'x'.repeat(1_000_000)]],
    ['as bytes', ['name', new Uint8Array(2_000_001)]],
  ])('is refused by the storage of an object, %s', (_, values) =>
    runInDurableObject(env.SANDBOX_ACCOUNT.getByName(newKey()), (_instance, state) => {
      const insert = 'INSERT INTO pairs (name, value) VALUES (?, ?)';
      state.storage.sql.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value TEXT)');
      const noted: Violation[] = [];
      const { sql } = strictStorage(state.storage, (violation) => noted.push(violation));
      expect(() => sql.exec(insert, ...values)).toThrow('SQLITE_TOOBIG');
      expect(noted).toMatchObject([{ code: 'value_size', binding: 'storage' }]);
      // An object that is made with a strict state gets the same.
      expect(() => makeStrict(state).storage.sql.exec(insert, ...values)).toThrow('SQLITE_TOOBIG');
      expect(sql.exec('SELECT * FROM pairs').toArray()).toEqual([]);
    }),
  );
});
