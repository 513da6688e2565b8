// Nothing leaks: neither the provider's key nor a token stands in any answer, line, file or bundle; what one team asked
// and spent another never sees; a revoked token spends nothing from that moment.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { MeResponse } from '../../shared/api/account.ts';
import type { IssuedToken } from '../../shared/api/admin.ts';
import type { SearchResponse } from '../../shared/api/search.ts';
import { bundleWorker } from '../../worker/commands/runtime/bundle.ts';
import { backs, fronts } from './cluster/bundle.ts';
import type { WorkerName } from './cluster/cluster.ts';
import { findInFiles } from './cluster/stored.ts';
import { type Gateway, startGateway } from './gateway.ts';
import type { FaultKind } from './provider/faults.ts';

const WORKERS = ['one', 'two'] as const;
const none = { day: null, month: null };

let gateway: Gateway;
let otherToken: string;
beforeAll(async () => {
  gateway = await startGateway();
  otherToken = await gateway.addTeam('other', none);
});
afterAll(async () => {
  await gateway?.close();
});

const secrets = (): string[] => [gateway.apiKey, gateway.adminToken, gateway.token, otherToken];
const secretsIn = (text: string): string[] => secrets().filter((secret) => text.includes(secret));

/** An answer as it came over the wire. */
interface Said {
  status: number;
  /** Headers and body. */
  text: string;
}

