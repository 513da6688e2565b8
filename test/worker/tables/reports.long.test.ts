// Changes and dated copies of a refreshed table, in a closed spreadsheet over a strict Google.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { TableReport } from '../../../shared/api/enrichments.ts';
import type { TableRow } from '../../../worker/db/schema.ts';
import { ReportStore } from '../../../worker/tables/reports/store.ts';
import { TableStore } from '../../../worker/tables/store.ts';
import { planJob } from '../job-rows.ts';
import { clock } from '../platform.ts';
import {
  deleteTables,
  getOnlyPush,
  HOUR_MS,
  listPushes,
  PUSH_DELAY_MS,
  storeRows,
  TablesHarness,
} from './harness.ts';
import { keyFile } from './push/fake-google.ts';
import { FakeSheet } from './push/fake-sheet.ts';
import { ScheduleHarness, startInMorning } from './schedules/harness.ts';

const DAY_MS = 24 * HOUR_MS;

let harness: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  await env.DB.prepare('DELETE FROM table_reports').run();
  harness = new TablesHarness();
});

async function reportingTable(report: TableReport, change: Partial<TableRow> = {}): Promise<TableRow> {
  const table = await harness.registerTable({ mode: 'update', ...change });
  await new ReportStore(env.DB).put({ teamId: table.teamId, tableId: table.id }, report);
  return table;
}

const titles = (): string[] => harness.spreadsheet.sheets.map(({ title }) => title);
const find = (title: string): FakeSheet | undefined =>
  harness.spreadsheet.sheets.find((sheet) => sheet.title === title);

it('adds a dated row for each new record and changed value, with old and new value', async () => {
  const table = await reportingTable({ changes: true, snapshots: 0 });
  await harness.addRun(table, 2);
  await harness.runDue();
  harness.now += DAY_MS;
  await harness.addRun(table, 1, 1, '=Renamed');
  await harness.runDue();
  const [headings, ...rows] = find('Changes')?.values() ?? [];
  expect(headings).toEqual([
    'Date',
    'Table',
    'Signal',
    'Record id',
    'Name',
    'Column',
    'Old value',
    'New value',
  ]);
  expect(rows.map((row) => row.slice(1))).toEqual([
    ['Bakers', 'New company', '1', 'Company 1'],
    ['Bakers', 'New company', '2', 'Company 2'],
    ['Bakers', 'Changed', '1', '=Renamed 1', 'Name', 'Company 1', '=Renamed 1'],
  ]);
  expect(rows.every(([date]) => typeof date === 'number')).toBe(true);
  expect(find('Changes')?.formulaCount).toBe(0);
  expect(harness.sheet.cell(2, 1)).toMatchObject({ value: '=Renamed 1', note: /Was “Company 1”/ });
});

it('reports each change once when a write is interrupted, and leaves a sheet of that name alone', async () => {
  const own = new FakeSheet(99, 'changes');
  own.fill(1, 1, [['mine']]);
  harness.spreadsheet.sheets.push(own);
  const table = await reportingTable({ changes: true, snapshots: 0 });
  await harness.addRun(table, 3);
  // The values are the last write: headings, the new sheet, its rows, then the values.
  harness.google.faults.set(4, { applied: false, outcome: 'lost' });
  await harness.runDue();
  harness.now += HOUR_MS;
  await harness.runDue();
  expect(await getOnlyPush(table)).toMatchObject({ state: 'done', rowsWritten: 3 });
  expect(find('Changes (2)')?.values()).toHaveLength(4);
  expect(own.values()).toEqual([['mine']]);
});

