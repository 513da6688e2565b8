// The search form: queries from conditions, and conditions from saved queries.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Family, familyNames } from '../../../shared/families/index.ts';
import { dslToConditions, filtersToConditions } from '../../../shared/query/form-conditions.ts';
import { getFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery, type FormCondition } from '../../../shared/query/form-query.ts';
import { compileFilters } from '../../../worker/sandbox/search/filters/compile.ts';

const searched = familyNames.filter((family) => family !== 'employee_post');

/** Builds the filters or the clause of a form. @throws if it is invalid */
function build(family: Family, ...conditions: [name: string, ...values: string[]][]): unknown {
  const built = buildFormQuery(
    family,
    conditions.map(([name, ...values]) => ({ name, values })),
  );
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join(' '));
  return 'filters' in built.query ? built.query.filters : built.query.es_dsl.query;
}

const toTuples = (conditions: readonly FormCondition[]) =>
  conditions.map(({ name, values }): [string, ...string[]] => [name, ...values]);

describe('the form of jobs', () => {
  const buildJobs = (...conditions: FormCondition[]) => buildFormQuery('job_base', conditions);

  it.each<[name: string, value: string, filter?: unknown]>([
    ['title', 'account AND "head of sales"'],
    ['keyword_description', 'crm'],
    ['country', 'Chile'],
    ['company_name', 'Acme'],
    ['company_id', '4711', 4711],
    ['company_domain', 'acme.example'],
    ['company_professional_network_url', 'professional-network.example/company/acme'],
    ['application_active', 'yes', true],
  ])('builds a DSL query that means the same as the named filter %s', (name, value, filter = value) => {
    const conditions = [{ name, values: [value] }];
    expect(buildJobs(...conditions)).toEqual({ ok: true, query: { filters: { [name]: filter } } });
    const compiled = compileFilters('job_base', { [name]: filter });
    const built = buildFormQuery('job_base', conditions, true);
    expect(built).toEqual({ ok: true, query: { es_dsl: { query: compiled.ok && compiled.query } } });
    const query = built.ok && 'es_dsl' in built.query && built.query.es_dsl.query;
    expect(dslToConditions('job_base', query)).toEqual(conditions);
  });

  it('builds named filters, and a DSL query for other comparisons', () => {
    const title = { name: 'title', values: ['manager'] };
    const industry: FormCondition = { name: 'industry', values: ['mining'], comparison: 'isNot' };
    const company: FormCondition = { name: 'company_name', values: [], comparison: 'isEmpty' };
    expect(buildJobs(title)).toMatchObject({ query: { filters: { title: 'manager' } } });
    const built = buildJobs(title, industry, company);
    const exact = 'company_name.exact';
    expect(built).toMatchObject({
      query: {
        es_dsl: {
          query: {
            bool: {
              must: [{ match: { title: { query: 'manager', operator: 'and' } } }],
              must_not: [
                { nested: { path: 'job_industry_collection' } },
                {
                  bool: { must: [{ exists: { field: exact } }], must_not: [{ term: { [exact]: 'NULL' } }] },
                },
              ],
            },
          },
        },
      },
    });
    const query = built.ok && 'es_dsl' in built.query && built.query.es_dsl.query;
    expect(dslToConditions('job_base', query)).toEqual([title, industry, company]);
  });
});

