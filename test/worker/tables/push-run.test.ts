// Rows that arrive get into a closed spreadsheet, in the table's own way, whoever else writes there.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { changedCellColour } from '../../../shared/sheets/change-notes.ts';
import { recordChange } from '../../../worker/tables/changes.ts';
import { tokenOf } from '../routes/sheets/callers.ts';
import {
  deleteTables,
  getOnlyPush,
  HOUR_MS,
  ids,
  listPushes,
  PUSH_DELAY_MS,
  storeRows,
  TablesHarness,
} from './harness.ts';

let house: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  house = new TablesHarness();
});

describe('rows that arrive', () => {
  it('get into the sheet in the table’s columns, with the time', async () => {
    const { table } = await house.tableWithRows(3);
    expect(await house.work()).toBe(1);
    const [head, ...rows] = house.sheet.values();
    expect(head?.slice(0, 5)).toEqual(['Name', 'Id', 'People', '', 'Last synced']);
    expect(head?.[5]).toBeTypeOf('number');
    expect(rows).toEqual(ids(3).map((id) => [`Company ${id}`, id, 10]));
    expect(await getOnlyPush(table)).toMatchObject({
      state: 'done',
      landed: 3,
      dueAt: null,
      problem: null,
      tries: 0,
    });
  });

  it('are noted once, however often it is said', async () => {
    const { table, run } = await house.tableWithRows(1);
    await house.completeRun(table, run);
    await house.work();
    await house.completeRun(table, run);
    expect(await house.work()).toBe(0);
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done' });
    const { results } = await env.DB.prepare('SELECT kind, subject, run FROM changes').all();
    expect(results).toEqual([{ kind: 'table', subject: table.id, run }]);
  });

  it('of a data request get into every table that is for it and has pushes on, of its team', async () => {
    const requestId = crypto.randomUUID();
    await storeRows(requestId, 2);
    const one = await house.registerTable({ requestId });
    const off = await house.registerTable({ requestId, push: false });
    const other = await house.registerTable();
    await tokenOf('another');
    const strange = await house.registerTable({ requestId, teamId: 'another' });
    const arrival = { teamId: 'team', kind: 'request', subject: requestId, run: '', hasRows: true } as const;
    await recordChange(env, arrival, house.now);
    house.now += PUSH_DELAY_MS;
    await house.work();
    expect(await getOnlyPush(one)).toMatchObject({ state: 'done', rowsId: requestId, landed: 2 });
    for (const none of [off, other, strange]) expect(await listPushes(none)).toEqual([]);
  });

  it('of a run that was a data request are those of the request', async () => {
    const requestId = crypto.randomUUID();
    await storeRows(requestId, 2);
    const table = await house.registerTable();
    await env.DB.prepare(
      `INSERT INTO table_runs (id, team_id, table_id, state, since, request_id, started_at)
         VALUES ('run-1', 'team', ?, 'done', 0, ?, 0)`,
    )
      .bind(table.id, requestId)
      .run();
    await house.completeRun(table, 'run-1');
    await house.work();
    expect(house.sheetIds).toEqual([1, 2]);
  });

  it('update rows that are there, marked, where the table updates', async () => {
    const { table } = await house.tableWithRows(2, { mode: 'update' });
    await house.work();
    const run = crypto.randomUUID();
    await storeRows(run, 2, 2, 'Renamed');
    house.now += HOUR_MS;
    await house.completeRun(table, run);
    await house.work();
    expect(house.sheet.values().slice(1)).toEqual([
      ['Company 1', 1, 10],
      ['Renamed 2', 2, 10],
      ['Renamed 3', 3, 10],
    ]);
    expect(house.sheet.cell(3, 1)).toMatchObject({
      note: 'Was “Company 2” until 2100-03-01',
      background: changedCellColour,
    });
    expect(house.sheet.cell(4, 1)?.note).toBeUndefined();
  });

  it('are not doubled where an open sheet has written them first, or writes them after', async () => {
    const { table, run } = await house.tableWithRows(3, { mode: 'update' });
    // What the add-on writes: the same ids, as a person’s sheet holds them.
    house.sheet.fill(1, 1, [
      ['Name', 'Id', 'People'],
      ['Company 2', '2', 10],
      ['Company 1', 1, 10],
    ]);
    await house.work();
    expect(house.sheetIds).toEqual(['2', 1, 3]);
    await env.DB.prepare('UPDATE pushes SET state = ?, due_at = ?, after = NULL')
      .bind('waiting', house.now)
      .run();
    const before = house.sheet.snapshot();
    await house.work();
    expect(house.sheet.snapshot()).toEqual(before);
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', rowsId: run });
  });

  it('of previews leave the columns alone that previews lack', async () => {
    await house.tableWithRows(2, { mode: 'update', source: { kind: 'search', query: { text: 'bakers' } } });
    house.sheet.fill(1, 1, [
      ['Name', 'Id', 'People'],
      ['Baker 2', 2, 25],
    ]);
    await house.work();
    const rows = house.sheet.values().slice(1);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['Company 2', 2],
      ['Company 1', 1],
    ]);
    expect(rows[0]?.[2]).toBe(25);
    expect(rows[1]?.[2] ?? '').toBe('');
  });
});
