// KV: what the deployed platform refuses is refused, and writes arrive late where a test wants it.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { StrictWorld, type WorldOptions } from './index.ts';

const MB = 1024 * 1024;
const clock = { now: Date.UTC(2026, 8, 1) };
const world = (options: Partial<WorldOptions> = {}) =>
  new StrictWorld({ clock: () => clock.now, ...options });

let keys = 0;
/** A key that no other test uses. */
const newKey = (): string => `strict:${keys++}`;

describe('a second write of a key within a second', () => {
  it.each([
    ['put', 'KV PUT failed: 429 Too Many Requests'],
    ['delete', 'KV DELETE failed: 429 Too Many Requests'],
  ] as const)('by %s is refused, also by another invocation, and noted', async (method, message) => {
    const shared = world();
    const key = newKey();
    await shared.invocation(env).env.RECORDS.put(key, 'one');
    const { env: strict, violations } = shared.invocation(env);
    clock.now += 999;
    const second = method === 'put' ? strict.RECORDS.put(key, 'two') : strict.RECORDS.delete(key);
    await expect(second).rejects.toThrow(message);
    expect(violations()).toEqual([{ code: 'kv_write_rate', binding: 'RECORDS', message }]);
    expect(await env.RECORDS.get(key)).toBe('one');
  });
});

describe('what the local platform refuses by itself is refused and noted', () => {
  it.each<[string, (kv: KVNamespace) => Promise<unknown>, string]>([
    ['a TTL of less than a minute', (kv) => kv.put(newKey(), '', { expirationTtl: 59 }), 'at least 60'],
    ['a key of more than 512 bytes', (kv) => kv.put('é'.repeat(257), ''), 'key length limit of 512'],
    [
      'a value of more than 25 MiB',
      (kv) => kv.put(newKey(), 'x'.repeat(25 * MB + 1)),
      'exceeds limit of 26214400',
    ],
    [
      '101 keys at once',
      (kv) => kv.get(Array.from({ length: 101 }, (_, at) => `k${at}`)),
      'maximum of 100 keys',
    ],
  ])('%s', async (_, call, message) => {
    const { env: strict, violations } = world().invocation(env);
    await expect(call(strict.RECORDS)).rejects.toThrow(message);
    expect(violations()).toEqual([
      { code: 'refused', binding: 'RECORDS', message: expect.stringContaining(message) },
    ]);
  });
});

describe('a write', () => {
  const lagMs = 120_000;
  const lagging = () => {
    const shared = world({ lagMs });
    return {
      near: shared.invocation(env, { location: 'near' }).env.RECORDS,
      far: shared.invocation(env, { location: 'far' }).env.RECORDS,
    };
  };

  it('leaves what was there before for other readers, in every way of reading', async () => {
    const key = newKey();
    await env.RECORDS.put(key, '{"is":"old"}');
    const { near, far } = lagging();
    await near.put(key, '{"is":"new"}');
    expect(await far.get(key)).toBe('{"is":"old"}');
    expect(await far.get(key, 'json')).toEqual({ is: 'old' });
    expect(await far.get([key], { type: 'json' })).toEqual(new Map([[key, { is: 'old' }]]));
    expect(await near.get([key], 'text')).toEqual(new Map([[key, '{"is":"new"}']]));
  });

  it('stays unseen for another minute by a reader who has missed it', async () => {
    const { near, far } = lagging();
    const key = newKey();
    await near.put(key, 'new');
    clock.now += lagMs - 1;
    expect(await far.get(key)).toBeNull();
    clock.now += 59_999;
    expect(await far.get(key)).toBeNull();
    clock.now += 1;
    expect(await far.get(key)).toBe('new');
  });
});
