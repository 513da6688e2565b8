// Unknown fields and filters: a 422 with the nearest known name before any call to the provider.
import { describe, expect, it } from 'vitest';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { callsWith, tokenOf } from './callers.ts';

const lookup = { family: 'company_clean', by: 'website', keys: ['a1.com'] };
const query = { family: 'company_base', text: 'industy:software' };
const pages = { headers: { 'x-total-results': '1', 'x-total-pages': '1' } };

async function createCaller() {
  const requests: string[] = [];
  const at = createGateway((key, request) => {
    requests.push(new URL(request.url).pathname);
    return request.method === 'GET' ? buildCompanyResponse(key) : Response.json([{ id: 1 }], pages);
  }, 'unknown-fields');
  return { requests, ...callsWith(await tokenOf('unknown-fields'), at) };
}

// "Check fields and query field names before any purchase, and name the nearest right one."
describe('unknown names are rejected before any call to the provider', () => {
  it.each([
    [
      '/lookup',
      { ...lookup, fields: ['name', 'employee_count'] },
      '"employee_count"',
      'size_employees_count',
    ],
    ['/estimate', { ...lookup, fields: ['website'] }, '"website"', 'websites_main'],
    ['/search', query, '"industy"', 'industry'],
    ['/preview', query, '"industy"', 'industry'],
    ['/preview', { ...query, text: 'acme', fields: ['nmae'] }, '"nmae"', 'name'],
    ['/preview', { family: 'job_base', filters: { titel: 'x' } }, '"titel" is not a filter', 'title'],
    [
      '/searches',
      { name: 'A', shared: true, family: 'company_base', query: { text: 'industy:x' } },
      '"industy"',
      'industry',
    ],
    [
      '/requests',
      { family: 'company_base', kind: 'filter', filters: { idustry: 'x' } },
      '"idustry"',
      'industry',
    ],
    ['/requests', { family: 'company_base', kind: 'ids', keys: ['1'], columns: ['nmae'] }, '"nmae"', 'name'],
  ])('POST %s %j', async (path, body, name, meant) => {
    const { problem, requests } = await createCaller();
    const refused = await problem('POST', path, body);
    expect(refused).toMatchObject({
      status: 422,
      code: 'unknown_field',
      fix: expect.stringContaining('any_fields'),
    });
    expect(refused.detail).toContain(name);
    expect(refused.detail).toContain(`did you mean ${meant}?`);
    expect(requests).toEqual([]);
  });
});

describe('any_fields', () => {
  it('allows unknown names in records, previews and queries', async () => {
    const { ok, requests } = await createCaller();
    const any_fields = true;
    await ok('POST', '/lookup', { ...lookup, fields: ['carbon_footprint'], any_fields });
    await ok('POST', '/search', { family: 'company_clean', text: 'carbon_footprint:low', any_fields });
    const body = {
      family: 'company_clean',
      es_dsl: { match: { carbon: 'low' } },
      fields: ['carbon'],
      any_fields,
    };
    const { columns } = await ok<{ columns: { name: string }[] }>('POST', '/preview', body);
    expect(columns.map(({ name }) => name)).toEqual(['carbon']);
    expect(requests.at(-1)).toBe('/cdapi/v2/company_clean/search/es_dsl/preview');
  });

  it('is not sent to the provider', async () => {
    const bodies: string[] = [];
    const at = createGateway(async (_, request) => {
      bodies.push(await request.text());
      return Response.json([1], pages);
    }, 'unknown-fields-body');
    const { ok } = callsWith(await tokenOf('unknown-fields-body'), at);
    await ok('POST', '/search', { family: 'company_base', filters: { name: 'x' }, any_fields: true });
    expect(bodies).toEqual(['{"name":"x"}']);
  });
});
