// Old entries are in R2 and in sums, and the export and the budgets stay the same. Pages for people have each entry once, newest first, with exact balances.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { Entries } from '../../../../worker/gateway/ledger/entries.ts';
import { hasTables } from '../../../../worker/gateway/ledger/schema.ts';
import type { Entry, EntryFilter, EntryPage } from '../../../../worker/gateway/ledger/types.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { call, type LedgerBench, ledgerTest, listEntries, NOON, reserve, setCaps } from './ledger-harness.ts';

const DAY_MS = 86_400_000;
/** The first day of the month in which entries of {@link NOON}, in September 2026, become due. */
const DUE = Date.UTC(2027, 10, 1);

/** Buys records in one write. */
async function buy(bench: LedgerBench, token: string, prices: readonly number[]): Promise<void> {
  const calls = prices.map((credits) => call(credits, token));
  await reserve(bench, ...calls);
  bench.ledger.settleMany(calls.map(({ id, credits }) => ({ id, charged: credits })));
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

/** Fills a ledger with old entries, by default of two objects, and ten young ones. */
async function fill(bench: LedgerBench, count = 2_100): Promise<Entry[]> {
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
  await buy(bench, 'young', Array(10).fill(2));
  return exportAll(bench);
}

ledgerTest('old entries move to R2: each is exported once, in order; the budget stays', async (bench) => {
  const before = await fill(bench);
  await bench.advance(DUE - 1 - bench.clock.now);
  expect(await listKeys(bench)).toEqual([]);
  await bench.advance(1);
  expect(await listKeys(bench)).toHaveLength(2);
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
    credits: 4_200,
    saved: 0,
    calls: 2_100,
    lines: 2_100,
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
    expect(puts).toBe(3);
    expect(await exportAll(bench)).toEqual(before);
    expect(bench.ledger.listArchivedSums().reduce((sum, { lines: count }) => sum + count, 0)).toBe(2_102);
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
    expect(hasTables(bench)).toBe(true);
    await bench.advance(1);
    expect(hasTables(bench)).toBe(false);
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

type ReadEntry = EntryPage['entries'][number];

/** Reads all pages. */
function readAll({ ledger }: LedgerBench, filter: EntryFilter, limit: number): ReadEntry[] {
  const all: ReadEntry[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = ledger.readEntryPage({ filter, before, limit });
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    all.push(...page.entries);
    before = page.next;
  }
  return all;
}

/** Computes what all pages together must be. @param archived - credits of matching archived entries */
function expectEntries(entries: readonly Entry[], filter: EntryFilter, archived = 0): ReadEntry[] {
  let balance = archived;
  const isMatch = (entry: Entry) =>
    (filter.token ?? entry.token) === entry.token &&
    (filter.family ?? entry.family) === entry.family &&
    (filter.operation ?? entry.operation) === entry.operation &&
    (filter.kind ?? entry.kind) === entry.kind &&
    (filter.day ?? entry.day) === entry.day;
  return entries
    .filter(isMatch)
    .map((entry) => {
      if (filter.kind !== undefined || entry.kind !== 'top_up') balance += entry.credits;
      return { ...entry, balance };
    })
    .toReversed();
}

const filters: EntryFilter[] = [
  {},
  { token: 'a' },
  { family: 'job_base' },
  { operation: 'collect' },
  { kind: 'correction' },
  { kind: 'top_up' },
  { day: '2026-09-14' },
  { token: 'b', family: 'company_clean', operation: 'enrich', kind: 'charge', day: '2026-09-15' },
  { token: 'nobody' },
];

ledgerTest('every filter has exact balances, whatever the size of the pages', (bench) => {
  const entries = new Entries(bench.sql);
  for (let at = 0; at < 240; at += 1) {
    const kind = (['charge', 'unclear', 'charge', 'correction'] as const)[at % 4] ?? 'charge';
    entries.append({
      at: NOON + at,
      day: at % 7 === 0 ? '2026-09-14' : '2026-09-15',
      kind,
      token: at % 3 === 0 ? 'a' : 'b',
      operation: at % 5 === 0 ? 'collect' : 'enrich',
      family: at % 11 === 0 ? 'job_base' : 'company_clean',
      credits: kind === 'correction' ? -at : at,
      saved: 0,
      calls: 1,
    });
  }
  bench.ledger.topUp({ id: 'top-up', credits: 1_000_000, note: '=1+1' });
  const all = listEntries(bench);
  for (const filter of filters) {
    const expected = expectEntries(all, filter);
    for (const limit of [1, 7, 100]) expect(readAll(bench, filter, limit)).toEqual(expected);
  }
  expect(readAll(bench, {}, 100)[0]).toMatchObject({ kind: 'top_up', note: '=1+1' });
});

ledgerTest(
  'a filter that matches nothing, and a cursor before the first entry, have empty pages',
  (bench) => {
    setCaps(bench, {});
    const empty = { entries: [], next: null, hasArchived: false };
    expect(bench.ledger.readEntryPage({ filter: { token: 'nobody' }, limit: 100 })).toEqual(empty);
    expect(bench.ledger.readEntryPage({ filter: {}, before: 1, limit: 100 })).toEqual(empty);
  },
);

ledgerTest('archived entries are not listed, and count once in the balance', async (bench) => {
  setCaps(bench, {});
  bench.ledger.topUp({ id: 'old', credits: 1000 });
  await buy(bench, 'a', [3, 5]);
  await buy(bench, 'b', [7]);
  bench.clock.now = NOON + 90 * DAY_MS;
  await buy(bench, 'a', [11, 13]);
  bench.ledger.topUp({ id: 'young', credits: 2000 });
  const young = listEntries(bench).filter(({ at }) => at > NOON);
  await bench.advance(DUE - bench.clock.now);
  expect(bench.ledger.listArchivedSums()).not.toEqual([]);

  expect(readAll(bench, {}, 2)).toEqual(expectEntries(young, {}, 3 + 5 + 7));
  expect(readAll(bench, { token: 'a' }, 1)).toEqual(expectEntries(young, { token: 'a' }, 3 + 5));
  expect(readAll(bench, { kind: 'top_up' }, 100)).toEqual(expectEntries(young, { kind: 'top_up' }, 1000));
  const read = (filter: EntryFilter) => bench.ledger.readEntryPage({ filter, limit: 100 });
  expect(read({}).hasArchived).toBe(true);
  expect(read({ token: 'b' })).toEqual({ entries: [], next: null, hasArchived: true });
  expect(read({ token: 'b', family: 'job_base' }).hasArchived).toBe(false);
  // The archive is summed up by month: a day has the balance of that day's entries.
  const [day = ''] = young.map((entry) => entry.day);
  expect(readAll(bench, { day }, 100)).toEqual(expectEntries(young, { day }));
  expect(read({ day }).hasArchived).toBe(false);
  expect(read({ day: '2026-09-15' })).toEqual({ entries: [], next: null, hasArchived: true });
});
