// The index pipeline: URLs in one format, missing values as NULL or -1, and the filters on them.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Family } from '../../../shared/families/index.ts';
import { indexFields } from '../../../shared/families/registry.ts';
import { isUrlField } from '../../../shared/index-fields/indexed-url.ts';
import { createMappingLookup } from '../../../worker/sandbox/search/fields.ts';
import { assumptions } from './assumptions.ts';
import { control, post, put } from './client.ts';

/** Service, "Clean company index fields" and "Job posting index fields": the URL fields marked (exact). */
const EXACT_URL_FIELDS: [Family, string][] = [
  ...['main_original', 'main', 'resolved', 'facebook', 'twitter', 'professional_network']
    .concat('professional_network_canonical')
    .map((name): [Family, string] => ['company_clean', `websites_${name}`]),
  ['job_base', 'company_url'],
  ['job_base', 'job_company_website'],
];
const URLS = ['https://www.example.com', 'http://example.com/', 'WWW.Example.com', 'example.com'];

const find = async (path: string, body: unknown): Promise<unknown> =>
  (await post(`/cdapi/v2/${path}`, body)).json();
const findBase = (filters: object) => find('company_base/search/filter', filters);
const nested = (path: string, query: object) => ({ nested: { path, query } });

beforeAll(() => control({ rate_per_s: 10_000 }));

describe('URLs', () => {
  // Issue 13.19: "`term websites_main.exact = example.com` and `match` without `www` must find the record;
  // all nine URL fields with `.exact`."
  it.each<[Family, string]>([
    ['company_clean', 'websites_resolved'],
    ['job_base', 'company_url'],
  ])('in %s.%s are found without scheme and www', async (family, field) => {
    await put(
      family,
      URLS.map((url, at) => ({ id: 1 + at, [field]: url })),
    );
    for (const query of [
      { term: { [`${field}.exact`]: 'example.com' } },
      { match: { [field]: 'example.com' } },
      { query_string: { query: `${field}.exact:example.com` } },
    ])
      expect(await find(`${family}/search/es_dsl`, { query })).toEqual([1, 2, 3, 4]);
    await put(
      family,
      URLS.map((_, at) => ({ id: 1 + at })),
    );
  });

  // Contract, "Query DSL": "values that were not normalised find nothing, silently".
  it(assumptions.indexedUrls, async () => {
    const canonical_url = 'https://www.Network.example/company/Acme/';
    await put('company_base', [{ id: 1, canonical_url, website: 'https://www.acme.example/' }]);
    const search = (query: object) => find('company_base/search/es_dsl', { query });
    expect(await search({ term: { 'canonical_url.exact': 'network.example/company/Acme' } })).toEqual([1]);
    expect(await search({ match: { website: 'acme.example' } })).toEqual([1]);
    for (const value of ['https://www.acme.example/', 'https://acme.example', 'www.acme.example'])
      expect(await search({ term: { 'website.exact': value } })).toEqual([]);
    expect(await search({ match: { website: 'www.acme.example' } })).toEqual([]);
  });

  it(assumptions.filterUrls, async () => {
    await put('company_base', [{ id: 1, website: 'https://www.acme.example/' }]);
    for (const exact_website of ['acme.example', 'www.acme.example', 'https://www.acme.example/'])
      expect(await findBase({ exact_website })).toEqual([1]);
    expect(await findBase({ exact_website: 'acme.example/about' })).toEqual([]);
    const experience = {
      company_website: 'http://acme.example',
      company_url: 'http://n.example/company/acme',
    };
    await put('employee_base', [{ id: 1, experience: [experience] }]);
    for (const filters of [
      { experience_company_website_exact_url: 'https://www.acme.example' },
      { experience_company_professional_network_url: 'https://www.n.example/company/acme' },
    ])
      expect(await find('employee_base/search/filter', filters)).toEqual([1]);
  });

  it('are unchanged in the record', async () => {
    await put('company_clean', [{ id: 9, websites_main: 'https://www.kept.example/' }]);
    const query = { term: { 'websites_main.exact': 'kept.example' } };
    expect(await find('company_clean/search/es_dsl/preview', { query })).toMatchObject([
      { website_main: 'https://www.kept.example/' },
    ]);
  });

  it('are the values of these nine fields with an exact variant, and of no others', () => {
    const found = (['company_clean', 'job_base'] as const).flatMap((family) => {
      const mapping = createMappingLookup(indexFields[family]);
      return mapping
        .findMatching('*')
        .filter(({ path }) => isUrlField(path) && mapping.getField(`${path}.exact`) !== undefined)
        .map(({ path }) => [family, path]);
    });
    expect(found.toSorted()).toEqual(EXACT_URL_FIELDS.toSorted());
    expect(['location_hq_country', 'curl_count', 'description'].filter(isUrlField)).toEqual([]);
  });
});

