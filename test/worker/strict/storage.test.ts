// A Durable Object's storage: values and rows of 2 MB.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makeStrict, strictStorage, type Violation } from './index.ts';

let objects = 0;
/** Runs in an object of its own, with a table. */
function inObject<T>(work: (state: DurableObjectState) => T | Promise<T>): Promise<T> {
  const stub = env.PROVIDER_ACCOUNT.getByName(`strict-${objects++}`);
  return runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value TEXT)');
    return work(state);
  });
}

const text = (bytes: number): string => 'x'.repeat(bytes);
const INSERT = 'INSERT INTO pairs (name, value) VALUES (?, ?)';

describe('a row', () => {
  it.each([
    ['one value', ['name', text(2_000_001)]],
    ['values that are too large together', [text(1_000_001), text(1_000_000)]],
    ['bytes', ['name', new Uint8Array(2_000_001)]],
  ])('of more than 2 MB is refused for %s, and noted', (_, values) =>
    inObject(({ storage }) => {
      const noted: Violation[] = [];
      const { sql } = strictStorage(storage, (violation) => noted.push(violation));
      expect(() => sql.exec(INSERT, ...values)).toThrow('SQLITE_TOOBIG');
      expect(noted.map(({ code, binding }) => [code, binding])).toEqual([['value_size', 'storage']]);
      expect(sql.exec('SELECT * FROM pairs').toArray()).toEqual([]);
    }),
  );
});

describe('a strict storage', () => {
  it('is what an object gets that is made with a strict state', () =>
    inObject((state) => {
      const { sql } = makeStrict(state).storage;
      expect(() => sql.exec(INSERT, 'n', text(2_000_001))).toThrow('SQLITE_TOOBIG');
      expect(() => state.storage.put).toThrow('knows no put');
    }));
});
