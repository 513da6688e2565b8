// Rows of a bulk request in a sheet: as many as there are, as the texts that they are, in few writes.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import { scripted } from '../../server/bulk/bulk-orders.ts';
import { openSidebar, type Sidebar } from '../../server/sidebar.ts';
import { withSheet } from '../../server/state.ts';
import { nasty } from '../../sheet/formula-like-texts.ts';

/** Writes the rows of a scripted request to a new sheet. */
async function wrote(bar: Sidebar, id: string) {
  const where = { kind: 'newSheet' } as const;
  return bar.finish(await bar.value('writeBulk', { id, where, mode: 'replace', title: 'Rows' }));
}

it('5,000 rows of texts that look like formulas land as texts, each once, a block a step', async () => {
  const names = ['id', 'name', 'headline'];
  const wild = fc.sample(nasty, { seed: 20261122, numRuns: 10_000 });
  const rows = Array.from({ length: 5000 }, (_, at): CellValue[] => [
    at % 2 === 0 ? `${7_123_456_789_012_345_000n + BigInt(at)}` : at,
    wild[at] ?? '',
    wild[5000 + at] ?? '',
  ]);
  const request = scripted(rows, names);
  const bar = await openSidebar({ fetch: request.fetch });
  const started = await bar.value('writeBulk', {
    id: request.id,
    where: { kind: 'newSheet' },
    mode: 'replace',
    title: 'Rows',
  });
  bar.writes();
  const done = await bar.finish(started);
  expect(done).toMatchObject({ state: 'done', rows: 5000, total: 5000 });
  expect(bar.calls().filter((call) => call.includes('/rows'))).toHaveLength(3);
  const { values, formulas = [] } = bar.sheet('Rows');
  expect(formulas.flat().filter((formula) => formula !== '')).toEqual([]);
  const landed = values.slice(1, 5001).map((row) => [...row]);
  const expected = rows.map(([id, ...others]) => [String(id), ...others]);
  expect(landed.filter((row, at) => row.join('\u0000') !== expected[at]?.join('\u0000')).slice(0, 3)).toEqual(
    [],
  );
  await bar.value('undo', { runId: done.runId });
  expect(bar.workbook().sheets.map(({ name }) => name)).toEqual(['Sheet1']);
}, 120_000);

it('rows without an id, and ids that come twice, do no harm', async () => {
  const request = scripted([
    [1, 'one'],
    ['', 'nobody'],
    [2, 'two'],
    [1, 'one again'],
  ]);
  const bar = await openSidebar({ fetch: request.fetch });
  expect(await wrote(bar, request.id)).toMatchObject({ state: 'done', rows: 2 });
  expect(bar.values('Rows')).toEqual([
    ['id', 'name'],
    [1, 'one again'],
    [2, 'two'],
  ]);
});

it('a table whose heading of ids is gone gets no row twice: it gets none, and says so', async () => {
  const request = scripted([
    [1, 'one'],
    [2, 'two'],
  ]);
  const bar = await openSidebar({ fetch: request.fetch });
  const { tableId } = await wrote(bar, request.id);
  bar.edit((workbook) => ({
    ...workbook,
    sheets: workbook.sheets.map((sheet) =>
      sheet.name === 'Rows' ? { ...sheet, values: [['No', 'name'], ...sheet.values.slice(1)] } : sheet,
    ),
  }));
  const before = bar.workbook();
  const order = { id: request.id, where: { kind: 'table', tableId }, mode: 'append', title: 'Rows' } as const;
  expect(await bar.ask('writeBulk', order)).toMatchObject({ ok: false, code: 'gone' });
  expect(bar.workbook()).toEqual(before);
});

/** What stands in a table before rows come, in whatever order, typed or pushed; what comes, and where the run is cut off. */
const meeting = fc.record({
  coming: fc.integer({ min: 1, max: 12 }),
  there: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 14 }),
      isText: fc.boolean(),
      name: fc.constantFrom('as it comes', 'typed', ''),
    }),
    { selector: ({ id }) => id, maxLength: 10 },
  ),
  mode: fc.constantFrom('append', 'update'),
  page: fc.integer({ min: 1, max: 6 }),
  cutAfter: fc.integer({ min: 0, max: 4 }),
});

