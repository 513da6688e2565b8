// =CDAPI_SEARCH and =CDAPI_COUNT
import { describe, expect, it } from 'vitest';
import type { SearchRequest } from '../../../shared/api/search.ts';
import { formulas } from '../../../shared/formulas.ts';
import {
  answer,
  createWorkbookIn,
  getCells,
  measureSpending,
  open,
  parseBody,
  type Spreadsheet,
} from './sheets.ts';

const ALL = '{"query": {"match_all": {}}}';

async function count(sheet: Spreadsheet, family: string, query: Parameters<Spreadsheet['evaluate']>[1]) {
  return getCells(await sheet.evaluate('CDAPI_COUNT', family, query))[0]?.[0];
}

describe('a query', () => {
  it('finds the same records as text, filters, body, clause and range', async () => {
    const sheet = await open();
    const [country = ''] = getCells(
      await sheet.evaluate('CDAPI_PREVIEW', 'company_base', ALL, 'headquarters_country_parsed'),
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

  // "Country: "germany", "USA" and even the suggested "United States" find nothing"
  it.each([
    ['company_base', 'country', 'United States', ['USA', 'united states', 'us']],
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

  it('without matches lists the matches without each condition', async () => {
    const sheet = await open();
    const us = await count(sheet, 'company_base', [['country', 'USA']]);
    const [cells] = getCells(
      await sheet.evaluate('CDAPI_COUNT', 'company_base', [
        ['country', 'USA'],
        ['name', 'zzzzqqqq'],
      ]),
    );
    expect(cells).toEqual([
      0,
      expect.stringMatching(new RegExp(`^as of [\\d: -]+, without country: 0, without name: ${us}$`)),
    ]);
  });
});

describe('a search', () => {
  // "Numbers stay numbers … ids of 19 digits stay text": one type on every path.
  it('returns the requested number of ids as numbers, for free', async () => {
    const sheet = await open();
    const spent = await measureSpending(async () => {
      const ids = getCells(await sheet.evaluate('CDAPI_SEARCH', 'Company Base', ALL, 7));
      expect(ids).toHaveLength(7);
      for (const [id] of ids) expect(id).toEqual(expect.any(Number));
      const total = Number(await count(sheet, 'company_base', ALL));
      expect(getCells(await sheet.evaluate('CDAPI_SEARCH', 'company_base', ALL, 5000))).toHaveLength(total);
    });
    expect(spent).toBe(0);
  });
});

/** Creates a gateway with many pages; `page` may reject one. */
function pagesOf(
  pages: number,
  page: (at: number) => ReturnType<typeof answer> | undefined = () => undefined,
) {
  return async (request: Parameters<typeof parseBody>[0]) => {
    const { after, items_per_page: size = 1000 } = parseBody<SearchRequest>(request);
    const at = Number(after ?? 0);
    const ids = Array.from({ length: size }, (_, item) => String(at * size + item));
    const next = at + 1 < pages ? String(at + 1) : null;
    return page(at) ?? answer(200, { ids, total: pages * size, pages, after: next });
  };
}

describe('a search over many pages', () => {
  it('returns what it has and an error row when a page fails', async () => {
    const sheet = await open({
      fetch: pagesOf(20, (at) => (at === 2 ? answer(429, { code: 'rate_limited' }) : undefined)),
    });
    const ids = getCells(await sheet.evaluate('CDAPI_SEARCH', 'job_base', 'x', 10_000));
    expect(ids).toHaveLength(2001);
    expect(ids[2000]).toEqual(['#RATE_LIMIT']);
  });

  it('returns what it has and #PENDING after 24 seconds', async () => {
    let now = Date.UTC(2026, 0, 1);
    const sheet = await open({
      now: () => now,
      fetch: pagesOf(20, () => {
        now += 9000;
        return undefined;
      }),
    });
    const ids = getCells(await sheet.evaluate('CDAPI_SEARCH', 'job_base', 'x', 10_000));
    expect(ids).toHaveLength(3001);
    expect(ids[3000]).toEqual(['#PENDING']);
  });
});

describe('a count', () => {
  it('returns a number and its time', async () => {
    const sheet = await open({
      now: () => Date.UTC(2026, 0, 31, 19, 3),
      workbook: createWorkbookIn('America/New_York'),
    });
    expect(await sheet.evaluate('CDAPI_COUNT', 'company_base', ALL)).toEqual({
      values: [[expect.any(Number), 'as of 2026-01-31 14:03']],
    });
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
      expect(await sheet.evaluate(name, ...args), family).toHaveProperty('values');
    }
  },
);
