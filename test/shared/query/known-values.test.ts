// Known values in forms, filter tables and text filters, and relaxed queries.
import fc from 'fast-check';
import countryNames from 'i18n-iso-countries';
import { describe, expect, it } from 'vitest';
import { countries } from '../../../shared/query/countries.ts';
import { buildFormQuery } from '../../../shared/query/form-query.ts';
import {
  expandKnownValuesInQuery,
  expandKnownValuesInText,
} from '../../../shared/query/known-expressions.ts';
import {
  findSimilarValue,
  getKnownValues,
  getSpellings,
  isKnownValue,
} from '../../../shared/query/known-values.ts';
import { relaxQuery } from '../../../shared/query/query-conditions.ts';
import { COUNTRIES } from '../../../worker/commands/sample/words.ts';

const US = ['United States', 'United States of America'];

// "Country: "germany", "USA" and even the suggested "United States" find nothing … known values match in any case, ISO
// codes and common synonyms are folded"
describe('a known value', () => {
  it.each([
    ['Untied Kingdom', 'United Kingdom'],
    ['Grate Britain', 'United Kingdom'],
    ['Germny', 'Germany'],
    ['Spian', 'Spain'],
    ['Chian', 'China'],
    ['Qwxyz', undefined],
    ['', undefined],
  ])('is found for the misspelled “%s”', (typed, value) => {
    expect(isKnownValue('country', typed)).toBe(false);
    expect(findSimilarValue('country', typed)).toBe(value);
  });

  it.each([
    ['country', 'germany', ['Germany']],
    ['headquarters_country_parsed', ' DE ', ['Germany']],
    ['location_hq_country', 'deu', ['Germany']],
    ['location_country', 'Deutschland', ['Germany']],
    ['country', 'USA', US],
    ['country', 'u.s.', US],
    ['country', 'United States', US],
    ['country', 'united states of america', US],
    ['country', 'uk', ['United Kingdom']],
    ['country', 'turkiye', ['Turkey', 'Türkiye']],
    ['country', "cote d'ivoire", ["Côte d'Ivoire", "Cote d'Ivoire", 'Ivory Coast']],
    ['location_hq_country_iso_2', 'germany', ['DE']],
    ['locations_full.country_iso_3', 'us', ['USA']],
    ['management_level', 'c level', ['C-Level']],
    ['experience.management_level', 'vp', ['President/Vice President']],
    ['department', 'hr', ['Human Resources']],
    ['size', '11-50', ['11-50 employees']],
    ['funding_last_round_type', 'series-a', ['Series A']],
    ['employment_type', 'full time', ['Full-time']],
    ['country', 'UAE', ['United Arab Emirates']],
    ['country', 'Dänemark', ['Denmark']],
    ['country', 'Daenemark', ['Denmark']],
    ['headquarters_country_parsed', 'デンマーク', ['Denmark']],
    ['country', 'KSA', ['Saudi Arabia']],
    ['country', 'RU', ['Russia', 'Russian Federation']],
    ['location_hq_country_iso_2', 'Polen', ['PL']],
    ['locations_full.country_iso_3', 'Royaume-Uni', ['GBR']],
    ['industry', 'Dänemark', ['Dänemark']],
    ['country', 'England', ['United Kingdom']],
    ['country', 'NA', ['Namibia']],
    ['country', 'n/a', ['n/a']],
    ['country', 'Atlantis', ['Atlantis']],
    ['industry', 'germany', ['germany']],
    ['country', '', ['']],
  ])('of %s: %s is %j', (path, typed, spellings) => {
    expect(getSpellings(path, typed)).toEqual(spellings);
  });

  it('is its own spelling, ignoring case', () => {
    for (const path of [
      'country',
      'size',
      'department',
      'management_level',
      'last_round_type',
      'employment_type',
    ]) {
      expect(getKnownValues(path).length).toBeGreaterThan(3);
      for (const value of getKnownValues(path))
        expect(getSpellings(path, value.toUpperCase())[0], value).toBe(value);
    }
  });

  it('exists for every country of ISO 3166 and of the samples', () => {
    for (const [iso2, name] of Object.entries(countryNames.getNames('en'))) {
      const country = countries.find((each) => each.iso2 === iso2);
      expect([iso2, country?.iso3]).toEqual([iso2, countryNames.alpha2ToAlpha3(iso2)]);
      expect(country?.names, iso2).toContain(name);
    }
    for (const { name, iso2 } of COUNTRIES) expect(getSpellings('country', iso2)).toContain(name);
  });
});

describe('the text of a filter', () => {
  it.each([
    ['germany', 'Germany'],
    ['usa', '(United States) OR (United States of America)'],
    ['germany OR "usa"', '(Germany) OR ("United States") OR ("United States of America")'],
    ['(germany) OR (Atlantis)', '(Germany) OR (Atlantis)'],
    ['vatican', '(Vatican City) OR ("Holy See (Vatican City State)")'],
    ['Germ*', 'Germ*'],
    ['(a OR b) OR c', '(a OR b) OR c'],
    ['(', '('],
    ['', ''],
  ])('%s becomes %s, idempotently', (typed, text) => {
    expect(expandKnownValuesInText('country', typed)).toBe(text);
    expect(expandKnownValuesInText('country', text)).toBe(text);
  });

  it('stays unchanged on other fields', () => {
    fc.assert(fc.property(fc.string(), (text) => expandKnownValuesInText('industry', text) === text));
  });
});