describe('conditions of a family with filters', () => {
  it('become filters: values are alternatives, ranges two bounds', () => {
    expect(
      build(
        'company_base',
        ['industry', 'software', ' "data centres" ', ''],
        ['country', 'Germany'],
        ['employees_count', '50', '1,000'],
        ['founded_year', '', '2015'],
        ['created_at', '2026-01-01', '2026-01-31'],
        ['deleted', 'no'],
      ),
    ).toEqual({
      industry: '(software) OR ("data centres")',
      country: 'Germany',
      employees_count_gte: 50,
      employees_count_lte: 1000,
      founded_year_lte: 2015,
      created_at_gte: '2026-01-01 00:00:00',
      created_at_lte: '2026-01-31 23:59:59',
      deleted: false,
    });
  });

  it('exclude records, and find those with or without a value', () => {
    const conditions: FormCondition[] = [
      { name: 'industry', values: ['banking'], comparison: 'isNot' },
      { name: 'followers', values: [], comparison: 'hasValue' },
      { name: 'websites_main', values: ['ignored'], comparison: 'isEmpty' },
      { name: 'technologies.technology', values: ['fax'], comparison: 'isNot' },
      { name: 'founded', values: ['2015', ''] },
    ];
    const built = buildFormQuery('company_clean', conditions);
    const exact = 'websites_main.exact';
    const query = {
      bool: {
        must: [{ range: { followers: { gt: -1 } } }, { range: { founded: { gte: '2015', lte: '9999' } } }],
        must_not: [
          { match: { industry: { query: 'banking', operator: 'and' } } },
          { bool: { must: [{ exists: { field: exact } }], must_not: [{ term: { [exact]: 'NULL' } }] } },
          {
            nested: {
              path: 'technologies',
              query: { match: { 'technologies.technology': { query: 'fax', operator: 'and' } } },
            },
          },
        ],
      },
    };
    expect(built).toEqual({ ok: true, query: { es_dsl: { query } } });
    expect(dslToConditions('company_clean', query)).toEqual([
      { name: 'followers', values: [], comparison: 'hasValue' },
      { name: 'founded', values: ['2015', ''] },
      { name: 'industry', values: ['banking'], comparison: 'isNot' },
      { name: 'websites_main', values: [], comparison: 'isEmpty' },
      { name: 'technologies.technology', values: ['fax'], comparison: 'isNot' },
    ]);
  });

  it('without values match everything', () => {
    expect(build('company_base', ['industry', ' ', ''], ['employees_count', '', ''])).toEqual({});
  });

  it.each<[Family, string, string[], RegExp]>([
    ['company_base', 'industry', ['(software'], /bracket/],
    ['company_base', 'industry', ['fine', '"open'], /quote/],
    ['company_base', 'website', ['not a website'], /not a website/],
    ['company_base', 'employees_count', ['many', ''], /not a whole number/],
    ['company_base', 'employees_count', ['10', '5'], /start of the range is after its end/],
    ['company_base', 'funding_last_round_date', ['2026-02-30', ''], /not a date/],
    ['employee_base', 'experience_date_from', ['spring'], /not a month/],
    ['company_base', 'deleted', ['perhaps'], /yes or no/],
    ['company_clean', 'followers', ['1.5', ''], /not a whole number/],
    ['company_clean', 'websites_main', ['two words'], /not a website/],
  ])('of %s: %s %j is rejected with a message', (family, name, values, message) => {
    expect(buildFormQuery(family, [{ name, values }])).toEqual({
      ok: false,
      problems: [{ name, message: expect.stringMatching(message) }],
    });
  });
});

describe('conditions of a family without filters', () => {
  it('become clauses by the type of each field', () => {
    expect(
      build(
        'company_clean',
        ['industry', 'software OR "data centres"', 'bank*'],
        ['size_range', '11-50 employees'],
        ['websites_main', 'https://www.Acme.example/about'],
        ['unique_domain', 'yes'],
        ['last_updated', '2026-01-01', ''],
      ),
    ).toEqual({
      bool: {
        must: [
          {
            bool: {
              should: [
                {
                  bool: {
                    should: [
                      { match: { industry: { query: 'software', operator: 'and' } } },
                      { match_phrase: { industry: 'data centres' } },
                    ],
                  },
                },
                { prefix: { industry: { value: 'bank', case_insensitive: true } } },
              ],
            },
          },
          { term: { size_range: '11-50 employees' } },
          { match_phrase: { 'websites_main.domain_only': 'acme.example' } },
          { term: { unique_domain: true } },
          { range: { last_updated: { gte: '2026-01-01' } } },
        ],
      },
    });
  });

  it('on one nested path must match the same object', () => {
    expect(
      build(
        'company_clean',
        ['funding_rounds.last_round_type', 'Series A'],
        ['funding_rounds.last_round_date', '2025-01-01', ''],
      ),
    ).toEqual({
      bool: {
        must: [
          {
            nested: {
              path: 'funding_rounds',
              query: {
                bool: {
                  must: [
                    { term: { 'funding_rounds.last_round_type': 'Series A' } },
                    { range: { 'funding_rounds.last_round_date': { gte: '2025-01-01' } } },
                  ],
                },
              },
            },
          },
        ],
      },
    });
  });

  it('exclude missing numbers from ranges without a lower bound', () => {
    expect(build('company_clean', ['followers', '', '100'])).toEqual({
      bool: { must: [{ range: { followers: { gt: -1, lte: 100 } } }] },
    });
  });

  it('without values match everything', () => {
    expect(build('employee_clean')).toEqual({ match_all: {} });
  });
});

describe('saved filters', () => {
  it('become conditions that build the same filters', () => {
    const filters = {
      industry: '(software) OR (bank)',
      employees_count_gte: 50,
      funding_last_round_date_lte: '2026-01-31',
      deleted: false,
      created_at_gte: '2026-01-01 00:00:00',
    };
    const conditions = filtersToConditions('company_base', filters);
    expect(conditions).toContainEqual({ name: 'employees_count', values: ['50', ''] });
    expect(buildFormQuery('company_base', conditions ?? [])).toEqual({ ok: true, query: { filters } });
  });

  it('show each value once, not its spellings', () => {
    const lines: FormCondition[] = [
      { name: 'country', values: ['United States', 'Germany', 'Turkey'] },
      { name: 'industry', values: ['"data centres"', 'bank*'] },
    ];
    const built = buildFormQuery('company_base', lines);
    const named = built.ok && 'filters' in built.query ? built.query.filters : {};
    expect(named.country).toBe(
      '(United States) OR (United States of America) OR (Germany) OR (Turkey) OR (Türkiye)',
    );
    expect(filtersToConditions('company_base', named)).toEqual(lines);
  });

  it.each([
    { nobody: 'x' },
    { industry: ['a', 'b'] },
    { created_at_gte: '2026-01-01 12:30:00' },
    { industry: '(open' },
  ])('that the form cannot express stay filters: %j', (filters) => {
    expect(filtersToConditions('company_base', filters)).toBeUndefined();
  });
});

