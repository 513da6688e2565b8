// Writing into an existing table: its title, its query and adjacent lookups.
import { describe, expect, it } from 'vitest';
import { longIt } from '../../../pick-cases.ts';
import { createSearchOrder, listIds, runSearch } from '../orders.ts';
import { completeRun, openSidebar, type Sidebar } from '../sidebar.ts';
import { padRows } from '../state.ts';

const first = { query: { text: 'NOT industry:*ing' }, title: 'First search', pages: 2 };
const second = { query: { text: 'industry:*ing' }, title: 'Second search', pages: 1 };

const tableOf = async (sidebar: Sidebar) => {
  const [table] = await sidebar.callOk('tables', {});
  if (table === undefined) throw new Error('no table');
  return table;
};
const filled = (sidebar: Sidebar, name: string) =>
  padRows(sidebar.getValues(name)).filter((row) => row.some((cell) => cell !== ''));

describe('“Update and append rename a table and replace its query (Refresh then covers 56 of 667 rows)”', () => {
  it.each(['append', 'update'] as const)(
    '%s keeps name and query, and Refresh covers its rows',
    async (mode) => {
      const sidebar = await openSidebar();
      const { tableId, rows } = await runSearch(sidebar, first);
      const more = await runSearch(sidebar, { ...second, where: { kind: 'table', tableId }, mode });
      expect(more).toMatchObject({ state: 'done', rows: 20, title: 'First search' });
      const table = await tableOf(sidebar);
      expect(table).toMatchObject({ title: 'First search', query: first.query, rows: rows + 20 });
      expect(await sidebar.callOk('planRefresh', { id: tableId, only: 'all' })).toMatchObject({ rows });
      const ids = listIds(filled(sidebar, 'First search'));
      const refreshed = await completeRun(sidebar, 'refreshTable', { id: tableId, only: 'stale' });
      expect(refreshed).toMatchObject({ state: 'done', done: rows });
      // Rows of the other search stay.
      expect(listIds(filled(sidebar, 'First search'))).toEqual(ids);
    },
  );
});

describe('“Replace leaves old enrichment columns beside new companies”, refreshing deletes them', () => {
  /** Writes a search and looks up two more columns by its first one. */
  async function enrichedSearch() {
    const sidebar = await openSidebar();
    const { tableId, rows } = await runSearch(sidebar, first);
    const records = await completeRun(sidebar, 'startRecords', {
      tableId,
      fields: ['founded', 'description'],
      rows: 'all',
    });
    expect(records).toMatchObject({ state: 'done', rows, title: 'Full records of “First search”' });
    const looked = () =>
      filled(sidebar, 'First search')
        .slice(1)
        .map((row) => row.slice(createSearchOrder().columns.length));
    expect(
      looked()
        .flat()
        .some((cell) => cell !== ''),
    ).toBe(true);
    return { sidebar, tableId, rows, looked };
  }
  const replacing = (tableId: string) => createSearchOrder({ ...second, where: { kind: 'table', tableId } });

  longIt('clears them after a warning, and Undo restores them', async () => {
    const { sidebar, tableId, rows, looked } = await enrichedSearch();
    const before = padRows(sidebar.getValues('First search'));
    expect(await sidebar.callOk('planSearch', replacing(tableId))).toMatchObject({
      target: { title: 'First search', rows },
      warnings: [
        '“Founded”, “Description” were looked up for the replaced rows and will be cleared. Look them up again under Enrich: records your team already bought are free.',
      ],
    });
    const run = await completeRun(sidebar, 'startSearch', replacing(tableId));
    expect(run).toMatchObject({ state: 'done', rows: 20 });
    expect(
      looked()
        .flat()
        .every((cell) => cell === ''),
    ).toBe(true);
    expect(filled(sidebar, 'First search')).toHaveLength(21);
    await sidebar.callOk('undo', { runId: run.runId });
    expect(padRows(sidebar.getValues('First search'))).toEqual(before);
  });

  it('a refresh updates the rows by ID, so that they stay', async () => {
    const { sidebar, tableId: id, rows } = await enrichedSearch();
    const before = padRows(sidebar.getValues('First search'));
    expect(await sidebar.callOk('planRefresh', { id, only: 'stale' })).toMatchObject({
      rows,
      credits: 0,
      warnings: [
        'Rows are updated by ID, so that the columns beside them keep their rows. Rows that no longer match stay, too.',
        expect.stringMatching(/less than a day ago are free/),
      ],
    });
    const run = await completeRun(sidebar, 'refreshTable', { id, only: 'stale' });
    expect(run).toMatchObject({ state: 'done', done: rows, rows: 0 });
    expect(padRows(sidebar.getValues('First search'))).toEqual(before);
  });
});
