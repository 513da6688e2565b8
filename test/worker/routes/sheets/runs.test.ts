// Runs: stored once, newest first, for 90 days, for one team. The report of the team's credits.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it } from 'vitest';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import type { UsageResponse } from '../../../../shared/api/usage.ts';
import { sourceHeader } from '../../../../shared/sources.ts';
import { usageDays } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { type ApiClient, createClient, createToken, createTokenClient } from './callers.ts';
import { countRows, createTeamClient, newRun, newTeam } from './fixtures.ts';

const DAY_MS = 86_400_000;

/** Inserts runs of yesterday that started at 0, 1, 2 … milliseconds. */
async function insertRuns(team: string, count: number): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO runs SELECT ?1, printf('00000000-0000-4000-8000-%012d', value), 'search', 'Old', 'company_clean', 0, 0, 0, 0, value, value,
       'done', NULL, ?2 + value FROM json_each(?3)`,
  );
  await insert.bind(team, clock.now - DAY_MS, JSON.stringify([...Array(count).keys()])).run();
}

async function listTitles(client: ApiClient): Promise<string[]> {
  const { runs } = await client.ok<SheetsResponse<'listRuns'>>('GET', '/runs');
  return runs.map(({ title }) => title);
}

describe('a run', () => {
  it('is returned as it was sent', async () => {
    const client = await createTeamClient();
    const run = newRun({ state: 'stopped', problem: 'over_budget' });
    expect(await client.ok('POST', '/runs', run)).toEqual(run);
    expect(await client.ok('GET', '/runs')).toEqual({ runs: [run] });
  });

  it('is stored once if it is sent several times', async () => {
    const client = await createTeamClient();
    const run = newRun();
    await client.ok('POST', '/runs', run);
    const again = { ...run, id: run.id.toUpperCase(), title: 'Something else', credits: 0 };
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.ok('POST', '/runs', again)));
    for (const answer of answers) expect(answer).toEqual(run);
    expect(await client.ok('GET', '/runs')).toEqual({ runs: [run] });
  });
});

describe('the list of runs', () => {
  it('has the latest 50 by the server’s clock', async () => {
    const team = newTeam();
    const client = await createClient(team);
    await insertRuns(team, 49);
    const wild = { started_at: '9999-01-01T00:00:00Z', ended_at: '9999-01-01T00:00:00Z' };
    await client.ok('POST', '/runs', newRun({ title: 'Wild', ...wild }));
    clock.now += 1000;
    await client.ok('POST', '/runs', newRun({ title: 'Last' }));
    expect(await listTitles(client)).toEqual(['Last', 'Wild', ...Array(48).fill('Old')]);
  });

  it('has runs of the last 90 days; older ones are deleted', async () => {
    const team = newTeam();
    const client = await createClient(team);
    await client.ok('POST', '/runs', newRun({ title: 'Old' }));
    clock.now += 90 * DAY_MS - 60_000;
    expect(await listTitles(client)).toEqual(['Old']);
    clock.now += 120_000;
    expect(await listTitles(client)).toEqual([]);
    await client.ok('POST', '/runs', newRun({ title: 'New' }));
    expect(await countRows('runs', team)).toBe(1);
  });

  it('stores at most 1,000 runs of a team', async () => {
    const [team, other] = [newTeam(), newTeam()];
    const client = await createClient(team);
    await (await createClient(other)).ok('POST', '/runs', newRun({ title: 'Of others' }));
    await insertRuns(team, 1000);
    await client.ok('POST', '/runs', newRun({ title: 'New' }));
    expect(await countRows('runs', team)).toBe(1000);
    expect((await listTitles(client))[0]).toBe('New');
    const oldest = env.DB.prepare('SELECT min(started_at) AS first FROM runs WHERE team_id = ?');
    expect(await oldest.bind(team).first('first')).toBe(1);
    expect(await countRows('runs', other)).toBe(1);
  });
});

describe('the report of credits', () => {
  it('has the last 30 days by day, kind of record, source and connection, for one team', async () => {
    const team = newTeam();
    const client = await createClient(team, { families: ['company_base'] });
    const day = (ago: number): string => new Date(clock.now - ago * DAY_MS).toISOString().slice(0, 10);
    const counts = { hit: 0, stale: 0, coalesced: 0, fetched: 1, notFound: 0, failed: 0, latencyMs: 0 };
    const bySource = {
      ...{ formulaSpent: 5, tableSpent: 12, tableSaved: 4 },
      ...{ scheduleSpent: 12, scheduleSaved: 6, assistantSpent: 1 },
    };
    const row = { teamId: team, tokenId: 'gone', operation: 'collect', ...counts } as const;
    const rows = [
      { ...row, day: day(0), family: 'company_base', credits: 30, saved: 10, ...bySource },
      { ...row, day: day(29), family: 'job_base', credits: 5, saved: 0 },
      { ...row, day: day(30), family: 'company_base', credits: 1000, saved: 0 },
      { ...row, day: day(0), family: 'company_base', teamId: newTeam(), credits: 1000, saved: 0 },
      { ...row, day: day(0), family: 'company_base', tokenId: 'admin', credits: 1, saved: 0 },
      { ...row, day: day(1), family: 'company_base', operation: 'bulk', credits: 100, saved: 0 },
    ] as const;
    for (const each of rows) await drizzle(env.DB).insert(usageDays).values(each);
    expect(await client.ok<UsageResponse>('GET', '/usage')).toEqual({
      from: day(29),
      to: day(0),
      total: { spent: 136, saved: 10 },
      days: [
        { day: day(29), spent: 5, saved: 0 },
        { day: day(1), spent: 100, saved: 0 },
        { day: day(0), spent: 31, saved: 10 },
      ],
      families: [{ family: 'company_base', spent: 131, saved: 10 }],
      sources: [
        { source: 'bulk', spent: 100, saved: 0 },
        { source: 'schedule', spent: 12, saved: 6 },
        { source: 'table', spent: 12, saved: 4 },
        { source: 'other', spent: 6, saved: 0 },
        { source: 'formula', spent: 5, saved: 0 },
        { source: 'assistant', spent: 1, saved: 0 },
      ],
      today: [
        { source: 'schedule', spent: 12, saved: 6 },
        { source: 'table', spent: 12, saved: 4 },
        { source: 'formula', spent: 5, saved: 0 },
        { source: 'assistant', spent: 1, saved: 0 },
        { source: 'other', spent: 1, saved: 0 },
      ],
      people: [
        { name: 'A deleted connection', spent: 135, saved: 10 },
        { name: 'Your admin', spent: 1, saved: 0 },
      ],
    });
  });

  it('has what each source spent and saved, the rest as other, and no savings of sample rows', async () => {
    const team = newTeam();
    const gateway = createGateway(buildCompanyResponse, team);
    const token = await createToken(team);
    const lookUp = async (keys: string[], source?: string): Promise<void> => {
      const { status } = await gateway.request('/sheets/v1/lookup', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          ...(source === undefined ? {} : { [sourceHeader]: source }),
        },
        body: JSON.stringify({ family: 'company_clean', by: 'website', keys, fields: ['name'] }),
      });
      expect(status).toBe(200);
    };
    await lookUp(['s1.com', 's2.com', 's3.com'], 'formula');
    await lookUp(['s1.com', 's4.com'], 'table');
    await lookUp(['s2.com', 's3.com'], 'sample');
    await lookUp(['s5.com']);
    await lookUp(['s1.com', 's2.com'], 'schedule');
    const path = '/cdapi/v2/company_clean/enrich?website=s6.com';
    await gateway.request(path, { headers: { apikey: token, [sourceHeader]: 'table' } });
    const ledger = getLedger(env, team);
    await expect.poll(async () => (await ledger.getBudget()).reserved).toBe(0);

    // A new lease hands over the savings, and the alarm copies the totals to D1.
    const client = createTokenClient(token, gateway);
    clock.now += 60_000;
    await client.ok('GET', '/me');
    clock.now += 60_000;
    await runDurableObjectAlarm(ledger);
    const { total, sources } = await client.ok<UsageResponse>('GET', '/usage');
    expect(total).toEqual({ spent: 60, saved: 30 });
    expect(sources).toEqual([
      { source: 'formula', spent: 30, saved: 0 },
      { source: 'other', spent: 20, saved: 20 },
      { source: 'table', spent: 10, saved: 10 },
    ]);
  });
});
