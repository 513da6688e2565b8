// The description is one with what is routed: every route is in it, and what is answered is what it says.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { methods, type OperationObject, type Parameter, type Schema } from '../../shared/openapi/document.ts';
import { fileOperations, operations } from '../../shared/operations.ts';
import { isProblemCode, type Problem, problems } from '../../shared/problems.ts';
import { createApp } from '../../worker/app.ts';
import { adminRouteTable } from '../../worker/routes/admin/index.ts';
import { buildOpenApi } from '../../worker/routes/docs/openapi/document.ts';
import { buildSample } from '../../worker/routes/docs/schemas.ts';
import type { DescribedRoute } from '../../worker/routes/route.ts';
import { sheetsRouteTable } from '../../worker/routes/sheets/routes.ts';
import { buildCompanyResponse, buildTeamRequest, createGateway } from './harness.ts';
import { testPlatform } from './platform.ts';

const document = buildOpenApi('https://gateway.example');

interface Located {
  path: string;
  method: string;
  operation: OperationObject;
}

const all: Located[] = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ path, method, operation }];
  }),
);

function described(method: string, path: string): OperationObject {
  const found = all.find((own) => own.method === method && own.path === path);
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found.operation;
}

/** `/teams/:id` and `/collect/:key{.+}` as descriptions write them. */
const bracesOf = (pattern: string): string => pattern.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}');

describe('the description', () => {
  it('has every address that is routed, and no other', () => {
    const routed = createApp(testPlatform)
      .routes.map(({ path }) => bracesOf(path))
      .filter((path) => !path.endsWith('*'));
    // The files of data requests are refused under one pattern; the two pages are for people.
    const files = Object.values(fileOperations).map(({ path }) => `/cdapi${path}`);
    const pages = ['/docs', '/connect'];
    const expected = new Set([...routed, ...files].filter((path) => !pages.includes(path)));
    expect(new Set(Object.keys(document.paths))).toEqual(expected);
  });

  it('has every method of the tables', () => {
    const named = (prefix: string, table: readonly DescribedRoute[]): string[] =>
      table.map(({ method, path }) => `${method.toLowerCase()} ${prefix}${path}`);
    const tabled = [
      ...operations.map(({ method, path }) => `${method.toLowerCase()} /cdapi${path}`),
      ...named('/sheets/v1', sheetsRouteTable),
      ...named('/admin/v1', adminRouteTable),
    ];
    expect(all.map(({ method, path }) => `${method} ${path}`)).toEqual(expect.arrayContaining(tabled));
  });

  it('names each operation once, and the parameters of its path', () => {
    const names = all.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^\w+$/);
    for (const { path, operation } of all) {
      const own = (operation.parameters ?? []).filter((parameter: Parameter) => parameter.in === 'path');
      expect(
        own.map(({ name }) => `{${name}}`),
        path,
      ).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(own.every(({ required }) => required)).toBe(true);
    }
  });

  it('refers only to parts that it has, and to every tag', () => {
    const components: Record<string, Record<string, unknown>> = JSON.parse(
      JSON.stringify(document.components),
    );
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, kind = '', name = ''] of references) expect(components[kind]).toHaveProperty([name]);
    const tags = document.tags?.map(({ name }) => name);
    expect(new Set(all.flatMap(({ operation }) => operation.tags))).toEqual(new Set(tags));
    expect(document['x-tagGroups']?.flatMap((group) => group.tags)).toEqual(tags);
  });

  it('tells of every problem what it is and what to do', () => {
    const { examples = {} } = document.components;
    expect(Object.keys(examples)).toEqual(Object.keys(problems));
    for (const [code, { value }] of Object.entries(examples)) {
      expect(value).toMatchObject({ code, fix: expect.stringMatching(/\.$/) });
    }
  });

  it('holds no key, token or address of this deployment', () => {
    const text = JSON.stringify(document);
    for (const secret of [env.TEAM_TOKEN, env.SANDBOX_KEY]) expect(text).not.toContain(secret);
  });
});

