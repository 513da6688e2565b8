// Columns of counts that are kept filled in closed sheets over a strict Google: refreshes, alerts, calls and credits.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { EnrichmentBody } from '../../../shared/api/enrichments.ts';
import { EnrichmentHarness } from './enrichment-harness.ts';
import { startMidMonth } from './schedules/harness.ts';

const COUNTS: Partial<EnrichmentBody> = {
  title: 'Open jobs',
  family: 'job_base',
  columns: [{ id: 'c2', path: 'count', heading: 'Open jobs' }],
  count: { text: 'sales' },
  max_credits: 0,
  month_credits: 0,
  refresh_days: 1,
  alert_at: 10,
};

let harness: EnrichmentHarness;
beforeEach(async () => {
  startMidMonth();
  harness = new EnrichmentHarness();
  await harness.start({ ...COUNTS, paused: false });
  await harness.client.ok('POST', '/alerts', { url: 'https://hooks.example.com/x', on: ['change'] });
  harness.sheet.fill(2, 3, [[3], [4]]);
});

const setCounts = (...totals: (number | undefined)[]): void => {
  for (const [at, total] of totals.entries()) harness.counts.set(`c${at + 1}.example`, total);
};

const listCounts = (): unknown[] => harness.rows.map(([, , count]) => count);

/** The texts of alerts, without the word joiners of their addresses. */
async function listAlerts(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT body FROM alert_messages JOIN alerts ON alerts.id = alert_id WHERE team_id = ? ORDER BY body',
  )
    .bind(harness.team)
    .all<{ body: string }>();
  return results.map(({ body }) => JSON.parse(body).text.replaceAll('\u2060', ''));
}

const listChanges = (): unknown[][] =>
  harness.spreadsheet.sheets
    .find(({ title }) => title === 'Changes')
    ?.values()
    .slice(1)
    .map((row) => row.slice(1)) ?? [];

it('new companies are counted, all are counted again at each run, and those that reach the number are told once, for free', async () => {
  harness.addKeys(4, 'c3.example', 'not a website');
  setCounts(12, 4, 15);
  await harness.runNext();
  // The first count is the baseline.
  expect(listCounts()).toEqual([12, 4, 15, undefined]);
  setCounts(11, 9, 15);
  await harness.runNext();
  expect(await listAlerts()).toEqual([]);
  setCounts(8, 10, 20);
  await harness.runNext();
  expect(listCounts()).toEqual([8, 10, 20, undefined]);
  const told = [
    `${harness.team}: “Open jobs”: 1 company reached 10 since the last count: c2.example (10). The sheet Changes lists them.`,
  ];
  expect(await listAlerts()).toEqual(told);
  expect(listChanges()).toEqual([['Open jobs', 'Reached 10', 'c2.example', '', 'Open jobs', 9, 10]]);
  setCounts(8, 12, 9);
  await harness.runNext();
  expect(await listAlerts()).toEqual(told);
  expect(await harness.spent()).toBe(0);
  expect(await harness.view()).toMatchObject({
    state: 'on',
    month_spent: 0,
    count: { text: 'sales' },
    alert_at: 10,
  });
});

it('texts and formulas of people are kept, and a count that somebody has refreshed is still told', async () => {
  setCounts(3, 4);
  await harness.runNext();
  harness.sheet.fill(2, 3, [['ask Ada']]);
  setCounts(12, 14);
  harness.sheet.set(3, 3, { value: 14 });
  await harness.runNext();
  expect(listCounts()).toEqual(['ask Ada', 14]);
  expect(await listAlerts()).toEqual([expect.stringContaining('2 companies reached 10')]);
});

it('a run that ended before it was recorded tells nothing twice', async () => {
  setCounts(3, 4);
  await harness.runNext();
  setCounts(12, 4);
  const stored = 'SELECT next_at FROM enrichments WHERE id = ?';
  const planned = await env.DB.prepare(stored).bind(harness.id).first<number>('next_at');
  await harness.runNext();
  await env.DB.prepare(
    'UPDATE enriched_keys SET fetched_at = 0, cells = \'{"count":"3"}\' WHERE enrichment_id = ?',
  )
    .bind(harness.id)
    .run();
  await env.DB.prepare('UPDATE enrichments SET next_at = ? WHERE id = ?').bind(planned, harness.id).run();
  await env.DB.prepare('UPDATE jobs SET due_at = 0 WHERE id LIKE ?').bind(`%${harness.id}`).run();
  await harness.runDue();
  expect(await listAlerts()).toHaveLength(1);
  expect(listChanges()).toHaveLength(1);
});

it('companies that the provider did not count in time are counted in a minute, and each only once', async () => {
  setCounts(5, undefined);
  await harness.runNext();
  expect(listCounts()).toEqual([5, 4]);
  setCounts(6, 7);
  await harness.runNext(60_000);
  expect(listCounts()).toEqual([5, 7]);
  harness.gateway.requestedKeys.length = 0;
  await harness.runNext(60_000);
  expect(harness.gateway.requestedKeys).toEqual([]);
});

it('an erased company is no longer counted or named, and switching the alert off ends it', async () => {
  harness.addKeys(4, 'c77.example');
  harness.sheet.fill(4, 3, [[3]]);
  const setAll = (total: number): void => {
    setCounts(total, total);
    harness.counts.set('c77.example', total);
  };
  setAll(3);
  await harness.runNext();
  setAll(12);
  await harness.runNext();
  expect(await listAlerts()).toEqual([
    expect.stringContaining('c1.example (12), c2.example (12), c77.example (12)'),
  ]);
  await harness.erase('c77.example');
  expect(await listAlerts()).toEqual([]);
  setAll(2);
  await harness.runNext();
  expect(listCounts()).toEqual([2, 2, 12]);
  await harness.put({ ...COUNTS, alert_at: null });
  setAll(30);
  await harness.runNext();
  expect(listCounts()).toEqual([30, 30, 12]);
  expect(await listAlerts()).toEqual([]);
});

it('an alert names ten companies and counts the others', async () => {
  const keys = Array.from({ length: 13 }, (_, at) => `c${at + 1}.example`);
  harness.addKeys(2, ...keys);
  harness.sheet.fill(
    2,
    3,
    keys.map(() => [1]),
  );
  setCounts(...keys.map(() => 1));
  await harness.runNext();
  setCounts(...keys.map(() => 10));
  await harness.runNext();
  const [alert = ''] = await listAlerts();
  expect(alert).toContain('13 companies reached 10');
  expect(alert.match(/c\d+\.example/g)).toHaveLength(10);
  expect(alert).toContain(', and 3 more.');
});

it.each<[Partial<EnrichmentBody>, string]>([
  [{ family: 'company_clean' }, 'invalid_request'],
  [{ columns: [{ id: 'c2', path: 'name', heading: 'Name' }] }, 'invalid_request'],
  [{ count: { text: 'nosuchfield:x' } }, 'unknown_field'],
])('%j is refused', async (change, code) => {
  const kept = await harness.view();
  const { state, problem, next_at, last, month_spent, id, ...body } = kept;
  expect(await harness.client.problem('PUT', `/enrichments/${id}`, { ...body, ...change })).toMatchObject({
    code,
  });
});
