// Schedules: API, scopes, pausing, deletion, missing sheets and undelivered rows.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import { clock } from '../../platform.ts';
import { admin } from '../../routes/admin/harness.ts';
import { createClient } from '../../routes/sheets/callers.ts';
import { createScheduledTable, DAY, HOUR, ids, ScheduleHarness } from './harness.ts';

const validBody = { every: 'day', max_credits: 100, paused: false } as const;

describe('the schedule API', () => {
  it('returns a schedule with its table, price limit and next run', async () => {
    const harness = new ScheduleHarness();
    await harness.register();
    const put = await harness.schedule({ every: 'week', max_credits: 40 });
    expect(put).toMatchObject({
      table: harness.table,
      title: 'Bakers & Co',
      family: 'company_base',
      every: 'week',
      max_credits: 40,
      paused: false,
      state: 'on',
      last: null,
      month: { max_credits: 200, spent: 0 },
    });
    expect(await harness.getSchedule()).toEqual(put);
    expect(await harness.client.ok<SheetsResponse<'listSchedules'>>('GET', '/schedules')).toEqual({
      schedules: [put],
    });
    await harness.client.ok('DELETE', `/schedules/${harness.table}`);
    expect(await harness.client.ok<SheetsResponse<'listSchedules'>>('GET', '/schedules')).toEqual({
      schedules: [],
    });
    expect(await harness.client.problem('DELETE', `/schedules/${harness.table}`)).toMatchObject({
      code: 'not_found',
    });
  });

  it('returns 404 for an unknown table and for another team’s table', async () => {
    const harness = new ScheduleHarness();
    await harness.register();
    await harness.schedule();
    expect(await harness.client.problem('PUT', `/schedules/${crypto.randomUUID()}`, validBody)).toMatchObject(
      {
        code: 'not_found',
      },
    );
    const other = await harness.createClient('strangers');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? validBody : undefined;
      expect(await other.problem(method, `/schedules/${harness.table}`, body)).toMatchObject({
        code: 'not_found',
      });
    }
    expect(await other.ok('GET', '/schedules')).toEqual({ schedules: [] });
    expect(await harness.getSchedule()).toMatchObject({ state: 'on' });
  });

  it('requires the scopes of its runs', async () => {
    const harness = new ScheduleHarness();
    await harness.register();
    await harness.schedule();
    const jobs = await createClient(harness.team, { families: ['job_base'] });
    expect(await jobs.problem('PUT', `/schedules/${harness.table}`, validBody)).toMatchObject({
      code: 'forbidden_scope',
    });
    expect(await jobs.problem('GET', `/schedules/${harness.table}`)).toMatchObject({
      code: 'forbidden_scope',
    });
    expect(await jobs.ok('GET', '/schedules')).toEqual({ schedules: [] });
    const searcher = await createClient(harness.team, { operations: ['search'] });
    expect(await searcher.problem('PUT', `/schedules/${harness.table}`, validBody)).toMatchObject({
      code: 'forbidden_scope',
      detail: expect.stringContaining('preview'),
    });
  });

  it('rejects an invalid body', async () => {
    const harness = new ScheduleHarness();
    await harness.register();
    for (const body of [
      null,
      { ...validBody, every: 'minute' },
      { ...validBody, max_credits: -1 },
      { ...validBody, max_credits: 1.5 },
      { ...validBody, more: 1 },
    ]) {
      const { code, status } = await harness.client.problem('PUT', `/schedules/${harness.table}`, body);
      expect([body, code, status]).toEqual([body, 'invalid_request', 422]);
    }
  });
});