async function say(
  worker: WorkerName,
  [method, path]: [method: string, path: string],
  headers: Record<string, string>,
  body?: string,
): Promise<Said> {
  const response = await fetch(gateway.cluster.url(worker) + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    text: `${JSON.stringify([...response.headers])}\n${await response.text()}`,
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** What the provider does to some websites. */
const faulty: Readonly<Record<string, FaultKind>> = {
  'failing.example': 'server_error',
  'redirecting.example': 'redirect',
  'broken.example': 'broken_json',
  'page.example': 'wrong_type',
};

it('no answer of any surface holds the key or a token, whatever was wrong with the call', async () => {
  const { provider, token, adminToken, apiKey } = gateway;
  provider.fail(...Object.entries(faulty).map(([key, kind]) => ({ kind, keys: [key] })));
  const [apikey, sheets, admin] = [{ apikey: token }, bearer(token), bearer(adminToken)];
  const lookup = (...keys: string[]) => JSON.stringify({ family: 'company_clean', by: 'website', keys });
  const enrich = (website: string) => `/cdapi/v2/company_clean/enrich?website=${website}`;
  const calls: Parameters<typeof say>[] = WORKERS.flatMap((worker): Parameters<typeof say>[] => [
    ...['/health', '/connect', '/nowhere'].map((path): Parameters<typeof say> => [worker, ['GET', path], {}]),
    [worker, ['GET', '/openapi.json'], sheets],
    [worker, ['GET', '/docs'], admin],
    ...['leaks.example', 'missing.example', ...Object.keys(faulty)].map(
      (website): Parameters<typeof say> => [worker, ['GET', enrich(website)], apikey],
    ),
    [worker, ['GET', enrich('leaks.example')], { apikey: apiKey }],
    [worker, ['GET', '/cdapi/v2/nowhere'], apikey],
    [worker, ['DELETE', '/cdapi/v2/company_clean/collect/1'], apikey],
    [worker, ['POST', '/cdapi/v2/company_clean/search/es_dsl'], apikey, '{"query":{"match_all":{}}}'],
    [worker, ['GET', '/sheets/v1/me'], sheets],
    [worker, ['GET', '/sheets/v1/me'], admin],
    [worker, ['GET', '/sheets/v1/fields/company_clean'], sheets],
    [worker, ['POST', '/sheets/v1/lookup'], sheets, lookup('leaks.example', ...Object.keys(faulty))],
    [worker, ['POST', '/sheets/v1/lookup'], sheets, '{"family":'],
    [worker, ['POST', '/sheets/v1/lookup'], sheets, '{"family":"none","by":"website","keys":[]}'],
    [worker, ['POST', '/sheets/v1/estimate'], sheets, lookup('other.example')],
    [worker, ['POST', '/sheets/v1/preview'], sheets, '{"family":"company_clean","text":"acme"}'],
    ...[
      'teams',
      'teams/team/tokens',
      'teams/team/budget',
      'ledger',
      'ledger?format=csv',
      'usage?by=token',
      'provider',
      'audit',
      'records/company_clean/leaks.example',
      'teams/nobody',
    ].map((path): Parameters<typeof say> => [worker, ['GET', `/admin/v1/${path}`], admin]),
    [worker, ['GET', '/admin/v1/teams'], sheets],
  ]);
  const answers = await Promise.all(calls.map((call) => say(...call)));
  answers.forEach(({ text }, at) => {
    expect.soft(secretsIn(text), calls[at]?.[1].join(' ')).toEqual([]);
  });
  const statuses = new Set(answers.map(({ status }) => status));
  for (const status of [200, 401, 404, 422, 500, 502]) {
    expect.soft(statuses.has(status), String(status)).toBe(true);
  }
});

it('the provider gets its own key and nothing that the caller showed', () => {
  const { provider, apiKey, token } = gateway;
  expect(provider.calls.length).toBeGreaterThan(0);
  for (const { headers } of provider.calls) {
    expect(headers.apikey).toBe(apiKey);
    expect(JSON.stringify(headers)).not.toContain(token);
    expect(headers).not.toHaveProperty('authorization');
  }
});

it('no line of the log holds the key, a token or what was asked', () => {
  const output = gateway.cluster.output();
  expect(output).toContain('"event":"request"');
  expect(secretsIn(output)).toEqual([]);
  expect(output).not.toMatch(/leaks|failing\.example|Record of/);
});

it('no stored file holds the key or a token: of these only the hash is kept', async () => {
  const { cluster, lookup } = gateway;
  const stored = 'Record of leaks.example';
  await lookup('one', { family: 'company_clean', by: 'website', keys: ['leaks.example'] });
  await expect.poll(() => findInFiles(cluster.folder, [stored]), { timeout: 30_000 }).toEqual([stored]);
  expect(await findInFiles(cluster.folder, secrets())).toEqual([]);
});

it('no bundle holds what the machine that made it knew', async () => {
  const known = { CDAPI_KEY: gateway.apiKey, ADMIN_TOKEN: gateway.adminToken, TEAM_TOKEN: gateway.token };
  for (const [name, value] of Object.entries(known)) vi.stubEnv(name, value);
  try {
    const bundles = await Promise.all([fronts.gateway, backs.objects].map(bundleWorker));
    for (const bundle of bundles) expect(secretsIn(bundle)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});

it('what a team asked and spent another team does not see, and neither sees what is the admin’s', async () => {
  const { provider, token, admin, cluster } = gateway;
  provider.settings.searchResults = [{ id: 11 }];
  const read = async (path: string, own: string, body?: string): Promise<string> => {
    const method = body === undefined ? 'GET' : 'POST';
    const init = { method, headers: bearer(own), ...(body === undefined ? {} : { body }) };
    return (await fetch(`${cluster.url('one')}/sheets/v1/${path}`, init)).text();
  };
  const search = async (own: string): Promise<SearchResponse> =>
    JSON.parse(await read('search', own, '{"family":"company_clean","text":"secret plan"}'));
  const before = provider.calls.length;
  expect((await search(token)).ids).toEqual(['11']);
  provider.settings.searchResults = [{ id: 12 }];
  expect((await search(otherToken)).ids).toEqual(['12']);
  expect((await search(token)).ids).toEqual(['11']);
  expect(provider.calls).toHaveLength(before + 2);

  for (const worker of WORKERS) {
    const me: MeResponse = JSON.parse(await read('me', otherToken));
    expect(me).toMatchObject({ team: 'other', spent: { day: 0 }, saved: { day: 0 } });
    for (const path of [
      'teams',
      'teams/team',
      'teams/team/budget',
      'teams/team/tokens',
      'usage',
      'ledger?team=team',
    ]) {
      expect((await say(worker, ['GET', `/admin/v1/${path}`], bearer(otherToken))).status).toBe(401);
    }
  }
  const own = await admin<IssuedToken>('POST', 'teams/other/tokens', { name: 'own' });
  const path = `/admin/v1/teams/team/tokens/${own.id}`;
  for (const method of ['PATCH', 'DELETE']) {
    const { status } = await say('one', [method, path], bearer(gateway.adminToken), '{"name":"taken"}');
    expect(status).toBe(404);
  }
});

it('a revoked token is refused by the ledger at once and spends nothing, also where a Worker still knows it', async () => {
  const { provider, admin, lookup, get, cluster, budget } = gateway;
  const { token, id } = await admin<IssuedToken>('POST', 'teams/other/tokens', { name: 'short' });
  const known = 'company_clean/enrich?website=leaks.example';
  // Both Workers have checked the token and hold a lease of it.
  for (const worker of WORKERS) expect((await get(worker, known, token)).status).toBe(200);
  const before = { calls: provider.calls.length, spent: (await budget('other')).spent.day };
  await admin('DELETE', `teams/other/tokens/${id}`);
  for (const worker of WORKERS) {
    const answer = await get(worker, `company_clean/enrich?website=revoked-${worker}.example`, token);
    expect(answer).toMatchObject({ status: 401, credits: 0 });
    const websites = { family: 'company_clean', by: 'website', keys: [`batch-${worker}.example`] } as const;
    const { rows } = await lookup(worker, { ...websites, keys: [...websites.keys] }, token);
    expect(rows).toMatchObject([{ status: 'failed', problem: 'unauthorised', credits: 0 }]);
  }
  expect(provider.calls).toHaveLength(before.calls);
  expect((await budget('other')).spent.day).toBe(before.spent);
  // A Worker that never saw it refuses it altogether, also what is remembered.
  await cluster.kill();
  await cluster.start();
  for (const worker of WORKERS) expect((await get(worker, known, token)).status).toBe(401);
});