it('keeps the last dated copies, without formulas, and never deletes a sheet that it did not make', async () => {
  const table = await reportingTable({ changes: false, snapshots: 2 });
  const mine = new FakeSheet(50, 'Bakers 2099-01-01');
  harness.spreadsheet.sheets.push(mine);
  for (let day = 1; day <= 4; day += 1) {
    await harness.addRun(table, 1, day);
    await harness.runDue();
    if (day === 2) {
      const copy = find('Bakers 2100-03-01');
      if (copy !== undefined) copy.title = 'Kept by me';
    }
    harness.now += DAY_MS;
  }
  expect(titles()).toEqual([
    'Companies',
    'Bakers 2099-01-01',
    'Kept by me',
    'Bakers 2100-03-03',
    'Bakers 2100-03-04',
  ]);
  expect(find('Bakers 2100-03-04')?.values()).toEqual([
    ['Name', 'Id', 'People'],
    ...[1, 2, 3, 4].map((id) => [`Company ${id}`, id, 10]),
  ]);
});

it('makes one copy of a refresh, although its push is repeated', async () => {
  const table = await reportingTable({ changes: false, snapshots: 3 });
  const run = crypto.randomUUID();
  await storeRows(run, 2);
  await harness.completeRun(table, run);
  await harness.runDue();
  const [push] = await listPushes(table);
  await env.DB.prepare("UPDATE pushes SET state = 'waiting' WHERE id = ?").bind(push?.id).run();
  await planJob('push', push?.id ?? '', harness.now);
  await harness.runDue();
  expect(titles()).toEqual(['Companies', 'Bakers 2100-03-01']);
});

it('lets only the gateway write the rows of a table that reports', async () => {
  const reporting = await reportingTable({ changes: true, snapshots: 0 });
  const other = await harness.registerTable();
  for (const table of [reporting, other]) await harness.addRun(table, 1);
  const listed = await new TableStore(env.DB).listChanges('team', 0, 0, 10);
  expect(listed.map(({ subject }) => subject)).toEqual([other.id]);
});

it('reports the rows that a schedule buys, as it was set over the API', async () => {
  startInMorning();
  const scheduled = new ScheduleHarness({ GOOGLE_SERVICE_ACCOUNT: JSON.stringify(keyFile) });
  const table = { spreadsheet: { id: 'book', sheet_id: 7 }, mode: 'update', write_headings: true } as const;
  const path = `/tables/${scheduled.table}/report`;
  const report = { changes: true, snapshots: 1 };
  await scheduled.register(table);
  expect(await scheduled.client.problem('PUT', path, report)).toMatchObject({ code: 'invalid_request' });
  await scheduled.register({ ...table, push: true });
  await scheduled.client.ok('PUT', path, report);
  expect(await scheduled.client.ok('GET', path)).toEqual({ ...report, assistants: false });
  await scheduled.schedule();
  const runNextHour = async () => {
    await scheduled.runNextHour();
    harness.now = clock.now + PUSH_DELAY_MS;
    await harness.runDue();
  };
  scheduled.provider.updateRecords([1, 2], clock.now + 1000);
  await runNextHour();
  scheduled.provider.updateRecords([2], clock.now + 1000, 'Renamed');
  await runNextHour();
  await runNextHour();
  expect(
    find('Changes')
      ?.values()
      .slice(1)
      .map((row) => row.slice(1)),
  ).toEqual([
    ['Bakers & Co', 'New company', '1', 'Company 1'],
    ['Bakers & Co', 'New company', '2', 'Company 2'],
    ['Bakers & Co', 'Changed', '2', 'Renamed 2', 'Name', 'Company 2', 'Renamed 2'],
  ]);
  const date = new Date(clock.now).toISOString().slice(0, 10);
  // The copy of the earlier refresh of this day is gone.
  const copy = `Bakers & Co ${date} (2)`;
  expect(titles()).toEqual(['Companies', 'Changes', copy]);
  expect(find(copy)?.values()).toEqual([
    ['ID', 'Name'],
    [1, 'Company 1'],
    [2, 'Renamed 2'],
  ]);
  await expect.poll(() => scheduled.getSpent()).toBe(20);
  await scheduled.client.ok('PUT', path, { changes: false, snapshots: 0 });
  scheduled.provider.updateRecords([1], clock.now + 1000, 'Silent');
  await runNextHour();
  expect(find('Changes')?.values()).toHaveLength(4);
});
