// Runs of schedules: their times, their rows, and that each page is bought once after any crash.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { longIt } from '../../../pick-cases.ts';
import { clock } from '../../platform.ts';
import {
  createScheduledTable,
  DAY,
  HOUR,
  ids,
  listSources,
  ScheduleHarness,
  startInMorning,
} from './harness.ts';

describe('a schedule', () => {
  it.each([
    ['hour', HOUR, 744],
    ['week', 7 * DAY, 5],
  ] as const)('runs every %s, first after one interval, without drift', async (every, interval, runs) => {
    const harness = await createScheduledTable({ every, max_credits: 30 });
    const start = clock.now;
    const first = await harness.getSchedule();
    expect(first).toMatchObject({
      every,
      state: 'on',
      last: null,
      month: { max_credits: runs * 30, spent: 0 },
    });
    const due = Date.parse(first.next_at ?? '');
    expect(due).toBeGreaterThanOrEqual(start + interval - 1000);
    expect(due).toBeLessThanOrEqual(clock.now + interval);
    await harness.runMinute();
    expect(harness.provider.calls).toEqual([]);
    // The sweep finds it late; the next time does not drift.
    clock.now = due + 42_000;
    await harness.runMinute();
    expect(harness.provider.calls).toEqual(['count']);
    const after = await harness.getSchedule();
    expect(Date.parse(after.next_at ?? '')).toBe(due + interval);
    expect(after.last).toMatchObject({ state: 'done', rows: 0, credits: 0 });
    await harness.runMinute();
    expect(harness.provider.calls).toEqual(['count']);
  });

  it('collapses missed runs into one and keeps its times', async () => {
    const harness = await createScheduledTable();
    const due = Date.parse((await harness.getSchedule()).next_at ?? '');
    clock.now = due + 5 * HOUR + 60_000;
    await harness.runMinute();
    await harness.runMinute();
    expect(harness.provider.calls).toEqual(['count']);
    expect(Date.parse((await harness.getSchedule()).next_at ?? '')).toBe(due + 6 * HOUR);
  });

  it('delivers records that are new or changed since the table was filled, then since the last run', async () => {
    const harness = await createScheduledTable();
    harness.provider.updateRecords(ids(30), clock.now - DAY);
    harness.provider.updateRecords([3, 7], clock.now + 60_000, 'Changed');
    clock.now += HOUR + 1000;
    const began = clock.now;
    await harness.runMinute();
    const [run = '', ...others] = await harness.listRuns();
    expect(others).toEqual([]);
    expect(await harness.listRows(run)).toEqual([
      [3, 'Changed 3'],
      [7, 'Changed 7'],
    ]);
    expect(await harness.getSchedule()).toMatchObject({
      last: { id: run, state: 'done', rows: 2, credits: 10 },
      month: { spent: 10 },
    });
    await expect.poll(() => harness.getSpent()).toBe(10);
    expect(await listSources(harness.team)).toEqual(['schedule']);
    expect(Date.parse(await harness.getAsOf()) - began).toBeLessThan(5000);
    await harness.runAfter(HOUR);
    expect(await harness.listRuns()).toEqual([run]);
    harness.provider.updateRecords([9], clock.now, 'Again');
    await harness.runAfter(HOUR);
    const [, next = ''] = await harness.listRuns();
    expect(await harness.listRows(next)).toEqual([[9, 'Again 9']]);
    await expect.poll(() => harness.getSpent()).toBe(20);
  });

  it('continues from its last run when it is deleted and created again, whatever `as_of` the sheet reports', async () => {
    const harness = await createScheduledTable();
    const filled = new Date(clock.now).toISOString();
    harness.provider.updateRecords(ids(30), clock.now + 60_000);
    await harness.runNextHour();
    const asOf = await harness.getAsOf();
    await expect.poll(() => harness.getSpent()).toBe(20);
    await harness.client.ok('DELETE', `/schedules/${harness.table}`);
    harness.provider.updateRecords([31], clock.now + 60_000);
    await harness.runAfter(DAY);
    expect(await harness.register({ as_of: filled })).toMatchObject({ as_of: asOf });
    await harness.schedule();
    await harness.runNextHour();
    const [first = '', second = ''] = await harness.listRuns();
    expect(await harness.listRows(first)).toHaveLength(30);
    expect(await harness.listRows(second)).toEqual([[31, 'Company 31']]);
    expect(harness.provider.bought).toEqual(['page 1', 'page 2', 'page 1']);
    await expect.poll(() => harness.getSpent()).toBe(30);
  });

  it('delivers overlapping unchanged rows once', async () => {
    startInMorning();
    const harness = new ScheduleHarness();
    await harness.register({
      family: 'company_clean',
      source: { kind: 'search', query: { text: 'baking' } },
    });
    await harness.schedule({ every: 'day' });
    clock.now += DAY + 1000;
    harness.provider.updateRecords(ids(5), clock.now);
    await harness.runMinute();
    harness.provider.updateRecords([2], clock.now, 'Renamed');
    await harness.runAfter(DAY);
    const [first = '', second = ''] = await harness.listRuns();
    expect(await harness.listRows(first)).toHaveLength(5);
    expect(await harness.listRows(second)).toEqual([[2, 'Renamed 2']]);
    await harness.runAfter(DAY);
    expect(await harness.listRuns()).toHaveLength(2);
    expect((await harness.getSchedule()).last).toMatchObject({ state: 'done', rows: 0 });
  });

  longIt('continues in another job after 15 pages', async () => {
    const harness = await createScheduledTable({ max_credits: 500 });
    await harness.runNextHour(ids(301));
    expect(harness.provider.bought).toHaveLength(16);
    expect(new Set(harness.provider.bought).size).toBe(16);
    expect((await harness.getSchedule()).last).toMatchObject({ state: 'done', rows: 301, credits: 160 });
  });

  it('buys each page once when several jobs race', async () => {
    const harness = await createScheduledTable();
    harness.provider.updateRecords(ids(25), clock.now + 1000);
    clock.now += HOUR + 1000;
    await Promise.all([harness.runMinute(), harness.runMinute(), harness.runJob(), harness.runJob()]);
    expect(harness.provider.bought).toEqual(['page 1', 'page 2']);
    expect(await harness.listRuns()).toHaveLength(1);
    await expect.poll(() => harness.getSpent()).toBe(20);
  });
});

