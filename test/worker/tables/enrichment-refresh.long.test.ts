// Refreshes of columns that are kept filled, in closed sheets over a strict Google. Counts calls and credits.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { clock } from '../platform.ts';
import { createClient } from '../routes/sheets/callers.ts';
import { EnrichmentHarness, HOUR, PRICE } from './enrichment-harness.ts';
import type { FakeSheet } from './push/fake-sheet.ts';
import { startInMorning } from './schedules/harness.ts';

const MONTH = 31 * 24 * HOUR;
const REFRESH = { refresh_days: 30 } as const;

let harness: EnrichmentHarness;
beforeEach(() => {
  startInMorning();
  harness = new EnrichmentHarness();
});

/** Fills rows, whose records the next run finds stored. Then lets them get old. */
async function fillAndWait(...keys: string[]): Promise<void> {
  await harness.start(REFRESH);
  harness.addKeys(4, ...keys);
  await harness.runNext();
  await harness.runNext();
  expect(harness.gateway.requestedKeys).toHaveLength(keys.length);
  harness.gateway.requestedKeys.length = 0;
  clock.now += MONTH;
}

const rename = (key: string, name: string): unknown => harness.changed.set(key, { name });

const findChanges = (): FakeSheet | undefined =>
  harness.spreadsheet.sheets.find(({ title }) => title === 'Changes');
const listChanges = (): unknown[][] =>
  findChanges()
    ?.values()
    .slice(1)
    .map((row) => row.slice(1)) ?? [];

it('buys each old record once, writes the cells that nobody has edited, and lists their old values', async () => {
  await fillAndWait('c3.example', 'c4.example', 'c5.example', 'missing.example');
  await harness.client.ok('POST', '/alerts', { url: 'https://hooks.example.com/x', on: ['change'] });
  harness.sheet.fill(5, 3, [['Edited']]);
  harness.sheet.set(4, 4, { value: 3, formula: '=1+2' });
  harness.changed.set('c3.example', { name: '=New name', id: 103 });
  harness.changed.set('c4.example', { name: 'Other', id: 104 });
  await harness.runNext();
  expect(harness.rows).toEqual([
    ['c1.example', 'mine', 'Typed by hand'],
    ['c2.example'],
    ['c3.example', '', '=New name', 3],
    ['c4.example', '', 'Edited', 104],
    ['c5.example', '', 'c5.example', 5],
    ['missing.example', '', '#NOT_FOUND'],
  ]);
  expect(harness.sheet.cell(4, 4)).toMatchObject({ formula: '=1+2' });
  expect(harness.sheet.formulaCount).toBe(1);
  expect(listChanges()).toEqual([
    ['Accounts', 'Changed', 'c3.example', '=New name', 'Name', 'c3.example', '=New name'],
    ['Accounts', 'Changed', 'c4.example', 'Other', 'Id', 4, 104],
  ]);
  expect(findChanges()?.formulaCount).toBe(0);
  expect(harness.gateway.requestedKeys.toSorted()).toEqual(['c3.example', 'c4.example', 'c5.example']);
  await expect.poll(() => harness.spent()).toBe(3 * PRICE);
  expect(await harness.view()).toMatchObject({
    state: 'on',
    refresh_days: 30,
    month_spent: 3 * PRICE,
    last: { rows: 0, changes: 2, credits: 3 * PRICE },
  });
  const { results } = await env.DB.prepare(
    'SELECT body FROM alert_messages JOIN alerts ON alerts.id = alert_id WHERE team_id = ?',
  )
    .bind(harness.team)
    .all();
  expect(results).toEqual([{ body: expect.stringContaining('“Accounts”: 2 values changed') }]);

  const writes = harness.google.count('write');
  await harness.runNext();
  await harness.runNext();
  expect(harness.gateway.requestedKeys).toHaveLength(3);
  expect(harness.google.count('write')).toBe(writes);
});

it('writes records that the team has bought again meanwhile for free, and clears values that a record lacks', async () => {
  await fillAndWait('c3.example');
  rename('c3.example', 'Renewed');
  await harness.client.ok('POST', '/lookup', {
    family: 'company_clean',
    by: 'website',
    keys: ['c3.example'],
    fields: ['id'],
    max_age_s: 3600,
  });
  await harness.runNext();
  expect(harness.rows[2]).toEqual(['c3.example', '', 'Renewed', 3]);
  expect(harness.gateway.requestedKeys).toEqual(['c3.example']);
  clock.now += MONTH;
  harness.changed.set('c3.example', { name: null });
  await harness.runNext();
  expect(harness.rows[2]).toEqual(['c3.example', '', '', 3]);
  expect(listChanges().at(-1)).toEqual(['Accounts', 'Changed', 'c3.example', '', 'Name', 'Renewed']);
});

