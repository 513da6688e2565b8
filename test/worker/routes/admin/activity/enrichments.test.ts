// Columns of all teams that are kept filled: the list, and their stop by the admin.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { AdminResponse } from '../../../../../shared/api/admin-endpoints.ts';
import type { AuditList } from '../../../../../shared/api/admin-reports.ts';
import type { AdminEnrichmentView } from '../../../../../shared/api/admin-schedules.ts';
import { EnrichmentStore } from '../../../../../worker/tables/enrichments/store.ts';
import { admin } from '../harness.ts';
import { countStatements, insertEnrichment, NOW, spendOnOrder } from './fixtures.ts';

const deployment = admin();
const { ok, problem, pages, team, token, remove } = deployment;
deployment.clock.now = NOW;

async function createPayer() {
  const { id } = await team({ name: 'Sales' });
  return { team: id, token: (await token(id, { name: 'Anna' })).id };
}

const list = (query: string) => ok<AdminResponse<'listEnrichments'>>('GET', `/enrichments?${query}`);
const stop = (id: string) => ok<AdminEnrichmentView>('POST', `/enrichments/${id}/stop`);
const toTime = (ms: number): string => new Date(ms).toISOString();

it('the list has who pays, the interval, the budgets, what this month has cost, and the last run', async () => {
  const payer = await createPayer();
  const id = await insertEnrichment(payer.team, payer.token);
  await spendOnOrder(payer.team, payer.token, id, 30);
  expect(await list(`team=${payer.team}`)).toEqual({
    enrichments: [
      {
        id: `${payer.team}.${id}`,
        team: payer.team,
        team_name: 'Sales',
        title: 'Accounts',
        family: 'company_clean',
        token: payer.token,
        token_name: 'Anna',
        push: true,
        every: 'day',
        max_credits: 100,
        month_credits: 1000,
        month_spent: 30,
        state: 'on',
        next_at: toTime(NOW + 60_000),
        refresh_days: 30,
        last: { at: toTime(NOW - 60_000), rows: 2, changes: 4, credits: 20 },
        created_at: toTime(NOW),
        updated_at: toTime(NOW),
      },
    ],
    next: null,
  });
  await remove(`/teams/${payer.team}/tokens/${payer.token}`);
  expect((await list(`team=${payer.team}`)).enrichments).toMatchObject([
    { state: 'stopped', problem: { code: 'unauthorised' }, next_at: null },
  ]);
});

it('the list is paged over all teams, with three queries at most', async () => {
  const payers = [await createPayer(), await createPayer()];
  for (const payer of payers)
    for (let at = 0; at < 3; at += 1) await insertEnrichment(payer.team, payer.token);
  const { enrichments: all } = await list('');
  expect(
    await pages('/enrichments?', 2, ({ enrichments }: AdminResponse<'listEnrichments'>) => enrichments),
  ).toEqual(all);
  for (const payer of payers) expect(all.filter((each) => each.team === payer.team)).toHaveLength(3);
  const { db, getCount } = countStatements();
  await admin({ DB: db }).ok('GET', '/enrichments');
  expect(getCount()).toBeLessThanOrEqual(3);
});

it('a stop by the admin ends all runs, alerts the team, and is logged once', async () => {
  const payer = await createPayer();
  const key = { teamId: payer.team, id: await insertEnrichment(payer.team, payer.token) };
  const alert = crypto.randomUUID();
  await env.DB.prepare(
    `INSERT INTO alerts (id, team_id, url, kinds, created_at) VALUES (?, ?, 'x', '["failure"]', 0)`,
  )
    .bind(alert, payer.team)
    .run();
  const id = `${key.teamId}.${key.id}`;
  const stopped = await stop(id);
  expect(stopped).toMatchObject({
    state: 'stopped',
    next_at: null,
    problem: { code: 'stopped_by_admin', detail: expect.stringContaining('this column') },
  });
  expect(await stop(id)).toEqual(stopped);
  // A run in progress reads it before it buys.
  expect(await new EnrichmentStore(env.DB).get(key)).toMatchObject({ state: 'stopped', nextAt: null });
  const { audit } = await ok<AuditList>('GET', '/audit');
  expect(audit.filter(({ target }) => target === id)).toMatchObject([{ action: 'enrichment.stop' }]);
  const { results } = await env.DB.prepare('SELECT body FROM alert_messages WHERE alert_id = ?')
    .bind(alert)
    .all();
  expect(results).toEqual([{ body: expect.stringContaining('Your admin') }]);
});

it('a stop changes nothing if it is paused, and returns 404 if there is none', async () => {
  const payer = await createPayer();
  const id = await insertEnrichment(payer.team, payer.token, { state: 'paused', nextAt: null });
  expect(await stop(`${payer.team}.${id}`)).toMatchObject({ state: 'paused' });
  expect(await problem('POST', `/enrichments/${payer.team}.${crypto.randomUUID()}/stop`)).toMatchObject({
    code: 'not_found',
  });
});
