// Attacks on Undo of a part of a run: values of one company must not return to the row of another.
import { expect, it } from 'vitest';
import { createEnrichOrder, runEnrichment } from '../../server/orders.ts';
import { createWorkbook, openSidebar } from '../../server/sidebar.ts';

it('refuses after a row was deleted, even if all rows got the same value', async () => {
  const own = ['mining', 'farming', 'baking', 'weaving'];
  const rows = [['Website', ''], ...own.map((_, at) => [`site-${at}.example`, ''])];
  const sidebar = await openSidebar({ workbook: createWorkbook(rows) });
  const order = createEnrichOrder({ fields: ['industry'], scope: 'all' });
  const listValues = () => sidebar.getValues('Sheet1').map(([, industry]) => industry);
  await runEnrichment(sidebar, order);
  const [heading = ''] = listValues();
  sidebar.editSheet('Sheet1', ({ values }) => ({
    values: [...values.map(([key = ''], at) => [key, own[at - 1] ?? heading]), ['', 'four in all']],
  }));
  const { runId } = await runEnrichment(sidebar, order, true);
  const written = [heading, ...own.map(() => 'software'), 'four in all'];
  expect(listValues()).toEqual(written);
  sidebar.editSheet('Sheet1', ({ values }) => ({ values: values.toSpliced(2, 1) }));
  const reply = await sidebar.call('undo', { runId });
  expect(listValues()).toEqual(written.toSpliced(2, 1));
  expect(reply).toMatchObject({ ok: false, code: 'gone' });
});