it('stays within the credits of a run, and stops when those of the month are used up', async () => {
  await fillAndWait('c3.example', 'c4.example', 'c5.example');
  for (const key of ['c3.example', 'c4.example', 'c5.example']) rename(key, 'New');
  await harness.put({ ...REFRESH, max_credits: PRICE, month_credits: 2 * PRICE });
  await harness.runNext();
  await expect.poll(() => harness.spent()).toBe(PRICE);
  expect(await harness.view()).toMatchObject({ state: 'on', month_spent: PRICE });
  await harness.runNext();
  await expect.poll(() => harness.spent()).toBe(2 * PRICE);
  expect(await harness.view()).toMatchObject({
    state: 'stopped',
    problem: { code: 'over_budget' },
    month_spent: 2 * PRICE,
    next_at: null,
  });
  await harness.runNext();
  expect(harness.gateway.requestedKeys).toHaveLength(2);
  expect(harness.rows.filter(([, , name]) => name === 'New')).toHaveLength(2);
});

it.each([
  [
    'the budget of the team is used up',
    () => getLedger(env, harness.team).setBudget({ caps: { month: 0 } }),
    'over_budget',
    0,
  ],
  ['an outcome is unclear', () => harness.unreadable.add('c3.example'), 'provider_unclear', 1],
])('stops, although the older record could be answered, when %s', async (_, change, code, calls) => {
  await fillAndWait('c3.example');
  await change();
  await harness.runNext();
  const stopped = { state: 'stopped', problem: { code }, month_spent: calls * PRICE };
  expect(await harness.view()).toMatchObject(stopped);
  await harness.runNext();
  expect(harness.gateway.requestedKeys).toHaveLength(calls);
});

it('buys nothing twice when a write has failed, and lists each change once', async () => {
  await fillAndWait('c3.example', 'c4.example');
  rename('c3.example', 'New');
  harness.sheet.isProtected = true;
  await harness.runNext();
  expect(await harness.view()).toMatchObject({ state: 'stopped', problem: { code: 'sheet_refused' } });
  expect(harness.rows[2]).toEqual(['c3.example', '', 'c3.example', 3]);
  harness.sheet.isProtected = false;
  await harness.put(REFRESH);
  await harness.runNext();
  expect(harness.rows[2]).toEqual(['c3.example', '', 'New', 3]);
  expect(listChanges()).toHaveLength(1);
  expect(harness.gateway.requestedKeys).toHaveLength(2);
  await expect.poll(() => harness.spent()).toBe(2 * PRICE);
});

it('buys nothing for erased companies, or while it is off, paused or stopped by the admin', async () => {
  await fillAndWait('c801.example', 'c802.example');
  await harness.erase('c801.example');
  await harness.put({ ...REFRESH, paused: true });
  await harness.runNext();
  await harness.put();
  await harness.runNext();
  await harness.put(REFRESH);
  const admin = { method: 'POST', headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` } };
  const path = `/admin/v1/enrichments/${harness.team}.${harness.id}/stop`;
  expect((await harness.gateway.request(path, admin)).status).toBe(200);
  await harness.runNext();
  expect(harness.gateway.requestedKeys).toEqual([]);
  await harness.put(REFRESH);
  await harness.runNext();
  await harness.runNext();
  expect(harness.gateway.requestedKeys).toEqual(['c802.example']);
  expect(harness.rows[2]).toEqual(['c801.example', '', 'c801.example', 801]);
  const known = await env.DB.prepare('SELECT count(*) AS count FROM enriched_keys WHERE enrichment_id = ?')
    .bind(harness.id)
    .first<number>('count');
  expect(known).toBe(3);
});

it('runs at the chosen hour and weekday', async () => {
  harness.client = await createClient(harness.team, {}, harness.gateway);
  const { next_at: next } = await harness.put({ every: 'week', at: '2026-01-05T08:00:00Z', ...REFRESH });
  const time = new Date(next ?? 0);
  expect([time.getUTCDay(), time.getUTCHours(), time.getUTCMinutes()]).toEqual([1, 8, 0]);
  expect(time.getTime()).toBeGreaterThan(clock.now);
  expect((await harness.put({ every: 'week', ...REFRESH })).next_at).toBe(next);
});
