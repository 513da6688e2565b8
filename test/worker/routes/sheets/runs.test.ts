// Runs: each kept once, the newest shown first, for as long as they are of use, for their team alone.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Run, RunsResponse } from '../../../../shared/api/saved-searches.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { callsWith, type TokenCalls, tokenOf } from './callers.ts';

const DAY_MS = 86_400_000;

const newRun = (more: Partial<Run> = {}): Run => ({
  id: crypto.randomUUID(),
  kind: 'enrich',
  title: 'Enrich column B',
  family: 'company_clean',
  rows: 120,
  failed: 3,
  credits: 234,
  saved: 6,
  started_at: '2026-09-01T12:00:00.000Z',
  ended_at: '2026-09-01T12:01:00.000Z',
  state: 'done',
  ...more,
});

let teams = 0;
const newTeam = (): string => `runners-${teams++}`;
const newCaller = async (): Promise<TokenCalls> => callsWith(await tokenOf(newTeam()));

async function titlesOf(at: TokenCalls): Promise<string[]> {
  const { runs } = await at.ok<RunsResponse>('GET', '/runs');
  return runs.map(({ title }) => title);
}

const keptOf = (team: string): Promise<number | null> =>
  env.DB.prepare('SELECT count(*) AS n FROM runs WHERE team_id = ?').bind(team).first<number>('n');

describe('a run', () => {
  it('comes back as it was sent, and why it stopped', async () => {
    const at = await newCaller();
    const run = newRun({ state: 'stopped', problem: 'over_budget' });
    expect(await at.ok('POST', '/runs', run)).toEqual(run);
    expect(await at.ok('GET', '/runs')).toEqual({ runs: [run] });
  });

  it('sent again, or many times at once, is kept once, as it was first', async () => {
    const at = await newCaller();
    const run = newRun();
    await at.ok('POST', '/runs', run);
    const again = { ...run, id: run.id.toUpperCase(), title: 'Something else', credits: 0 };
    const answers = await Promise.all(Array.from({ length: 10 }, () => at.ok('POST', '/runs', again)));
    for (const answer of answers) expect(answer).toEqual(run);
    expect(await at.ok('GET', '/runs')).toEqual({ runs: [run] });
  });

  it('of the same id in another team is another run, and neither sees the other’s', async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    const run = newRun();
    await one.ok('POST', '/runs', run);
    expect(await titlesOf(other)).toEqual([]);
    await other.ok('POST', '/runs', { ...run, title: 'Of the other' });
    expect(await titlesOf(one)).toEqual([run.title]);
    expect(await titlesOf(other)).toEqual(['Of the other']);
  });

  it('is seen by every token of the team that may use its family', async () => {
    const team = newTeam();
    await callsWith(await tokenOf(team)).ok('POST', '/runs', newRun());
    expect(await titlesOf(callsWith(await tokenOf(team)))).toEqual(['Enrich column B']);
    const jobs = callsWith(await tokenOf(team, { families: ['job_base'] }));
    expect(await titlesOf(jobs)).toEqual([]);
    const refused = await jobs.problem('POST', '/runs', newRun());
    expect(refused).toMatchObject({ status: 403, code: 'forbidden_scope' });
    const nobody = callsWith(undefined);
    for (const method of ['GET', 'POST']) {
      expect(await nobody.problem(method, '/runs')).toMatchObject({ status: 401, code: 'unauthorised' });
    }
  });
});

