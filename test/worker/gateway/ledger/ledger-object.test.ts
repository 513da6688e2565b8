// The ledger's Durable Object: RPC, batched settlements, alarm and evictions.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { getLedger, LedgerObject } from '../../../../worker/gateway/ledger/ledger-object.ts';
import type { Settlement } from '../../../../worker/gateway/ledger/types.ts';
import { SettlementBatcher } from '../../../../worker/gateway/ledger/waiting-reservations.ts';
import { call, hits, type LedgerBench, reserveOne, withLedger } from './ledger-harness.ts';

const newTeam = () => `object-${crypto.randomUUID()}`;

describe('LedgerObject', () => {
  it('answers over RPC, and resolves a waiting reservation when credits are released', async () => {
    const ledger = getLedger(env, newTeam());
    await ledger.setBudget({ caps: { day: 10 } });
    const first = call(10);
    expect(await ledger.reserveMany([first], 0)).toEqual({ outcomes: ['reserved'], remaining: { token: 0 } });
    const waiting = ledger.reserveMany([call(10)], 10_000);
    await ledger.settleMany([{ id: first.id, charged: 0 }]);
    expect(await waiting).toEqual({ outcomes: ['reserved'], remaining: { token: 0 } });
    const lease = await ledger.lease('token', { usages: [hits(1)] });
    expect(lease).toMatchObject({ granted: 120, remaining: 0 });
    expect(await ledger.listEntries({ limit: 10 })).toMatchObject([{ kind: 'budget' }]);
    expect((await getLedger(env, newTeam()).setBudget({})).caps).toEqual({ day: 1000, month: null });
  });

  it('sets its alarm, and runs its tasks after an eviction even if the platform has lost its name', async () => {
    const team = newTeam();
    const ledger = getLedger(env, team);
    await ledger.setBudget({});
    await ledger.recordUsage([hits(1)]);
    const at = await runInDurableObject(ledger, (_instance, state) => state.storage.getAlarm());
    expect(at).toBeGreaterThan(Date.now());
    expect(at).toBeLessThanOrEqual(Date.now() + 60_000);
    await evictDurableObject(ledger);
    expect(await ledger.getBudget()).toMatchObject({ saved: { day: 10 } });
    await runInDurableObject(ledger, async (_instance, state) => {
      const later = { now: () => Date.now() + 60_000, sleep: () => Promise.resolve() };
      await new LedgerObject(state, env, later).alarm();
    });
    const { results } = await env.DB.prepare('SELECT hit FROM usage_days WHERE team_id = ?').bind(team).all();
    expect(results).toEqual([{ hit: 1 }]);
  });

  it('applies received settlements before any other call', async () => {
    const ledger = getLedger(env, newTeam());
    await ledger.setBudget({ caps: { day: 30 } });
    const reservations = [call(10), call(10), call(10)];
    await ledger.reserveMany(reservations, 0);
    const settled: Promise<void>[] = [];
    const settle = (index: number, charged: number): void => {
      settled.push(ledger.settleMany([{ id: reservations[index]?.id ?? '', charged }]));
    };
    settle(0, 10);
    expect(await ledger.getBudget()).toMatchObject({ spent: { day: 10 }, reserved: 20 });
    settle(1, 10);
    expect(await ledger.listEntries({ limit: 10 })).toHaveLength(3);
    settle(2, 0);
    expect((await ledger.reserveMany([call(10)], 0)).outcomes).toEqual(['reserved']);
    expect((await ledger.getTokenBudget('token')).spent.day).toBe(20);
    await Promise.all(settled);
  });
});

describe('SettlementBatcher', () => {
  /** Creates a batcher and the list of its batches. */
  function createBatcher({ ledger, sleep }: LedgerBench) {
    const batches: string[][] = [];
    const store = (settlements: readonly Settlement[]): void => {
      void ledger.settleMany(settlements);
      batches.push(settlements.map(({ id }) => id));
    };
    return { batcher: new SettlementBatcher(store, sleep), batches };
  }

  it.each([
    ['after a while', false],
    ['at once if a caller waits for the credits', true],
  ])('stores settlements together %s', (_, immediately) =>
    withLedger(async (bench) => {
      const ids = [await reserveOne(bench, call(10)), await reserveOne(bench, call(10))];
      const { batcher, batches } = createBatcher(bench);
      const stored = ids.map((id, at) => batcher.add([{ id, charged: 10 }], immediately && at === 1));
      expect(batches).toEqual(immediately ? [ids] : []);
      if (!immediately) {
        expect(bench.timers.map(({ ms }) => ms)).toEqual([100]);
        bench.timers[0]?.fire();
      }
      await Promise.all(stored);
      await vi.waitFor(() => expect(bench.timers).toEqual([]));
      expect(batches).toEqual([ids]);
      expect(bench.ledger.getBudget()).toMatchObject({ spent: { day: 20 }, reserved: 0 });
    }),
  );

  it('reports a failed write to the senders only', async () => {
    const batcher = new SettlementBatcher(
      () => {
        throw new Error('write failed');
      },
      () => new Promise(() => {}),
    );
    const stored = batcher.add([{ id: 'one', charged: 10 }], false);
    expect(() => batcher.flush()).not.toThrow();
    await expect(stored).rejects.toThrow('write failed');
  });
});
