// Failed pushes: retries, dead letters, alerts, replay and missing sheets.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TableRow } from '../../../worker/db/schema.ts';
import { DeadLetterRepository } from '../../../worker/queue/dead-letters.ts';
import { PushStore } from '../../../worker/tables/push/store.ts';
import { ScheduleStore } from '../../../worker/tables/schedules/store.ts';
import { listDueJobs, readJob } from '../job-rows.ts';
import { captureErrorLog } from '../logged-errors.ts';
import {
  deleteTables,
  getOnlyPush,
  HOUR_MS,
  listPushes,
  MINUTE_MS,
  START,
  TablesHarness,
} from './harness.ts';
import { EMAIL, googleError } from './push/fake-google.ts';

let harness: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  harness = new TablesHarness();
});

describe('a failed push', () => {
  /** Runs due pushes for some minutes. @returns the minutes in which one was due */
  async function runMinutes(count: number): Promise<number[]> {
    const minutes: number[] = [];
    const start = harness.now;
    const end = start + count * MINUTE_MS;
    for (;;) {
      const due = await env.DB.prepare("SELECT min(due_at) AS due FROM jobs WHERE kind = 'push'").first<
        number | null
      >('due');
      if (due === null || due >= end) break;
      harness.now = due;
      expect(await harness.runDue()).toBeGreaterThan(0);
      minutes.push(Math.round((due - start) / MINUTE_MS));
    }
    harness.now = end;
    return minutes;
  }

  it.each([
    ['an unshared spreadsheet', 'sheet_not_shared', () => harness.spreadsheet.editors.clear()],
    ['a deleted spreadsheet', 'sheet_missing', () => harness.google.spreadsheets.splice(0)],
    [
      'a protected sheet',
      'sheet_refused',
      () => {
        harness.sheet.isProtected = true;
      },
    ],
    [
      'a missing service account',
      'push_not_configured',
      () => {
        harness.account = undefined;
      },
    ],
  ])('is retried twice within an hour after %s, then becomes a dead letter', async (_, code, cause) => {
    const { table } = await harness.tableWithRows(1);
    cause();
    await harness.runDue();
    expect(await getOnlyPush(table)).toMatchObject({ state: 'waiting', problem: { problem: code } });
    expect(await runMinutes(120)).toEqual([5, 60]);
    const push = await getOnlyPush(table);
    expect(push).toMatchObject({ state: 'failed', rowsWritten: 0, problem: { problem: code } });
    const letters = await new DeadLetterRepository(env.DB).list(undefined, 10);
    expect(letters).toMatchObject([{ kind: 'push', requestId: push.id, replayedAt: null }]);
    expect(letters[0]?.error).toBe(push.problem?.detail);
  });

  it.each([429, 503])('succeeds after repeated responses of status %i', async (status) => {
    const { table } = await harness.tableWithRows(1);
    for (let at = 0; at < 7 * 5; at += 1) {
      harness.google.overrides.push({ kind: 'read', answer: googleError(status, 'later') });
    }
    await harness.runDue();
    const code = status === 429 ? 'rate_limited' : 'google_unavailable';
    expect(await getOnlyPush(table)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      problem: { problem: code },
    });
    // Delays of a quarter, one, five and fifteen minutes.
    expect(await runMinutes(120)).toHaveLength(5);
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', rowsWritten: 1, problem: null });
    expect(harness.sheetIds).toEqual([1]);
  });

  it('ends after a day without Google', async () => {
    const { table } = await harness.tableWithRows(1);
    const lines = captureErrorLog();
    const failingFetch = () => Promise.reject(new TypeError('no network'));
    for (let attempt = 0; attempt < 9; attempt += 1) {
      const push = await getOnlyPush(table);
      expect(push.state).toBe('waiting');
      harness.now = Math.max(harness.now, (await readJob('push', push.id))?.dueAt ?? 0);
      await harness.runPush(push.id, failingFetch);
    }
    expect(await getOnlyPush(table)).toMatchObject({
      state: 'failed',
      problem: { problem: 'google_unavailable' },
    });
    expect(harness.now - START).toBeGreaterThan(12 * HOUR_MS);
    expect(lines).toMatchObject(Array(9).fill({ event: 'google_call_failed', error: 'TypeError' }));
  });

  it('alerts the team', async () => {
    await env.DB.prepare(
      `INSERT INTO alerts (id, team_id, url, kinds, created_at)
         VALUES ('address', 'team', 'https://hooks.example/x', '["failure"]', 0)`,
    ).run();
    const { table } = await harness.tableWithRows(1);
    harness.spreadsheet.editors.clear();
    await harness.runDue();
    await runMinutes(70);
    const { id } = await getOnlyPush(table);
    const { results } = await env.DB.prepare('SELECT subject, body FROM alert_messages').all<{
      subject: string;
      body: string;
    }>();
    expect(results).toMatchObject([{ subject: `push:${id}`, body: expect.stringContaining('“Bakers”') }]);
    expect(results[0]?.body).toContain(`Share it with ${EMAIL}`);
  });

  it('is replayed with the later pushes to its table, so that the newest values win', async () => {
    const { table } = await harness.tableWithRows(2, { mode: 'update' });
    harness.spreadsheet.editors.clear();
    await harness.runDue();
    await runMinutes(70);
    harness.spreadsheet.editors.add(EMAIL);
    await harness.addRun(table, 1, 1, 'Newer');
    await harness.runDue();
    expect(harness.sheetIds).toEqual([1]);
    const [older, newer] = await listPushes(table);
    await new PushStore(env.DB).replay(older?.id ?? '', harness.now);
    expect(await listDueJobs('push', harness.now)).toEqual([older?.id]);
    await harness.runDue();
    expect(harness.sheet.values().slice(1)).toEqual([
      ['Newer 1', 1, 10],
      ['Company 2', 2, 10],
    ]);
    expect((await listPushes(table)).map(({ id, state }) => [id, state])).toEqual([
      [older?.id, 'done'],
      [newer?.id, 'done'],
    ]);
  });

  it('is deleted when pushes of its table are switched off', async () => {
    const { table } = await harness.tableWithRows(1);
    await harness.registerTable({ ...table, push: false });
    await harness.runDue();
    expect(await listPushes(table)).toEqual([]);
    expect(harness.google.calls).toEqual([]);
  });
});

