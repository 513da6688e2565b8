// Whatever people do to a sheet between runs, each run writes right cells of the right rows, or stops with a sentence; other
// sheets are never written, and nothing is bought for them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MetadataEntry, Write } from '../../../../addon/dev/host/types.ts';
import { pickRuns } from '../../../pick-cases.ts';
import { companies, PushHarness } from '../../../worker/tables/push/harness.ts';
import { createEnrichOrder, runEnrichment, runSearch } from '../orders.ts';
import { createWorkbook, gateway, openSidebar, type Sidebar, tryStartRun } from '../sidebar.ts';
import { padRows } from '../state.ts';
import { SETTINGS } from './kept-filled.ts';

const LEADS = 1;
const OTHER = 2;
const HEADINGS = ['Website', 'Notes', 'Name', 'Founded'];
/** A change that a person makes; numbers choose among the present rows and columns. */
const change = fc.oneof(
  fc.record({
    kind: fc.constantFrom('insertRows', 'deleteRows', 'insertColumns', 'deleteColumns'),
    at: fc.nat(),
  }),
  fc.record({
    kind: fc.constantFrom('moveRows', 'moveColumns', 'sort', 'rename', 'copySheet', 'forge'),
    at: fc.nat(),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Converts a change to a write; undefined for one of other cells than those of the sheet. @param top - row of the headings */
function toWrite(
  { kind, at }: Change,
  sheet: number,
  grid: { rows: number; columns: number; top: number },
): Write | undefined {
  const rows = Math.max(2, grid.rows);
  const columns = Math.max(2, grid.columns);
  const row = 1 + (at % rows);
  const column = 1 + (at % columns);
  // Rows above the headings would be rows of something else.
  const to = Math.min(rows, grid.top + 1 + (at % rows));
  const order = Array.from({ length: rows - 1 }, (_, nth) => (nth + at) % (rows - 1));
  const writes: Partial<Record<Change['kind'], Write>> = {
    insertRows: { kind: 'insertRows', sheet, row, count: 1 },
    deleteRows: { kind: 'deleteRows', sheet, row, count: 1 },
    insertColumns: { kind: 'insertColumns', sheet, column, count: 1 },
    deleteColumns: { kind: 'deleteColumns', sheet, column, count: 1 },
    moveRows: { kind: 'moveRows', sheet, row: rows, count: 1, to },
    moveColumns: { kind: 'moveColumns', sheet, column: columns, count: 1, to: 1 + (at % (columns - 1)) },
    sort: { kind: 'sort', sheet, area: { row: 2, column: 1, rows: rows - 1, columns }, order },
  };
  return writes[kind];
}

/** Makes a change in an open sheet. */
function apply(sidebar: Sidebar, name: string, change: Change): void {
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
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
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
      await sidebar.callOk('setAutoEnrich', { tableId: id, settings: SETTINGS });
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
    { numRuns: pickRuns(8, 100), seed: 35 },
  );
});

it('a search is updated right, or stops with a sentence, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
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
      const seen = new Set<unknown>();
      for (const row of sidebar.getValues(name)) {
        const key = row.find((cell) => names.has(cell));
        const label = row.find((cell) => typeof cell === 'string' && [...names.values()].includes(cell));
        if (key === undefined) continue;
        expect(seen.has(key)).toBe(false);
        seen.add(key);
        if (label !== undefined) expect(label).toBe(names.get(key));
      }
      if (reply.ok) expect(seen.size).toBe(names.size);
      sidebar.close();
    }),
    { numRuns: pickRuns(8, 100), seed: 35 },
  );
});

/** Makes a change in a closed sheet. */
function applyClosed({ sheet, spreadsheet }: PushHarness, change: Change): void {
  const { kind, at } = change;
  const values = sheet.values();
  const columns = Math.max(0, ...values.map(({ length }) => length));
  const heading = sheet.metadata.find(({ location }) => location.type === 'ROW')?.location;
  const top = heading?.type === 'ROW' ? heading.at : 0;
  const write = toWrite(change, sheet.sheetId, { rows: values.length, columns, top });
  const cell = sheet.cell(top, 1 + (at % Math.max(2, columns)));
  if (kind === 'rename' && cell !== undefined) cell.value = `Spalte ${at}`;
  // An editor writes the marks of the table into another sheet.
  else if (kind === 'forge') {
    const [notes] = spreadsheet.sheets;
    const forge = (mark: MetadataEntry, nth: number): MetadataEntry => ({
      ...mark,
      id: 500_000 + at * 50 + nth,
      location: { ...mark.location, sheet: notes?.sheetId } as MetadataEntry['location'],
    });
    if (notes !== undefined && notes.metadata.length === 0) notes.metadata = sheet.metadata.map(forge);
  } else if (write !== undefined) sheet.apply(write);
}

it('a push updates the right cells of the right rows, or stops with a sentence, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
      const harness = new PushHarness();
      const { sheet, spreadsheet } = harness;
      const [notes] = spreadsheet.sheets;
      notes?.fill(1, 1, [HEADINGS, ['id', 'name']]);
      const names = new Map(companies(4).map(([id, name]) => [id, name]));
      await harness.push(companies(4), { existing: 'mark', synced: false });
      // The label of the last push is none of the table's cells.
      sheet.set(1, harness.columns.length + 2, undefined);
      for (const each of changes) applyClosed(harness, each);
      const others = notes?.snapshot();
      const report = await harness.push(companies(4), { existing: 'mark', synced: false });
      if (report.outcome === 'failed') expect(report.problem?.detail).toMatch(/deleted|twice|moved/);
      expect(notes?.snapshot()).toEqual(others);
      const seen = new Set<unknown>();
      for (const row of sheet.values()) {
        const key = row.find((cell) => names.has(cell));
        const label = row.find((cell) => [...names.values()].includes(cell));
        if (key === undefined) continue;
        expect(seen.has(key)).toBe(false);
        seen.add(key);
        if (label !== undefined) expect(label).toBe(names.get(key));
      }
      if (report.outcome === 'done') expect(seen.size).toBe(names.size);
    }),
    { numRuns: pickRuns(50, 500), seed: 35 },
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
