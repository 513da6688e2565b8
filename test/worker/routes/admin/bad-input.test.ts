// Invalid input to the admin API: a problem that names the part, never a 500, and no change.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { adminRouteTable } from '../../../../worker/routes/admin/index.ts';
import { ADMIN_TOKEN, type Admin, admin } from './harness.ts';

const withKey = { 'idempotency-key': 'k' };

async function createTeam(at: Admin): Promise<{ team: string; token: string }> {
  const { id: team } = await at.team();
  return { team, token: (await at.token(team)).id };
}

describe('a request body', () => {
  const at = admin();
  it.each<[string, string, string, unknown, string]>([
    ['invalid JSON', 'POST', '/teams', '{"name":', 'not JSON'],
    ['a list', 'POST', '/teams', [], 'The body'],
    ['an empty name', 'POST', '/teams', { name: '   ' }, 'name'],
    ['a name with a line break', 'POST', '/teams', { name: 'a\nb' }, 'name'],
    ['half a surrogate pair', 'POST', '/teams', '{"name": "\\ud800"}', 'name'],
    ['an unknown property', 'POST', '/teams', { name: 'A', credits: 5 }, 'credits'],
    ['a negative cap', 'POST', '/teams', { name: 'A', budget: { day: -1 } }, 'budget.day'],
    ['a huge cap', 'POST', '/teams', { name: 'A', budget: { day: 1e300 } }, 'budget.day'],
    ['an incomplete budget', 'PUT', '/teams/{team}/budget', { day: 5, spending: true }, 'month'],
    ['a negative top-up', 'POST', '/teams/{team}/topups', { credits: -5 }, 'credits'],
    ['an unknown family', 'POST', '/teams/{team}/tokens', { families: ['people'] }, 'families.0'],
    ['a past expiry', 'POST', '/teams/{team}/tokens', { expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    ['an invalid date', 'POST', '/teams/{team}/tokens', { expires_at: '2099-02-30T00:00:00Z' }, 'expires_at'],
    ['a read-only property', 'PATCH', '/teams/{team}/tokens/{token}', { hash: 'x' }, 'hash'],
    ['a missing property', 'POST', '/provider/reconcile', { team: 't', references: ['r'] }, 'charged'],
  ])('returns 422 and names the part for %s', async (_, method, path, body, part) => {
    const { team, token } = await createTeam(at);
    const real = path.replace('{team}', team).replace('{token}', token);
    const problem = await at.problem(method, real, { body, headers: withKey });
    expect(problem).toMatchObject({ code: 'invalid_request', status: 422 });
    expect(problem.detail).toContain(part);
  });

  it('returns 413 above 64 KB, with or without content-length', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(65 * 1024) });
    expect(await at.problem('POST', '/teams', { body: large })).toMatchObject({
      code: 'too_large',
      fix: expect.stringContaining('64 KB'),
    });
    const stream = new Blob([large]).stream();
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect((await at.request('/teams', { method: 'POST', headers, body: stream })).status).toBe(413);
  });

  it('stores names in any script unchanged', async () => {
    for (const name of ['Zürich 🚀', '營業部', '=1+1', '<script>', "Robert'); DROP TABLE teams;--"]) {
      const { id } = await at.team({ name });
      expect(await at.ok('GET', `/teams/${id}`)).toMatchObject({ name });
    }
  });
});

describe('the idempotency key', () => {
  it.each([
    ['missing', {}],
    ['empty', { 'idempotency-key': '' }],
    ['with a space', { 'idempotency-key': 'a b' }],
    ['too long', { 'idempotency-key': 'x'.repeat(201) }],
  ])('returns 422 if it is %s', async (_, headers: Record<string, string>) => {
    const at = admin();
    const { team } = await createTeam(at);
    const problem = await at.problem('POST', `/teams/${team}/topups`, { body: { credits: 1 }, headers });
    expect(problem.code).toBe('invalid_request');
    expect(problem.detail).toContain('idempotency-key');
    expect(await at.ok('GET', `/teams/${team}/budget`)).toMatchObject({ top_up: 0 });
  });
});

