// Attacks inside a team: a token lists, reads, stops or redirects what its scopes exclude.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import type { LookupRequest } from '../../../../shared/api/lookup.ts';
import type { MatchResponse } from '../../../../shared/api/match.ts';
import type { Alert } from '../../../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import { createProjection } from '../../../../shared/query/field-paths.ts';
import { requestFiles } from '../../../../worker/db/schema.ts';
import type { TokenGrant } from '../../../../worker/gateway/auth/tokens.ts';
import { readCachedRecords } from '../../../../worker/gateway/cached-records.ts';
import type { GatewayContext } from '../../../../worker/gateway/context.ts';
import { lookup } from '../../../../worker/gateway/lookup.ts';
import { buildProviderQuery } from '../../../../worker/gateway/query.ts';
import { fetchPage } from '../../../../worker/gateway/search-pages.ts';
import { recordChange } from '../../../../worker/tables/changes.ts';
import { GatewayHarness } from '../../gateway/harness.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { type ApiCall, createClient, createToken, createTokenClient } from './callers.ts';
import { insertDataRequest, newId, newRun, newTeam } from './fixtures.ts';

const FORBIDDEN = { status: 403, code: 'forbidden_scope' };

it.each<[string, Partial<TokenGrant>]>([
  ['a search-only token', { operations: ['search'] }],
  ['a token of another family', { families: ['job_base'] }],
])('%s lists, reads, stops or gets a ticket for a colleague’s bulk order: refused', async (_, grant) => {
  const team = newTeam();
  const weak = await createClient(team, grant);
  const id = await insertDataRequest(team);
  const open = await insertDataRequest(team, { phase: 'reserved', endedAt: null });
  await recordChange(env, { teamId: team, kind: 'request', subject: id, run: '', hasRows: true }, clock.now);
  const calls: ApiCall[] = [
    ['GET', `/requests/${id}`],
    ['GET', `/requests/${id}/rows`],
    ['POST', `/requests/${id}/ticket`],
    ['DELETE', `/requests/${open}`],
  ];
  for (const call of calls) expect(await weak.problem(...call)).toMatchObject(FORBIDDEN);
  expect((await weak.ok<SheetsResponse<'listDataRequests'>>('GET', '/requests')).requests).toEqual([]);
  expect((await weak.ok<SheetsResponse<'listChanges'>>('GET', '/changes')).changes).toEqual([]);
  const owner = await createClient(team);
  expect((await owner.ok<SheetsResponse<'listDataRequests'>>('GET', '/requests')).requests).toHaveLength(2);
  expect(await owner.ok('GET', `/requests/${open}`)).toMatchObject({ state: 'reserved' });
});

it.each<[string, Partial<TokenGrant>]>([
  ['a search-only token', { operations: ['search'] }],
  ['a token of another family', { families: ['job_base'] }],
])(
  '%s lists or downloads files of a colleague’s bulk order in the drop-in API: refused',
  async (_, grant) => {
    const team = newTeam();
    const headers = { apikey: await createToken(team, grant) };
    const providerId = newId();
    const requestId = await insertDataRequest(team, { providerId, rows: 0 });
    await drizzle(env.DB).insert(requestFiles).values({ requestId, fileIndex: 0, name: 'part-0.json.gz' });
    const { request, requestedKeys } = createGateway(buildCompanyResponse);
    for (const path of ['files', 'files/part-0.json.gz']) {
      expect((await request(`/cdapi/v2/data_requests/${providerId}/${path}`, { headers })).status).toBe(403);
    }
    expect(requestedKeys).toEqual([]);
  },
);

it.each<[string, Partial<TokenGrant>]>([
  ['a token of one family', { families: ['job_base'] }],
  ['a token without the scope alerts', { operations: ['search', 'preview', 'bulk'] }],
])('%s reads or redirects the team’s alert address: refused', async (_, grant) => {
  const team = newTeam();
  const owner = await createClient(team);
  const weak = await createClient(team, grant);
  const body = { url: 'https://hooks.example.com/ours', on: ['failure'] };
  const { id } = await owner.ok<Alert>('POST', '/alerts', body);
  const stolen = { ...body, url: 'https://attacker.example.com/x' };
  const calls: ApiCall[] = [
    ['GET', '/alerts'],
    ['POST', '/alerts', stolen],
    ['PUT', `/alerts/${id}`, stolen],
    ['POST', `/alerts/${id}/test`],
    ['DELETE', `/alerts/${id}`],
  ];
  for (const call of calls) expect(await weak.problem(...call)).toMatchObject(FORBIDDEN);
  const { alerts } = await owner.ok<SheetsResponse<'listAlerts'>>('GET', '/alerts');
  expect(alerts).toMatchObject([{ id, host: 'hooks.example.com' }]);
});

