// Counts of the running gateway beside companies: they agree with its searches and cost nothing.
import { expect, it } from 'vitest';
import { getCells, measureSpending, open } from '../../functions/sheets.ts';
import { createEnrichOrder, createList } from '../../server/orders.ts';
import { completeRun, openInstanceSidebar } from '../../server/sidebar.ts';

it('people at companies are counted for free, as the formula counts them', async () => {
  const preview = await (await open()).evaluate('CDAPI_PREVIEW', 'company_base', '*', 'website');
  const websites = getCells(preview)
    .slice(1)
    .flatMap(([website]) => (website ? [website] : []));
  expect(websites.length).toBeGreaterThan(5);
  const sidebar = await openInstanceSidebar({ workbook: createList(websites) });
  const query = { text: '*' };
  const order = createEnrichOrder({
    family: 'employee_clean',
    fields: ['count'],
    count: { query, heading: 'People' },
  });
  const spent = await measureSpending(async () => {
    const done = await completeRun(sidebar, 'startEnrich', order);
    expect(done).toMatchObject({ state: 'done', rows: websites.length, credits: 0 });
  });
  expect(spent).toBe(0);
  const counts = sidebar.getValues('Sheet1').slice(1);
  const formula = await sidebar.evaluate(
    'CDAPI_PEOPLE_COUNT',
    counts.map(([website = '']) => [website]),
    query.text,
  );
  expect(counts.map(([, count]) => count)).toEqual(getCells(formula).map(([count]) => count));
  expect(counts.some(([, count]) => Number(count) > 0)).toBe(true);
});