describe('an unknown id', () => {
  const bodies: Readonly<Record<string, unknown>> = {
    'PATCH /teams/{id}': { name: 'A' },
    'POST /teams/{id}/tokens': {},
    'PATCH /teams/{id}/tokens/{token_id}': { name: 'A' },
    'PUT /teams/{id}/budget': { day: 1, month: 1, spending: true },
    'POST /teams/{id}/topups': { credits: 1 },
    'POST /records/{family}/{key}/refresh': { team: 'nobody' },
  };
  const routes = adminRouteTable.filter(({ path }) => path.includes('{'));
  const ids = ['nobody', '0', 'a b', '../provider', "' OR 1=1 --", 'x'.repeat(300), '%00', '🚀', '__proto__'];

  it.each(routes.map(({ method, path }) => `${method} ${path}`))('returns 404 for %s', async (name) => {
    const at = admin();
    const { team } = await createTeam(at);
    const [method = '', path = ''] = name.split(' ');
    const call = { body: bodies[name], headers: withKey };
    for (const id of ids) {
      const encoded = encodeURIComponent(id);
      const unknownPath = path.replace('{id}', encoded).replace('{token_id}', 'some');
      expect(await at.problem(method, unknownPath, call)).toMatchObject({ status: 404, code: 'not_found' });
      if (!path.includes('{token_id}')) continue;
      const ownPath = path.replace('{id}', team).replace('{token_id}', encoded);
      expect(await at.problem(method, ownPath, call)).toMatchObject({ status: 404, code: 'not_found' });
    }
    const { results } = await env.DB.prepare('SELECT id FROM teams WHERE id = ?1').bind('nobody').all();
    expect(results).toEqual([]);
  });
});

describe('a list query', () => {
  it.each([
    ['/teams?limit=0', 'limit'],
    ['/teams?after=nobody', 'after'],
    ['/teams?offset=3', 'offset'],
    ['/teams/{team}/tokens?after=nobody', 'after'],
    ['/ledger?after=3', 'after'],
    ['/ledger?format=xml', 'format'],
    ['/audit?before=x', 'before'],
  ])('rejects %s and names the part', async (path, part) => {
    const at = admin();
    const { team } = await createTeam(at);
    const problem = await at.problem('GET', path.replace('{team}', team));
    expect(problem.code).toBe('invalid_request');
    expect(problem.detail).toContain(part);
  });
});

describe('random input', () => {
  const at = admin();
  const bodies = adminRouteTable.flatMap(({ method, path, request: { shape } }) =>
    shape.body instanceof z.ZodObject ? [{ method, path, known: Object.keys(shape.body.shape) }] : [],
  );
  const expected = [200, 201, 404, 413, 422];

  it.each(bodies)('to $method $path never causes a 500', async ({ method, path, known }) => {
    const { team, token } = await createTeam(at);
    const real = path.replace('{id}', team).replace('{token_id}', token);
    const values = {
      name: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
      budget: fc.oneof(fc.record({ day: fc.anything(), month: fc.double() }), fc.anything()),
      day: fc.oneof(fc.maxSafeInteger(), fc.anything()),
      month: fc.oneof(fc.constant(null), fc.double()),
      spending: fc.oneof(fc.boolean(), fc.anything()),
      background_refresh: fc.boolean(),
      families: fc.oneof(fc.constant(['job_base']), fc.array(fc.string()), fc.anything()),
      operations: fc.oneof(fc.constant(null), fc.anything()),
      expires_at: fc.oneof(fc.date().map(String), fc.constant('9999-12-31T23:59:59Z'), fc.anything()),
      rate_per_minute: fc.oneof(fc.nat(), fc.anything()),
      credits: fc.oneof(fc.maxSafeInteger(), fc.anything()),
      note: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
      team: fc.constantFrom(team, 'nobody'),
      references: fc.oneof(fc.array(fc.string({ unit: 'binary' })), fc.anything()),
      charged: fc.oneof(fc.boolean(), fc.anything()),
    };
    const almostValid = fc.record(
      Object.fromEntries(Object.entries(values).filter(([name]) => known.includes(name))),
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      almostValid.map((value) => toJson(value)),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.uuid(), async (text, key) => {
        const response = await at.call(method, real, { body: text, headers: { 'idempotency-key': key } });
        expect(expected).toContain(response.status);
      }),
      { numRuns: 60 },
    );
  });

  it('in a query never causes a 500', async () => {
    const { team } = await createTeam(at);
    const names = ['by', 'from', 'to', 'team', 'after', 'limit', 'format', 'before', 'other', '__proto__'];
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.nat().map(String),
      fc.constantFrom(team, 'day', 'csv', '2026-09-01', '-1', '1e9', '999999999999999', ''),
    );
    const query = fc
      .array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 4 })
      .map((pairs) =>
        new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])).toString(),
      );
    const paths = ['/teams', `/teams/${team}/tokens`, '/usage', '/ledger', '/audit', '/provider'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), query, async (path, text) => {
        expect(expected).toContain((await at.call('GET', `${path}?${text}`)).status);
      }),
      { numRuns: 200 },
    );
  });
});

/** Converts any value to JSON. Values without JSON are left out. */
function toJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? 'null'
  );
}
