// Cells that are no key cost nothing and reach no provider: in lookups, at companies, and in the drop-in API.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { AccountsResponse } from '../../../../shared/api/accounts.ts';
import type { LookupResponse } from '../../../../shared/api/lookup.ts';
import type { Family, KeyFormat } from '../../../../shared/families/index.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { createTokenClient } from './callers.ts';

const missing = () => Response.json({ detail: 'Company not found' }, { status: 404 });

const lookUp = async (family: Family, by: KeyFormat, keys: string[], script = buildCompanyResponse) => {
  const gateway = createGateway(script);
  const { ok } = createTokenClient(env.TEAM_TOKEN, gateway);
  const answer = await ok<LookupResponse>('POST', '/lookup', { family, by, keys, fields: ['id'] });
  return { ...answer, sent: gateway.requestedKeys };
};

describe('a lookup', () => {
  it.each<[Family, KeyFormat, string[]]>([
    [
      'company_clean',
      'website',
      [
        ...['E.Ondra', 'J.Crewe', '@home Interiors', 'Acme Inc', '4711', '4711.0', '1.23457E+15', "'4711"],
        ...['ada@gmail.com', 'Ada <ada@wp.pl>', 'ada@mailinator.com', 'ada@x.mozmail.com'],
        ...['https://network.example/company/acme', 'facebook.com/acme', 'acme.example or acme.test'],
      ],
    ],
    [
      'company_clean',
      'auto',
      ['E.Ondra', '4,711', "'4711", 'ada@gmail.com', 'https://network.example/in/ada'],
    ],
    [
      'company_base',
      'auto',
      [
        'https://www.acme.example/company/about-us',
        'https://acme.example/de/company/team',
        '4711.0',
        '4,711',
        'E.ON',
        'J.Crewe',
      ],
    ],
    ['company_base', 'url', ['https://acme.example/school/about', 'acme.example', 'Acme Inc']],
    [
      'employee_clean',
      'auto',
      ['https://acme.example/in/contact', '1.5', 'https://network.example/company/a'],
    ],
    ['job_base', 'id', ['4711.0', '4,711', '1E+5']],
  ])('of %s by %s buys nothing for other texts', async (family, by, keys) => {
    const { rows, credits, sent } = await lookUp(family, by, keys);
    expect(rows).toEqual(keys.map((key) => ({ key, status: 'invalid', credits: 0, problem: 'invalid_key' })));
    expect(credits.spent).toBe(0);
    expect(sent).toEqual([]);
  });

  it('buys one record for all spellings of a website', async () => {
    const keys = [
      ...[
        'acme1.example',
        '\u200eacme1.example',
        '\u2066acme1.example\u2069',
        'acme1.example\ufe0f',
        '"acme1.example"',
      ],
      ...['acme1.example (new)', 'https//acme1.example', 'https:\\\\acme1.example', 'http:acme1.example'],
      ...['Ada <ada@acme1.example>', 'mailto:ada@acme1.example?subject=Hi', 'ada@acme1.example;'],
      ...['https://www.acme1.example/company/about-us'],
    ];
    const { rows, credits, sent } = await lookUp('company_clean', 'website', keys);
    expect(rows.map(({ record }) => record)).toEqual(keys.map(() => ({ id: 1 })));
    expect(credits.spent).toBe(10);
    expect(sent).toEqual(['acme1.example']);
  });

  it.each([
    ['blog.loops.example', 'loops.example'],
    ['www.shop.loops.co.uk', 'loops.co.uk'],
    ['ada@mail.loops.example', 'loops.example'],
  ])(
    'offers the registered domain of %s, which has no record, without buying it',
    async (key, suggestion) => {
      const { rows, sent } = await lookUp('company_clean', 'website', [key], missing);
      expect(rows).toEqual([{ key, status: 'not_found', credits: 0, problem: 'not_found', suggestion }]);
      expect(sent).toHaveLength(1);
    },
  );

  it.each(['loops.example', 'loops.co.uk', 'acme.github.io', 'acme.blogspot.com', 'acme.linkedin.com'])(
    'offers nothing for %s, which no registered domain of the company is above',
    async (key) => {
      const { rows } = await lookUp('company_clean', 'website', [key], missing);
      expect(rows).toEqual([{ key, status: 'not_found', credits: 0, problem: 'not_found' }]);
    },
  );
});

it('people at companies are not searched for numbers that are no id, and for addresses of private mail', async () => {
  const gateway = createGateway(buildCompanyResponse);
  const companies = ['4711.0', '1.23457E+15', 'ada@wp.pl', 'https://network.example/in/ada'];
  const answer = await createTokenClient(env.TEAM_TOKEN, gateway).ok<AccountsResponse>(
    'POST',
    '/accounts/people',
    {
      companies,
      es_dsl: { query: { match_all: {} } },
    },
  );
  expect(answer.accounts.map(({ problem }) => problem)).toEqual(companies.map(() => 'invalid_key'));
  expect(gateway.requestedKeys).toEqual([]);
});

describe('the drop-in API', () => {
  it.each([
    'company_base/collect/https%3A%2F%2Fwww.acme.example%2Fcompany%2Fabout-us',
    'employee_clean/collect/acme.example%2Fin%2Fcontact',
  ])('answers %s itself: it is no profile', async (path) => {
    const { request, requestedKeys } = createGateway(buildCompanyResponse);
    const response = await request(`/cdapi/v2/${path}`, { headers: { apikey: env.TEAM_TOKEN } });
    expect(response.status).toBe(422);
    expect(response.headers.get('x-problem')).toBe('invalid_key');
    expect(await response.json()).toEqual({ detail: expect.stringContaining('not a profile URL') });
    expect(requestedKeys).toEqual([]);
  });

  it('looks a profile of the network up by its shorthand name', async () => {
    const { request, requestedKeys } = createGateway(buildCompanyResponse);
    const path = '/cdapi/v2/company_base/collect/https%3A%2F%2Fwww.linkedin.com%2Fcomm%2Fcompany%2FAcme';
    expect((await request(path, { headers: { apikey: env.TEAM_TOKEN } })).status).toBe(200);
    expect(requestedKeys).toEqual(['acme']);
  });
});
