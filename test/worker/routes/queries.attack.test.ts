// Attacks by huge queries: they are refused before they are walked, varied or sent.
import { env, exports as worker } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { relaxQuery } from '../../../shared/query/query-conditions.ts';
import { getQueryFields } from '../../../shared/query/query-fields.ts';
import { buildTeamRequest, createGateway } from '../harness.ts';

const clauses = (count: number) => Array.from({ length: count }, (_, at) => ({ term: { [`f${at}`]: 1 } }));
const names = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`);

it.each([
  ['60,000 clauses', 413, { es_dsl: { query: { bool: { must: clauses(60_000) } } } }],
  [
    '200,000 field names',
    413,
    { es_dsl: { query: { multi_match: { query: 'x', fields: names(200_000) } } } },
  ],
  ['a text of 2 MB', 422, { es_dsl: { query: { query_string: { query: 'a:b '.repeat(500_000) } } } }],
  ['9,000 clauses', 422, { es_dsl: { query: { bool: { must: clauses(9_000) } } } }],
  ['200,000 filters', 413, { filters: Object.fromEntries(names(200_000).map((name) => [name, 'x'])) }],
])('the add-on searches with %s and asks why nothing matches: refused with %i', async (_, status, query) => {
  const { request, requestedKeys } = createGateway(() => Response.json([]));
  const body = { family: 'company_base', ...query, any_fields: true, explain_empty: true };
  const response = await request('/sheets/v1/search', buildTeamRequest(body));
  expect([response.status, requestedKeys]).toEqual([status, []]);
  expect(await response.text()).toContain(status === 422 ? 'characters' : 'values');
});

it.each([
  '/cdapi/v2/company_clean/search/es_dsl',
  '/cdapi/v2/company_clean/search/es_dsl/preview',
  '/cdapi/v2/data_requests/company_clean/es_dsl',
])('a program sends 15,001 characters to %s: refused as the provider does, without a call', async (path) => {
  const { request, requestedKeys } = createGateway(() => Response.json([]));
  const query = { query: { match: { name: 'x'.repeat(15_001) } } };
  const body = JSON.stringify(path.includes('data_requests') ? { es_dsl_query: query } : query);
  const response = await request(path, { method: 'POST', body, headers: { apikey: env.TEAM_TOKEN } });
  expect([response.status, requestedKeys]).toEqual([400, []]);
  expect(await response.json()).toEqual({ Error: expect.stringContaining('longer than 15000 characters') });
});

it('white space around a query of the provider’s length counts for nothing: accepted', async () => {
  const { request } = createGateway(() => Response.json([1]));
  const body = `{"query":${' '.repeat(50_000)}{"match_all":{}}}`;
  const init = { method: 'POST', body, headers: { apikey: env.TEAM_TOKEN } };
  expect((await request('/cdapi/v2/company_clean/search/es_dsl', init)).status).toBe(200);
});

it('a query of any length is walked and varied in bounded steps', () => {
  const query = { es_dsl: { query: { bool: { must: clauses(60_000) } } } };
  expect(relaxQuery(query)).toHaveLength(8);
  expect(getQueryFields({ es_dsl: { multi_match: { fields: names(200_000) } } })).toHaveLength(200_000);
});

it.each(['company_base', 'employee_base'])(
  'a filter of %s with 10,000 letters breaks the engine of the sandbox: refused with 422',
  async (family) => {
    for (const country of ['a'.repeat(10_000), 'a '.repeat(5_000)]) {
      const response = await worker.default.fetch(
        `http://127.0.0.1/provider/cdapi/v2/${family}/search/filter`,
        {
          method: 'POST',
          headers: { apikey: env.SANDBOX_KEY },
          body: JSON.stringify({ country }),
        },
      );
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ type: 'value_error.filter' }] });
    }
  },
);
