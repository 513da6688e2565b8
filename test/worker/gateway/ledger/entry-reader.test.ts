// Pages of entries for people: each entry once, newest first, with exact balances, also after old entries were archived.
import { expect } from 'vitest';
import { Entries } from '../../../../worker/gateway/ledger/entries.ts';
import type { Entry, EntryFilter, EntryPage } from '../../../../worker/gateway/ledger/types.ts';
import { call, type LedgerBench, ledgerTest, listEntries, NOON, reserve, setCaps } from './ledger-harness.ts';

const DAY_MS = 86_400_000;
/** The first day of the month in which entries of {@link NOON}, in September 2026, become due for the archive. */
const DUE = Date.UTC(2027, 10, 1);

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
      balance += entry.credits;
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

/** Buys records. */
async function buy(bench: LedgerBench, token: string, prices: readonly number[]): Promise<void> {
  const calls = prices.map((credits) => call(credits, token));
  await reserve(bench, ...calls);
  bench.ledger.settleMany(calls.map(({ id, credits }) => ({ id, charged: credits })));
}

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

  expect(readAll(bench, {}, 2)).toEqual(expectEntries(young, {}, 1000 + 3 + 5 + 7));
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