/** Runs a job that dies while it stores the rows of a page. */
async function crashAtPage(harness: ScheduleHarness, page: number): Promise<void> {
  let signalCrash: () => void = () => {};
  const crash = new Promise<void>((resolve) => {
    signalCrash = resolve;
  });
  let puts = 0;
  const ROWS = new Proxy(env.ROWS, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'put') puts += 1;
        if (name !== 'put' || puts < page) return Reflect.apply(value, target, args);
        signalCrash();
        return new Promise(() => {});
      };
    },
  });
  void harness.runJob({ ROWS });
  await crash;
}

describe('a crashed run', () => {
  it.each([1, 3])('resumes at page %i and buys each page once', async (page) => {
    const harness = await createScheduledTable();
    harness.provider.updateRecords(ids(50), clock.now + 1000);
    clock.now += HOUR + 1000;
    await crashAtPage(harness, page);
    // The lease still holds.
    await harness.runMinute();
    expect((await harness.getSchedule()).last).toMatchObject({ state: 'running' });
    await harness.runAfter(5 * 60_000 + 1000);
    expect(harness.provider.bought).toEqual(['page 1', 'page 2', 'page 3']);
    const [run = '', ...others] = await harness.listRuns();
    expect(others).toEqual([]);
    expect(await harness.listRows(run)).toHaveLength(50);
    expect(await harness.getSchedule()).toMatchObject({ last: { state: 'done', rows: 50, credits: 30 } });
    await expect.poll(() => harness.getSpent()).toBe(30);
  });

  it('resumes at once after a restart of the instance', async () => {
    const harness = await createScheduledTable();
    harness.provider.updateRecords(ids(5), clock.now + 1000);
    clock.now += HOUR + 1000;
    await crashAtPage(harness, 1);
    await harness.runAfter(60_000);
    expect(await harness.listRuns()).toEqual([]);
    await harness.runMinute(true);
    expect(await harness.listRuns()).toHaveLength(1);
  });

  longIt('resumes without its snapshot after that has expired', async () => {
    const harness = await createScheduledTable();
    harness.provider.updateRecords(ids(25), clock.now + 1000);
    clock.now += HOUR + 1000;
    harness.provider.override = (call) =>
      call === 'page 2' ? new Response('{}', { status: 503 }) : undefined;
    await harness.runMinute();
    expect((await harness.getSchedule()).last).toMatchObject({ state: 'running' });
    harness.provider.override = () => undefined;
    harness.provider.expireSnapshots();
    await harness.runAfter(10 * 60_000);
    expect(await harness.listRows()).toHaveLength(25);
    expect(harness.provider.bought.filter((call) => call === 'page 1')).toHaveLength(1);
    await expect.poll(() => harness.getSpent()).toBe(20);
  });
});

