// =CDAPI_PREVIEW
import { describe, expect, inject, it } from 'vitest';
import type { HostRequest } from '../../../addon/dev/host/types.ts';
import type { PreviewRequest } from '../../../shared/api/search.ts';
import { invalidateCache } from '../../invalidate-cache.ts';
import { answer, getCells, measureSpending, open, parseBody } from './sheets.ts';

const ALL = '{"query": {"match_all": {}}}';

/** Creates a gateway with 12 pages of two rows; `before` may reject a call. */
function pagesOf(before: (page: number) => ReturnType<typeof answer> | undefined = () => undefined) {
  return async (request: HostRequest) => {
    const { page = 1, pages = 1, fields = ['id', 'name'] } = parseBody<PreviewRequest>(request);
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
  it('returns a heading and a page of rows for the price of a page', async () => {
    const sheet = await open();
    await invalidateCache(inject('session'));
    const spent = await measureSpending(async () => {
      const cells = getCells(await sheet.evaluate('CDAPI_PREVIEW', 'company_clean', ALL));
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

  it('of many pages uses several calls with one snapshot', async () => {
    const sheet = await open({ fetch: pagesOf() });
    const cells = getCells(await sheet.evaluate('CDAPI_PREVIEW', 'company_base', ALL, 'id', 50));
    expect(cells.flat()).toEqual(['id', ...Array.from({ length: 24 }, (_, at) => at)]);
    const previews = sheet.requests.filter(({ method }) => method === 'POST');
    const asked = previews.map((request) => parseBody<PreviewRequest>(request));
    expect(asked.map(({ page, pages, snapshot }) => [page, pages, snapshot])).toEqual([
      [1, 5, undefined],
      [6, 5, 'token'],
      [11, 5, 'token'],
    ]);
  });

  it('keeps bought rows when the budget ends, followed by #BUDGET', async () => {
    const sheet = await open({
      fetch: pagesOf((page) => (page > 5 ? answer(402, { code: 'over_budget' }) : undefined)),
    });
    const cells = getCells(await sheet.evaluate('CDAPI_PREVIEW', 'company_base', ALL, 'id, name', 12));
    expect(cells).toHaveLength(12);
    expect(cells[10]).toEqual([9, 'A']);
    expect(cells[11]).toEqual(['#BUDGET', '']);
  });

  // "CDAPI_PREVIEW with a non-ASCII query can show another query's paid rows in Google: … test two Chinese queries"
  it('never returns the cached rows of another non-ASCII query', async () => {
    const sheet = await open({
      fetch: async (request) => {
        const body = parseBody<{ text: string }>(request);
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
      const cells = getCells(await sheet.evaluate('CDAPI_PREVIEW', 'company_base', query));
      expect(cells).toEqual([['name'], [query]]);
    }
    // The third is cached.
    expect(sheet.requests).toHaveLength(2);
  });
});
