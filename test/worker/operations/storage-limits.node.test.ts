// Everything that is stored is listed with a cap and a retention.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName, isTable } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';
import * as schema from '../../../worker/db/schema.ts';
import { storageLimits } from '../../../worker/operations/storage-limits.ts';

const listNames = (store: keyof typeof storageLimits): string[] => Object.keys(storageLimits[store]).sort();

const readText = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

const listCreatedTables = (...path: string[]): string[] =>
  [...readText('worker', 'gateway', ...path).matchAll(/CREATE TABLE (\w+)/g)]
    .map(([, name = '']) => name)
    .sort();

describe('storage limits', () => {
  it('has every table of D1', () => {
    const tables = Object.values(schema).flatMap((each) => (isTable(each) ? [getTableName(each)] : []));
    expect(listNames('D1')).toEqual(tables.sort());
  });

  it.each([
    ['LedgerObject', ['ledger', 'schema.ts']],
    ['ProviderThrottleObject', ['provider-throttle', 'schema.ts']],
    ['SingleFlightObject', ['single-flight', 'storage', 'schema.ts']],
  ] as const)('has every table of the %s', (store, path) => {
    expect(listNames(store)).toEqual(listCreatedTables(...path));
  });

  it('has every kind of object in R2, and of entry in KV, that the page about storage has', () => {
    const page = readText('docs', 'storage.md');
    for (const store of ['R2', 'KV'] as const) {
      const section = page.split(`## ${store} `)[1]?.split('\n## ')[0] ?? '';
      const keys = [...section.matchAll(/^\| `([^`<]+)/gm)].map(([, key = '']) => key);
      expect(listNames(store), store).toEqual([...new Set(keys)].sort());
    }
  });

  it('has a number as cap, and a retention, for whatever a client causes', () => {
    const limits = Object.values(storageLimits).flatMap((each) => Object.entries(each));
    for (const [name, [cause, cap, retention]] of limits) {
      if (cause !== 'client') continue;
      expect(`${name}: ${cap}`).toMatch(/: .*\d/);
      expect(`${name}: ${retention}`).not.toMatch(/: (?:permanent)?$/);
    }
  });
});
