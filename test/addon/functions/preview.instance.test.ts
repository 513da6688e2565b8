// =CDAPI_PREVIEW: a table with a heading, over as many pages as asked.
import { describe, expect, inject, it } from 'vitest';
import type { HostRequest } from '../../../addon/dev/host/types.ts';
import type { PreviewRequest } from '../../../shared/api/search.ts';
import { invalidateCache } from '../../invalidate-cache.ts';
import { answer, bodyOf, cellsOf, open, spentBy } from './sheets.ts';

const ALL = '{"query": {"match_all": {}}}';

/** A scripted Worker of 12 pages with two rows each; `before` may refuse a call. */
function pagesOf(before: (page: number) => ReturnType<typeof answer> | undefined = () => undefined) {
  return async (request: HostRequest) => {
    const { page = 1, pages = 1, fields = ['id', 'name'] } = bodyOf<PreviewRequest>(request);
    const last = Math.min(12, page + pages - 1);
    const rows = Array.from({ length: (last - page + 1) * 2 }, (_, at) =>
      fields.map((field) => (field === 'id' ? (page - 1) * 2 + at : field === 'name' ? 'A' : null)),
    );
    return (
      before(page) ??
      answer(200, {
        columns: fields.map((name) => ({ name, type: 'text' })),
        rows,
        page: last,
        total_pages: 12,
        total: 24,
        snapshot: 'token',
        credits: { spent: 0, saved: 0, remaining: null },
      })
    );
  };
}

describe('a preview', () => {
  it('on a running Worker has a heading and a page of rows, at the price of a page', async () => {
    const sheet = await open();
    await invalidateCache(inject('session'));
    const spent = await spentBy(async () => {
      const cells = cellsOf(await sheet.formula('CDAPI_PREVIEW', 'company_clean', ALL));
      expect(cells).toHaveLength(21);
      expect(cells[0]).toEqual([
        'id',
        'name',
        'websites_professional_network_canonical',
        'website_main',
        'size_range',
        'industry',
        'location_hq_country',
        'logo',
        '_score',
      ]);
      for (const row of cells.slice(1))
        expect(row.slice(0, 2)).toEqual([expect.any(Number), expect.any(String)]);
    });
    expect(spent).toBe(10);
  });

  it('of more pages than one call brings is several calls of one ranking, up to the last page there is', async () => {
    const sheet = await open({ fetch: pagesOf() });
    const cells = cellsOf(await sheet.formula('CDAPI_PREVIEW', 'company_base', ALL, 'id', 50));
    expect(cells.flat()).toEqual(['id', ...Array.from({ length: 24 }, (_, at) => at)]);
    const asked = sheet.sent.map((request) => bodyOf<PreviewRequest>(request));
    expect(asked.map(({ page, pages, snapshot }) => [page, pages, snapshot])).toEqual([
      [1, 5, undefined],
      [6, 5, 'token'],
      [11, 5, 'token'],
    ]);
  });

  it('whose budget ends half way keeps the rows that were bought, and says #BUDGET behind them', async () => {
    const sheet = await open({
      fetch: pagesOf((page) => (page > 5 ? answer(402, { code: 'over_budget' }) : undefined)),
    });
    const cells = cellsOf(await sheet.formula('CDAPI_PREVIEW', 'company_base', ALL, 'id, name', 12));
    expect(cells).toHaveLength(12);
    expect(cells[10]).toEqual([9, 'A']);
    expect(cells[11]).toEqual(['#BUDGET', '']);
  });

  // "CDAPI_PREVIEW with a non-ASCII query can show another query's paid rows in Google: … test two Chinese queries"
  it('of one Chinese query never shows the rows of another', async () => {
    const sheet = await open({
      fetch: async (request) => {
        const body = bodyOf<{ text: string }>(request);
        return answer(200, {
          columns: [{ name: 'name', type: 'text' }],
          rows: [[body.text]],
          page: 1,
          total_pages: 1,
          total: 1,
          snapshot: null,
          credits: { spent: 10, saved: 0, remaining: null },
          stamp: 'one',
        });
      },
    });
    for (const query of ['industry:软件', 'industry:银行', 'industry:软件']) {
      const cells = cellsOf(await sheet.formula('CDAPI_PREVIEW', 'company_base', query));
      expect(cells).toEqual([['name'], [query]]);
    }
    // The third is remembered.
    expect(sheet.sent).toHaveLength(2);
  });
});
