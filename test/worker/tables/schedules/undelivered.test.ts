// Schedules that would buy rows for nobody: “A table whose sheet is gone pauses its schedule at the next run and says so.”
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { clock } from '../../platform.ts';
import { createScheduledTable, DAY, HOUR, type ScheduleHarness } from './harness.ts';

/** A day passes in which a record changes, and the schedule runs. */
async function day(world: ScheduleHarness, id: number): Promise<void> {
  world.provider.updateRecords([id], clock.now + 1000);
  clock.now += DAY + 1000;
  await world.runMinute();
}

const pickUp = async (world: ScheduleHarness): Promise<void> => {
  for (const run of await world.listRuns()) await world.listRows(run);
};

describe('a table whose sheet was reported as missing', () => {
  it('stops its schedule at once, says so, and buys nothing at the next run', async () => {
    const world = await createScheduledTable();
    await world.client.ok('POST', '/alerts', { url: 'https://hooks.example.com/x', on: ['failure'] });
    await world.client.ok('POST', `/tables/${world.table}/missing`);
    expect(await world.getSchedule()).toMatchObject({
      state: 'stopped',
      next_at: null,
      problem: {
        code: 'sheet_missing',
        detail: 'The sheet of this table was deleted.',
        fix: 'Move the table to a new sheet in the sidebar under Tables, then start the schedule again.',
      },
    });
    world.provider.updateRecords([1], clock.now + 1000);
    clock.now += DAY;
    await world.runMinute();
    expect(world.provider.calls).toEqual([]);
    // Once, however often it is reported.
    await world.client.ok('POST', `/tables/${world.table}/missing`);
    const { results } = await env.DB.prepare(
      'SELECT body FROM alert_messages JOIN alerts ON alerts.id = alert_id WHERE team_id = ?',
    )
      .bind(world.team)
      .all<{ body: string }>();
    expect(results.map(({ body }) => JSON.parse(body).text)).toEqual([
      expect.stringContaining('The sheet of this table was deleted. Its schedule has stopped.'),
    ]);
  });

  it('is not found where it is another team’s', async () => {
    const world = await createScheduledTable();
    const others = await world.createClient('another-team-of-undelivered');
    const answer = await others.call('POST', `/tables/${world.table}/missing`);
    expect(answer.status).toBe(404);
    expect(await world.getSchedule()).toMatchObject({ state: 'on' });
  });
});

describe('rows of three runs that no spreadsheet has picked up for three days', () => {
  it('stop the schedule before it buys more, and say so', async () => {
    const world = await createScheduledTable({ every: 'day' });
    for (const id of [1, 2, 3]) await day(world, id);
    expect(world.provider.bought).toHaveLength(3);
    await day(world, 4);
    expect(world.provider.bought).toHaveLength(3);
    const { problem, state } = await world.getSchedule();
    expect(state).toBe('stopped');
    expect(problem).toMatchObject({
      code: 'undelivered',
      fix: 'Open the CDAPI sidebar in the spreadsheet, then resume the schedule.',
    });
    expect(problem?.detail).toMatch(
      /^The rows of the last 3 runs have not been picked up since .* Nothing more was bought\.$/,
    );
  });

  it('nothing is lost: started again, the schedule brings what came meanwhile', async () => {
    const world = await createScheduledTable({ every: 'day' });
    for (const id of [1, 2, 3, 4]) await day(world, id);
    await pickUp(world);
    await world.schedule({ every: 'day' });
    await day(world, 5);
    const runs = await world.listRuns();
    expect((await world.listRows(runs.at(-1) ?? '')).map(([id]) => id)).toEqual([4, 5]);
  });

  it('by the hour, go on for three days', async () => {
    const world = await createScheduledTable();
    // Looked at twice a day: each run takes its time.
    const step = 12;
    let hours = 0;
    for (; (await world.getSchedule()).state === 'on' && hours < 120; hours += step) {
      world.provider.updateRecords([hours + 1], clock.now + 1000);
      clock.now += step * HOUR + 1000;
      await world.runMinute();
    }
    expect(hours).toBeGreaterThanOrEqual(72);
    expect(hours).toBeLessThanOrEqual(72 + 2 * step);
    expect(world.provider.bought.length).toBeLessThanOrEqual(72 / step + 1);
  });
});
