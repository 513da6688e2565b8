// =CDAPI_SEARCH and =CDAPI_COUNT: queries in each of their forms, pages, and what a walk that is cut short leaves.
import { describe, expect, it } from 'vitest';
import type { SearchRequest } from '../../../shared/api/search.ts';
import { formulas } from '../../../shared/formulas.ts';
import { answer, bodyOf, cellsOf, open, type Spreadsheet, spentBy, workbookIn } from './sheets.ts';

const ALL = '{"query": {"match_all": {}}}';

async function count(sheet: Spreadsheet, family: string, query: Parameters<Spreadsheet['formula']>[1]) {
  return cellsOf(await sheet.formula('CDAPI_COUNT', family, query))[0]?.[0];
}

describe('a query', () => {
  it('in words, as filters in JSON, as a body or a clause, and as a range finds the same', async () => {
    const sheet = await open();
    const [country = ''] = cellsOf(
      await sheet.formula('CDAPI_PREVIEW', 'company_base', ALL, 'headquarters_country_parsed'),
    )
      .slice(1)
      .map(([cell]) => String(cell));
    expect(country).not.toBe('');
    const all = await count(sheet, 'company_base', ALL);
    const term = { match_phrase: { headquarters_country_parsed: country } };
    const found = await Promise.all(
      [
        `headquarters_country_parsed:"${country}"`,
        JSON.stringify({ country: `"${country}"` }),
        JSON.stringify({ query: term }),
        JSON.stringify(term),
        [
          ['country', `"${country}"`],
          ['', ''],
          ['industry', ''],
        ],
      ].map((query) => count(sheet, 'company_base', query)),
    );
    expect(new Set(found).size).toBe(1);
    expect(found[0]).toBeGreaterThan(0);
    expect(found[0]).toBeLessThan(Number(all));
  });

  it('as a range asks for fields where a family has no filters', async () => {
    const sheet = await open();
    const all = Number(await count(sheet, 'company_clean', ALL));
    const young = Number(await count(sheet, 'company_clean', [['founded_gte', 2010]]));
    const old = Number(await count(sheet, 'company_clean', [['founded_lte', 2009]]));
    expect(young).toBeGreaterThan(0);
    expect(old).toBeGreaterThan(0);
    expect(young + old).toBeLessThanOrEqual(all);
  });

  it('as a range takes dates, numbers and checkboxes as cells hold them', async () => {
    const sheet = await open({
      workbook: workbookIn('America/New_York'),
      fetch: async () => answer(200, { ids: ['1'], total: 1, pages: 1, after: null }),
    });
    await sheet.formula('CDAPI_COUNT', 'employee_base', [
      ['created_at_gte', new Date('2024-02-29T05:00:00Z')],
      ['created_at_lte', '2024-03-31'],
      ['updated_at_lte', new Date('2024-03-31T16:30:00Z')],
      ['education_date_from', new Date('2015-10-01T04:00:00Z')],
      ['experience_company_employees_count_gte', 50],
      ['active_experience', true],
    ]);
    expect(sheet.sent.map((request) => bodyOf(request).filters)).toEqual([
      {
        created_at_gte: '2024-02-29 00:00:00',
        created_at_lte: '2024-03-31 23:59:59',
        updated_at_lte: '2024-03-31 12:30:00',
        education_date_from: '2015-10-01',
        experience_company_employees_count_gte: '50',
        active_experience: 'true',
      },
    ]);
  });

  it('with filters as cells hold them is one that the service takes', async () => {
    const sheet = await open();
    const query = [
      ['created_at_gte', new Date('2000-02-29T00:00:00Z')],
      ['employees_count_gte', 1],
      ['deleted', false],
      ['funding_last_round_date_gte', new Date('1990-01-01T00:00:00Z')],
      ['last_updated_lte', '2099-12-31'],
    ];
    expect(await count(sheet, 'company_base', query)).toEqual(expect.any(Number));
  });

  it.each([
    [
      'of an unknown family',
      ['company_cleen', 'x'],
      /"company_cleen" is not a family: did you mean company_clean\?/,
    ],
    ['of no family', ['', 'x'], /^Name a family: company_clean, /],
    ['that is blank', ['company_base', ''], /^Write a query: words, /],
    ['that is a day', ['company_base', new Date(0)], /^Write a query: words, /],
    ['that is broken JSON', ['company_base', '{"name": acme}'], /begins like JSON but can’t be read/],
    [
      'with filters on a family without',
      ['company_clean', '{"name": "acme"}'],
      /company_clean has no filters/,
    ],
    ['in one column', ['company_base', [['name'], ['acme']]], /has two columns/],
    [
      'whose value has no name',
      [
        'company_base',
        [
          ['', 'acme'],
          ['name', 'x'],
        ],
      ],
      /"acme" has no filter’s name/,
    ],
    [
      'with a filter twice',
      [
        'company_base',
        [
          ['name', 'a'],
          ['name', 'b'],
        ],
      ],
      /"name" stands twice/,
    ],
    [
      'inside a list',
      [
        'company_clean',
        [
          ['funding_rounds.type', 'a'],
          ['x', 'b'],
        ],
      ],
      /inside a list/,
    ],
    ['with a limit of none', ['company_base', 'x', 0], /^The limit is a whole number from 1 to 10000\.$/],
    ['with a limit of words', ['company_base', 'x', 'many'], /^The limit is a whole number/],
    [
      'in an unknown order',
      ['company_base', 'x', 5, 'name'],
      /"name" is no order of company_base: use id or _score/,
    ],
  ] as const)('%s says what to write, and asks nobody', async (_, args, sentence) => {
    const sheet = await open();
    expect(await sheet.formula('CDAPI_SEARCH', ...args)).toMatchObject({
      error: expect.stringMatching(sentence),
    });
    expect(sheet.sent).toEqual([]);
  });

  // "Country: "germany", "USA" and even the suggested "United States" find nothing"
  it.each([
    ['company_base', 'country', 'United States', ['USA', 'united states', 'us']],
    ['company_clean', 'location_hq_country', 'United States', ['USA', 'United States of America', 'us']],
    ['employee_clean', 'location_country', 'United States', ['America']],
    ['company_base', 'size', '11-50 employees', ['11-50', '11-50 Employees']],
  ] as const)(
    'of %s in a filter table finds known values in %s, however they are typed',
    async (family, name, value, typed) => {
      const sheet = await open();
      const all = await count(sheet, family, [[name, value]]);
      expect(all).toBeGreaterThan(0);
      for (const text of typed)
        expect([text, await count(sheet, family, [[name, text]])]).toEqual([text, all]);
    },
  );

  it('that finds nothing says how many match without each condition, beside a number that stays one', async () => {
    const sheet = await open();
    const us = await count(sheet, 'company_base', [['country', 'USA']]);
    const [cells] = cellsOf(
      await sheet.formula('CDAPI_COUNT', 'company_base', [
        ['country', 'USA'],
        ['name', 'zzzzqqqq'],
      ]),
    );
    expect(cells).toEqual([
      0,
      expect.stringMatching(new RegExp(`^as of [\\d: -]+, without country: 0, without name: ${us}$`)),
    ]);
  });

  it('of posts says that they can’t be searched', async () => {
    const sheet = await open();
    expect(await sheet.formula('CDAPI_COUNT', 'employee_post', 'x')).toMatchObject({
      error: expect.stringContaining("employee_post can't be searched"),
    });
  });
});

