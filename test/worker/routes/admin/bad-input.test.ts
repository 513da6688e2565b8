// Invalid input to the admin API: a problem that names the part, never a 500, and no change.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { adminRouteTable } from '../../../../worker/routes/admin/index.ts';
import { unicodeText } from '../../../unicode-text.ts';
import { ADMIN_TOKEN, admin } from './harness.ts';

const withKey = { 'idempotency-key': 'k' };
const at = admin();

let team = '';
let token = '';

beforeAll(async () => {
  team = (await at.team()).id;
  token = (await at.token(team)).id;
});

it.each<[string, string, unknown, string, headers?: Record<string, string>]>([
  ['POST', '/teams', '{"name":', 'not JSON'],
  ['POST', '/teams', [], 'The body: must be an object'],
  ['POST', '/teams', { name: '   ' }, 'name'],
  ['POST', '/teams', { name: 'a\nb' }, 'name'],
  ['POST', '/teams', '{"name": "\\ud800"}', 'name'],
  ['POST', '/teams', { name: 'A', credits: 5 }, 'has no “credits”'],
  ['POST', '/teams', { name: 'A', budget: { day: -1 } }, 'budget.day: must be at least 0'],
  ['POST', '/teams', { name: 'A', budget: { day: 1e300 } }, 'budget.day'],
  ['PUT', '/teams/{id}/budget', { day: 5, spending: true }, 'month'],
  ['POST', '/teams/{id}/top-ups', { credits: -5 }, 'credits'],
  ['POST', '/teams/{id}/top-ups', { credits: 1 }, 'idempotency-key', {}],
  ['POST', '/teams/{id}/top-ups', { credits: 1 }, 'idempotency-key', { 'idempotency-key': '' }],
  ['POST', '/teams/{id}/top-ups', { credits: 1 }, 'idempotency-key', { 'idempotency-key': 'a b' }],
  ['POST', '/teams/{id}/top-ups', { credits: 1 }, 'idempotency-key', { 'idempotency-key': 'x'.repeat(201) }],
  ['POST', '/teams/{id}/tokens', { families: ['people'] }, 'families.0'],
  ['POST', '/teams/{id}/tokens', { expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
  ['POST', '/teams/{id}/tokens', { expires_at: '2099-02-30T00:00:00Z' }, 'expires_at'],
  ['PATCH', '/teams/{id}/tokens/{token_id}', { hash: 'x' }, 'hash'],
  ['PUT', '/domains/acme.com', { team: 'a', audience: 'a b' }, 'audience'],
  ['PUT', '/domains/acme.com', { team: 'a', audience: 'a.example', token_days: 91 }, 'token_days'],
  ['GET', '/people?after=nobody', undefined, 'after'],
  ['POST', '/provider/reconcile', { team: 't', references: ['r'] }, 'charged'],
  ['GET', '/teams?limit=0', undefined, 'limit'],
  ['GET', '/teams?after=nobody', undefined, 'after'],
  ['GET', '/teams?offset=3', undefined, 'offset'],
  ['GET', '/teams/{id}/tokens?after=nobody', undefined, 'after'],
  ['GET', '/ledger?after=3', undefined, 'after'],
  ['GET', '/ledger?format=xml', undefined, 'format'],
  ['GET', '/ledger?kind=charge', undefined, 'team'],
  ['GET', '/ledger?team={id}&day=2026-02-30', undefined, 'day'],
  ['GET', '/teams/{id}/ledger?kind=purchase', undefined, 'kind'],
  ['GET', '/teams/{id}/ledger?family=people', undefined, 'family'],
  ['GET', '/teams/{id}/ledger?token=a%20b', undefined, 'token'],
  ['GET', '/teams/{id}/ledger?before=-1', undefined, 'before'],
  ['GET', '/teams/{id}/ledger?limit=101', undefined, 'limit'],
  ['GET', '/budgets?after=nobody', undefined, 'after'],
  ['GET', '/budgets?limit=101', undefined, 'limit'],
  ['GET', '/audit?before=x', undefined, 'before'],
  ['GET', '/pushes?state=lost', undefined, 'state'],
  ['GET', '/pushes?after=nobody', undefined, 'after'],
  ['GET', '/schedules?state=off', undefined, 'state'],
  ['GET', '/schedules?after=nobody', undefined, 'after'],
  ['GET', '/enrichments?after=nobody', undefined, 'after'],
])('%s %s with %j returns 422 and names the part', async (method, path, body, part, headers = withKey) => {
  const problem = await at.problem(method, path.replace('{id}', team).replace('{token_id}', token), {
    body,
    headers,
  });
  expect(problem).toMatchObject({ code: 'invalid_request', status: 422 });
  expect(problem.detail).toContain(part);
  expect(await at.ok('GET', `/teams/${team}/budget`)).toMatchObject({ day: 1000, top_up: 0 });
});

it('returns 413 above 64 KB, with or without content-length', async () => {
  const large = JSON.stringify({ name: 'x'.repeat(65 * 1024) });
  expect(await at.problem('POST', '/teams', { body: large })).toMatchObject({ code: 'too_large' });
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const body = new Blob([large]).stream();
  expect((await at.request('/teams', { method: 'POST', headers, body })).status).toBe(413);
});

it('stores names in any script unchanged', async () => {
  for (const name of ['Zürich 🚀', '營業部', '=1+1', '<script>', "Robert'); DROP TABLE teams;--"]) {
    const { id } = await at.team({ name });
    expect(await at.ok('GET', `/teams/${id}`)).toMatchObject({ name });
  }
});

describe('an unknown id', () => {
  const bodies: Readonly<Record<string, unknown>> = {
    'PATCH /teams/{id}': { name: 'A' },
    'POST /teams/{id}/tokens': {},
    'PATCH /teams/{id}/tokens/{token_id}': { name: 'A' },
    'POST /teams/{id}/alerts': { url: 'https://hooks.example.com/x', on: ['failure'] },
    'PATCH /teams/{id}/alerts/{alert_id}': { on: ['failure'] },
    'PUT /domains/{domain}': { team: 'nobody', audience: 'a.apps.googleusercontent.com' },
    'PATCH /people/{id}': { revoked: true },
    'PUT /teams/{id}/budget': { day: 1, month: 1, spending: true },
    'POST /teams/{id}/top-ups': { credits: 1 },
    'POST /records/{family}/{key}/refresh': { team: 'nobody' },
  };
  const routes = adminRouteTable.filter(({ path }) => path.includes('{'));
  const ids = ['nobody', "../a b' OR 1=1 --", '%00🚀'];

  it.each(routes.map(({ method, path }) => `${method} ${path}`))('returns 404 for %s', async (name) => {
    const [method = '', path = ''] = name.split(' ');
    const call = { body: bodies[name], headers: withKey };
    const notFound = { status: 404, code: 'not_found' };
    for (const id of ids.map(encodeURIComponent)) {
      const unknown = path.replace('{id}', id).replace('{token_id}', 'some');
      expect(await at.problem(method, unknown, call)).toMatchObject(notFound);
      if (!path.includes('{token_id}')) continue;
      const ofTeam = path.replace('{id}', team).replace('{token_id}', id);
      expect(await at.problem(method, ofTeam, call)).toMatchObject(notFound);
    }
    const { results } = await env.DB.prepare('SELECT id FROM teams WHERE id = ?1').bind('nobody').all();
    expect(results).toEqual([]);
  });
});

describe('random input never causes a 500', () => {
  const expected = [200, 201, 404, 413, 422];
  const bodies = adminRouteTable.flatMap(({ method, path, request: { shape } }) =>
    shape.body instanceof z.ZodObject ? [{ method, path, names: Object.keys(shape.body.shape) }] : [],
  );

  it.each(bodies)('in the body of $method $path', async ({ method, path, names }) => {
    const values = fc.oneof(
      fc.jsonValue(),
      fc.maxSafeInteger(),
      fc.constantFrom('job_base', team, 'nobody', '9999-12-31T23:59:59Z'),
      fc.record({ day: fc.nat(), month: fc.jsonValue() }),
    );
    const almostValid = fc.record(Object.fromEntries(names.map((name) => [name, values])), {
      requiredKeys: [],
    });
    const body = fc.oneof(
      fc.json(),
      unicodeText(),
      almostValid.map((v) => JSON.stringify(v)),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.uuid(), async (body, key) => {
        const address = path.replace('{id}', team).replace('{token_id}', token);
        const response = await at.call(method, address, { body, headers: { 'idempotency-key': key } });
        expect(expected).toContain(response.status);
      }),
      { numRuns: 15 },
    );
  });

  it('in a query', async () => {
    const page = ['after', 'before', 'limit', 'format', 'other', '__proto__'];
    const names = ['by', 'from', 'to', 'team', 'token', 'kind', 'family', 'operation', 'day', ...page];
    const values = fc.oneof(
      unicodeText(),
      fc.constantFrom(
        team,
        'day',
        'csv',
        'charge',
        'job_base',
        '2026-09-01',
        '-1',
        '1e9',
        '999999999999999',
        '',
      ),
    );
    const query = fc
      .array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 4 })
      .map((pairs) =>
        new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])).toString(),
      );
    const lists = ['/teams', '/budgets', '/usage', '/ledger', '/spending', '/audit', '/provider'];
    const paths = [...lists, `/teams/${team}/tokens`, `/teams/${team}/ledger`];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), query, async (path, text) => {
        expect(expected).toContain((await at.call('GET', `${path}?${text}`)).status);
      }),
      { numRuns: 60 },
    );
  });
});
