// Whatever people do to a sheet between runs, each run writes right cells of the right rows, or stops with a sentence; other
// sheets are never written, and nothing is bought for them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MetadataEntry } from '../../../../addon/dev/host/types.ts';
import { pickRuns } from '../../../pick-cases.ts';
import { checkNames, type TableChange, tableChange, toWrite } from '../../../table-changes.ts';
import { createEnrichOrder, runEnrichment, runSearch } from '../orders.ts';
import { createWorkbook, gateway, openSidebar, type Sidebar, tryStartRun } from '../sidebar.ts';
import { padRows } from '../state.ts';
import { SETTINGS } from './kept-filled.ts';

const LEADS = 1;
const OTHER = 2;
const HEADINGS = ['Website', 'Notes', 'Name', 'Founded'];
/** Makes a change in an open sheet. */
function apply(sidebar: Sidebar, name: string, change: TableChange): void {
  const { kind, at } = change;
  const { id: sheet, values } = sidebar.getSheet(name);
  const columns = Math.max(...values.map(({ length }) => length));
  const heading = (sidebar.getWorkbook().metadata ?? []).find(
    ({ location }) => location.type === 'ROW' && location.sheet === sheet,
  )?.location;
  const top = heading?.type === 'ROW' ? heading.at : 0;
  const count = sidebar.getWorkbook().sheets.length;
  const write =
    kind === 'copySheet'
      ? ({ kind, sheet, copy: 100 + count, name: `Copy ${count}`, index: 0 } as const)
      : toWrite(change, sheet, { rows: values.length, columns, top });
  if (write !== undefined) {
    sidebar.apply([write]);
    return;
  }
  if (kind === 'rename') {
    sidebar.editSheet(name, ({ values: [head = [], ...others] }) => ({
      values: [
        head.map((cell, nth) => (nth === at % Math.max(2, columns) ? `Spalte ${at}` : cell)),
        ...others,
      ],
    }));
    return;
  }
  // An editor writes the marks of the table into another sheet.
  sidebar.edit((workbook) => {
    const marks = (workbook.metadata ?? []).filter(
      ({ location }) => location.type !== 'SPREADSHEET' && location.sheet === LEADS,
    );
    const forged = marks.map(
      (mark, nth): MetadataEntry => ({
        ...mark,
        id: 500_000 + at * 50 + nth,
        location: { ...mark.location, sheet: OTHER } as MetadataEntry['location'],
      }),
    );
    const ids = new Set((workbook.metadata ?? []).map(({ id }) => id));
    return {
      ...workbook,
      metadata: [...(workbook.metadata ?? []), ...forged.filter(({ id }) => !ids.has(id))],
    };
  });
}

const listOthers = (sidebar: Sidebar, name: string) =>
  sidebar.getWorkbook().sheets.filter((sheet) => sheet.name !== name);

/** Checks that each value stands in the row of its key, and that a person's cells stand in theirs. */
function checkRows(rows: readonly (readonly unknown[])[], hasKeys: boolean): void {
  for (const row of rows) {
    const texts = row.map(String);
    const [, named] = texts.flatMap((text) => /^Name of (.*)$/.exec(text) ?? []);
    const [, noted] = texts.flatMap((text) => /^note on (.*)$/.exec(text) ?? []);
    const keys = texts.filter((text) => /^(?:site|new)-\d+\.example$/.test(text));
    if (!hasKeys) continue;
    if (named !== undefined) expect(keys).toContain(named);
    if (noted !== undefined) expect(keys).toContain(noted);
  }
}