it('a token without bulk orders reads a colleague’s bulk run, or repeats its id to see it: refused', async () => {
  const team = newTeam();
  const [owner, weak] = [await createClient(team), await createClient(team, { operations: ['search'] })];
  const secret = newRun({ kind: 'bulk', title: 'Takeover targets' });
  await owner.ok('POST', '/runs', secret);
  expect((await weak.ok<SheetsResponse<'listRuns'>>('GET', '/runs')).runs).toEqual([]);
  const problem = await weak.problem('POST', '/runs', newRun({ id: secret.id, kind: 'search' }));
  expect(problem).toMatchObject(FORBIDDEN);
  expect(JSON.stringify(problem)).not.toContain('Takeover');
});

it('a search-only token reads what a colleague bought from the cache: refused, and names match without their facts', async () => {
  const team = newTeam();
  const gateway = createGateway((key) =>
    key === 'es_dsl'
      ? Response.json([7], { headers: { 'x-total-results': '1' } })
      : Response.json(
          key === 'preview' ? [{ id: 7, name: 'Acme' }] : { id: 7, name: 'Acme', size_range: 'big' },
        ),
  );
  const owner = await createClient(team, {}, gateway);
  const token = await createToken(team, { operations: ['search'] });
  const weak = createTokenClient(token, gateway);
  const family = 'company_clean';
  const lookup = { family, by: 'id', keys: ['7'] };
  const preview = { family, text: 'acme' };
  const match = { family, companies: [{ name: 'Acme' }], previews: false };
  await owner.ok('POST', '/lookup', lookup);
  await owner.ok('POST', '/preview', preview);
  const known = await owner.ok<MatchResponse>('POST', '/match', match);
  expect(known.matches[0]?.candidates).toMatchObject([{ id: '7', name: 'Acme' }]);
  const calls = gateway.requestedKeys.length;

  const { matches } = await weak.ok<MatchResponse>('POST', '/match', match);
  expect(matches[0]?.candidates).toEqual([{ id: '7', confidence: expect.any(Number) }]);
  for (const [path, body] of [
    ['/lookup', lookup],
    ['/estimate', lookup],
    ['/preview', preview],
    ['/preview/estimate', { ...preview, pages: 1 }],
    ['/match', { ...match, previews: true }],
    ['/match', { ...match, fields: ['name'] }],
  ] as const)
    expect(await weak.problem('POST', path, body)).toMatchObject(FORBIDDEN);
  for (const [method, path, body] of [
    ['GET', '/company_clean/collect/7'],
    ['POST', '/company_clean/search/es_dsl/preview', '{"query":{"match_all":{}}}'],
  ] as const)
    expect(
      (
        await gateway.request(`/cdapi/v2${path}`, {
          method,
          headers: { apikey: token },
          ...(body && { body }),
        })
      ).status,
    ).toBe(403);
  expect(gateway.requestedKeys).toHaveLength(calls);
});

it('a route forgets to check the scope: the gateway reads no paid answer', async () => {
  const harness = new GatewayHarness(() => Response.json({ id: 7, name: 'Acme' }));
  const owner = harness.createContext();
  const weak = harness.createContext('team', {
    cache: owner.cache,
    scopes: { families: null, operations: ['search'] },
  });
  const request: LookupRequest = { family: 'company_clean', by: 'id', keys: ['7'] };
  await lookup({ ...request, fields: ['*'] }, owner);
  const read = (context: GatewayContext) => readCachedRecords(request, createProjection(['name']), context);
  expect((await read(owner)).usable.size).toBe(1);
  expect((await read(weak)).usable.size).toBe(0);
  const page = { since: 0, waitMs: 0, ...buildProviderQuery('preview', 'company_clean', { text: 'acme' }) };
  await expect(fetchPage(page, weak)).rejects.toMatchObject({ problem: { code: 'forbidden_scope' } });
});
