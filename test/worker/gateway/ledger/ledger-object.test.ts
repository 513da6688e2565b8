// The ledger as others reach it: over RPC, with the platform's clock, alarm and evictions.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { TeamLedger } from '../../../../worker/gateway/ledger/ledger.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { call, hits } from './ledger-harness.ts';

const newTeam = () => `object-${crypto.randomUUID()}`;

describe('the ledger of a team', () => {
  it('answers over RPC, waiting calls too', async () => {
    const ledger = getLedger(env, newTeam());
    await ledger.setBudget({ caps: { day: 10 } });
    const first = call(10);
    expect(await ledger.reserveMany([first], 0)).toEqual({ outcomes: ['held'], remaining: 0 });
    const waiting = ledger.reserveMany([call(10)], 10_000);
    await ledger.settleMany([{ id: first.id, charged: 0 }]);
    expect(await waiting).toEqual({ outcomes: ['held'], remaining: 0 });
    const lease = await ledger.lease('token', { usages: [hits(1)] });
    expect(lease).toMatchObject({ granted: 120, remaining: 0 });
    expect(await ledger.listEntries({ limit: 10 })).toMatchObject([{ kind: 'budget' }, { kind: 'saved' }]);
  });

  it('is not another team’s', async () => {
    const [one, other] = [getLedger(env, newTeam()), getLedger(env, newTeam())];
    await one.topUp({ id: 'one', credits: 5 });
    expect((await other.getBudget()).topUp).toBe(0);
  });

  it('has its alarm set, and does what is due under its own name after an eviction', async () => {
    const team = newTeam();
    const ledger = getLedger(env, team);
    await ledger.recordUsage([hits(1)]);
    const at = await runInDurableObject(ledger, (_instance, state) => state.storage.getAlarm());
    expect(at).toBeGreaterThan(Date.now());
    expect(at).toBeLessThanOrEqual(Date.now() + 60_000);
    await evictDurableObject(ledger);
    expect(await ledger.getBudget()).toMatchObject({ saved: { day: 10 } });
    await runInDurableObject(ledger, async (_instance, { storage }) => {
      // An id that the platform makes for an alarm may have lost its name.
      const platform = { now: () => Date.now() + 60_000, after: () => Promise.resolve() };
      await new TeamLedger(storage, undefined, { platform, db: env.DB, setAlarm: () => {} }).alarm();
    });
    const { results } = await env.DB.prepare('SELECT hit FROM usage_days WHERE team_id = ?').bind(team).all();
    expect(results).toEqual([{ hit: 1 }]);
  });
});
