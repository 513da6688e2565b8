// Runs of schedules: when they come, what they bring, and that each page is bought once whatever happens on the way.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { clock } from '../../platform.ts';
import { createScheduledTable, DAY, HOUR, ids, ScheduleHarness, startInMorning } from './harness.ts';

describe('a schedule', () => {
  it.each([
    ['hour', HOUR, 744],
    ['day', DAY, 31],
    ['week', 7 * DAY, 5],
  ] as const)('by the %s runs after one interval and then without drift', async (every, interval, runs) => {
    const world = await createScheduledTable({ every, max_credits: 30 });
    const start = clock.now;
    const first = await world.getSchedule();
    expect(first).toMatchObject({ every, state: 'on', last: null, month: { most: runs * 30, spent: 0 } });
    const due = Date.parse(first.next_at ?? '');
    expect(due).toBeGreaterThanOrEqual(start + interval - 1000);
    expect(due).toBeLessThanOrEqual(clock.now + interval);
    await world.runMinute();
    expect(world.provider.calls).toEqual([]);
    // It is found some seconds late, and its next time is not.
    clock.now = due + 42_000;
    await world.runMinute();
    expect(world.provider.calls).toEqual(['count']);
    const after = await world.getSchedule();
    expect(Date.parse(after.next_at ?? '')).toBe(due + interval);
    expect(after.last).toMatchObject({ state: 'done', rows: 0, credits: 0 });
    await world.runMinute();
    expect(world.provider.calls).toEqual(['count']);
  });

  it('that was missed while nothing ran has one run, and its times stay', async () => {
    const world = await createScheduledTable();
    const due = Date.parse((await world.getSchedule()).next_at ?? '');
    clock.now = due + 5 * HOUR + 60_000;
    await world.runMinute();
    await world.runMinute();
    expect(world.provider.calls).toEqual(['count']);
    expect(Date.parse((await world.getSchedule()).next_at ?? '')).toBe(due + 6 * HOUR);
  });

  it('brings what is new or changed since the table was filled, then since its last run', async () => {
    const world = await createScheduledTable();
    world.provider.updateRecords(ids(30), clock.now - DAY);
    world.provider.updateRecords([3, 7], clock.now + 60_000, 'Changed');
    clock.now += HOUR + 1000;
    const began = clock.now;
    await world.runMinute();
    const [run = '', ...others] = await world.listRuns();
    expect(others).toEqual([]);
    expect(await world.listRows(run)).toEqual([
      [3, 'Changed 3'],
      [7, 'Changed 7'],
    ]);
    expect(await world.getSchedule()).toMatchObject({
      last: { id: run, state: 'done', rows: 2, credits: 10 },
      month: { spent: 10 },
    });
    await expect.poll(() => world.getSpent()).toBe(10);
    expect(Date.parse(await world.getAsOf()) - began).toBeLessThan(5000);
    clock.now += HOUR;
    await world.runMinute();
    expect(await world.listRuns()).toEqual([run]);
    world.provider.updateRecords([9], clock.now, 'Again');
    clock.now += HOUR;
    await world.runMinute();
    const [, next = ''] = await world.listRuns();
    expect(await world.listRows(next)).toEqual([[9, 'Again 9']]);
    await expect.poll(() => world.getSpent()).toBe(20);
  });

  it('that is ended and set again goes on where it ended, whatever the sheet says of its table', async () => {
    const world = await createScheduledTable();
    const filled = new Date(clock.now).toISOString();
    world.provider.updateRecords(ids(30), clock.now + 60_000);
    clock.now += HOUR + 1000;
    await world.runMinute();
    const asOf = await world.getAsOf();
    await expect.poll(() => world.getSpent()).toBe(20);
    await world.client.ok('DELETE', `/schedules/${world.table}`);
    world.provider.updateRecords([31], clock.now + 60_000);
    clock.now += DAY;
    await world.runMinute();
    expect(await world.register({ as_of: filled })).toMatchObject({ as_of: asOf });
    await world.schedule();
    clock.now += HOUR + 1000;
    await world.runMinute();
    const [first = '', second = ''] = await world.listRuns();
    expect(await world.listRows(first)).toHaveLength(30);
    expect(await world.listRows(second)).toEqual([[31, 'Company 31']]);
    expect(world.provider.bought).toEqual(['page 1', 'page 2', 'page 1']);
    await expect.poll(() => world.getSpent()).toBe(30);
  });

  it('tells of rows that overlap once, as long as they stay as they are', async () => {
    startInMorning();
    const world = new ScheduleHarness();
    await world.register({ family: 'company_clean', source: { kind: 'search', query: { text: 'baking' } } });
    await world.schedule({ every: 'day' });
    clock.now += DAY + 1000;
    world.provider.updateRecords(ids(5), clock.now);
    await world.runMinute();
    world.provider.updateRecords([2], clock.now, 'Renamed');
    clock.now += DAY;
    await world.runMinute();
    const [first = '', second = ''] = await world.listRuns();
    expect(await world.listRows(first)).toHaveLength(5);
    expect(await world.listRows(second)).toEqual([[2, 'Renamed 2']]);
    clock.now += DAY;
    await world.runMinute();
    expect(await world.listRuns()).toHaveLength(2);
    expect((await world.getSchedule()).last).toMatchObject({ state: 'done', rows: 0 });
  });

  it('brings as many pages as previews have, some in a turn', async () => {
    const world = await createScheduledTable({ max_credits: 500 });
    world.provider.updateRecords(ids(1000), clock.now + 1000);
    clock.now += HOUR + 1000;
    await world.runMinute();
    expect(world.provider.bought).toHaveLength(50);
    expect(new Set(world.provider.bought).size).toBe(50);
    expect((await world.getSchedule()).last).toMatchObject({ state: 'done', rows: 1000, credits: 500 });
  });

  it('is not paid for twice by two crons at once', async () => {
    const world = await createScheduledTable();
    world.provider.updateRecords(ids(25), clock.now + 1000);
    clock.now += HOUR + 1000;
    await Promise.all([world.runMinute(), world.runMinute(), world.runJob(), world.runJob()]);
    expect(world.provider.bought).toEqual(['page 1', 'page 2']);
    expect(await world.listRuns()).toHaveLength(1);
    await expect.poll(() => world.getSpent()).toBe(20);
  });
});

