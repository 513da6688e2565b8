// D1: a thousand queries an invocation, a hundred parameters, statements of 100 KB, values of 2 MB.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { strictEnv } from './index.ts';

const strict = () => strictEnv(env, { clock: () => Date.now() });
const places = (count: number): string => Array.from({ length: count }, () => '?').join(',');
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

beforeAll(async () => {
  await env.DB.exec('CREATE TABLE IF NOT EXISTS strict_values (value)');
});

describe('the thousand queries of an invocation', () => {
  it('are enough for a thousand, those of a batch counted one by one; one more is refused and noted', async () => {
    const { env: bindings, violations } = strict();
    const one = bindings.DB.prepare('SELECT 1');
    await bindings.DB.batch(numbers(990).map(() => one));
    await one.first();
    await one.all();
    await one.run();
    await one.raw();
    await bindings.DB.exec('SELECT 1');
    for (let left = 5; left > 0; left -= 1) await one.bind().first();
    expect(violations()).toEqual([]);
    expect(() => one.first()).toThrow('Too many API requests');
    expect(() => bindings.DB.batch([one])).toThrow('Too many API requests');
    expect(violations().map(({ code }) => code)).toEqual(['queries', 'queries']);
  });
});

describe('a value', () => {
  const insert = (db: D1Database, bytes: number) =>
    db.prepare('INSERT INTO strict_values (value) VALUES (?)').bind('é'.repeat(bytes / 2));

  it('of 2 MB is taken; a larger one is refused and noted, alone and in a batch', async () => {
    const { env: bindings, violations } = strict();
    await insert(bindings.DB, 2_000_000).run();
    expect(violations()).toEqual([]);
    const large = insert(bindings.DB, 2_000_002);
    expect(() => large.run()).toThrow('SQLITE_TOOBIG');
    expect(() => bindings.DB.batch([large])).toThrow('SQLITE_TOOBIG');
    expect(violations().map(({ code }) => code)).toEqual(['value_size', 'value_size']);
  });
});

describe('what the local platform refuses by itself is refused and noted', () => {
  it.each<[string, (db: D1Database) => Promise<unknown>, string]>([
    [
      '101 parameters',
      (db) =>
        db
          .prepare(`SELECT 1 WHERE 1 IN (${places(101)})`)
          .bind(...numbers(101))
          .first(),
      'too many SQL variables',
    ],
    [
      'a statement of more than 100 KB',
      (db) => db.prepare(`SELECT 1 -- ${'x'.repeat(100_000)}`).first(),
      'too long',
    ],
    ['broken SQL in a batch', (db) => db.batch([db.prepare('SELEKT')]), 'syntax error'],
  ])('%s', async (_, call, message) => {
    const { env: bindings, violations } = strict();
    await expect(call(bindings.DB)).rejects.toThrow(message);
    expect(violations()).toEqual([
      { code: 'refused', binding: 'DB', message: expect.stringContaining(message) },
    ]);
  });
});
