// What the service writes to its index: URLs in one form, missing values as NULL or -1; and how filters meet them.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Family } from '../../../shared/families/index.ts';
import { indexFields } from '../../../shared/families/registry.ts';
import { isUrlField } from '../../../shared/index-fields/indexed-url.ts';
import { assumptions } from '../../../worker/sandbox/api/assumptions.ts';
import { createMappingLookup } from '../../../worker/sandbox/search/fields.ts';
import { control, post, put } from './client.ts';

/** Service, "Clean company index fields" and "Job posting index fields": the URL fields marked (exact). */
const EXACT_URL_FIELDS: [Family, string][] = [
  ...[
    ...['websites_main_original', 'websites_main', 'websites_resolved', 'websites_facebook'],
    ...['websites_twitter', 'websites_professional_network', 'websites_professional_network_canonical'],
  ].map((field): [Family, string] => ['company_clean', field]),
  ['job_base', 'company_url'],
  ['job_base', 'job_company_website'],
];
const SPELLINGS = ['https://www.example.com', 'http://example.com/', 'WWW.Example.com', 'example.com'];

async function find(path: string, body: unknown): Promise<unknown> {
  return (await post(`/cdapi/v2/${path}`, body)).json();
}

beforeAll(() => control({ rate_per_s: 10_000 }));