it('however rows meet those that stand there, each id stands once, and nothing that was typed is lost', async () => {
  await fc.assert(
    fc.asyncProperty(meeting, async ({ coming, there, mode, page, cutAfter }) => {
      const rows = Array.from({ length: coming }, (_, at): CellValue[] => [at + 1, `name ${at + 1}`]);
      const request = scripted(rows, ['id', 'name'], page);
      const standing = there.map(({ id, isText, name }): CellValue[] => [
        isText ? String(id) : id,
        name === 'as it comes' ? `name ${id}` : name,
      ]);
      const empty = scripted([[99, 'first']]);
      const first = await openSidebar({ fetch: empty.fetch });
      const { tableId } = await wrote(first, empty.id);
      const workbook = withSheet(first.workbook(), 'Rows', ({ values }) => ({
        values: [...values, ...standing],
      }));
      const options = { workbook, properties: { document: first.properties() }, fetch: request.fetch };
      first.close();
      let bar = await openSidebar(options);
      const where = { kind: 'table', tableId } as const;
      const order = { id: request.id, where, mode, title: 'Rows', confirmed: true };
      const { runId } = await bar.value('writeBulk', order);
      for (let step = 0; step < cutAfter; step += 1) await bar.ask('step', { runId });
      const before = { workbook: bar.workbook(), properties: { document: bar.properties() } };
      await bar.ask('step', { runId });
      // The step's rows stay, and what it remembered is lost.
      const left = bar.workbook();
      bar.close();
      bar = await openSidebar({ ...before, workbook: left, fetch: request.fetch });
      for (const { runId: own } of await bar.value('unfinished', {})) {
        expect((await bar.finish(await bar.value('step', { runId: own }))).state).toBe('done');
      }
      const now = bar.values('Rows').slice(1);
      bar.close();
      const names = new Map(now.map(([id, name]) => [String(id), name]));
      expect(names.size).toBe(now.length);
      expect([...names.keys()].slice(0, there.length + 1)).toEqual([
        '99',
        ...there.map(({ id }) => String(id)),
      ]);
      for (const [id, name] of rows) {
        const stood = standing.find(([own]) => String(own) === String(id));
        expect(names.get(String(id))).toBe(mode === 'update' || stood === undefined ? name : stood[1]);
      }
    }),
    { numRuns: 25, seed: 20261122 },
  );
}, 180_000);

it('a column of somebody’s own among the table’s stays, wherever a step is cut off', async () => {
  const rows = Array.from({ length: 6 }, (_, at): CellValue[] => [at + 1, `name ${at + 1}`]);
  const request = scripted(rows.slice(0, 2));
  const first = await openSidebar({ fetch: request.fetch });
  const { tableId } = await wrote(first, request.id);
  first.edit((workbook) => ({
    ...workbook,
    sheets: workbook.sheets.map((sheet) =>
      sheet.name === 'Rows'
        ? {
            ...sheet,
            values: sheet.values.map(([id = '', name = ''], at) => [id, at === 0 ? 'Mine' : 'x', name]),
          }
        : sheet,
    ),
  }));
  const more = scripted(rows);
  const landings: Record<string, string>[] = [];
  const bar: Sidebar = await openSidebar({
    workbook: first.workbook(),
    properties: { document: first.properties() },
    fetch: more.fetch,
    onWrites: () => {
      landings.push(bar.properties());
    },
  });
  const order = { id: more.id, where: { kind: 'table', tableId }, mode: 'append', title: 'Rows' } as const;
  const run = await bar.value('writeBulk', order);
  landings.splice(0);
  expect(await bar.finish(run)).toMatchObject({ state: 'done', rows: 4 });
  const expected = [['id', 'Mine', 'name'], ...rows.map(([id, name], at) => [id, at < 2 ? 'x' : '', name])];
  expect(bar.values('Rows')).toEqual(expected);
  // The ids land before the names: what was remembered when they did, with names that did not land.
  const [document = {}] = landings;
  for (const left of [2, 4, 6]) {
    const workbook = withSheet(bar.workbook(), 'Rows', ({ values }) => ({
      values: values.map(([id = '', own = '', name = ''], at) => [id, own, at > left ? '' : name]),
    }));
    const again = await openSidebar({ workbook, properties: { document }, fetch: more.fetch });
    const [open] = await again.value('unfinished', {});
    const done = await again.finish(await again.value('step', { runId: open?.runId ?? '' }));
    expect(done).toMatchObject({ state: 'done', rows: 6 - left });
    expect(again.values('Rows')).toEqual(expected);
    again.close();
  }
});