describe('a form', () => {
  const build = (family: 'company_base' | 'company_clean', name: string, ...values: string[]) => {
    const built = buildFormQuery(family, [{ name, values }]);
    return built.ok ? built.query : built.problems;
  };
  const eitherState = { bool: { should: US.map((name) => ({ term: { location_hq_country: name } })) } };

  it('uses the spellings of records', () => {
    expect(build('company_base', 'country', 'germany')).toEqual({ filters: { country: 'Germany' } });
    expect(build('company_clean', 'location_hq_country', 'usa')).toEqual({
      es_dsl: { query: { bool: { must: [eitherState] } } },
    });
    expect(build('company_clean', 'size_range', '11-50', '51-200 Employees')).toEqual({
      es_dsl: {
        query: {
          bool: {
            must: [
              {
                bool: {
                  should: ['11-50', '51-200'].map((size) => ({ term: { size_range: `${size} employees` } })),
                },
              },
            ],
          },
        },
      },
    });
  });
});

describe('a query of a filter table', () => {
  it('uses the spellings of records in filters and conditions only', () => {
    expect(expandKnownValuesInQuery({ filters: { country: 'de', name: 'usa', deleted: 0 } })).toEqual({
      filters: { country: 'Germany', name: 'usa', deleted: 0 },
    });
    const match = (name: string, query: string) => ({ match: { [name]: { query, operator: 'and' } } });
    const body = (...filter: unknown[]) => ({ es_dsl: { query: { bool: { filter } }, sort: ['id'] } });
    const range = { range: { founded: { gte: 1 } } };
    expect(
      expandKnownValuesInQuery(body(match('location_country', 'USA'), match('department', 'hr'), range)),
    ).toEqual(
      body(
        { bool: { should: US.map((name) => match('location_country', name)) } },
        match('department', 'Human Resources'),
        range,
      ),
    );
    for (const query of [{ text: 'country:usa' }, { es_dsl: { term: { location_country: 'usa' } } }])
      expect(expandKnownValuesInQuery(query)).toEqual(query);
  });
});

describe('a relaxed query', () => {
  const conditions = (query: Parameters<typeof relaxQuery>[0]) =>
    relaxQuery(query).map(({ condition, query: relaxed }) => [condition, relaxed]);

  it('lacks one filter, or both bounds of a range', () => {
    expect(
      conditions({ filters: { country: 'a', founded_year_gte: 1, founded_year_lte: 2 }, any_fields: true }),
    ).toEqual([
      ['country', { filters: { founded_year_gte: 1, founded_year_lte: 2 }, any_fields: true }],
      ['founded_year', { filters: { country: 'a' }, any_fields: true }],
    ]);
  });

  it('lacks one clause, also inside nested objects', () => {
    const [name, title, company] = ['full_name', 'experience.title', 'experience.company_name'].map(
      (field) => ({
        match: { [field]: 'x' },
      }),
    );
    const nested = (...must: unknown[]) => ({ nested: { path: 'experience', query: { bool: { must } } } });
    const body = (...must: unknown[]) => ({ es_dsl: { query: { bool: { must } }, sort: ['id'] } });
    expect(conditions(body(name, nested(title, company)))).toEqual([
      ['full_name', body(nested(title, company))],
      ['experience.title', body(name, nested(company))],
      ['experience.company_name', body(name, nested(title))],
    ]);
    expect(conditions(body(name, nested(title)))).toEqual([
      ['full_name', body(nested(title))],
      ['experience.title', body(name)],
    ]);
  });

  it('lacks one excluded value or one question for a value', () => {
    const excluded = { match: { industry: 'x' } };
    const filled = {
      bool: { must: [{ exists: { field: 'type' } }], must_not: [{ term: { type: 'NULL' } }] },
    };
    const body = (bool: Record<string, unknown>) => ({ es_dsl: { query: { bool } } });
    expect(conditions(body({ must: [filled], must_not: [excluded] }))).toEqual([
      ['type', body({ must: [], must_not: [excluded] })],
      ['industry', body({ must: [filled], must_not: [] })],
    ]);
  });

  it('needs at least two conditions; at most eight are returned', () => {
    expect(conditions({ text: 'a AND b' })).toEqual([]);
    expect(conditions({ filters: { country: 'a' } })).toEqual([]);
    expect(conditions({ es_dsl: { match_all: {} } })).toEqual([]);
    const filters = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, 'x']));
    expect(conditions({ filters })).toHaveLength(8);
  });
});

it('never throws for any body', () => {
  const body = fc.dictionary(
    fc.constantFrom('query', 'bool', 'filter', 'must', 'nested', 'match'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(body, (es_dsl) => {
      expect(expandKnownValuesInQuery({ es_dsl })).toHaveProperty('es_dsl');
      expect(relaxQuery({ es_dsl }).length).toBeLessThanOrEqual(8);
    }),
    { numRuns: 200 },
  );
});