describe('a search', () => {
  // "Numbers stay numbers … ids of 19 digits stay text": one type on every path.
  it('gives ids as numbers, as many as asked, and costs nothing', async () => {
    const sheet = await open();
    const spent = await spentBy(async () => {
      const ids = cellsOf(await sheet.formula('CDAPI_SEARCH', 'Company Base', ALL, 7));
      expect(ids).toHaveLength(7);
      for (const [id] of ids) expect(id).toEqual(expect.any(Number));
      const total = Number(await count(sheet, 'company_base', ALL));
      expect(cellsOf(await sheet.formula('CDAPI_SEARCH', 'company_base', ALL, 5000))).toHaveLength(total);
    });
    expect(spent).toBe(0);
  });

  it('sorts by what the family sorts by', async () => {
    const sheet = await open();
    const ids = cellsOf(await sheet.formula('CDAPI_SEARCH', 'company_clean', ALL, 20, 'id')).map(Number);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    const scored = await sheet.formula('CDAPI_SEARCH', 'company_clean', 'software OR data', 20, '_score');
    expect(cellsOf(scored).length).toBeGreaterThan(0);
  });

  it('that finds nothing says #NOT_FOUND', async () => {
    const sheet = await open();
    expect(await sheet.formula('CDAPI_SEARCH', 'company_base', 'name:zzzzqqqq')).toEqual({
      values: [['#NOT_FOUND']],
    });
  });
});

