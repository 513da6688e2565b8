// Entries older than 13 months are in R2 and in sums; the export and the budgets stay the same.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { Entries } from '../../../../worker/gateway/ledger/entries.ts';
import type { Entry } from '../../../../worker/gateway/ledger/types.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { call, type LedgerBench, ledgerTest, listEntries, NOON, reserve, setCaps } from './ledger-harness.ts';

const DAY_MS = 86_400_000;
/** The first day of the month in which entries of {@link NOON}, in September 2026, become due. */
const DUE = Date.UTC(2027, 10, 1);

/** Buys records in one write. */
async function buy(bench: LedgerBench, count: number, token: string): Promise<void> {
  const calls = Array.from({ length: count }, () => call(2, token));
  await reserve(bench, ...calls);
  bench.ledger.settleMany(calls.map(({ id }) => ({ id, charged: 2 })));
}

/** Exports all entries in pages. */
async function exportAll({ ledger }: LedgerBench, limit = 500): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let isFull = true; isFull; ) {
    const page = await ledger.listEntries({ after: all.at(-1)?.number ?? 0, limit });
    all.push(...page);
    isFull = page.length === limit;
  }
  return all;
}

const listKeys = async ({ team }: LedgerBench): Promise<string[]> =>
  (await env.ROWS.list({ prefix: `ledger/${team}/` })).objects.map(({ key }) => key);

/** Fills a ledger with old entries, by default of three objects, and ten young ones. */
async function fill(bench: LedgerBench, count = 4_500): Promise<Entry[]> {
  const entries = new Entries(bench.sql);
  const { now: at } = bench.clock;
  for (let left = count; left > 0; left -= 1)
    entries.append({
      ...{ at, day: '2026-09-15', kind: 'charge', token: 'token', operation: 'enrich' },
      ...{ family: 'company_clean', credits: 2, saved: 0, calls: 1 },
    });
  setCaps(bench, {});
  bench.ledger.topUp({ id: 'top-up', credits: 7, note: 'once' });
  bench.clock.now = NOON + 90 * DAY_MS;
  await buy(bench, 10, 'young');
  return exportAll(bench);
}

ledgerTest('old entries move to R2: each is exported once, in order; the budget stays', async (bench) => {
  const before = await fill(bench);
  await bench.advance(DUE - 1 - bench.clock.now);
  expect(await listKeys(bench)).toEqual([]);
  await bench.advance(1);
  expect(await listKeys(bench)).toHaveLength(3);
  const { results } = { results: listEntries(bench) };
  expect(results.filter(({ kind }) => kind !== 'top_up')).toHaveLength(10);
  for (const limit of [700, 10_000]) expect(await exportAll(bench, limit)).toEqual(before);
  expect(await bench.ledger.listEntries({ after: before.length, limit: 5 })).toEqual([]);
  expect(bench.ledger.listTopUps()).toHaveLength(1);
  const { topUp } = bench.ledger.getBudget();
  bench.ledger.topUp({ id: 'top-up', credits: 7 });
  expect(bench.ledger.getBudget().topUp).toBe(topUp);
  const count = (entries: readonly Entry[]) => entries.filter(({ at }) => at < NOON + DAY_MS).length;
  const sums = bench.ledger.listArchivedSums();
  expect(sums.reduce((sum, { lines }) => sum + lines, 0)).toBe(count(before));
  expect(sums).toContainEqual({
    month: '2026-09',
    kind: 'charge',
    token: 'token',
    operation: 'enrich',
    family: 'company_clean',
    credits: 9_000,
    saved: 0,
    calls: 4_500,
    lines: 4_500,
  });
});

ledgerTest(
  'an interrupted run neither loses nor doubles an entry, and continues within two hours',
  async (bench) => {
    const lines = captureErrorLog();
    const before = await fill(bench);
    let puts = 0;
    bench.bucket.put = async (key, value) => {
      puts += 1;
      // The object is stored, but the response is lost.
      await env.ROWS.put(key, value);
      if (puts === 2) throw new Error('R2 is unreachable');
    };
    bench.restart();
    await bench.advance(DUE - bench.clock.now);
    expect(lines).toMatchObject([{ event: 'ledger_archive_failed' }]);
    expect(await exportAll(bench)).toEqual(before);
    bench.restart();
    await bench.advance(7_200_000);
    expect(puts).toBe(4);
    expect(await exportAll(bench)).toEqual(before);
    expect(bench.ledger.listArchivedSums().reduce((sum, { lines: count }) => sum + count, 0)).toBe(4_502);
  },
);

ledgerTest(
  'a deleted team has no archive, and its storage can be deleted once late usage has arrived',
  async (bench) => {
    await fill(bench, 10);
    await bench.advance(DUE - bench.clock.now);
    const sums = bench.ledger.listArchivedSums();
    bench.ledger.close();
    await bench.advance(0);
    expect(await listKeys(bench)).toEqual([]);
    expect(bench.ledger.listArchivedSums()).toEqual(sums);
    expect((await exportAll(bench)).every(({ token }) => token === 'young')).toBe(true);
    await bench.advance(119_999);
    expect(bench.ledger.canDelete()).toBe(false);
    await bench.advance(1);
    expect(bench.ledger.canDelete()).toBe(true);
  },
);

ledgerTest('a team that is deleted while an object is written keeps none', async (bench) => {
  await fill(bench, 10);
  bench.bucket.put = async (key, value) => {
    bench.ledger.close();
    await env.ROWS.put(key, value);
  };
  bench.restart();
  await bench.advance(DUE - bench.clock.now);
  expect(await listKeys(bench)).toEqual([]);
  expect(bench.ledger.listArchivedSums().length).toBeGreaterThan(0);
});