/** Creates a table with a schedule and a run with a row. */
async function createScheduledTable(): Promise<{ table: TableRow; run: string }> {
  await env.DB.prepare("INSERT OR IGNORE INTO teams (id, name, created_at) VALUES ('team', 'Team', 0)").run();
  const { table, run } = await harness.tableWithRows(1);
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

const getSchedule = ({ id }: TableRow) =>
  env.DB.prepare('SELECT state, next_at, problem FROM schedules WHERE table_id = ?').bind(id).first();

const getDeliveredAt = async (run: string) =>
  (
    await env.DB.prepare('SELECT delivered_at FROM table_runs WHERE id = ?')
      .bind(run)
      .first<{ delivered_at: number | null }>()
  )?.delivered_at;

describe('the schedule of a pushed table', () => {
  it.each([
    ['sheet', () => harness.spreadsheet.sheets.splice(0)],
    ['spreadsheet', () => harness.google.spreadsheets.splice(0)],
  ])('stops when a push finds that the %s was deleted', async (_, deletes) => {
    const { table, run } = await createScheduledTable();
    deletes();
    await harness.runDue();
    expect(await getSchedule(table)).toMatchObject({
      state: 'stopped',
      next_at: null,
      problem: expect.stringContaining('The sheet of this table was deleted.'),
    });
    expect(await getDeliveredAt(run)).toBeNull();
  });

  it('stays on after a successful push, which marks the run as delivered', async () => {
    const { table, run } = await createScheduledTable();
    await harness.runDue();
    expect(await getSchedule(table)).toMatchObject({ state: 'on' });
    expect(await getDeliveredAt(run)).toBe(harness.now);
  });
});
