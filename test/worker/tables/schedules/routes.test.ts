// The routes of schedules: what can't refresh by itself is refused in words, nobody sees another team's, and nothing breaks them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schedule, ScheduleList } from '../../../../shared/api/schedules.ts';
import { intervals } from '../../../../shared/limits.ts';
import { clock } from '../../platform.ts';
import { callsWith, tokenOf } from '../../routes/sheets/callers.ts';
import { ScheduleHarness } from './harness.ts';

const good = { every: 'day', max_credits: 100, paused: false } as const;

describe('a schedule', () => {
  it('is told with its table, what it may cost and when it runs', async () => {
    const world = new ScheduleHarness();
    await world.register();
    const put = await world.schedule({ every: 'week', max_credits: 40 });
    expect(put).toMatchObject({
      table: world.table,
      title: 'Bakers & Co',
      family: 'company_base',
      every: 'week',
      max_credits: 40,
      paused: false,
      state: 'on',
      last: null,
      month: { most: 200, spent: 0 },
    });
    expect(await world.getSchedule()).toEqual(put);
    await world.client.ok('DELETE', `/schedules/${world.table}`);
    expect(await world.client.ok<ScheduleList>('GET', '/schedules')).toEqual({ schedules: [] });
    expect(await world.client.problem('DELETE', `/schedules/${world.table}`)).toMatchObject({
      code: 'not_found',
    });
  });

  it('is refused for a table that nobody registered, and for another team’s', async () => {
    const world = new ScheduleHarness();
    await world.register();
    await world.schedule();
    expect(await world.client.problem('PUT', `/schedules/${crypto.randomUUID()}`, good)).toMatchObject({
      code: 'not_found',
    });
    const other = await world.createClient('strangers');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? good : undefined;
      expect(await other.problem(method, `/schedules/${world.table}`, body)).toMatchObject({
        code: 'not_found',
      });
    }
    expect(await other.ok('GET', '/schedules')).toEqual({ schedules: [] });
    expect(await world.getSchedule()).toMatchObject({ state: 'on' });
  });

  it('wants the scopes of what it will do', async () => {
    const world = new ScheduleHarness();
    await world.register();
    await world.schedule();
    const jobs = callsWith(await tokenOf(world.team, { families: ['job_base'] }));
    expect(await jobs.problem('PUT', `/schedules/${world.table}`, good)).toMatchObject({
      code: 'forbidden_scope',
    });
    expect(await jobs.problem('GET', `/schedules/${world.table}`)).toMatchObject({ code: 'forbidden_scope' });
    expect(await jobs.ok('GET', '/schedules')).toEqual({ schedules: [] });
    const searcher = callsWith(await tokenOf(world.team, { operations: ['search'] }));
    expect(await searcher.problem('PUT', `/schedules/${world.table}`, good)).toMatchObject({
      code: 'forbidden_scope',
      detail: expect.stringContaining('preview'),
    });
  });

  it('is whatever was put: a right answer or a clear refusal', async () => {
    const world = new ScheduleHarness();
    await world.register();
    const wild = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record(
        {
          every: fc.oneof(fc.constantFrom(...intervals), fc.jsonValue({ maxDepth: 1 })),
          max_credits: fc.oneof(fc.integer(), fc.double(), fc.jsonValue({ maxDepth: 1 })),
          paused: fc.oneof(fc.boolean(), fc.jsonValue({ maxDepth: 1 })),
          more: fc.jsonValue({ maxDepth: 1 }),
        },
        { requiredKeys: [] },
      ),
      fc.record({
        every: fc.constantFrom(...intervals),
        max_credits: fc.nat(),
        paused: fc.boolean(),
      }),
    );
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(
        wild,
        fc.constantFrom(world.table, 'x', '%00', crypto.randomUUID()),
        async (body, table) => {
          const response = await world.client.call('PUT', `/schedules/${table}`, JSON.stringify(body));
          expect([200, 404, 422]).toContain(response.status);
          if (response.status !== 200) {
            expect(response.headers.get('content-type')).toBe('application/problem+json');
            return;
          }
          taken += 1;
          const schedule: Schedule = await response.json();
          expect(schedule.state).toBe(schedule.paused ? 'paused' : 'on');
          expect(schedule.next_at === null || Date.parse(schedule.next_at) > clock.now).toBe(true);
        },
      ),
      { numRuns: 60, examples: [[{ every: intervals[0], max_credits: 100, paused: false }, world.table]] },
    );
    expect(taken).toBeGreaterThan(0);
  });
});
