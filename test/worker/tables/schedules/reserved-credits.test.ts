// Budgets that are held for other work: a schedule waits for that, says so, and stops only where the budget is really used up.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it } from 'vitest';
import { tokens } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { clock } from '../../platform.ts';
import { createScheduledTable, HOUR, ids, type ScheduleHarness } from './harness.ts';

const PAUSE = 5 * 60_000 + 1000;

/** The token that pays. */
async function tokenOf({ team }: ScheduleHarness): Promise<string> {
  const [token] = await drizzle(env.DB).select().from(tokens).where(eq(tokens.teamId, team));
  return token?.id ?? '';
}

/** Has credits held for a data request of the same token. @returns says what that came to */
async function holding(world: ScheduleHarness, credits: number): Promise<(charged: number) => Promise<void>> {
  const ledger = getLedger(env, world.team);
  const id = crypto.randomUUID();
  const { outcomes } = await ledger.reserveMany(
    [
      {
        id,
        token: await tokenOf(world),
        operation: 'bulk',
        family: 'company_base',
        subject: 'x',
        credits,
      },
    ],
    0,
  );
  expect(outcomes).toEqual(['held']);
  return (charged) => ledger.settleMany([{ id, charged }]);
}

const waiting = {
  state: 'on',
  last: {
    state: 'running',
    problem: {
      code: 'over_budget',
      detail: 'This needs 10 credits, and what is left of the budget is held for work under way.',
      fix: expect.stringContaining('goes on when that has ended'),
    },
  },
};

/** A schedule whose run needs 10 credits, of which 5 are there and 20 are held. */
async function short(): Promise<{ world: ScheduleHarness; end: (charged: number) => Promise<void> }> {
  const world = await createScheduledTable();
  await getLedger(env, world.team).setBudget({ caps: { month: 25 } });
  const end = await holding(world, 20);
  world.provider.updateRecords(ids(5), clock.now + 1000);
  clock.now += HOUR + 1000;
  await world.runMinute();
  return { world, end };
}

describe('a budget that is held for other work', () => {
  it('is waited for, in words, and the run goes on when it is free again', async () => {
    const { world, end } = await short();
    expect(await world.getSchedule()).toMatchObject(waiting);
    clock.now += 3 * HOUR;
    await world.runMinute();
    expect(await world.getSchedule()).toMatchObject(waiting);
    expect(world.provider.bought).toEqual([]);
    await end(0);
    clock.now += PAUSE;
    await world.runMinute();
    const { state, last } = await world.getSchedule();
    expect(state).toBe('on');
    expect(last).toMatchObject({ state: 'done', rows: 5, credits: 10 });
    expect(last?.problem).toBeUndefined();
  });

  it('stops the schedule when it is spent', async () => {
    const { world, end } = await short();
    await end(20);
    clock.now += PAUSE;
    await world.runMinute();
    expect(await world.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'over_budget', detail: expect.stringContaining('the budget has 5 left') },
    });
    expect(world.provider.bought).toEqual([]);
  });

  it('is waited for between pages too, where it is the token’s own: no page is bought twice', async () => {
    const world = await createScheduledTable();
    const end = await holding(world, 10);
    await getLedger(env, world.team).setToken(await tokenOf(world), { caps: { month: 25 } });
    world.provider.updateRecords(ids(25), clock.now + 1000);
    clock.now += HOUR + 1000;
    await world.runMinute();
    expect(await world.getSchedule()).toMatchObject({
      ...waiting,
      last: { ...waiting.last, rows: 20, credits: 10 },
    });
    expect(await world.listRuns()).toEqual([]);
    await end(0);
    clock.now += PAUSE;
    await world.runMinute();
    expect(world.provider.bought).toEqual(['page 1', 'page 2']);
    expect((await world.getSchedule()).last).toMatchObject({ state: 'done', rows: 25, credits: 20 });
  });
});