describe('saved DSL queries', () => {
  const lines: FormCondition[] = [
    { name: 'industry', values: ['software AND ("data centres" OR bank*)', 'paper'] },
    { name: 'size_range', values: ['11-50 employees', '51-200 employees'] },
    { name: 'websites_main', values: ['acme.example'] },
    { name: 'unique_domain', values: ['yes'] },
    { name: 'last_updated', values: ['2026-01-01', ''] },
    { name: 'followers', values: ['', '100'] },
    { name: 'funding_rounds.last_round_type', values: ['Series*'] },
    { name: 'funding_rounds.last_round_date', values: ['2025-01-01', '2025-12-31'] },
  ];

  it('become the typed conditions', () => {
    expect(dslToConditions('company_clean', build('company_clean', ...toTuples(lines)))).toEqual(lines);
    const countries: FormCondition[] = [
      { name: 'location_hq_country', values: ['Germany', 'United States'] },
    ];
    expect(dslToConditions('company_clean', build('company_clean', ...toTuples(countries)))).toEqual(
      countries,
    );
    const people: FormCondition[] = [{ name: 'is_decision_maker', values: ['no'] }];
    expect(dslToConditions('employee_clean', build('employee_clean', ...toTuples(people)))).toEqual(people);
  });

  it('become conditions that build the same query; others never throw', () => {
    const families = fc.constantFrom(...searched.filter((family) => getFormFields(family)[0]?.target));
    const word = fc.constantFrom(
      'a',
      'b c',
      '"d e"',
      'f*',
      'a OR b',
      '(a OR "b c") AND d',
      '1',
      '2026-01-01',
      'yes',
    );
    const values = fc.array(word, { minLength: 1, maxLength: 3 });
    const operator = fc.constantFrom<FormCondition['comparison']>(
      undefined,
      undefined,
      'isNot',
      'isEmpty',
      'hasValue',
    );
    const chosen = fc.uniqueArray(fc.tuple(fc.nat(100), values, operator), {
      maxLength: 5,
      selector: ([at]) => at,
    });
    let converted = 0;
    fc.assert(
      fc.property(families, chosen, (family, some) => {
        const fields = getFormFields(family);
        const conditions = some.map(
          ([at, typed, chosenOperator]): FormCondition => ({
            name: fields[at]?.name ?? '',
            values: typed,
            ...(chosenOperator === undefined ? {} : { comparison: chosenOperator }),
          }),
        );
        const built = buildFormQuery(family, conditions);
        if (!built.ok || 'filters' in built.query) return;
        converted += 1;
        const again = dslToConditions(family, built.query.es_dsl.query);
        expect(buildFormQuery(family, again)).toEqual(built);
      }),
      { numRuns: 200 },
    );
    expect(converted).toBeGreaterThan(20);
    fc.assert(
      fc.property(families, fc.jsonValue(), (family, query) => {
        expect(Array.isArray(dslToConditions(family, query))).toBe(true);
      }),
    );
  });
});

it('builds a query or reports problems for any input', () => {
  const families = fc.constantFrom(...searched);
  const values = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('a OR b', '(', '"', '1', '2026-01-01', 'yes', 'a.example')),
    {
      maxLength: 3,
    },
  );
  fc.assert(
    fc.property(families, fc.array(fc.tuple(fc.nat(), values), { maxLength: 4 }), (family, lines) => {
      const fields = getFormFields(family);
      const conditions: FormCondition[] = lines.map(([at, typed]) => ({
        name: fields[at % fields.length]?.name ?? '',
        values: typed,
      }));
      const built = buildFormQuery(family, conditions);
      if (built.ok) expect(JSON.stringify(built.query).length).toBeGreaterThan(10);
      else expect(built.problems.every(({ message }) => message.endsWith('.'))).toBe(true);
    }),
  );
});

describe('URLs of a form', () => {
  // Contract, "Query DSL": "URLs are indexed without scheme and `www`".
  it('are normalised to their indexed form', () => {
    const network = {
      name: 'websites_professional_network',
      values: ['https://www.n.example/company/acme/'],
    };
    expect(buildFormQuery('company_clean', [network])).toMatchObject({
      query: {
        es_dsl: {
          query: {
            bool: {
              must: [{ match: { websites_professional_network: { query: 'n.example/company/acme' } } }],
            },
          },
        },
      },
    });
  });
});
