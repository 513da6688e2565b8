// The ledger in the console: filters, running balance and exports; and every page with a month of real-looking usage.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../../shared/api/admin-endpoints.ts';
import { teams } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { countStatements } from '../admin/activity/fixtures.ts';
import { type Browser, ConsoleDeployment } from './browser.ts';

const NOW = Date.UTC(2044, 4, 31, 12);
const DAY_MS = 86_400_000;
const DAYS = 30;
const ENTRIES = 10_000;
const TOKENS = 200;
const OTHER_TEAMS = 30;
/** Bytes of a page. */
const MAX_BYTES = 150_000;
/** Statements of a page, those for the session included. */
const MAX_STATEMENTS = 25;

const BUSY = `busy-${crypto.randomUUID().slice(0, 8)}`;

const numbers = (count: number) =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;

/** Fills a ledger with charges of 10 credits by several tokens, families and operations, spread over a month. */
async function fillLedger(team: string): Promise<void> {
  const ledger = getLedger(env, team);
  await ledger.setBudget({ caps: { day: 100_000, month: 2_000_000 } });
  await runInDurableObject(ledger, (_instance, { storage }) => {
    storage.sql.exec(
      `${numbers(ENTRIES)}
       INSERT INTO entries (at, day, kind, token, operation, family, subject, reference, credits, saved, calls, note)
       SELECT ?1 + n * ?2, date((?1 + n * ?2) / 1000, 'unixepoch'), 'charge', 'token-' || (n % ${TOKENS}),
         CASE n % 3 WHEN 0 THEN 'search' ELSE 'enrich' END,
         CASE n % 4 WHEN 0 THEN 'employee_clean' ELSE 'company_clean' END,
         printf('%064x', n), 'call-' || n, 10, 0, 1, NULL
       FROM numbers`,
      NOW - DAYS * DAY_MS,
      Math.floor((DAYS * DAY_MS) / ENTRIES),
    );
  });
}

async function fillDatabase(): Promise<void> {
  const orm = drizzle(env.DB);
  await orm.insert(teams).values({ id: BUSY, name: 'Busy team', createdAt: NOW });
  for (let at = 0; at < OTHER_TEAMS; at += 1)
    await orm.insert(teams).values({ id: `${BUSY}-${at}`, name: `Team ${at}`, createdAt: NOW + at });
  await env.DB.batch([
    env.DB.prepare(
      `${numbers(TOKENS)} INSERT INTO tokens (id, team_id, hash, prefix, name, created_at, rate_per_minute)
       SELECT 'token-' || n || ?1, ?1, ?1 || n, 'cds_abcd', 'Token of seller ' || n, ?2, 600 FROM numbers`,
    ).bind(BUSY, NOW),
    env.DB.prepare(
      `${numbers(DAYS * TOKENS)}
       INSERT INTO usage_days (day, team_id, token_id, family, operation, hit, stale, coalesced, fetched, not_found,
         failed, credits, saved, latency_ms)
       SELECT date(?2 / 1000 - (n % ${DAYS}) * 86400, 'unixepoch'), ?1, 'token-' || (n / ${DAYS}) || ?1, 'company_clean',
         'enrich', 60, 1, 2, 16, 3, 1, 160, 600, 9000 FROM numbers`,
    ).bind(BUSY, NOW),
  ]);
}

let browser: Browser;
let statements: ReturnType<typeof countStatements>;

beforeAll(async () => {
  await Promise.all([fillLedger(BUSY), fillDatabase()]);
  statements = countStatements();
  const deployment = new ConsoleDeployment({}, undefined, statements.db);
  deployment.clock.now = NOW;
  browser = await deployment.signIn();
});

const readBalances = (html: string): number[] =>
  [
    ...html.matchAll(
      /data-label="Spent" class="number">10<\/td>.*?data-label="Sum" class="number">([\d,]+)</g,
    ),
  ].map(([, text = '']) => Number(text.replaceAll(',', '')));

describe('a month with 10,000 lines and 200 tokens', () => {
  it.each([
    '/console',
    '/console?days=90',
    '/console/setup',
    '/console/teams',
    `/console/teams/${BUSY}`,
    `/console/teams/${BUSY}/tokens`,
    `/console/teams/${BUSY}/unclear`,
    `/console/ledger?team=${BUSY}`,
    `/console/ledger?team=${BUSY}&family=employee_clean&operation=search&day=2044-05-20`,
    '/console/activity',
    '/console/settings',
    '/console/settings/audit',
  ])('is shown on %s with few statements and bytes', async (path) => {
    const before = statements.getCount();
    const { status, html } = await browser.open(path);
    expect(status).toBe(200);
    expect(statements.getCount() - before).toBeLessThanOrEqual(MAX_STATEMENTS);
    expect(new TextEncoder().encode(html).byteLength).toBeLessThan(MAX_BYTES);
  });
});

describe('the ledger', () => {
  it('has a running balance over all pages, newest first', async () => {
    const { html } = await browser.open(`/console/ledger?team=${BUSY}&kind=charge`);
    const balances = readBalances(html);
    expect(balances).toHaveLength(50);
    expect(balances[0]).toBe(ENTRIES * 10);
    expect(balances.at(-1)).toBe((ENTRIES - 49) * 10);
    const [, next = ''] = /href="(\/console\/ledger\?[^"]*before=\d+)"/.exec(html) ?? [];
    const second = readBalances((await browser.open(next.replaceAll('&amp;', '&'))).html);
    expect(second[0]).toBe((ENTRIES - 50) * 10);
  });

  it('shows and exports only the lines that match the filters', async () => {
    const filter = 'token=token-7&family=company_clean&operation=enrich&day=2044-05-20';
    const { html } = await browser.open(`/console/ledger?team=${BUSY}&${filter}`);
    const shown = readBalances(html);
    const response = await browser.request(`/console/ledger/export?format=json&team=${BUSY}&${filter}`);
    expect(response.headers.get('content-disposition')).toContain('attachment');
    const { entries } = await response.json<AdminResponse<'exportLedger'>>();
    expect(entries.length).toBe(shown.length);
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map(({ token, day }) => `${token} ${day}`))).toEqual(
      new Set(['token-7 2044-05-20']),
    );
    const csv = await browser.request(`/console/ledger/export?format=csv&team=${BUSY}&${filter}`);
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(entries.length + 1);
  });

  it('explains a wrong filter, and an empty result', async () => {
    const wrong = await browser.open(`/console/ledger?team=${BUSY}&day=yesterday`);
    expect([wrong.status, wrong.html.includes('Is not a day')]).toEqual([400, true]);
    const unknown = await browser.open('/console/ledger?team=Nobody');
    expect([unknown.status, unknown.html.includes('No team has this name.')]).toEqual([404, true]);
    const empty = await browser.open(`/console/ledger?team=${BUSY}&kind=top_up`);
    expect(empty.html).toContain('No line matches these filters.');
  });
});
