// Lookups continue after their caller disconnects, and after SIGKILL; each key is bought once. FAULTS_FULL=1 runs the sizes
// of a large sheet, which takes minutes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LookupRequest, LookupRow } from '../../shared/api/lookup.ts';
import type { WorkerName } from './cluster/cluster.ts';
import { type Gateway, lookupRequest, startGateway, tally } from './gateway.ts';
import { call } from './leave.ts';

/** Number of keys, calls per second, and calls after which the caller disconnects. */
interface Size {
  keys: number;
  perS: number;
  leaveAfter: number;
}

const sizes: readonly Size[] = process.env.FAULTS_FULL
  ? [
      { keys: 1000, perS: 50, leaveAfter: 500 },
      { keys: 1000, perS: 5, leaveAfter: 120 },
    ]
  : [{ keys: 120, perS: 40, leaveAfter: 40 }];

/** Time for a restart on a busy machine. */
const SPARE_MS = 30_000;
const getTimeout = (keys: number, perS: number): number => (keys / perS) * 1000 + SPARE_MS;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ vars: { PROVIDER_RATE_PER_S: '5' } });
});
afterAll(async () => {
  await gateway?.close();
});

const byWebsite = (keys: string[], more: Partial<LookupRequest> = {}): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys,
  ...more,
});

/** Looks up cached records only. */
async function readCached(worker: WorkerName, keys: string[]): Promise<LookupRow[]> {
  return (await gateway.lookup(worker, byWebsite(keys, { max_credits: 0 }))).rows;
}

/** Lists the provider's calls for some keys, without 429s. */
function listCalls(keys: readonly string[]) {
  const set = new Set(keys);
  return gateway.provider.calls.filter(({ key, outcome }) => set.has(key) && outcome !== 429);
}

const countCalls = (keys: readonly string[]): number => listCalls(keys).length;

/** Returns how many keys were called how often, and their credits. */
function summarizePurchases(keys: readonly string[]) {
  const calls = listCalls(keys);
  return {
    calls: tally(Object.values(tally(calls.map(({ key }) => key)))),
    credits: calls.reduce((sum, { credits }) => sum + credits, 0),
  };
}

/** Starts a lookup whose caller disconnects after some calls to the provider. */
async function startAndLeave(worker: WorkerName, keys: string[], { leaveAfter, perS }: Size): Promise<void> {
  gateway.provider.settings.perS = perS;
  const url = `${gateway.cluster.url(worker)}/sheets/v1/lookup`;
  const { leave } = call(url, lookupRequest(gateway.token, byWebsite(keys)));
  await expect
    .poll(() => countCalls(keys), { timeout: getTimeout(leaveAfter, perS), interval: 20 })
    .toBeGreaterThanOrEqual(leaveAfter);
  leave();
}

describe.each(sizes)(
  'a lookup of $keys keys at $perS calls per second, whose caller disconnects,',
  (size) => {
    const listKeys = (name: string) =>
      Array.from({ length: size.keys }, (_, at) => `${name}-${size.perS}-${at}.example`);
    const timeout = getTimeout(size.keys, size.perS);

    it(
      'buys and caches each key once',
      async () => {
        const keys = listKeys('left');
        await startAndLeave('one', keys, size);
        await expect.poll(() => countCalls(keys), { timeout, interval: 50 }).toBe(size.keys);
        const getStatuses = async () => tally((await readCached('two', keys)).map(({ status }) => status));
        await expect.poll(getStatuses).toEqual({ hit: size.keys });
        expect(summarizePurchases(keys)).toEqual({ calls: { 1: size.keys }, credits: size.keys * 10 });
      },
      timeout * 2,
    );

    it(
      'buys each key once even after SIGKILL; calls in progress become unclear and are not repeated',
      async () => {
        const { cluster, provider, budget } = gateway;
        const keys = listKeys('killed');
        const [hanging = ''] = keys;
        provider.fail({ kind: 'hang', keys: [hanging] });
        const before = await budget();
        await startAndLeave('two', keys, size);
        // The rate limit may have rejected its first call.
        await expect.poll(() => provider.count(hanging), { timeout, interval: 20 }).toBe(1);
        // Leaves calls for after the restart, however long the next steps take.
        provider.settings.perS = 1;
        const { reserved } = await budget();
        await cluster.kill();
        provider.fail();
        provider.settings.perS = size.perS;
        const callsBeforeKill = countCalls(keys);
        expect(callsBeforeKill).toBeLessThan(size.keys);
        await cluster.start();
        // Alarms resume the calls without any request.
        await expect.poll(() => countCalls(keys), { timeout, interval: 50 }).toBeGreaterThan(callsBeforeKill);

        const readRows = () => readCached('one', keys);
        const listOpen = async () =>
          (await readRows()).filter(({ status }) => status === 'over_budget' || status === 'pending');
        await expect.poll(listOpen, { timeout, interval: 100 }).toEqual([]);
        const { hit = 0, ...others } = tally(
          (await readRows()).map(({ problem, status }) => problem ?? status),
        );
        expect(Object.keys(others)).toEqual(['provider_unclear']);
        const unclear = others.provider_unclear ?? 0;
        expect(hit + unclear).toBe(size.keys);
        // At most the calls that were not settled yet, and those of the last second.
        expect(unclear).toBeLessThanOrEqual((reserved - before.reserved) / 10 + size.perS);
        const calls = countCalls(keys);
        expect(calls).toBeGreaterThan(size.keys - unclear);
        const again = (await gateway.lookup('two', byWebsite(keys))).rows;
        expect(again[0]).toMatchObject({ status: 'failed', problem: 'provider_unclear', credits: 0 });
        expect(tally(again.map(({ credits }) => credits))).toEqual({ 0: size.keys });
        expect(summarizePurchases(keys)).toEqual({ calls: { 1: calls }, credits: calls * 10 });
        const after = await budget();
        expect(after.spent.month + after.reserved - before.spent.month - before.reserved).toBe(
          size.keys * 10,
        );
      },
      timeout * 3,
    );
  },
);
