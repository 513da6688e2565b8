// Responses of the provider: each becomes a row, and only a 200 costs credits.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { getProviderThrottle } from '../../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { createGateway } from '../../harness.ts';

const json = (status: number, body: unknown) => () => Response.json(body, { status });
const text = (status: number, body: string) => () => new Response(body, { status });

describe('a response of the provider', () => {
  it.each([
    ['404 of a record', json(404, { detail: 'Company not found' }), 'not_found', 'not_found', 0],
    ['404 of a path', text(404, '404 page not found'), 'failed', 'provider_refused', 0],
    ['401', json(401, { message: 'Unauthorized' }), 'failed', 'provider_refused', 0],
    ['402', json(402, { detail: 'Insufficient credits' }), 'failed', 'provider_out_of_credits', 0],
    ['422', json(422, { detail: [{ loc: ['query'], msg: 'x', type: 'y' }] }), 'invalid', 'invalid_key', 0],
    ['429', json(429, { message: 'API rate limit exceeded' }), 'pending', 'pending', 0],
    ['500', text(500, 'oops'), 'failed', 'provider_unavailable', 0],
    ['520 of a proxy', text(520, ''), 'failed', 'provider_unclear', 10],
    ['521 for a refused connection', text(521, ''), 'failed', 'provider_unavailable', 0],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: '/x' } }),
      'failed',
      'provider_refused',
      0,
    ],
  ] as const)('%s', async (_, script, status, problem, credits) => {
    const { lookup } = createGateway(script);
    const keys = ['a1.com'];
    const wait_ms = status === 'pending' ? 500 : 20_000;
    const { rows } = await lookup({ family: 'company_clean', by: 'website', keys, wait_ms });
    expect(rows).toEqual([{ key: 'a1.com', status, problem, credits }]);
  });
});

describe('a provider that refuses the API key or the payment', () => {
  it.each([
    [401, 'provider_refused'],
    [402, 'provider_out_of_credits'],
  ])('receives no further calls of that price after a %i', async (status, problem) => {
    const identity = `refuses-${status}`;
    const {
      lookup,
      requestedKeys: asked,
      clock,
    } = createGateway(() => Response.json({ detail: 'no' }, { status }), identity);
    const ask = async (keys: string[]) =>
      (await lookup({ family: 'company_clean', by: 'website', keys })).rows;
    await ask(['first.com']);
    // The throttle receives the report a moment later.
    await expect.poll(async () => (await getProviderThrottle(env, identity).getState()).open).toBe(0);
    // Keeps the block of three seconds from expiring on a busy machine.
    clock.now -= 60_000;
    const rows = await ask(Array.from({ length: 8 }, (_, at) => `a${at}.com`));
    expect(new Set(rows.map((row) => row.problem))).toEqual(new Set([problem]));
    expect(asked).toEqual(['first.com']);
  });
});

describe('a call to the provider', () => {
  it('sends the API key only in its header, and encodes the lookup key', async () => {
    const seen: Request[] = [];
    const { lookup } = createGateway((_, request) => {
      seen.push(request);
      return Response.json({ id: 1 });
    });
    await lookup({ family: 'company_clean', by: 'website', keys: ['https://bücher.example/?a=b&c=d'] });
    await lookup({ family: 'company_base', by: 'shorthand_name', keys: ['caf%C3%A9;x=$&'] });
    expect(seen.map(({ url }) => url)).toEqual([
      'http://provider.example/cdapi/v2/company_clean/enrich?website=xn--bcher-kva.example',
      'http://provider.example/cdapi/v2/company_base/collect/caf%C3%A9%3Bx%3D%24%26',
    ]);
    for (const request of seen) {
      expect(request.headers.get('apikey')).toBe(env.SANDBOX_KEY);
      expect(request.url).not.toContain(env.SANDBOX_KEY);
      expect(request.redirect).toBe('manual');
    }
  });
});
