// The deletion of a team: nothing is granted from then on, and its ledger's storage ends when nothing is open.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../../shared/api/admin-endpoints.ts';
import type { LatencyReport, UsageReport } from '../../../../shared/api/admin-reports.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import type { Reservation } from '../../../../worker/gateway/ledger/types.ts';
import { reconcileLedgers } from '../../../../worker/gateway/single-flight/single-flight-object.ts';
import { createHistogram } from '../../../../worker/lib/latency-histogram.ts';
import { call, hits } from '../../gateway/ledger/ledger-harness.ts';
import { clock, recordViolation } from '../../platform.ts';
import { StrictRuntime } from '../../strict/index.ts';
import { ADMIN_TOKEN, admin } from './harness.ts';

beforeEach(() => {
  clock.now = Date.now();
});

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const order = (credits: number, token: string): Reservation => ({
  ...call(credits, token),
  operation: 'bulk',
});

/** A team that the admin deletes, through strict bindings. */
async function createTeam() {
  const runtime = new StrictRuntime({ clock: () => clock.now });
  const strict = runtime.wrapBindings(env, { onViolation: recordViolation });
  const api = admin({ ...strict.env, ADMIN_TOKEN });
  const { id } = await api.team({ budget: { day: 1000 } });
  const token = (await api.token(id)).id;
  const ledger = getLedger(env, id);
  return {
    ...api,
    id,
    token,
    ledger,
    deleteTeam: () => api.remove(`/teams/${id}`),
    /** Runs the alarms that are due after some time. */
    pass: async (ms: number) => {
      clock.now += ms;
      for (let left = 5; left > 0; left -= 1) {
        const at = await runInDurableObject(ledger, (_, { storage }) => storage.getAlarm());
        if (at === null || at > clock.now) return;
        await runDurableObjectAlarm(ledger);
      }
    },
    /** Lists what the object stores. */
    listStored: () =>
      runInDurableObject(ledger, async (_, { storage }) => {
        const tables = storage.sql.exec<{ name: string }>('SELECT name FROM sqlite_master').toArray();
        return [...tables.map(({ name }) => name), await storage.getAlarm()].filter(
          (stored) => stored !== null && !String(stored).startsWith('_cf_'),
        );
      }),
  };
}

describe('a deleted team', () => {
  it('keeps its ledger until nothing is open; then nothing brings the storage back', async () => {
    const { id, token, ledger, deleteTeam, pass, listStored, ok } = await createTeam();
    const [paid, open, ordered] = [call(10, token), call(5, token), order(100, token)];
    await ledger.reserveMany([paid, open, ordered], 0);
    await ledger.settleMany([{ id: paid.id, charged: 10 }]);
    await env.ROWS.put(`ledger/${id}/000000000001.jsonl`, '');
    await deleteTeam();
    const { audit } = await ok<{ audit: { action: string }[] }>('GET', '/audit?limit=1');
    expect(audit).toMatchObject([{ action: 'team.delete' }]);

    expect(
      await ledger.lease(token, { usages: [{ ...hits(1, 10, token), durations: createHistogram(1, 2) }] }),
    ).toEqual({ refused: 'unauthorised' });
    // A budget that was set at the same time changes nothing.
    await ledger.setBudget({ spending: true });
    await ledger.setToken(token, { revoked: false });
    for (const payer of [token, 'unknown'])
      expect((await ledger.reserveMany([call(1, payer)], 0)).outcomes).toEqual(['unauthorised']);
    await pass(2 * MINUTE_MS);
    expect((await env.ROWS.list({ prefix: `ledger/${id}/` })).objects).toEqual([]);
    await pass(2 * DAY_MS);
    // The call is unclear by now; the data request runs.
    expect(await ledger.getBudget()).toMatchObject({ reserved: 100, unclear: 5 });
    await ledger.settleMany([{ id: ordered.id, charged: 60 }]);
    await pass(2 * MINUTE_MS);
    expect(await listStored()).toEqual([]);

    const callEverything = async (): Promise<void> => {
      expect(await ledger.lease(token, { usages: [hits(1, 10, token)] })).toEqual({
        refused: 'unauthorised',
      });
      expect((await ledger.reserveMany([call(1, token), call(0, token)], 1000)).outcomes).toEqual([
        'unauthorised',
        'unauthorised',
      ]);
      await ledger.settleMany([{ id: open.id, charged: 0 }]);
      await ledger.recordUsage([hits(3, 30, token)]);
      await ledger.setTokens([token], { revoked: true });
      const acknowledged: unknown[] = [];
      await reconcileLedgers(env, { acknowledge: async (list) => void acknowledged.push(...list) }, [
        { team: id, id: open.id, credits: 5, resolved: 'not_charged' },
      ]);
      expect(acknowledged).toEqual([{ team: id, id: open.id }]);
      expect(await ledger.getBudget()).toMatchObject({ spending: false, remaining: 0, reserved: 0 });
      expect(await ok('GET', `/ledger?team=${id}`)).toEqual({ entries: [], next: null });
      expect(await ok<AdminResponse<'listLedgerSums'>>('GET', `/teams/${id}/ledger/sums`)).toEqual({
        sums: [],
      });
      await deleteTeam();
    };
    await callEverything();
    await evictDurableObject(ledger);
    await callEverything();
    await pass(DAY_MS);
    expect(await listStored()).toEqual([]);
    const { total } = await ok<UsageReport>('GET', `/usage?by=team&team=${id}`);
    expect(total).toMatchObject({ credits: 75, saved: 10 });
    const latency = await ok<LatencyReport>('GET', `/latency?team=${id}`);
    expect(latency.total).toEqual({ calls: 1, errors: 0, p50_ms: 2, p95_ms: 2.9 });
    expect(latency.rows).toHaveLength(1);
  });

  it('waits a day for the outcome of an unclear call, and is deleted at once when it is known', async () => {
    const unclear = async () => {
      const team = await createTeam();
      const lost = call(20, team.token);
      await team.ledger.reserveMany([lost], 0);
      await team.ledger.settleMany([{ id: lost.id, charged: 'unclear' }]);
      await team.deleteTeam();
      await team.pass(10 * MINUTE_MS);
      expect(await team.listStored()).not.toEqual([]);
      return { ...team, lost };
    };
    const known = await unclear();
    expect(await known.ledger.reconcile([known.lost.id], false)).toBe(1);
    await known.pass(2 * MINUTE_MS);
    expect(await known.listStored()).toEqual([]);
    const unknown = await unclear();
    await unknown.pass(DAY_MS - 11 * MINUTE_MS);
    expect(await unknown.listStored()).not.toEqual([]);
    await unknown.pass(2 * MINUTE_MS);
    expect(await unknown.listStored()).toEqual([]);
  });
});

it('a ledger that was never opened stores nothing', async () => {
  const ledger = getLedger(env, crypto.randomUUID());
  await ledger.getBudget();
  expect(await ledger.lease('token', { usages: [] })).toEqual({ refused: 'unauthorised' });
  const tables = await runInDurableObject(ledger, (_, { storage }) =>
    storage.sql.exec<{ name: string }>('SELECT name FROM sqlite_master').toArray(),
  );
  expect(tables.filter(({ name }) => !name.startsWith('_cf_'))).toEqual([]);
});
