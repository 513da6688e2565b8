// The OpenAPI document describes every route, and responses match it.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { methods, type OperationObject, type Schema } from '../../shared/openapi/document.ts';
import { fileOperations, operations } from '../../shared/operations.ts';
import { isProblemCode, type Problem, problems } from '../../shared/problems.ts';
import { createApp } from '../../worker/app.ts';
import { adminRouteTable } from '../../worker/routes/admin/index.ts';
import { buildOpenApi } from '../../worker/routes/docs/openapi/document.ts';
import { buildSample } from '../../worker/routes/docs/samples.ts';
import { sheetsRouteTable } from '../../worker/routes/sheets/routes.ts';
import { signInRouteTable } from '../../worker/routes/sheets/sign-in.ts';
import { buildCompanyResponse, buildTeamRequest, createGateway } from './harness.ts';
import { testPlatform } from './platform.ts';

const document = buildOpenApi('https://gateway.example');
const described = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ path, method, operation }];
  }),
);
const tables = [
  ['/sheets/v1', sheetsRouteTable],
  ['/sheets/v1', signInRouteTable],
  ['/admin/v1', adminRouteTable],
] as const;

function getOperation(method: string, path: string): OperationObject {
  const found = described.find((each) => each.method === method.toLowerCase() && each.path === path);
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found.operation;
}

/** Converts `/teams/:id` and `/collect/:key{.+}` to OpenAPI paths. */
const toOpenApiPath = (pattern: string): string => pattern.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}');

describe('the document', () => {
  it('has exactly the paths of the app', () => {
    const routed = createApp(testPlatform)
      .routes.map(({ path }) => toOpenApiPath(path))
      .filter((path) => !path.endsWith('*'));
    // One pattern refuses all files of data requests; the pages are HTML, and assistants have another protocol.
    const files = Object.values(fileOperations).map(({ path }) => `/cdapi${path}`);
    const isPage = (path: string): boolean =>
      /^\/(?:docs|help|connect|(?:console|mcp|\.well-known)(?:\/.*)?)$/.test(path);
    const expected = new Set([...routed, ...files].filter((path) => !isPage(path)));
    expect(new Set(Object.keys(document.paths))).toEqual(expected);
  });

  it('has every operation of the route tables', () => {
    const expected = [
      ...operations.map(({ method, path }) => `${method.toLowerCase()} /cdapi${path}`),
      ...tables.flatMap(([prefix, table]) =>
        table.map(({ method, path }) => `${method.toLowerCase()} ${prefix}${path}`),
      ),
    ];
    expect(described.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(expected),
    );
  });

  it('gives each operation a unique id and the parameters of its path', () => {
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^\w+$/);
    for (const { path, operation } of described) {
      const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      const names = parameters.map(({ name }) => `{${name}}`);
      expect(names, path).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(parameters.every(({ required }) => required)).toBe(true);
    }
  });

  it('defines every component and tag that it refers to', () => {
    const components: Record<string, Record<string, unknown>> = JSON.parse(
      JSON.stringify(document.components),
    );
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, kind = '', name = ''] of references) expect(components[kind]).toHaveProperty([name]);
    const tags = document.tags?.map(({ name }) => name);
    expect(new Set(described.flatMap(({ operation }) => operation.tags))).toEqual(new Set(tags));
    expect(document['x-tagGroups']?.flatMap((group) => group.tags)).toEqual(tags);
  });

  it('has an example of every problem, with a fix', () => {
    const { examples = {} } = document.components;
    expect(Object.keys(examples)).toEqual(Object.keys(problems));
    for (const [code, { value }] of Object.entries(examples)) {
      expect(value).toMatchObject({ code, fix: expect.stringMatching(/\.$/) });
    }
  });

  it('contains no secret of the deployment', () => {
    const text = JSON.stringify(document);
    for (const secret of [env.TEAM_TOKEN, env.SANDBOX_KEY]) expect(text).not.toContain(secret);
  });
});