describe('what is shown and kept', () => {
  it('is the last 50, the newest first, whatever a clock elsewhere said', async () => {
    const at = await newCaller();
    const wild = { started_at: '9999-01-01T00:00:00Z', ended_at: '9999-01-01T00:00:00Z' };
    await at.ok('POST', '/runs', newRun({ title: 'Run 0', ...wild }));
    for (let run = 1; run <= 55; run++) {
      clock.now += 1000;
      await at.ok('POST', '/runs', newRun({ title: `Run ${run}` }));
    }
    expect(await titlesOf(at)).toEqual(Array.from({ length: 50 }, (_, place) => `Run ${55 - place}`));
  });

  it('is of the last 90 days, and what is older is deleted', async () => {
    const team = newTeam();
    const at = callsWith(await tokenOf(team));
    await at.ok('POST', '/runs', newRun({ title: 'Old' }));
    clock.now += 90 * DAY_MS - 60_000;
    expect(await titlesOf(at)).toEqual(['Old']);
    clock.now += 120_000;
    expect(await titlesOf(at)).toEqual([]);
    await at.ok('POST', '/runs', newRun({ title: 'New' }));
    expect(await keptOf(team)).toBe(1);
  });

  it('is 1,000 of a team at most, the newest, and nobody else’s go', async () => {
    const [team, other] = [newTeam(), newTeam()];
    const at = callsWith(await tokenOf(team));
    await callsWith(await tokenOf(other)).ok('POST', '/runs', newRun({ title: 'Of others' }));
    const insert = env.DB.prepare(
      `INSERT INTO runs SELECT ?1, printf('00000000-0000-4000-8000-%012d', value), 'search', 'Old', 'company_clean', 0, 0, 0, 0, value, value,
         'done', NULL, ?2 + value FROM json_each(?3)`,
    );
    const numbers = JSON.stringify(Array.from({ length: 1000 }, (_, place) => place));
    await insert.bind(team, clock.now - DAY_MS, numbers).run();
    await at.ok('POST', '/runs', newRun({ title: 'New' }));
    expect(await keptOf(team)).toBe(1000);
    expect((await titlesOf(at))[0]).toBe('New');
    const oldest = env.DB.prepare('SELECT min(started_at) AS first FROM runs WHERE team_id = ?');
    expect(await oldest.bind(team).first('first')).toBe(1);
    expect(await keptOf(other)).toBe(1);
  });

  it('goes with a deleted team', async () => {
    const team = newTeam();
    await callsWith(await tokenOf(team)).ok('POST', '/runs', newRun());
    const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
    const { request } = createGateway(buildCompanyResponse);
    expect((await request(`/admin/v1/teams/${team}`, { method: 'DELETE', headers })).status).toBe(204);
    expect(await keptOf(team)).toBe(0);
  });
});

describe('bad input', () => {
  it.each<[string, unknown, string]>([
    ['that is not JSON', '{', 'not JSON'],
    ['with an id that is no UUID', newRun({ id: '42' }), 'id'],
    ['with a title of two lines', newRun({ title: 'a\nb' }), 'title'],
    ['with fewer than no rows', newRun({ rows: -1 }), 'rows'],
    ['with endless credits', JSON.stringify(newRun()).replace('"credits":234', '"credits":1e999'), 'credits'],
    ['with a time that is none', newRun({ ended_at: '2026-02-30T12:00:00Z' }), 'ended_at'],
    ['that ended before it began', newRun({ ended_at: '2026-09-01T11:59:59Z' }), 'ended_at'],
    ['with a part that nobody knows', { ...newRun(), token: 'x' }, 'token'],
  ])('%s is a 422 that names the part, and nothing is kept', async (_, body, part) => {
    const at = await newCaller();
    const refused = await at.problem('POST', '/runs', body);
    expect(refused).toMatchObject({ status: 422, code: 'invalid_request' });
    expect(refused.detail).toContain(part);
    expect(await titlesOf(at)).toEqual([]);
  });

  it('of any kind is a clear refusal', async () => {
    const at = await newCaller();
    const values = fc.record({ rows: fc.jsonValue(), title: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(values, async ({ rows, title }) => {
        const { status } = await at.call('POST', '/runs', { ...newRun(), rows, title });
        const fits = Number.isSafeInteger(rows) && Number(rows) >= 0 && typeof title === 'string';
        expect(fits ? [200, 422] : [422]).toContain(status);
      }),
      { numRuns: 50 },
    );
  });
});
