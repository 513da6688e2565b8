// A push that finds no sheet stops the schedule that goes on buying rows for it; one that lands says that they are delivered.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TableRow } from '../../../worker/db/schema.ts';
import { ScheduleStore } from '../../../worker/tables/schedules/store.ts';
import { deleteTables, START, TablesHarness } from './harness.ts';

let house: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  house = new TablesHarness();
});

/** A table with a schedule, and a run of it that has brought a row. */
async function scheduled(): Promise<{ table: TableRow; run: string }> {
  await env.DB.prepare("INSERT OR IGNORE INTO teams (id, name, created_at) VALUES ('team', 'Team', 0)").run();
  const { table, run } = await house.tableWithRows(1);
  await new ScheduleStore(env.DB).put({
    teamId: table.teamId,
    tableId: table.id,
    tokenId: 'token',
    every: 'day',
    maxCredits: 100,
    query: null,
    state: 'on',
    problem: null,
    nextAt: START + 86_400_000,
    createdAt: START,
    updatedAt: START,
  });
  await env.DB.prepare(
    `INSERT INTO table_runs (id, team_id, table_id, state, since, rows, started_at) VALUES (?, ?, ?, 'done', 0, 1, ?)`,
  )
    .bind(run, table.teamId, table.id, START)
    .run();
  return { table, run };
}

const scheduleOf = ({ id }: TableRow) =>
  env.DB.prepare('SELECT state, next_at, problem FROM schedules WHERE table_id = ?').bind(id).first();

const deliveredAt = async (run: string) =>
  (
    await env.DB.prepare('SELECT delivered_at FROM table_runs WHERE id = ?')
      .bind(run)
      .first<{ delivered_at: number | null }>()
  )?.delivered_at;

describe('“A table whose sheet is gone pauses its schedule at the next run and says so”', () => {
  it.each([
    ['the sheet', () => house.spreadsheet.sheets.splice(0)],
    ['the spreadsheet', () => house.google.spreadsheets.splice(0)],
  ])('a push that finds %s gone stops it by itself', async (_, deletes) => {
    const { table, run } = await scheduled();
    deletes();
    await house.work();
    expect(await scheduleOf(table)).toMatchObject({
      state: 'stopped',
      next_at: null,
      problem: expect.stringContaining('The sheet of this table was deleted.'),
    });
    expect(await deliveredAt(run)).toBeNull();
  });

  it('a push that lands leaves it on, and the rows count as delivered', async () => {
    const { table, run } = await scheduled();
    await house.work();
    expect(await scheduleOf(table)).toMatchObject({ state: 'on' });
    expect(await deliveredAt(run)).toBe(house.now);
  });
});