describe('the drop-in surface', () => {
  // service.md: "The operations are declared with an API-key security scheme named `ApiKeyAuth`; the key is sent in the
  // request header named `apikey`."
  it('declares the provider’s security scheme', () => {
    const scheme = { type: 'apiKey', in: 'header', name: 'apikey' };
    expect(document.components.securitySchemes.ApiKeyAuth).toMatchObject(scheme);
    for (const { path, operation } of described) {
      if (path.startsWith('/cdapi/')) expect(operation.security).toEqual([{ ApiKeyAuth: [] }]);
    }
  });

  it('describes prices, headers and the provider’s four error bodies', () => {
    for (const { name, path, method, credits } of operations) {
      const operation = getOperation(method, `/cdapi${path}`);
      expect(operation['x-credits']).toBe(credits);
      if (name === 'bulk') continue;
      const headers = ['x-cache', 'age', 'x-credits-charged', 'x-credits-remaining', 'RateLimit'];
      expect(Object.keys(operation.responses[200]?.headers ?? {})).toEqual(
        expect.arrayContaining([...headers, 'RateLimit-Policy']),
      );
      // contract.md, "Headers": on "all" answers.
      for (const response of Object.values(operation.responses)) {
        expect(Object.keys(response.headers ?? {})).toEqual(
          expect.arrayContaining([
            'x-ratelimit-limit-second',
            'x-ratelimit-remaining-second',
            'x-correlation-id',
          ]),
        );
      }
      expect(operation.responses[429]?.headers).toHaveProperty('Retry-After');
    }
    const { responses } = getOperation('post', '/cdapi/v2/company_base/search/es_dsl');
    const getSchema = (status: number): Schema | undefined =>
      responses[status]?.content?.['application/json']?.schema;
    const names = [400, 401, 402, 422].map((status) => getSchema(status)?.$ref?.split('/').at(-1));
    expect(names).toEqual(['QueryError', 'Message', 'Detail', 'HTTPValidationError']);
  });

  it('sends no header that is not described', async () => {
    const { request } = createGateway(buildCompanyResponse);
    const path = '/cdapi/v2/company_clean/enrich';
    const response = await request(`${path}?website=a1.example`, { headers: { apikey: env.TEAM_TOKEN } });
    const headers = getOperation('get', path).responses[200]?.headers ?? {};
    const known = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    // Security headers of hono are on every page.
    const common =
      /^(?:x-(?:content|dns|download|frame|permitted|xss)|cross-|origin-|referrer|strict|content-|cache-)/;
    const sent = [...response.headers.keys()].filter((name) => !common.test(name));
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the surface of the add-on', () => {
  const { request } = createGateway(buildCompanyResponse);
  const fields: RequestInit = { headers: { authorization: `Bearer ${env.TEAM_TOKEN}` } };

  it.each<[string, string, string, RequestInit]>([
    ['post', '/lookup', '/lookup', buildTeamRequest('{')],
    ['post', '/lookup', '/lookup', { method: 'POST' }],
    ['post', '/search', '/search', buildTeamRequest({ family: 'employee_post', text: 'a' })],
    ['get', '/fields/{family}', '/fields/nothing', fields],
  ])('refuses %s %s with a described problem', async (method, path, url, init) => {
    const response = await request(`/sheets/v1${url}`, init);
    const { code } = await response.json<Problem>();
    const { content } = getOperation(method, `/sheets/v1${path}`).responses[response.status] ?? {};
    expect(isProblemCode(code)).toBe(true);
    expect(Object.keys(content?.['application/problem+json']?.examples ?? {})).toContain(code);
  });

  const bodies = tables.flatMap(([prefix, table]) =>
    table.flatMap(({ method, path, request: { shape } }) =>
      shape.body === undefined ? [] : [[method, prefix + path, shape.body] as const],
    ),
  );

  it.each(bodies)('accepts the sample body of %s %s', (method, path, body) => {
    const schema = getOperation(method, path).requestBody?.content['application/json']?.schema;
    if (schema === undefined) throw new Error('no body is described');
    expect(z.core.safeParse(body, buildSample(schema, document, false))).toMatchObject({ success: true });
  });
});