/** Takes a turn that dies when the rows of some page are put in. */
async function dies(world: ScheduleHarness, page: number): Promise<void> {
  let reached: () => void = () => {};
  const died = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let puts = 0;
  const ROWS = new Proxy(env.ROWS, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'put') puts += 1;
        if (name !== 'put' || puts < page) return Reflect.apply(value, target, args);
        reached();
        return new Promise(() => {});
      };
    },
  });
  void world.runJob({ ROWS });
  await died;
}

describe('a run that is killed', () => {
  it.each([1, 2, 3])('when page %i is put in goes on there, and each page is bought once', async (page) => {
    const world = await createScheduledTable();
    world.provider.updateRecords(ids(50), clock.now + 1000);
    clock.now += HOUR + 1000;
    await dies(world, page);
    // Whoever comes while the lease holds finds nothing to do.
    await world.runMinute();
    expect((await world.getSchedule()).last).toMatchObject({ state: 'running' });
    clock.now += 5 * 60_000 + 1000;
    await world.runMinute();
    expect(world.provider.bought).toEqual(['page 1', 'page 2', 'page 3']);
    const [run = '', ...others] = await world.listRuns();
    expect(others).toEqual([]);
    expect(await world.listRows(run)).toHaveLength(50);
    expect(await world.getSchedule()).toMatchObject({ last: { state: 'done', rows: 50, credits: 30 } });
    await expect.poll(() => world.getSpent()).toBe(30);
  });

  it('goes on at once when the whole instance was started again', async () => {
    const world = await createScheduledTable();
    world.provider.updateRecords(ids(5), clock.now + 1000);
    clock.now += HOUR + 1000;
    await dies(world, 1);
    clock.now += 60_000;
    await world.runMinute();
    expect(await world.listRuns()).toEqual([]);
    await world.runMinute(true);
    expect(await world.listRuns()).toHaveLength(1);
  });

  it('goes on without its snapshot where the provider has forgotten that', async () => {
    const world = await createScheduledTable();
    world.provider.updateRecords(ids(25), clock.now + 1000);
    clock.now += HOUR + 1000;
    world.provider.override = (call) => (call === 'page 2' ? new Response('{}', { status: 503 }) : undefined);
    await world.runMinute();
    expect((await world.getSchedule()).last).toMatchObject({ state: 'running' });
    world.provider.override = () => undefined;
    world.provider.expireSnapshots();
    clock.now += 10 * 60_000;
    await world.runMinute();
    const [run = ''] = await world.listRuns();
    expect(await world.listRows(run)).toHaveLength(25);
    expect(world.provider.bought.filter((call) => call === 'page 1')).toHaveLength(1);
    await expect.poll(() => world.getSpent()).toBe(20);
  });
});
