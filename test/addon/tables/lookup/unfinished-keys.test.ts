// Key cells that are still loading or show an error: never looked up, ordered, paid or written, in any language.
import { describe, expect, it } from 'vitest';
import { getCellTexts } from '../../../../addon/dev/host/sheets/locales.ts';
import { createBulkOrder } from '../../server/bulk/bulk-orders.ts';
import { createEnrichOrder, createList, runEnrichment } from '../../server/orders.ts';
import { createWorkbook, gateway, openSidebar, parseBody } from '../../server/sidebar.ts';

const { loading: english, error } = getCellTexts('en_US');
const UNFINISHED = [
  english,
  'Cargando...',
  'Wird geladen…',
  error,
  '#N/A',
  '#BEZUG!',
  '#PENDING',
  '#NOT_FOUND',
];
const SKIPPED = '8 cells are still loading or show an error: they are skipped.';

describe('cells of keys without a value', () => {
  it('are skipped by Enrich with a count, and looked up once they have a value', async () => {
    const sidebar = await openSidebar({ workbook: createList(['a.example', ...UNFINISHED, 'b.example']) });
    const plan = await sidebar.callOk('planEnrich', createEnrichOrder());
    expect(plan).toMatchObject({ rows: 2, distinct: 2, invalid: 0, warnings: [SKIPPED] });
    expect(await runEnrichment(sidebar)).toMatchObject({ state: 'done', done: 2, total: 2, failed: {} });
    expect(gateway.lookups.flatMap(({ keys }) => keys)).toEqual(['a.example', 'b.example']);
    const written = sidebar
      .getValues('Sheet1')
      .slice(1)
      .map((row) => row[1] ?? '');
    expect(written).toEqual(['Name of a.example', ...UNFINISHED.map(() => ''), 'Name of b.example']);
    sidebar.editSheet('Sheet1', ({ values }) => ({
      values: values.map((row, at) => (at === 2 ? ['c.example', ...row.slice(1)] : [...row])),
    }));
    expect(await runEnrichment(sidebar, { scope: 'blank' })).toMatchObject({ done: 1, rows: 1 });
    expect(gateway.bought.size).toBe(3);
  });

  it('are skipped one by one in the singular', async () => {
    const sidebar = await openSidebar({ workbook: createList(['a.example', english]) });
    const { warnings } = await sidebar.callOk('planEnrich', createEnrichOrder());
    expect(warnings).toEqual(['1 cell is still loading or shows an error: it is skipped.']);
  });

  it.each([
    ['url', ['acme', ...UNFINISHED, 'globex'], ['acme', 'globex']],
    ['id', [5, ...UNFINISHED, 7], ['5', '7']],
  ] as const)('are skipped by a bulk order of a column of %ss', async (sort, cells, keys) => {
    const estimates: unknown[] = [];
    const sidebar = await openSidebar({
      workbook: createList([...cells]),
      fetch: (request) => {
        if (request.url.endsWith('/estimate/data-request')) estimates.push(parseBody(request));
        return gateway.fetch(request);
      },
    });
    const source = { by: 'column', sheet: 'Sheet1', column: 1, sort, scope: 'all' } as const;
    const plan = await sidebar.callOk('planBulk', createBulkOrder({ source }));
    expect(plan.invalid).toBe(0);
    expect(plan.warnings).toContain(SKIPPED);
    expect(estimates).toMatchObject([{ keys }]);
  });

  it('are the reason if nothing else is left', async () => {
    const sidebar = await openSidebar({ workbook: createWorkbook([['Profile'], [english]]) });
    const source = { by: 'column', sheet: 'Sheet1', column: 1, sort: 'url', scope: 'all' } as const;
    expect(await sidebar.call('planBulk', createBulkOrder({ source }))).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^1 cell is still loading or shows an error: it is skipped\. /),
    });
  });
});
