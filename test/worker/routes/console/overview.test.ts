// The overview of the console: figures, charts, tables, export, and texts that look like HTML or formulas.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeAll, describe, expect, it } from 'vitest';
import { teams, usageDays, usageHours } from '../../../../worker/db/schema.ts';
import { ConsoleDeployment } from './browser.ts';

const NAME = `=1+1 <script>alert('overview')</script>`;
const TEAM = 'overview-team';
const NOW = Date.UTC(2043, 4, 17, 12);

beforeAll(async () => {
  const orm = drizzle(env.DB);
  await orm.insert(teams).values({ id: TEAM, name: NAME, createdAt: NOW });
  const counts = { stale: 0, coalesced: 0, notFound: 0, latencyMs: 1000 };
  const rows = [
    { day: '2043-05-17', hit: 60, fetched: 38, failed: 2, credits: 380, saved: 600 },
    { day: '2043-05-11', hit: 1, fetched: 0, failed: 0, credits: 0, saved: 10 },
    { day: '2043-05-10', hit: 0, fetched: 100, failed: 0, credits: 1000, saved: 0 },
  ];
  await orm.insert(usageDays).values(
    rows.map((row) => ({
      ...row,
      ...counts,
      teamId: TEAM,
      tokenId: 'token',
      family: 'company_clean' as const,
      operation: 'enrich' as const,
    })),
  );
  await orm.insert(usageHours).values({
    hour: Date.UTC(2043, 4, 17, 11),
    teamId: TEAM,
    calls: 100,
    failed: 4,
    latencyMs: 9000,
    within1Ms: 0,
    within3Ms: 10,
    within10Ms: 50,
    within30Ms: 20,
    within100Ms: 10,
    within300Ms: 0,
    within1S: 0,
    within3S: 10,
    within10S: 0,
    within30S: 0,
    slower: 0,
  });
});

async function openOverview(path: string) {
  const deployment = new ConsoleDeployment();
  deployment.clock.now = NOW;
  const browser = await deployment.signIn();
  return { browser, ...(await browser.open(path)) };
}

const readFigures = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<dt>([^<]+)<\/dt><dd><strong>([^<]+)</g)].map(([, label = '', value = '']) => [
      label,
      value,
    ]),
  );

describe('the overview', () => {
  it('draws how long calls took, and exports it', async () => {
    const { html, browser } = await openOverview('/console?days=7');
    expect(html).toMatch(/<title>17 May 2043, 11:00 UTC: half of the calls within \d+ ms<\/title>/);
    expect(html).toMatch(/<title>17 May 2043, 11:00 UTC: 95 % of the calls within [\d,]+ ms<\/title>/);
    const csv = await browser.request('/console/latency.csv?days=7');
    const [heading, ...lines] = (await csv.text()).trim().split('\r\n');
    expect(heading).toBe('start,calls,errors,p50_ms,p95_ms');
    expect(lines).toEqual([expect.stringMatching(/^2043-05-17T11:00:00.000Z,100,4,[\d.]+,[\d.]+$/)]);
  });

  it('sums up the chosen period', async () => {
    expect(readFigures((await openOverview('/console?days=7')).html)).toMatchObject({
      Spent: '380',
      Reused: '610',
      Calls: '101',
      'Answered from the cache': '61.6 %',
    });
    expect(readFigures((await openOverview('/console')).html)).toMatchObject({
      Spent: '1,380',
      Calls: '201',
    });
    expect(readFigures((await openOverview('/console?days=junk')).html)).toMatchObject({ Spent: '1,380' });
  });

  it('draws a bar for each day with its figures, and lists them below', async () => {
    const { html } = await openOverview('/console?days=7');
    expect(html).toContain('<title>17 May 2043: 380 credits spent</title>');
    expect(html).toContain('<title>17 May 2043: 600 credits reused</title>');
    expect(html).toContain('<title>17 May 2043: 2 calls failed</title>');
    expect(html).not.toContain('10 May 2043');
  });

  it('shows names that look like HTML as text, and exports names that look like formulas as text', async () => {
    const { html, browser } = await openOverview('/console');
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>alert');
    const csv = await browser.request('/console/usage.csv?by=team&days=30');
    expect(csv.headers.get('content-type')).toContain('text/csv');
    const bytes = await csv.arrayBuffer();
    expect([...new Uint8Array(bytes, 0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).split('\r\n');
    expect(lines[0]).toBe('team,team_name,calls,hit,stale,coalesced,fetched,not_found,errors,credits,saved');
    expect(lines[1]).toBe(`${TEAM},'${NAME},201,61,0,0,138,0,2,1380,610`);
  });
});

it('costs of a month follow the figures of the address, beside what the teams have spent', async () => {
  const { html, browser } = await openOverview('/console/costs?record_kb=4&overlap_percent=');
  expect(html).toContain('spent 1,380 credits');
  expect(readFigures(html)).toMatchObject({ 'Without reuse': '11,300,000', Cloudflare: '$36.12' });
  expect(html).toContain('$25.23');
  expect((await browser.request('/console/costs?sellers=many')).status).toBe(400);
});