describe('URLs', () => {
  // Issue 13.19: "`term websites_main.exact = example.com` and `match` without `www` must find the record;
  // all nine URL fields with `.exact`."
  it.each(EXACT_URL_FIELDS)('of %s.%s are found without scheme and www', async (family, field) => {
    await put(
      family,
      SPELLINGS.map((url, index) => ({ id: 1 + index, [field]: url })),
    );
    const search = `${family}/search/es_dsl`;
    const all = [1, 2, 3, 4];
    expect(await find(search, { query: { term: { [`${field}.exact`]: 'example.com' } } })).toEqual(all);
    expect(await find(search, { query: { match: { [field]: 'example.com' } } })).toEqual(all);
    const query_string = { query: `${field}.exact:example.com` };
    expect(await find(search, { query: { query_string } })).toEqual(all);
    await put(
      family,
      SPELLINGS.map((_, index) => ({ id: 1 + index })),
    );
  });

  // Contract, "Query DSL": "values that were not normalised find nothing, silently".
  it(assumptions.indexedUrls, async () => {
    await put('company_base', [
      {
        id: 1,
        canonical_url: 'https://www.Network.example/company/Acme/',
        website: 'https://www.acme.example/',
      },
    ]);
    const found = (query: object) => find('company_base/search/es_dsl', { query });
    expect(await found({ term: { 'canonical_url.exact': 'network.example/company/Acme' } })).toEqual([1]);
    expect(await found({ match: { website: 'acme.example' } })).toEqual([1]);
    for (const value of ['https://www.acme.example/', 'https://acme.example', 'www.acme.example']) {
      expect(await found({ term: { 'website.exact': value } })).toEqual([]);
    }
    expect(await found({ match: { website: 'www.acme.example' } })).toEqual([]);
  });

  it(assumptions.filterUrls, async () => {
    await put('company_base', [{ id: 1, website: 'https://www.acme.example/' }]);
    for (const exact_website of ['acme.example', 'www.acme.example', 'https://www.acme.example/']) {
      expect(await find('company_base/search/filter', { exact_website })).toEqual([1]);
    }
    expect(await find('company_base/search/filter', { exact_website: 'acme.example/about' })).toEqual([]);
    const experience = {
      company_website: 'http://acme.example',
      company_url: 'http://n.example/company/acme',
    };
    await put('employee_base', [{ id: 1, experience: [experience] }]);
    for (const body of [
      { experience_company_website_exact_url: 'https://www.acme.example' },
      { experience_company_professional_network_url: 'https://www.n.example/company/acme' },
    ]) {
      expect(await find('employee_base/search/filter', body)).toEqual([1]);
    }
  });

  it('stay in the record as they were written', async () => {
    await put('company_clean', [{ id: 9, websites_main: 'https://www.kept.example/' }]);
    expect(
      await find('company_clean/search/es_dsl/preview', {
        query: { term: { 'websites_main.exact': 'kept.example' } },
      }),
    ).toMatchObject([{ website_main: 'https://www.kept.example/' }]);
  });

  it('are the values of these nine fields and of no other that has an exact variant', () => {
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
  const MISSING = [
    ['absent', {}],
    ['null', { industry: null, size_range: null, followers: null, websites_main: null }],
    ['an empty array', { industry: [], size_range: [], followers: [], websites_main: [] }],
  ] as const;

  // Service: "Missing values of fields marked (NULL) are indexed as the literal string `NULL`." and "marked (-1)".
  it.each(MISSING)('are NULL or -1 where a field is %s', async (_, fields) => {
    await put('company_clean', [{ id: 21, name: 'Missing', ...fields }]);
    const found = async (clause: object) =>
      find('company_clean/search/es_dsl', {
        query: { bool: { filter: [{ ids: { values: ['21'] } }, clause] } },
      });
    expect(await found({ term: { size_range: 'NULL' } })).toEqual([21]);
    expect(await found({ term: { 'industry.exact': 'NULL' } })).toEqual([21]);
    expect(await found({ term: { 'websites_main.exact': 'NULL' } })).toEqual([21]);
    expect(await found({ term: { followers: -1 } })).toEqual([21]);
    // Search: "with `.exact` null_value NULL, `term f.exact = NULL` hits and `match f = NULL` does not".
    expect(await found({ match: { industry: 'NULL' } })).toEqual([]);
    // Service: `founded` is a keyword without (NULL), `specialities` "(exact), no null substitute".
    expect(await found({ exists: { field: 'founded' } })).toEqual([]);
    expect(await found({ exists: { field: 'specialities.exact' } })).toEqual([]);
  });

  it(assumptions.missingValues, async () => {
    await put('company_clean', [
      { id: 31, industry: '', funding_rounds: [{ last_round_date: '2024-01-01' }], locations_full: [] },
    ]);
    const ids = { ids: { values: ['31'] } };
    const found = async (clause: object) =>
      find('company_clean/search/es_dsl', { query: { bool: { filter: [ids, clause] } } });
    const nested = (path: string, query: object) => ({ nested: { path, query } });
    expect(
      await found(nested('funding_rounds', { term: { 'funding_rounds.last_round_type': 'NULL' } })),
    ).toEqual([31]);
    expect(await found(nested('locations_full', { match_all: {} }))).toEqual([]);
    expect(await found({ term: { 'industry.exact': 'NULL' } })).toEqual([]);
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
    expect(await find('company_base/search/filter', { founded_year_lte: 2022 })).toEqual([1]);
    expect(await find('company_base/search/filter', { founded_year_gte: -1 })).toEqual([1, 4]);
    expect(await find('company_base/search/filter', { source_id: -1 })).toEqual([]);
    expect(
      await find('company_base/search/es_dsl', { query: { range: { founded: { lte: 2022 } } } }),
    ).toEqual([1, 2, 3]);
  });

  // Issue 13.22: "choose one behaviour for plain, quoted and wildcard values alike".
  it(assumptions.keywordFilters, async () => {
    const round = (last_round_type: string) => ({
      company_funding_rounds_collection: [{ last_round_type }],
    });
    await put('company_base', [
      { id: 1, ...round('Seed') },
      { id: 2, ...round('Series A') },
      { id: 3, ...round('Series B') },
      { id: 4, headquarters_country_parsed: 'United States' },
    ]);
    const funded = (funding_last_round_type: string) =>
      find('company_base/search/filter', { funding_last_round_type });
    for (const seed of ['seed', 'Seed', '"SEED"', 'see*']) expect(await funded(seed)).toEqual([1]);
    for (const series of ['series a', '"Series A"', 'Series A*']) expect(await funded(series)).toEqual([2]);
    expect(await funded('ser*')).toEqual([2, 3]);
    expect(await funded('series')).toEqual([]);
    expect(await funded('(series a) OR seed')).toEqual([1, 2]);
    for (const country of ['united states', '"United States"', 'UNITED*']) {
      expect(await find('company_base/search/filter', { country })).toEqual([4]);
    }
  });
});
