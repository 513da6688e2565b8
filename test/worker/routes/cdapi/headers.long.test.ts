// The service's headers on every response (Provider API, "Headers"): rate limit, remainder and correlation id.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateToken } from '../../../../shared/tokens.ts';
import { ensureTeam } from '../../../../worker/gateway/auth/tokens.ts';
import { createGateway } from '../../harness.ts';
import { control, put } from '../../sandbox/client.ts';

const PROVIDER_PER_S = 50;

const search = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
const all = { query: { match_all: {} } };

/** Creates a team. @returns its token */
async function addTeam(name: string, ratePerMinute: number, day: number | null = null): Promise<string> {
  const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
  await ensureTeam(env, { id: name, name }, token, { caps: { day, month: null }, ratePerMinute }, 0);
  return token;
}

function callGateway(path: string, init: RequestInit = {}, apikey = env.TEAM_TOKEN): Promise<Response> {
  return worker.default.fetch(`http://127.0.0.1/cdapi${path}`, { ...init, headers: { apikey } });
}

interface ServiceHeaders {
  limit: string | null;
  remaining: string | null;
  id: string | null;
}

function readServiceHeaders({ headers }: Response): ServiceHeaders {
  return {
    limit: headers.get('x-ratelimit-limit-second'),
    remaining: headers.get('x-ratelimit-remaining-second'),
    id: headers.get('x-correlation-id'),
  };
}

beforeAll(async () => {
  await control({ rate_per_s: PROVIDER_PER_S });
  await put('company_clean', [{ id: 1, name: 'One', websites_main: 'one.example' }]);
  await put('company_base', [{ id: 1, name: 'One' }]);
});

describe('every response', () => {
  it.each<[string, string, RequestInit?]>([
    ['a search', '/v2/company_clean/search/es_dsl', search(all)],
    ['a preview', '/v2/company_clean/search/es_dsl/preview', search(all)],
    ['a record', '/v2/company_clean/enrich?website=one.example'],
    ['no record', '/v2/company_base/collect/999'],
    ['a refused query', '/v2/company_clean/search/es_dsl', search({ query: { nothing: {} } })],
    ['a refused data request', '/v2/data_requests/company_base/filter', search({ limit: 1 })],
    ['an unknown data request', '/v2/data_requests/11111111-2222-4333-8444-555555555555/files'],
    ['an unknown path', '/v2/nothing'],
  ])('to %s has rate limit, remainder and id, even from the cache', async (_, path, init) => {
    for (let turn = 0; turn < 2; turn += 1) {
      const { limit, remaining, id } = readServiceHeaders(await callGateway(path, init));
      expect(Number(limit)).toBeGreaterThan(0);
      expect(Number(limit)).toBeLessThanOrEqual(1_000_000 / 60);
      expect(Number(remaining)).toBeGreaterThanOrEqual(0);
      expect(Number(remaining)).toBeLessThanOrEqual(Number(limit));
      expect(id).toMatch(/^[\w-]{36}$/);
    }
  });

  it('has an id but no rate limit without a valid key', async () => {
    const answer = await callGateway('/v2/company_base/collect/1', {}, 'nobody');
    expect(answer.status).toBe(401);
    expect(readServiceHeaders(answer)).toEqual({ limit: null, remaining: null, id: expect.any(String) });
  });
});

describe('the rate limit', () => {
  const providerHeaders = {
    'x-ratelimit-limit-second': '18',
    'x-ratelimit-remaining-second': '7',
    'x-correlation-id': 'of-the-provider',
  };
  const preview = '/cdapi/v2/company_clean/search/es_dsl/preview';
  const ask = (token = env.TEAM_TOKEN): RequestInit => ({ ...search(all), headers: { apikey: token } });

  it('is the provider’s for a fetched response', async () => {
    const { request } = createGateway(() => Response.json([{ id: 1 }], { headers: providerHeaders }));
    expect(readServiceHeaders(await request(preview, ask()))).toEqual({
      limit: '18',
      remaining: '7',
      id: 'of-the-provider',
    });
    const cached = await request(preview, ask());
    expect(readServiceHeaders(cached)).toEqual({
      limit: '18',
      remaining: '18',
      id: cached.headers.get('x-request-id'),
    });
  });

  it('is the token’s if it is lower, and 0 remains when its calls are used up', async () => {
    const token = await addTeam('slow', 6);
    const { request } = createGateway(() => Response.json([{ id: 1 }], { headers: providerHeaders }));
    const first = await request(preview, ask(token));
    expect(readServiceHeaders(first)).toMatchObject({ limit: '1', remaining: '1' });
    let last = first;
    // A new minute may begin meanwhile.
    for (let calls = 0; calls < 20 && last.status === 200; calls += 1)
      last = await request(preview, ask(token));
    expect(last.status).toBe(429);
    expect(readServiceHeaders(last)).toMatchObject({ limit: '1', remaining: '0' });
  });

  it.each([
    ['402', 402, { detail: 'Insufficient credits' }],
    ['422', 422, { detail: [{ loc: ['body'], msg: 'm', type: 't' }] }],
    ['400', 400, { Error: 'Failed to parse es dsl query' }],
  ])('is the provider’s on a %s', async (_, status, body) => {
    const { request } = createGateway(() => Response.json(body, { status, headers: providerHeaders }));
    const answer = await request(preview, ask());
    expect(answer.status).toBe(status);
    expect(readServiceHeaders(answer)).toEqual({ limit: '18', remaining: '7', id: 'of-the-provider' });
  });

  it('replaces an invalid correlation id', async () => {
    const strange = {
      ...providerHeaders,
      'x-correlation-id': 'a b<script>',
      'x-ratelimit-limit-second': '-1',
    };
    const { request } = createGateway(() => Response.json([], { headers: strange }));
    const answer = await request(preview, ask());
    expect(answer.headers.get('x-correlation-id')).toBe(answer.headers.get('x-request-id'));
    expect(Number(readServiceHeaders(answer).limit)).toBeGreaterThan(0);
  });
});