/** A scripted Worker of many pages; `page` may refuse one. */
function pagesOf(
  pages: number,
  page: (at: number) => ReturnType<typeof answer> | undefined = () => undefined,
) {
  return async (request: Parameters<typeof bodyOf>[0]) => {
    const { after, items_per_page: size = 1000 } = bodyOf<SearchRequest>(request);
    const at = Number(after ?? 0);
    const ids = Array.from({ length: size }, (_, item) => String(at * size + item));
    const next = at + 1 < pages ? String(at + 1) : null;
    return page(at) ?? answer(200, { ids, total: pages * size, pages, after: next });
  };
}

describe('a walk over many pages', () => {
  it('brings as many as asked, page after page', async () => {
    const sheet = await open({ fetch: pagesOf(20) });
    const ids = cellsOf(await sheet.formula('CDAPI_SEARCH', 'job_base', 'x', 2500)).flat();
    expect(ids).toEqual(Array.from({ length: 2500 }, (_, at) => at));
    expect(sheet.sent).toHaveLength(3);
  });

  it('gives what it has and a last row that says why, where a page can’t be had', async () => {
    const sheet = await open({
      fetch: pagesOf(20, (at) => (at === 2 ? answer(429, { code: 'rate_limited' }) : undefined)),
    });
    const ids = cellsOf(await sheet.formula('CDAPI_SEARCH', 'job_base', 'x', 10_000));
    expect(ids).toHaveLength(2001);
    expect(ids[2000]).toEqual(['#RATE_LIMIT']);
  });

  it('gives what it has and #PENDING after 24 seconds', async () => {
    let now = Date.UTC(2026, 0, 1);
    const sheet = await open({
      now: () => now,
      fetch: pagesOf(20, () => {
        now += 9000;
        return undefined;
      }),
    });
    const ids = cellsOf(await sheet.formula('CDAPI_SEARCH', 'job_base', 'x', 10_000));
    expect(ids).toHaveLength(3001);
    expect(ids[3000]).toEqual(['#PENDING']);
  });

  it('ends where a page brings nothing', async () => {
    const sheet = await open({
      fetch: async () => answer(200, { ids: [], total: 3, pages: 1, after: 'x' }),
    });
    expect(await sheet.formula('CDAPI_SEARCH', 'job_base', 'x')).toEqual({ values: [['#NOT_FOUND']] });
  });

  it('whose first page can’t be had says what to do', async () => {
    const sheet = await open({ fetch: async () => answer(429, { code: 'rate_limited' }) });
    expect(await sheet.formula('CDAPI_SEARCH', 'job_base', 'x')).toMatchObject({
      error: expect.stringContaining('Wait a few seconds'),
    });
  });
});

describe('a count', () => {
  it('is a number to compute with, and says as of when', async () => {
    const sheet = await open({
      now: () => Date.UTC(2026, 0, 31, 19, 3),
      workbook: workbookIn('America/New_York'),
    });
    expect(await sheet.formula('CDAPI_COUNT', 'company_base', ALL)).toEqual({
      values: [[expect.any(Number), 'as of 2026-01-31 14:03']],
    });
  });

  it('is asked anew where its last argument changes', async () => {
    const sheet = await open({
      fetch: async () => answer(200, { ids: [], total: 0, pages: 0, after: null }),
    });
    await sheet.formula('CDAPI_COUNT', 'company_base', 'x', false);
    await sheet.formula('CDAPI_COUNT', 'company_base', 'x', false);
    expect(sheet.sent).toHaveLength(1);
    await sheet.formula('CDAPI_COUNT', 'company_base', 'x', true);
    expect(sheet.sent).toHaveLength(2);
  });
});

it.each(['CDAPI_SEARCH', 'CDAPI_COUNT', 'CDAPI_PREVIEW', 'CDAPI_COST', 'CDAPI_FIELDS'])(
  '%s works for every family that its help lists',
  async (name) => {
    const help = formulas
      .find((formula) => formula.name === name)
      ?.parameters.find((parameter) => parameter.name === 'family')?.help;
    const [list = ''] = /(?<=One of )[^.]*/.exec(help ?? '') ?? [];
    const sheet = await open();
    for (const family of list.split(', ')) {
      const args = { CDAPI_COST: ['1', family], CDAPI_FIELDS: [family] }[name] ?? [family, ALL];
      expect(await sheet.formula(name, ...args), family).toHaveProperty('values');
    }
  },
);