describe('the drop-in surface', () => {
  // Provider API: "The operations are declared with an API-key security scheme named `ApiKeyAuth`; the key is sent in the
  // request header named `apikey`."
  it('declares the service’s security scheme', () => {
    expect(document.components.securitySchemes.ApiKeyAuth).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'apikey',
    });
    const dropIn = all.filter(({ path }) => path.startsWith('/cdapi/'));
    for (const { operation } of dropIn) expect(operation.security).toEqual([{ ApiKeyAuth: [] }]);
  });

  it('is described with its price, what a call tells, and the service’s four shapes of error', () => {
    for (const { name, path, method, credits } of operations) {
      const operation = described(method.toLowerCase(), `/cdapi${path}`);
      expect(operation['x-credits']).toBe(credits);
      if (name === 'bulk') continue;
      expect(Object.keys(operation.responses[200]?.headers ?? {})).toEqual(
        expect.arrayContaining([
          'x-cache',
          'age',
          'x-credits-charged',
          'x-credits-remaining',
          'RateLimit',
          'RateLimit-Policy',
        ]),
      );
      // Provider API, "Headers": on "all" answers.
      for (const { headers } of Object.values(operation.responses)) {
        expect(headers).toHaveProperty('x-ratelimit-limit-second');
        expect(headers).toHaveProperty('x-ratelimit-remaining-second');
        expect(headers).toHaveProperty('x-correlation-id');
      }
      expect(operation.responses[429]?.headers).toHaveProperty('Retry-After');
    }
    const dsl = described('post', '/cdapi/v2/company_base/search/es_dsl').responses;
    const shape = (status: number): Schema | undefined => dsl[status]?.content?.['application/json']?.schema;
    expect([400, 401, 402, 422].map((status) => shape(status)?.$ref?.split('/').at(-1))).toEqual([
      'QueryError',
      'Message',
      'Detail',
      'HTTPValidationError',
    ]);
  });

  it('answers no header of its own that is not described', async () => {
    const { request } = createGateway(buildCompanyResponse);
    const response = await request('/cdapi/v2/company_clean/enrich?website=a1.example', {
      headers: { apikey: env.TEAM_TOKEN },
    });
    const told = Object.keys(
      described('get', '/cdapi/v2/company_clean/enrich').responses[200]?.headers ?? {},
    );
    const known = new Set(told.map((name) => name.toLowerCase()));
    // Those of every page of the web are hono's.
    const common =
      /^(?:x-(?:content|dns|download|frame|permitted|xss)|cross-|origin-|referrer|strict|content-|cache-)/;
    const own = [...response.headers.keys()].filter((name) => !common.test(name));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the surface of the add-on', () => {
  const { request } = createGateway(buildCompanyResponse);
  it.each([
    ['post', '/lookup', '/lookup', buildTeamRequest('{')],
    ['post', '/lookup', '/lookup', { method: 'POST' }],
    ['post', '/search', '/search', buildTeamRequest({ family: 'employee_post', text: 'a' })],
    [
      'get',
      '/fields/{family}',
      '/fields/nothing',
      { headers: { authorization: `Bearer ${env.TEAM_TOKEN}` } },
    ],
  ])('refuses %s %s with a problem that is described', async (method, path, address, init: RequestInit) => {
    const response = await request(`/sheets/v1${address}`, init);
    const { code } = await response.json<Problem>();
    const answer = described(method, `/sheets/v1${path}`).responses[response.status];
    const media = answer?.content?.['application/problem+json'];
    expect(isProblemCode(code)).toBe(true);
    expect(Object.keys(media?.examples ?? {})).toContain(code);
  });
});

describe('a sample body made of the description', () => {
  const tables = [
    ['/sheets/v1', sheetsRouteTable],
    ['/admin/v1', adminRouteTable],
  ] as const;
  const bodies = tables.flatMap(([prefix, table]) =>
    table.flatMap(({ method, path, request }) => {
      const { body } = request.shape;
      return body === undefined ? [] : [[method, prefix + path, body] as const];
    }),
  );

  it.each(bodies)('of %s %s is taken', (method, path, body) => {
    const schema = described(method.toLowerCase(), path).requestBody?.content['application/json']?.schema;
    if (schema === undefined) throw new Error('no body is described');
    expect(z.core.safeParse(body, buildSample(schema, document, false))).toMatchObject({ success: true });
  });
});