it('a looked-up table is filled and refreshed right, or stops with a sentence, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tableChange, { minLength: 1, maxLength: 5 }), async (changes) => {
      gateway.reset();
      const keys = [0, 1, 2].map((at) => `site-${at}.example`);
      const book = createWorkbook([HEADINGS, ...keys.map((key) => [key, `note on ${key}`])], {
        name: 'Leads',
      });
      const sidebar = await openSidebar({
        workbook: {
          ...book,
          sheets: [
            ...book.sheets,
            {
              id: OTHER,
              name: 'Q4',
              values: [HEADINGS, ['other-1.example'], ['other-2.example']],
              maxRows: 50,
            },
          ],
        },
      });
      await runEnrichment(sidebar, createEnrichOrder({ sheet: 'Leads', fields: ['name', 'founded'] }));
      const [{ id = '' } = {}] = await sidebar.callOk('tables', {});
      await sidebar.callOk('setEnrichment', { tableId: id, settings: SETTINGS });
      const bought = new Map(gateway.bought);
      for (const each of changes) apply(sidebar, 'Leads', each);
      // A new row appears below the keys, wherever these are now.
      const values = padRows(sidebar.getValues('Leads'));
      const column = values[values.length - 1]?.findIndex((cell) => keys.includes(String(cell))) ?? -1;
      const added = column < 0 ? undefined : 'new-7.example';
      if (added !== undefined)
        sidebar.editSheet('Leads', (sheet) => ({
          values: [...sheet.values, [...Array(column).fill(''), added]],
        }));
      const others = listOthers(sidebar, 'Leads');
      const marks = sidebar.getWorkbook().metadata ?? [];
      const key = marks.find(
        ({ location, value }) =>
          location.type === 'COLUMN' && location.sheet === LEADS && value?.startsWith(`${id} `) === true,
      );
      await sidebar.callOk('deliveries', {});
      const reply = await tryStartRun(sidebar, 'refreshTable', { id, only: 'all', keepChanges: true });
      if (reply.ok) await sidebar.finishRun(reply.value);
      else expect(reply.message).toMatch(/deleted|twice|moved|no rows/);
      expect(listOthers(sidebar, 'Leads')).toEqual(others);
      const hasKeys = sidebar
        .getValues('Leads')
        .some((row) => row.some((cell) => keys.includes(String(cell))));
      checkRows(padRows(sidebar.getValues('Leads')), hasKeys && key !== undefined);
      // Deleted rows and columns buy nothing.
      for (const website of gateway.bought.keys()) expect(website).toMatch(/(?:site-\d|new-7)\.example$/);
      const isGone = (await sidebar.callOk('tables', {}))[0]?.gone !== undefined;
      if (isGone) expect(new Map(gateway.bought)).toEqual(bought);
      sidebar.close();
    }),
    { numRuns: pickRuns(5, 100), seed: 35 },
  );
});

it('a search is updated right, or stops with a sentence, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tableChange, { minLength: 1, maxLength: 5 }), async (changes) => {
      gateway.reset();
      const book = createWorkbook([HEADINGS, ['other-1.example']], { id: OTHER, name: 'Q4', maxRows: 50 });
      const sidebar = await openSidebar({ workbook: book });
      const { tableId: id } = await runSearch(sidebar, { columns: ['id', 'name'], pages: 1, mode: 'update' });
      const name = 'Companies';
      const names = new Map(
        sidebar
          .getValues(name)
          .slice(1)
          .map(([key, label]) => [key, label]),
      );
      for (const each of changes) if (each.kind !== 'forge') apply(sidebar, name, each);
      const others = listOthers(sidebar, name);
      const reply = await tryStartRun(sidebar, 'refreshTable', { id, only: 'all', confirmed: true });
      if (reply.ok) await sidebar.finishRun(reply.value);
      else expect(reply.message).toMatch(/deleted|twice|moved/);
      expect(listOthers(sidebar, name)).toEqual(others);
      const seen = checkNames(sidebar.getValues(name), names);
      if (reply.ok) expect(seen).toBe(names.size);
      sidebar.close();
    }),
    { numRuns: pickRuns(5, 100), seed: 35 },
  );
});

it('locating a table costs three calls of Google’s for each mark in its sheet, and none for other sheets', async () => {
  const sidebar = await openSidebar();
  const columns = ['id', 'name', 'website'];
  const marks = columns.length + 1;
  const { tableId: id } = await runSearch(sidebar, { columns, pages: 1 });
  const countCalls = async (): Promise<number> => {
    const before = sidebar.countServiceCalls();
    await sidebar.callOk('showTable', { id });
    return sidebar.countServiceCalls() - before;
  };
  const alone = await countCalls();
  expect(alone).toBeLessThanOrEqual(3 * marks + 25);
  await runSearch(sidebar, { columns, pages: 1, title: 'In another sheet' });
  // The registry has one table more.
  expect((await countCalls()) - alone).toBeLessThanOrEqual(3);
  const together = await countCalls();
  sidebar.edit((workbook) => ({ ...workbook, active: { sheet: 'Companies', row: 1, column: 8 } }));
  await runSearch(sidebar, { columns, pages: 1, title: 'Beside it', where: { kind: 'cursor' } });
  expect((await countCalls()) - together).toBeLessThanOrEqual(3 * marks + 8);
});
