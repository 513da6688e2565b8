// What becomes of a table that rows are written into: its name, its search, and the columns that were looked up beside it.
import { describe, expect, it } from 'vitest';
import { idsOf, searchOrder, written } from '../orders.ts';
import { openSidebar, type Sidebar, startRun } from '../sidebar.ts';
import { square } from '../state.ts';

const first = { query: { text: 'NOT industry:*ing' }, title: 'First search', pages: 2 };
const second = { query: { text: 'industry:*ing' }, title: 'Second search', pages: 1 };

const tableOf = async (bar: Sidebar) => {
  const [table] = await bar.value('tables', {});
  if (table === undefined) throw new Error('no table');
  return table;
};
const filled = (bar: Sidebar, name: string) =>
  square(bar.values(name)).filter((row) => row.some((cell) => cell !== ''));

describe('“Update and append rename a table and replace its query (Refresh then covers 56 of 667 rows)”', () => {
  it.each(['append', 'update'] as const)(
    '%s keeps name and query, and Refresh covers its rows',
    async (mode) => {
      const bar = await openSidebar();
      const { tableId, rows } = await written(bar, first);
      const more = await written(bar, { ...second, where: { kind: 'table', tableId }, mode });
      expect(more).toMatchObject({ state: 'done', rows: 20, title: 'First search' });
      const table = await tableOf(bar);
      expect(table).toMatchObject({ title: 'First search', query: first.query, rows: rows + 20 });
      expect(await bar.value('planRefresh', { id: tableId, only: 'all' })).toMatchObject({ rows });
      const ids = idsOf(filled(bar, 'First search'));
      const refreshed = await bar.finish(await startRun(bar, 'refreshTable', { id: tableId, only: 'stale' }));
      expect(refreshed).toMatchObject({ state: 'done', done: rows });
      // Nothing that the other search brought is lost.
      expect(idsOf(filled(bar, 'First search'))).toEqual(ids);
    },
  );
});

describe('“Replace leaves old enrichment columns beside new companies”', () => {
  /** A search whose first column was looked up for two more columns. */
  async function enrichedSearch() {
    const bar = await openSidebar();
    const { tableId, rows } = await written(bar, first);
    const records = await bar.finish(
      await startRun(bar, 'startRecords', { tableId, fields: ['founded', 'description'], rows: 'all' }),
    );
    expect(records).toMatchObject({ state: 'done', rows });
    const looked = () =>
      filled(bar, 'First search')
        .slice(1)
        .map((row) => row.slice(searchOrder().columns.length));
    expect(
      looked()
        .flat()
        .some((cell) => cell !== ''),
    ).toBe(true);
    return { bar, tableId, looked };
  }
  const replacing = (tableId: string) => searchOrder({ ...second, where: { kind: 'table', tableId } });

  it('empties them, after a warning, and undo brings them back', async () => {
    const { bar, tableId, looked } = await enrichedSearch();
    const before = square(bar.values('First search'));
    expect(await bar.value('planSearch', replacing(tableId))).toMatchObject({
      warnings: [
        '“founded”, “description” were looked up for the replaced rows and will be cleared. Look them up again under Enrich: records your team already bought are free.',
      ],
    });
    const run = await bar.finish(await startRun(bar, 'startSearch', replacing(tableId)));
    expect(run).toMatchObject({ state: 'done', rows: 20 });
    expect(
      looked()
        .flat()
        .every((cell) => cell === ''),
    ).toBe(true);
    expect(filled(bar, 'First search')).toHaveLength(21);
    await bar.value('undo', { runId: run.runId });
    expect(square(bar.values('First search'))).toEqual(before);
  });
});