describe('missing values', () => {
  const fields = ['industry', 'size_range', 'followers', 'websites_main'];
  const setAll = (value: unknown) => Object.fromEntries(fields.map((field) => [field, value]));
  const search = (id: number, clause: object) =>
    find('company_clean/search/es_dsl', { query: { bool: { filter: [{ ids: { values: [id] } }, clause] } } });

  // Service: "Missing values of fields marked (NULL) are indexed as the literal string `NULL`." and "marked (-1)".
  it.each([
    ['absent', {}],
    ['null', setAll(null)],
    ['an empty array', setAll([])],
  ])('are indexed as NULL or -1 if a field is %s', async (_, values) => {
    await put('company_clean', [{ id: 21, name: 'Missing', ...values }]);
    for (const field of ['size_range', 'industry.exact', 'websites_main.exact'])
      expect(await search(21, { term: { [field]: 'NULL' } }), field).toEqual([21]);
    expect(await search(21, { term: { followers: -1 } })).toEqual([21]);
    // Search: "with `.exact` null_value NULL, `term f.exact = NULL` hits and `match f = NULL` does not".
    expect(await search(21, { match: { industry: 'NULL' } })).toEqual([]);
    // Service: `founded` is a keyword without (NULL), `specialities` "(exact), no null substitute".
    for (const field of ['founded', 'specialities.exact'])
      expect(await search(21, { exists: { field } }), field).toEqual([]);
  });

  it(assumptions.missingValues, async () => {
    const funding_rounds = [{ last_round_date: '2024-01-01' }];
    await put('company_clean', [{ id: 31, industry: '', funding_rounds, locations_full: [] }]);
    const noType = { term: { 'funding_rounds.last_round_type': 'NULL' } };
    expect(await search(31, nested('funding_rounds', noType))).toEqual([31]);
    expect(await search(31, nested('locations_full', { match_all: {} }))).toEqual([]);
    expect(await search(31, { term: { 'industry.exact': 'NULL' } })).toEqual([]);
  });
});

describe('filters', () => {
  // Issue 13.22: "`_lte` filters on numbers must not count missing values as -1 …; es_dsl keeps -1."
  it(assumptions.missingNumbers, async () => {
    await put('company_base', [
      { id: 1, founded: 2000 },
      { id: 2, founded: null },
      { id: 3 },
      { id: 4, founded: 2024 },
    ]);
    expect(await findBase({ founded_year_lte: 2022 })).toEqual([1]);
    expect(await findBase({ founded_year_gte: -1 })).toEqual([1, 4]);
    expect(await findBase({ source_id: -1 })).toEqual([]);
    const query = { range: { founded: { lte: 2022 } } };
    expect(await find('company_base/search/es_dsl', { query })).toEqual([1, 2, 3]);
  });

  // Issue 13.22: "choose one behaviour for plain, quoted and wildcard values alike".
  it(assumptions.keywordFilters, async () => {
    const rounds = ['Seed', 'Series A', 'Series B'].map((last_round_type, at) => ({
      id: 1 + at,
      company_funding_rounds_collection: [{ last_round_type }],
    }));
    await put('company_base', [...rounds, { id: 4, headquarters_country_parsed: 'United States' }]);
    for (const [type, ids] of [
      ...['seed', 'Seed', '"SEED"', 'see*'].map((seed) => [seed, [1]] as const),
      ...['series a', '"Series A"', 'Series A*'].map((series) => [series, [2]] as const),
      ...([
        ['ser*', [2, 3]],
        ['series', []],
        ['(series a) OR seed', [1, 2]],
      ] as const),
    ])
      expect(await findBase({ funding_last_round_type: type }), type).toEqual(ids);
    for (const country of ['united states', '"United States"', 'UNITED*'])
      expect(await findBase({ country }), country).toEqual([4]);
  });
});
