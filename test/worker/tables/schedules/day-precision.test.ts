// Families that know days alone, by the hour: each record is bought once a day, and what changed once more comes with the next day.
import { describe, expect, it } from 'vitest';
import { clock } from '../../platform.ts';
import { DAY, HOUR, ids, ScheduleHarness, startInMorning } from './harness.ts';

/** A table of companies of which the day alone is known, by the hour from six in the morning. */
async function hourly(text = 'baking'): Promise<ScheduleHarness> {
  startInMorning();
  const world = new ScheduleHarness();
  await world.register({ family: 'company_clean', source: { kind: 'search', query: { text } } });
  await world.schedule();
  return world;
}

/** What the next hour's run asks of the provider. */
async function nextHour(world: ScheduleHarness): Promise<string[]> {
  const before = world.provider.calls.length;
  clock.now += HOUR + 1000;
  await world.runMinute();
  return world.provider.calls.slice(before);
}

async function lastRows(world: ScheduleHarness): Promise<unknown[][]> {
  return world.listRows((await world.listRuns()).at(-1) ?? '');
}

describe('a schedule by the hour of a family that knows days alone', () => {
  it('buys what the day has brought no second time, and brings what changed again with the next day', async () => {
    const world = await hourly();
    world.provider.updateRecords(ids(5), clock.now + 60_000);
    expect(await nextHour(world)).toEqual(['count', 'page 1']);
    expect(await lastRows(world)).toHaveLength(5);
    expect(await nextHour(world)).toEqual(['count']);
    world.provider.updateRecords([6], clock.now);
    world.provider.updateRecords([2], clock.now, 'Renamed');
    expect(await nextHour(world)).toEqual(['count', 'page 1']);
    expect(await lastRows(world)).toEqual([[6, 'Company 6']]);
    expect(await nextHour(world)).toEqual(['count']);
    expect((await world.getSchedule()).month.spent).toBe(20);
    clock.now += DAY;
    await world.runMinute();
    expect(await lastRows(world)).toEqual([[2, 'Renamed 2']]);
    expect((await world.getSchedule()).month.spent).toBe(30);
    await expect.poll(() => world.getSpent()).toBe(30);
  });

  it('whose first run of the day has failed asks for everything once more', async () => {
    const world = await hourly();
    world.provider.updateRecords(ids(25), clock.now + 60_000);
    world.provider.override = (call, count) =>
      call === 'page 2' && count === 1 ? Response.json({ Error: 'No' }, { status: 400 }) : undefined;
    expect(await nextHour(world)).toEqual(['count', 'page 1', 'page 2']);
    expect((await world.getSchedule()).last).toMatchObject({ state: 'failed', rows: 20 });
    await world.schedule();
    world.provider.updateRecords([3], clock.now, 'Renamed');
    expect(await nextHour(world)).toEqual(['count', 'page 1', 'page 2']);
    const rows = await lastRows(world);
    expect(rows).toHaveLength(6);
    expect(rows).toContainEqual([3, 'Renamed 3']);
  });

  it('that has brought more than a query can leave out waits for the next day, and buys nothing meanwhile', async () => {
    const world = await hourly('x'.repeat(14_800));
    world.provider.updateRecords(ids(15), clock.now + 60_000);
    expect(await nextHour(world)).toEqual(['count', 'page 1']);
    world.provider.updateRecords([16], clock.now);
    expect(await nextHour(world)).toEqual([]);
    expect(await world.getSchedule()).toMatchObject({
      state: 'on',
      last: { state: 'done', rows: 0, credits: 0 },
    });
    clock.now += DAY;
    await world.runMinute();
    expect(await lastRows(world)).toEqual([[16, 'Company 16']]);
  });
});
