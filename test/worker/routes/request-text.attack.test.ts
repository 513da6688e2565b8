// Attacks by the text of requests on every surface: other encodings, compressed bodies, percent-encoding that is no UTF-8, long
// integers and the name __proto__.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { adminRouteTable } from '../../../worker/routes/admin/index.ts';
import type { DescribedRoute } from '../../../worker/routes/route.ts';
import { sheetsRouteTable } from '../../../worker/routes/sheets/routes.ts';
import { signInRouteTable } from '../../../worker/routes/sheets/sign-in.ts';
import { ServiceHarness } from '../data-requests/service-harness.ts';
import { createGateway, type Gateway, type ProviderScript } from '../harness.ts';
import { call as callSandbox } from '../sandbox/client.ts';
import { ConsoleDeployment } from './console/browser.ts';

const unreachable: ProviderScript = () => {
  throw new Error('the provider must not be called');
};

const TEXT = 'Zürich';
const toLatin1 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

const surfaces = [
  { prefix: '/sheets/v1', table: [...sheetsRouteTable, ...signInRouteTable], token: env.TEAM_TOKEN },
  { prefix: '/admin/v1', table: adminRouteTable, token: env.ADMIN_TOKEN },
];

const routes = surfaces.flatMap(({ prefix, table, token }) =>
  table.map((route: DescribedRoute) => {
    const path = prefix + route.path.replaceAll(/\{\w+\}/g, '11111111-2222-4333-8444-555555555555');
    return { ...route, path, headers: { authorization: `Bearer ${token}` } };
  }),
);
const routesWithBody = routes.filter(({ request }) => 'body' in request.shape);

async function send(
  { request }: Gateway,
  { method, path, headers }: (typeof routes)[number],
  body: BodyInit | undefined,
  more: Record<string, string> = {},
): Promise<unknown[]> {
  const response = await request(path, { method, headers: { ...headers, ...more }, ...(body && { body }) });
  const { code, detail } = await response.json<{ code: string; detail: string }>();
  return [method, path, response.status, code, detail];
}

