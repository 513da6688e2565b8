// What people have changed by hand, or put beside a table: it is named, kept on request, and stays beside its rows.
import { describe, expect, it } from 'vitest';
import { createEnrichOrder, runEnrichment, runSearch } from '../orders.ts';
import { completeRun, createWorkbook, gateway, openSidebar, type Sidebar } from '../sidebar.ts';

const SHEET = 'Companies';

/** Changes a cell by hand; row and column from 1. */
function type(sidebar: Sidebar, row: number, column: number, text: string, sheet = SHEET): void {
  sidebar.editSheet(sheet, ({ values }) => ({
    values: values.map((cells, r) =>
      cells.map((cell, c) => (r === row - 1 && c === column - 1 ? text : cell)),
    ),
  }));
}

describe('a refresh of a search', () => {
  it.each(['replace', 'update'] as const)(
    'keeps changed cells on request, and writes the others: %s',
    async (mode) => {
      const sidebar = await openSidebar();
      const columns = ['id', 'name', 'website'];
      const { tableId: id } = await runSearch(sidebar, { columns, pages: 1, mode });
      const before = sidebar.getValues(SHEET);
      type(sidebar, 3, 2, 'My own name');
      type(sidebar, 5, 3, '');
      sidebar.apply([{ kind: 'deleteRows', sheet: sidebar.getSheet(SHEET).id, row: 4, count: 1 }]);
      const plan = await sidebar.callOk('planRefresh', { id, only: 'all' });
      expect(plan.willOverwrite).toMatchObject({ cells: 2, canKeep: true });
      await completeRun(sidebar, 'refreshTable', { id, only: 'all', keepChanges: true });
      const after = sidebar.getValues(SHEET);
      expect(after[2]).toEqual([before[2]?.[0], 'My own name', before[2]?.[2]]);
      // A blank cell gets its value, and the deleted row comes back.
      expect(after[3]).toEqual(before[4]);
      expect(new Map(after.map(([key, name]) => [key, name])).get(before[3]?.[0] ?? '')).toBe(before[3]?.[1]);
      expect(await sidebar.callOk('planRefresh', { id, only: 'all' })).toMatchObject({
        willOverwrite: { cells: 1 },
      });
      const started = await completeRun(sidebar, 'refreshTable', { id, only: 'all', confirmed: true });
      expect(started).toMatchObject({ state: 'done' });
      expect(
        new Map(sidebar.getValues(SHEET).map(([key, name]) => [key, name])).get(before[2]?.[0] ?? ''),
      ).toBe(before[2]?.[1]);
    },
  );

  it('says why changed cells of a table without ids can’t be kept', async () => {
    const sidebar = await openSidebar();
    const { tableId: id } = await runSearch(sidebar, { columns: ['name', 'website'], pages: 1 });
    type(sidebar, 3, 1, 'My own name');
    const { willOverwrite } = await sidebar.callOk('planRefresh', { id, only: 'all' });
    expect(willOverwrite).toMatchObject({ cells: 1, question: expect.stringMatching(/has no ID column/) });
    expect(willOverwrite).not.toHaveProperty('canKeep');
  });
});

describe('websites that a formula wrote', () => {
  const matched = ['a.example', 'b.example'];
  const openMatched = () =>
    openSidebar({
      workbook: createWorkbook(
        [['Company', ''], ...matched.map((website) => [`Name of ${website}`, website, 'x', 'y', 'z', 'w'])],
        { formulas: [[], ['', '=CDAPI_MATCH(A2:A3)']] },
      ),
    });

  it('are looked up with the free cell above them as heading: no row is inserted', async () => {
    const sidebar = await openMatched();
    const order = createEnrichOrder({ column: 2, fields: ['name'] });
    const plan = await sidebar.callOk('planEnrich', order);
    expect(plan.warnings).toEqual([]);
    await runEnrichment(sidebar, order);
    const { values, formulas } = sidebar.getSheet('Sheet1');
    expect(values[0]?.slice(0, 2)).toEqual(['Company', 'Website']);
    expect(values.slice(1, 3).map(([, website]) => website)).toEqual(matched);
    expect(formulas?.[1]?.[1]).toBe('=CDAPI_MATCH(A2:A3)');
    expect(values[1]).toContain('Name of a.example');
    expect([...gateway.bought.keys()]).toHaveLength(2);
  });

  it('are formulas, and the values beside them are none', async () => {
    const sidebar = await openMatched();
    const order = createEnrichOrder({ column: 2, fields: ['name', 'founded', 'industry'] });
    await runEnrichment(sidebar, order);
    type(sidebar, 1, 6, 'Note', 'Sheet1');
    const columns = await sidebar.callOk('columns', {});
    const beside = columns.find(({ column }) => column === 2)?.beside ?? [];
    const computed = beside.filter(({ hasFormulas }) => hasFormulas).map(({ heading }) => heading);
    expect(computed).not.toContain('Name');
    expect(computed).not.toContain('Founded');
    expect(computed).not.toContain('Industry');
  });
});