/** Creates an hourly schedule of a family that dates changes by day, starting at six in the morning. */
async function createHourly(text = 'baking'): Promise<ScheduleHarness> {
  startInMorning();
  const harness = new ScheduleHarness();
  await harness.register({ family: 'company_clean', source: { kind: 'search', query: { text } } });
  await harness.schedule();
  return harness;
}

/** Runs the next hour. @returns the calls to the provider */
async function callsOfNextHour(harness: ScheduleHarness): Promise<string[]> {
  const before = harness.provider.calls.length;
  await harness.runNextHour();
  return harness.provider.calls.slice(before);
}

describe('an hourly schedule of a family that dates changes by day', () => {
  it('buys a record once a day and delivers a second change the next day', async () => {
    const harness = await createHourly();
    harness.provider.updateRecords(ids(5), clock.now + 60_000);
    expect(await callsOfNextHour(harness)).toEqual(['count', 'page 1']);
    expect(await harness.listRows()).toHaveLength(5);
    expect(await callsOfNextHour(harness)).toEqual(['count']);
    harness.provider.updateRecords([6], clock.now);
    harness.provider.updateRecords([2], clock.now, 'Renamed');
    expect(await callsOfNextHour(harness)).toEqual(['count', 'page 1']);
    expect(await harness.listRows()).toEqual([[6, 'Company 6']]);
    expect(await callsOfNextHour(harness)).toEqual(['count']);
    expect((await harness.getSchedule()).month.spent).toBe(20);
    await harness.runAfter(DAY);
    expect(await harness.listRows()).toEqual([[2, 'Renamed 2']]);
    expect((await harness.getSchedule()).month.spent).toBe(30);
    await expect.poll(() => harness.getSpent()).toBe(30);
  });

  longIt('asks for the whole day again after the first run of the day has failed', async () => {
    const harness = await createHourly();
    harness.provider.updateRecords(ids(25), clock.now + 60_000);
    harness.provider.override = (call, count) =>
      call === 'page 2' && count === 1 ? Response.json({ Error: 'No' }, { status: 400 }) : undefined;
    expect(await callsOfNextHour(harness)).toEqual(['count', 'page 1', 'page 2']);
    expect((await harness.getSchedule()).last).toMatchObject({ state: 'failed', rows: 20 });
    await harness.schedule();
    harness.provider.updateRecords([3], clock.now, 'Renamed');
    expect(await callsOfNextHour(harness)).toEqual(['count', 'page 1', 'page 2']);
    const rows = await harness.listRows();
    expect(rows).toHaveLength(6);
    expect(rows).toContainEqual([3, 'Renamed 3']);
  });

  it('takes no page from before the run, even if the provider refuses to send it again', async () => {
    const harness = await createHourly();
    harness.provider.updateRecords(ids(25), clock.now + 60_000);
    const refuse = (page: string, status: number) => (call: string) =>
      call === page ? Response.json({ Error: 'No' }, { status }) : undefined;
    harness.provider.override = refuse('page 2', 400);
    await harness.runNextHour();
    await harness.schedule();
    harness.provider.override = refuse('page 1', 503);
    expect(await callsOfNextHour(harness)).not.toContain('page 2');
    expect((await harness.getSchedule()).last).toMatchObject({ rows: 0 });
  });

  longIt('buys nothing until the next day when the ids to exclude exceed the query limit', async () => {
    const harness = await createHourly('x'.repeat(14_800));
    harness.provider.updateRecords(ids(15), clock.now + 60_000);
    expect(await callsOfNextHour(harness)).toEqual(['count', 'page 1']);
    harness.provider.updateRecords([16], clock.now);
    expect(await callsOfNextHour(harness)).toEqual([]);
    expect(await harness.getSchedule()).toMatchObject({
      state: 'on',
      last: { state: 'done', rows: 0, credits: 0 },
    });
    await harness.runAfter(DAY);
    expect(await harness.listRows()).toEqual([[16, 'Company 16']]);
  });
});