describe('a body of the APIs of add-on and admin', () => {
  it('in Latin-1 without a charset, to every route: refused with 422 at its first wrong byte', async () => {
    const gateway = createGateway(unreachable);
    expect(routesWithBody.length).toBeGreaterThan(30);
    for (const route of routesWithBody) {
      const answer = await send(gateway, route, toLatin1(`{"name":"${TEXT}"}`));
      const detail = 'Invalid UTF-8 (byte 10).';
      expect(answer).toEqual([route.method, route.path, 422, 'invalid_request', detail]);
    }
    expect(gateway.requestedKeys).toEqual([]);
  });

  it('with Content-Encoding, to every route: refused with 415', async () => {
    const gateway = createGateway(unreachable);
    for (const route of routesWithBody) {
      const [, , ...answer] = await send(gateway, route, '{}', { 'content-encoding': 'gzip' });
      expect([route.path, ...answer]).toEqual([
        route.path,
        415,
        'unsupported_encoding',
        'The body is compressed.',
      ]);
    }
  });

  it('in Latin-1 with its charset: understood', async () => {
    const { request } = createGateway(unreachable);
    const response = await request('/admin/v1/teams', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env.ADMIN_TOKEN}`,
        'content-type': 'application/json; charset=ISO-8859-1',
      },
      body: toLatin1(`{"name":"${TEXT}"}`),
    });
    expect(await response.json()).toMatchObject({ name: TEXT });
  });
});

it('an address of the APIs of add-on and admin has percent-encoded Latin-1: refused with 422, not repaired', async () => {
  const gateway = createGateway(unreachable);
  for (const route of routes) {
    const [, , ...answer] = await send(
      gateway,
      { ...route, path: `${route.path}?name=Z%FCrich` },
      'body' in route.request.shape ? '{}' : undefined,
    );
    expect([route.path, ...answer]).toEqual([
      route.path,
      422,
      'invalid_request',
      'Invalid percent-encoded utf-8.',
    ]);
  }
});

it.each([
  ['GET', 'employee_clean/collect/Z%FCrich', 'path'],
  ['GET', 'employee_clean/collect/Z%C3rich', 'path'],
  ['GET', 'company_clean/enrich?website=z%FCrich.example', 'query'],
  ['GET', 'company_clean/collect/1?fields=%ED%A0%80', 'query'],
  ['POST', 'company_clean/search/es_dsl?after=%FC', 'query'],
  ['POST', 'company_base/search/filter/preview?snapshot_token=%C0%AF', 'query'],
])('%s %s: refused with 422 as by the sandbox, and nothing is sent', async (method, path, place) => {
  const { request, requestedKeys } = createGateway(unreachable);
  const init = { method, ...(method === 'POST' ? { body: '{}' } : {}) };
  const expected = await (await callSandbox(`/cdapi/v2/${path}`, init)).json();
  const response = await request(`/cdapi/v2/${path}`, { ...init, headers: { apikey: env.TEAM_TOKEN } });
  expect(response.status).toBe(422);
  const issue = { loc: [place], msg: 'Invalid percent-encoded utf-8', type: 'value_error' };
  expect(expected).toEqual({ detail: [issue] });
  expect(await response.json()).toEqual(expected);
  expect(requestedKeys).toEqual([]);
});

describe('a form of a data request', () => {
  /** Orders shorthand names. @returns the names that the provider gets, or the status of a refusal */
  async function order(body: BodyInit, type: string): Promise<string[] | number> {
    const sent: string[] = [];
    const { request, requestedKeys } = createGateway(async (_, sentRequest) => {
      sent.push(...(await sentRequest.formData()).getAll('shorthand_names').map(String));
      return Response.json({ request_id: crypto.randomUUID() }, { status: 201 });
    });
    const response = await request('/cdapi/v2/data_requests/company_clean/shorthand_names', {
      method: 'POST',
      headers: { apikey: env.TEAM_TOKEN, 'content-type': type },
      body,
    });
    if (response.status === 201) return sent;
    expect(requestedKeys).toEqual([]);
    return response.status;
  }

  const part = (content: string, type?: string): string =>
    `--b\r\nContent-Disposition: form-data; name="shorthand_names"\r\n${
      type === undefined ? '' : `Content-Type: ${type}\r\n`
    }\r\n${content}\r\n--b--\r\n`;
  const MULTIPART = 'multipart/form-data; boundary=b';
  const URL_ENCODED = 'application/x-www-form-urlencoded';

  it.each([
    ['a part in Latin-1 that says so', toLatin1(part('zürich', 'text/plain; charset=ISO-8859-1')), MULTIPART],
    ['a part in ASCII that says Latin-1', part('zurich', 'text/plain; charset=ISO-8859-1'), MULTIPART],
    ['all in Latin-1, which says so', toLatin1(part('zürich')), `${MULTIPART}; charset=latin1`],
    ['percent-encoded Latin-1 that says so', 'shorthand_names=z%FCrich', `${URL_ENCODED}; charset=latin1`],
    ['percent-encoded UTF-8', 'shorthand_names=z%C3%BCrich', URL_ENCODED],
    ['a field of another name with a lone %', 'x=100%&y=%zz&shorthand_names=z%C3%BCrich', URL_ENCODED],
  ])('with %s: the names are sent in UTF-8', async (name, body, type) => {
    expect(await order(body, type)).toEqual([name.includes('ASCII') ? 'zurich' : 'zürich']);
  });

  it.each([
    ['a part in Latin-1', toLatin1(part('zürich')), MULTIPART],
    ['a part in UTF-8 that says UTF-16', part('zürich', 'text/plain; charset=utf-16be'), MULTIPART],
    ['a part of a charset that nobody knows', part('zurich', 'text/plain; charset=x-nobody'), MULTIPART],
    ['percent-encoded Latin-1', 'shorthand_names=z%FCrich', URL_ENCODED],
    ['a percent-encoded half of a character', 'shorthand_names=z%C3rich', URL_ENCODED],
    ['a percent-encoded overlong slash', 'shorthand_names=a%C0%AFb', URL_ENCODED],
    ['millions of parts', '--b'.repeat(1_300_000), MULTIPART],
    ['millions of empty delimiters', '-'.repeat(4_000_000), 'multipart/form-data; boundary=""'],
    ['millions of fields', 'a&'.repeat(2_000_000), URL_ENCODED],
    ['a name in percent-encoded Latin-1', '%FC=1&shorthand_names=zurich', URL_ENCODED],
  ])('with %s: refused with 422, and nothing is ordered', async (_, body, type) => {
    expect(await order(body, type)).toBe(422);
  });
});

it('a webhook of the provider in Latin-1 or compressed: refused, and not passed on', async () => {
  const harness = new ServiceHarness();
  const { id } = await harness.createRequest();
  await harness.advance(id);
  const { pathname } = new URL(harness.webhookUrls[0] ?? '');
  const { request, listBindingCalls } = createGateway(unreachable);
  const post = async (body: BodyInit, headers: Record<string, string> = {}): Promise<number> =>
    (await request(pathname, { method: 'POST', body, headers })).status;
  expect(await post(toLatin1(`{"status":"${TEXT}"}`))).toBe(422);
  expect(await post('{}', { 'content-encoding': 'gzip' })).toBe(415);
  expect(listBindingCalls()).not.toContain('JOBS.sendBatch');
  expect(await post('{}')).toBe(204);
  expect(listBindingCalls()).toContain('JOBS.sendBatch');
  await harness.runSteps(id);
});

it.each([
  ['percent-encoded Latin-1', 'token=Z%FCrich', {}, 400],
  ['Content-Encoding', 'token=x', { 'content-encoding': 'gzip' }, 400],
])('a form of the console or of /docs with %s: refused', async (_, body, more, status) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
  const init = { method: 'POST', headers, body };
  expect((await new ConsoleDeployment().fetch('/console/sign-in', init)).status).toBe(status);
  const { request } = createGateway(unreachable);
  expect([415, 422]).toContain((await request('/docs', init)).status);
});
