// Writing deliveries into sheets: size, ids, existing rows and interruptions.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import { pickRuns } from '../../../pick-cases.ts';
import { createScriptedRequest } from '../../server/bulk/bulk-orders.ts';
import { openSidebar, type Sidebar } from '../../server/sidebar.ts';
import { editSheet } from '../../server/state.ts';
import { formulaLikeTexts } from '../../sheet/formula-like-texts.ts';

/** Writes the rows of a data request to a new sheet. */
async function writeToNewSheet(sidebar: Sidebar, id: string) {
  const where = { kind: 'newSheet' } as const;
  return sidebar.finishRun(await sidebar.callOk('writeBulk', { id, where, mode: 'replace', title: 'Rows' }));
}

it('writes 5,000 rows of formula-like texts once, one block per step', async () => {
  const names = ['id', 'name', 'headline'];
  const texts = fc.sample(formulaLikeTexts, { seed: 20261122, numRuns: 10_000 });
  const rows = Array.from({ length: 5000 }, (_, at): CellValue[] => [
    at % 2 === 0 ? `${7_123_456_789_012_345_000n + BigInt(at)}` : at,
    texts[at] ?? '',
    texts[5000 + at] ?? '',
  ]);
  const request = createScriptedRequest(rows, names);
  const sidebar = await openSidebar({ fetch: request.fetch });
  const started = await sidebar.callOk('writeBulk', {
    id: request.id,
    where: { kind: 'newSheet' },
    mode: 'replace',
    title: 'Rows',
  });
  sidebar.takeWrites();
  const done = await sidebar.finishRun(started);
  expect(done).toMatchObject({ state: 'done', rows: 5000, total: 5000 });
  expect(sidebar.listCalls().filter((call) => call.includes('/rows'))).toHaveLength(3);
  const { values, formulas = [] } = sidebar.getSheet('Rows');
  expect(formulas.flat().filter((formula) => formula !== '')).toEqual([]);
  const written = values.slice(1, 5001).map((row) => [...row]);
  const expected = rows.map(([id, ...others]) => [String(id), ...others]);
  expect(
    written.filter((row, at) => row.join('\u0000') !== expected[at]?.join('\u0000')).slice(0, 3),
  ).toEqual([]);
  await sidebar.callOk('undo', { runId: done.runId });
  expect(sidebar.getWorkbook().sheets.map(({ name }) => name)).toEqual(['Sheet1']);
});

it('skips rows without an id and merges duplicate ids', async () => {
  const request = createScriptedRequest([
    [1, 'one'],
    ['', 'nobody'],
    [2, 'two'],
    [1, 'one again'],
  ]);
  const sidebar = await openSidebar({ fetch: request.fetch });
  expect(await writeToNewSheet(sidebar, request.id)).toMatchObject({ state: 'done', rows: 2 });
  expect(sidebar.getValues('Rows')).toEqual([
    ['ID', 'Name'],
    [1, 'one again'],
    [2, 'two'],
  ]);
});

it('refuses to write when the column of ids was deleted', async () => {
  const request = createScriptedRequest([
    [1, 'one'],
    [2, 'two'],
  ]);
  const sidebar = await openSidebar({ fetch: request.fetch });
  const { tableId } = await writeToNewSheet(sidebar, request.id);
  sidebar.apply([{ kind: 'deleteColumns', sheet: sidebar.getSheet('Rows').id, column: 1, count: 1 }]);
  const before = sidebar.getWorkbook();
  const order = { id: request.id, where: { kind: 'table', tableId }, mode: 'append', title: 'Rows' } as const;
  expect(await sidebar.call('writeBulk', order)).toMatchObject({ ok: false, code: 'gone' });
  expect(sidebar.getWorkbook()).toEqual(before);
});

/** A table's rows before a delivery, the delivery, and where its run is interrupted. */
const scenario = fc.record({
  deliveredCount: fc.integer({ min: 1, max: 12 }),
  existing: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 14 }),
      isText: fc.boolean(),
      name: fc.constantFrom('delivered', 'typed', ''),
    }),
    { selector: ({ id }) => id, maxLength: 10 },
  ),
  mode: fc.constantFrom('append', 'update'),
  page: fc.integer({ min: 1, max: 6 }),
  crashAfter: fc.integer({ min: 0, max: 4 }),
});