describe('a schedule', () => {
  it('runs one interval after it is resumed, and not while it is paused', async () => {
    const harness = await createScheduledTable();
    expect(await harness.schedule({ paused: true })).toMatchObject({
      state: 'paused',
      paused: true,
      next_at: null,
    });
    await harness.runAfter(3 * HOUR);
    expect(harness.provider.calls).toEqual([]);
    const on = await harness.schedule({ paused: false });
    expect(on.state).toBe('on');
    expect(Date.parse(on.next_at ?? '') - clock.now).toBeGreaterThan(HOUR - 60_000);
    await harness.runMinute();
    expect(harness.provider.calls).toEqual([]);
  });

  it('keeps its next run when it is saved again, unless the interval changes', async () => {
    const harness = await createScheduledTable();
    const { next_at: planned } = await harness.getSchedule();
    clock.now += HOUR / 2;
    expect((await harness.schedule({ max_credits: 50 })).next_at).toBe(planned);
    const daily = await harness.schedule({ every: 'day' });
    expect(Date.parse(daily.next_at ?? '') - clock.now).toBeGreaterThan(DAY - 60_000);
  });

  it('runs at the weekday and time of day of a given time, and never twice within an interval', async () => {
    const harness = await createScheduledTable();
    const monday = Date.UTC(2020, 0, 6, 8);
    const at = (time: number) => ({ every: 'week', at: new Date(time).toISOString() }) as const;
    const { next_at: next } = await harness.schedule(at(monday));
    const due = Date.parse(next ?? '');
    expect((due - monday) % (7 * DAY)).toBe(0);
    expect(due - clock.now).toBeGreaterThan(0);
    expect(due - clock.now).toBeLessThanOrEqual(7 * DAY);
    clock.now += HOUR / 2;
    expect((await harness.schedule(at(monday))).next_at).toBe(next);
    // The same time, with the offset of another place.
    expect((await harness.schedule({ every: 'week', at: '2020-01-06T10:30:00+02:30' })).next_at).toBe(next);
    clock.now = due + 60_000;
    await harness.runMinute();
    const { next_at: moved } = await harness.schedule(at(monday + 2 * HOUR));
    expect(Date.parse(moved ?? '')).toBe(due + 7 * DAY + 2 * HOUR);
    const { next_at: earlier } = await harness.schedule(at(monday - DAY));
    expect(Date.parse(earlier ?? '')).toBe(due + 13 * DAY);
  });

  it.each([60, 40])(
    'buys nothing after it is deleted during a run of %i rows, and delivers bought rows once',
    async (rows) => {
      const harness = await createScheduledTable();
      harness.provider.updateRecords(ids(rows), clock.now + 1000);
      const before = await harness.getAsOf();
      clock.now += HOUR + 1000;
      harness.provider.override = async (call) => {
        if (call === 'page 2') await harness.client.ok('DELETE', `/schedules/${harness.table}`);
        return undefined;
      };
      await harness.runMinute();
      expect(harness.provider.bought).toEqual(['page 1', 'page 2']);
      const [run = '', ...others] = await harness.listRuns();
      expect(others).toEqual([]);
      expect(await harness.listRows(run)).toHaveLength(40);
      expect(await harness.getAsOf()).toBe(before);
      expect(await harness.client.problem('GET', `/schedules/${harness.table}`)).toMatchObject({
        code: 'not_found',
      });
      await harness.runAfter(DAY);
      expect(harness.provider.bought).toHaveLength(2);
      await harness.schedule();
      harness.provider.override = () => undefined;
      await harness.runNextHour();
      const [, second] = await harness.listRuns();
      // A new schedule starts from the table's `as_of` again and delivers only the other rows.
      expect(second === undefined ? [] : await harness.listRows(second)).toHaveLength(rows - 40);
    },
  );

  it('is deleted with its team, like its tables and alerts', async () => {
    const harness = await createScheduledTable();
    await harness.client.ok('POST', '/alerts', { url: 'https://hooks.example.com/x', on: ['failure'] });
    harness.provider.updateRecords(ids(60), clock.now + 1000);
    clock.now += HOUR + 1000;
    harness.provider.override = async (call) => {
      if (call === 'page 2') await admin().remove(`/teams/${harness.team}`);
      return undefined;
    };
    await harness.runMinute();
    await harness.runAfter(DAY);
    expect(harness.provider.bought).toEqual(['page 1', 'page 2']);
    for (const table of ['tables', 'schedules', 'alerts']) {
      const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE team_id = ?`);
      expect([table, await count.bind(harness.team).first('n')]).toEqual([table, 0]);
    }
  });

  it('is deleted with its table', async () => {
    const harness = await createScheduledTable();
    await env.DB.prepare('DELETE FROM tables WHERE id = ?').bind(harness.table).run();
    await harness.runNextHour();
    const left = await env.DB.prepare('SELECT count(*) AS n FROM schedules WHERE team_id = ?')
      .bind(harness.team)
      .first('n');
    expect(left).toBe(0);
    expect(harness.provider.calls).toEqual([]);
  });
});

/** Changes a record and runs the schedule a day later. */
async function runNextDay(harness: ScheduleHarness, id: number): Promise<void> {
  harness.provider.updateRecords([id], clock.now + 1000);
  await harness.runAfter(DAY + 1000);
}

const readAllRows = async (harness: ScheduleHarness): Promise<void> => {
  for (const run of await harness.listRuns()) await harness.listRows(run);
};

describe('a table whose sheet is reported as missing', () => {
  it('stops its schedule, alerts once and buys nothing at the next run', async () => {
    const harness = await createScheduledTable();
    await harness.client.ok('POST', '/alerts', { url: 'https://hooks.example.com/x', on: ['failure'] });
    await harness.client.ok('POST', `/tables/${harness.table}/missing`);
    expect(await harness.getSchedule()).toMatchObject({
      state: 'stopped',
      next_at: null,
      problem: {
        code: 'sheet_missing',
        detail: 'The sheet of this table was deleted.',
        fix: 'Move the table to a new sheet in the sidebar under Tables, then start the schedule again.',
      },
    });
    harness.provider.updateRecords([1], clock.now + 1000);
    await harness.runAfter(DAY);
    expect(harness.provider.calls).toEqual([]);
    await harness.client.ok('POST', `/tables/${harness.table}/missing`);
    const { results } = await env.DB.prepare(
      'SELECT body FROM alert_messages JOIN alerts ON alerts.id = alert_id WHERE team_id = ?',
    )
      .bind(harness.team)
      .all<{ body: string }>();
    expect(results.map(({ body }) => JSON.parse(body).text)).toEqual([
      expect.stringContaining('The sheet of this table was deleted. Its schedule has stopped.'),
    ]);
  });

  it('returns 404 to another team', async () => {
    const harness = await createScheduledTable();
    const others = await harness.createClient('another-team-of-undelivered');
    const answer = await others.call('POST', `/tables/${harness.table}/missing`);
    expect(answer.status).toBe(404);
    expect(await harness.getSchedule()).toMatchObject({ state: 'on' });
  });
});

describe('rows of three runs that no spreadsheet picks up for three days', () => {
  it('stop the schedule before it buys more', async () => {
    const harness = await createScheduledTable({ every: 'day' });
    for (const id of [1, 2, 3]) await runNextDay(harness, id);
    expect(harness.provider.bought).toHaveLength(3);
    await runNextDay(harness, 4);
    expect(harness.provider.bought).toHaveLength(3);
    const { problem, state } = await harness.getSchedule();
    expect(state).toBe('stopped');
    expect(problem).toMatchObject({
      code: 'undelivered',
      fix: 'Open the CDAPI sidebar in the spreadsheet, then resume the schedule.',
    });
    expect(problem?.detail).toMatch(
      /^The rows of the last 3 runs have not been picked up since .* Nothing more was bought\.$/,
    );
  });

  it('are followed by all later changes when the schedule is resumed', async () => {
    const harness = await createScheduledTable({ every: 'day' });
    for (const id of [1, 2, 3, 4]) await runNextDay(harness, id);
    await readAllRows(harness);
    await harness.schedule({ every: 'day' });
    await runNextDay(harness, 5);
    const runs = await harness.listRuns();
    expect((await harness.listRows(runs.at(-1) ?? '')).map(([id]) => id)).toEqual([4, 5]);
  });

  it('stop an hourly schedule only after three days', async () => {
    const harness = await createScheduledTable();
    const step = 12;
    let hours = 0;
    for (; (await harness.getSchedule()).state === 'on' && hours < 120; hours += step) {
      harness.provider.updateRecords([hours + 1], clock.now + 1000);
      await harness.runAfter(step * HOUR + 1000);
    }
    expect(hours).toBeGreaterThanOrEqual(72);
    expect(hours).toBeLessThanOrEqual(72 + 2 * step);
    expect(harness.provider.bought.length).toBeLessThanOrEqual(72 / step + 1);
  });
});
