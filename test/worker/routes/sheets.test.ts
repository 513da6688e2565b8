// Routing of /sheets/v1, request ids, the sandbox, and internal errors.
import { createExecutionContext } from 'cloudflare:test';
import { env, exports as worker } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LookupResponse } from '../../../shared/api/lookup.ts';
import { createApp } from '../../../worker/app.ts';
import { systemClock } from '../../../worker/lib/clock.ts';
import { buildCompanyResponse, buildTeamRequest, createGateway } from '../harness.ts';
import { put } from '../sandbox/client.ts';

const good = { family: 'company_clean', by: 'website', keys: ['a1.com'] };
const post = (body: unknown) =>
  createGateway(buildCompanyResponse).request('/sheets/v1/lookup', buildTeamRequest(body));

describe('a path', () => {
  it.each(['/sheets/v1/nothing', '/sheets/v2/lookup', '/sheets/v1/lookup/x'])(
    'returns 404 for %s',
    async (path) => {
      const response = await createGateway(buildCompanyResponse).request(path, buildTeamRequest(good));
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'unknown_address' });
    },
  );

  it('returns 405 with an Allow header for another method', async () => {
    const response = await createGateway(buildCompanyResponse).request('/sheets/v1/lookup', {
      headers: { authorization: `Bearer ${env.TEAM_TOKEN}` },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});

describe('the sandbox', () => {
  it('returns new records at once, even after a miss', async () => {
    const lookup = async () => {
      const body = { family: 'company_clean', by: 'website', keys: ['late.example'], fields: ['name'] };
      const response = await worker.default.fetch(
        'http://127.0.0.1/sheets/v1/lookup',
        buildTeamRequest(body),
      );
      return (await response.json<LookupResponse>()).rows[0];
    };
    expect((await lookup())?.status).toBe('not_found');
    await put('company_clean', [{ id: 4711, name: 'Late', websites_main: 'late.example' }]);
    expect((await lookup())?.record).toEqual({ name: 'Late' });
    await put('company_clean', [{ id: 4711, name: 'Later', websites_main: 'late.example' }]);
    expect((await lookup())?.record).toEqual({ name: 'Later' });
  });
});

it('adds a request id to every response', async () => {
  const { request } = createGateway(buildCompanyResponse);
  for (const response of [await request('/health'), await request('/sheets/v1/lookup'), await post(good)]) {
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect((await request('/sheets/v1/lookup')).headers.get('www-authenticate')).toBe('Bearer');
  expect((await request('/health', { method: 'POST' })).status).toBe(405);
});

describe('a deployment without provider', () => {
  it('answers `not_configured` with a fix', async () => {
    const app = createApp(systemClock);
    const response = await app.request(
      '/sheets/v1/lookup',
      buildTeamRequest(good),
      env,
      createExecutionContext(),
    );
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: 'not_configured',
      fix: expect.stringContaining('CDAPI_KEY'),
    });
  });
});

it('answers an internal error without details', async () => {
  const app = createApp({
    ...systemClock,
    now: () => {
      throw new Error('a secret');
    },
  });
  const response = await app.request('/sheets/v1/lookup', buildTeamRequest(good), env);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
});