it('merges any delivery into any table without duplicate ids or lost manual rows, after any crash', async () => {
  const initial = createScriptedRequest([[99, 'first']]);
  const first = await openSidebar({ fetch: initial.fetch });
  const { tableId } = await writeToNewSheet(first, initial.id);
  const document = first.getProperties();
  const table = first.getWorkbook();
  await fc.assert(
    fc.asyncProperty(scenario, async ({ deliveredCount, existing, mode, page, crashAfter }) => {
      const rows = Array.from({ length: deliveredCount }, (_, at): CellValue[] => [at + 1, `name ${at + 1}`]);
      const request = createScriptedRequest(rows, ['id', 'name'], page);
      const existingRows = existing.map(({ id, isText, name }): CellValue[] => [
        isText ? String(id) : id,
        name === 'delivered' ? `name ${id}` : name,
      ]);
      const workbook = editSheet(table, 'Rows', ({ values }) => ({ values: [...values, ...existingRows] }));
      let sidebar = await openSidebar({ workbook, properties: { document }, fetch: request.fetch });
      const where = { kind: 'table', tableId } as const;
      const order = { id: request.id, where, mode, title: 'Rows', confirmed: true };
      const { runId } = await sidebar.callOk('writeBulk', order);
      for (let step = 0; step < crashAfter; step += 1) await sidebar.call('step', { runId });
      const properties = { document: sidebar.getProperties() };
      await sidebar.call('step', { runId });
      // The step has written its rows but not stored its progress.
      const afterCrash = sidebar.getWorkbook();
      sidebar.close();
      sidebar = await openSidebar({ workbook: afterCrash, properties, fetch: request.fetch });
      for (const unfinished of await sidebar.callOk('unfinished', {})) {
        const run = await sidebar.callOk('step', { runId: unfinished.runId });
        expect((await sidebar.finishRun(run)).state).toBe('done');
      }
      const result = sidebar.getValues('Rows').slice(1);
      sidebar.close();
      const names = new Map(result.map(([id, name]) => [String(id), name]));
      expect(names.size).toBe(result.length);
      const expectedIds = ['99', ...existing.map(({ id }) => String(id))];
      expect([...names.keys()].slice(0, expectedIds.length)).toEqual(expectedIds);
      for (const [id, name] of rows) {
        const previous = existingRows.find((row) => String(row[0]) === String(id));
        expect(names.get(String(id))).toBe(mode === 'update' || previous === undefined ? name : previous[1]);
      }
    }),
    { numRuns: pickRuns(4, 10), seed: 20261122 },
  );
});

it('keeps a foreign column inside the table, wherever a step is interrupted', async () => {
  const rows = Array.from({ length: 6 }, (_, at): CellValue[] => [at + 1, `name ${at + 1}`]);
  const request = createScriptedRequest(rows.slice(0, 2));
  const first = await openSidebar({ fetch: request.fetch });
  const { tableId } = await writeToNewSheet(first, request.id);
  first.apply([{ kind: 'insertColumns', sheet: first.getSheet('Rows').id, column: 2, count: 1 }]);
  first.editSheet('Rows', ({ values }) => ({
    values: values.map(([id = '', , name = ''], at) => [id, at === 0 ? 'Mine' : 'x', name]),
  }));
  const more = createScriptedRequest(rows);
  const snapshots: Record<string, string>[] = [];
  const sidebar: Sidebar = await openSidebar({
    workbook: first.getWorkbook(),
    properties: { document: first.getProperties() },
    fetch: more.fetch,
    onWrites: () => {
      snapshots.push(sidebar.getProperties());
    },
  });
  const order = { id: more.id, where: { kind: 'table', tableId }, mode: 'append', title: 'Rows' } as const;
  const run = await sidebar.callOk('writeBulk', order);
  snapshots.splice(0);
  expect(await sidebar.finishRun(run)).toMatchObject({ state: 'done', rows: 4 });
  const expected = [['ID', 'Mine', 'Name'], ...rows.map(([id, name], at) => [id, at < 2 ? 'x' : '', name])];
  expect(sidebar.getValues('Rows')).toEqual(expected);
  // Ids are written before names. Restore the properties of that moment, without the names.
  const [document = {}] = snapshots;
  for (const writtenRows of [2, 4, 6]) {
    const workbook = editSheet(sidebar.getWorkbook(), 'Rows', ({ values }) => ({
      values: values.map(([id = '', foreign = '', name = ''], at) => [
        id,
        foreign,
        at > writtenRows ? '' : name,
      ]),
    }));
    const again = await openSidebar({ workbook, properties: { document }, fetch: more.fetch });
    const [open] = await again.callOk('unfinished', {});
    const done = await again.resumeRun(open?.runId ?? '');
    expect(done).toMatchObject({ state: 'done', rows: 6 - writtenRows });
    expect(again.getValues('Rows')).toEqual(expected);
    again.close();
  }
});
