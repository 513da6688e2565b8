// No response, log line, stored file or bundle contains the API key or a token.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bundleWorker } from '../../worker/commands/runtime/bundle.ts';
import { backs, fronts } from './cluster/bundle.ts';
import { findInFiles } from './cluster/stored.ts';
import { type Gateway, startGateway } from './gateway.ts';
import type { FaultKind } from './provider/faults.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway?.close();
});

const listSecrets = (): string[] => [
  gateway.apiKey,
  gateway.adminToken,
  gateway.token,
  ...gateway.dataSecrets,
];
const findSecrets = (text: string): string[] => listSecrets().filter((secret) => text.includes(secret));

/** Faults by website. */
const faulty: Readonly<Record<string, FaultKind>> = {
  'failing.example': 'server_error',
  'redirecting.example': 'redirect',
  'broken.example': 'broken_json',
  'page.example': 'wrong_type',
};

it('responses contain no secret, for valid and invalid calls of every API', async () => {
  const { provider, token, adminToken, apiKey, cluster } = gateway;
  provider.fail(...Object.entries(faulty).map(([key, kind]) => ({ kind, keys: [key] })));
  const none = {};
  const dropIn = { apikey: token };
  const sheets = { authorization: `Bearer ${token}` };
  const admin = { authorization: `Bearer ${adminToken}` };
  const lookup = (...keys: string[]) => JSON.stringify({ family: 'company_clean', by: 'website', keys });
  const enrich = (website: string) => `GET /cdapi/v2/company_clean/enrich?website=${website}`;
  const adminPaths = [
    ...['teams', 'teams/team/tokens', 'teams/team/budget', 'teams/nobody', 'ledger', 'ledger?format=csv'],
    ...['usage?by=token', 'provider', 'audit', 'records/company_clean/leaks.example'],
  ];
  const calls: [call: string, headers: Record<string, string>, body?: string][] = [
    ['GET /health', none],
    ['GET /connect', none],
    ['GET /nowhere', none],
    ['GET /openapi.json', sheets],
    ['GET /docs', admin],
    ...['leaks.example', 'missing.example', ...Object.keys(faulty)].map(
      (website): [string, typeof dropIn] => [enrich(website), dropIn],
    ),
    [enrich('leaks.example'), { apikey: apiKey }],
    ['GET /cdapi/v2/nowhere', dropIn],
    ['DELETE /cdapi/v2/company_clean/collect/1', dropIn],
    ['POST /cdapi/v2/company_clean/search/es_dsl', dropIn, '{"query":{"match_all":{}}}'],
    ['GET /sheets/v1/me', sheets],
    ['GET /sheets/v1/me', admin],
    ['GET /sheets/v1/fields/company_clean', sheets],
    ['POST /sheets/v1/lookup', sheets, lookup('leaks.example', ...Object.keys(faulty))],
    ['POST /sheets/v1/lookup', sheets, '{"family":'],
    ['POST /sheets/v1/lookup', sheets, '{"family":"none","by":"website","keys":[]}'],
    ['POST /sheets/v1/estimate', sheets, lookup('other.example')],
    ['POST /sheets/v1/preview', sheets, '{"family":"company_clean","text":"acme"}'],
    ...adminPaths.map((path): [string, typeof admin] => [`GET /admin/v1/${path}`, admin]),
    ['GET /admin/v1/teams', sheets],
  ];
  const send = async (worker: 'one' | 'two', [name, headers, body]: (typeof calls)[number]) => {
    const [method = '', path = ''] = name.split(' ');
    const response = await fetch(cluster.url(worker) + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = JSON.stringify([...response.headers]) + (await response.text());
    expect.soft(findSecrets(text), name).toEqual([]);
    return response.status;
  };
  const statuses = await Promise.all(calls.flatMap((call) => [send('one', call), send('two', call)]));
  for (const status of [200, 401, 404, 422, 500, 502]) expect.soft(statuses).toContain(status);
});

it('the provider gets only its API key', () => {
  const { provider, apiKey, token } = gateway;
  expect(provider.calls.length).toBeGreaterThan(0);
  for (const { headers } of provider.calls) {
    expect(headers.apikey).toBe(apiKey);
    expect(JSON.stringify(headers)).not.toContain(token);
    expect(headers).not.toHaveProperty('authorization');
  }
});

it('log lines contain no secret, key or record', () => {
  const output = gateway.cluster.output();
  expect(output).toContain('"event":"request"');
  expect(findSecrets(output)).toEqual([]);
  expect(output).not.toMatch(/leaks|failing\.example|Record of/);
});

it('stored files contain no secret', async () => {
  const { cluster, lookup } = gateway;
  const stored = 'Record of leaks.example';
  await lookup('one', { family: 'company_clean', by: 'website', keys: ['leaks.example'] });
  await expect.poll(() => findInFiles(cluster.folder, [stored])).toEqual([stored]);
  expect(await findInFiles(cluster.folder, listSecrets())).toEqual([]);
});

it('bundles contain no environment variable of the build', async () => {
  const variables = { CDAPI_KEY: gateway.apiKey, ADMIN_TOKEN: gateway.adminToken, TEAM_TOKEN: gateway.token };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    const bundles = await Promise.all([fronts.gateway, backs.objects].map((entry) => bundleWorker(entry)));
    for (const bundle of bundles) expect(findSecrets(bundle)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
