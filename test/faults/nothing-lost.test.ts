// Nothing lost: what a caller asked for and did not wait for is bought all the same, once, also when everything is killed
// meanwhile. FAULTS_FULL=1 runs it at the sizes of a large sheet, which takes minutes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LookupRequest, LookupRow } from '../../shared/api/lookup.ts';
import type { WorkerName } from './cluster/cluster.ts';
import { type Gateway, lookupRequest, startGateway, tally } from './gateway.ts';
import { call } from './leave.ts';

/** How many keys, at how many calls a second, and after how many of them the caller leaves. */
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
  : [{ keys: 160, perS: 40, leaveAfter: 50 }];

/** A restart, and what a busy machine takes longer. */
const SPARE_MS = 30_000;
const timeFor = ({ keys, perS }: Size): number => (keys / perS) * 1000 + SPARE_MS;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ vars: { PROVIDER_RATE_PER_S: '5' } });
});
afterAll(async () => {
  await gateway?.close();
});

const websites = (keys: string[], more: Partial<LookupRequest> = {}): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys,
  ...more,
});

/** What is remembered of some keys, without buying any. */
async function remembered(worker: WorkerName, keys: string[]): Promise<LookupRow[]> {
  return (await gateway.lookup(worker, websites(keys, { max_credits: 0 }))).rows;
}

/** How often some keys were answered, and how many credits they cost, at the provider. */
function boughtOf(keys: readonly string[]): { calls: Record<string, number>; credits: number } {
  const own = new Set(keys);
  const heard = gateway.provider.calls.filter(({ key, outcome }) => own.has(key) && outcome !== 429);
  return {
    calls: tally(Object.values(tally(heard.map(({ key }) => key)))),
    credits: heard.reduce((sum, { credits }) => sum + credits, 0),
  };
}

const countOf = (keys: readonly string[]): number => {
  const own = new Set(keys);
  return gateway.provider.calls.filter(({ key, outcome }) => own.has(key) && outcome !== 429).length;
};

/** Has a lookup begin whose caller leaves when so many of its keys were asked of the provider. */
async function beginAndLeave(worker: WorkerName, keys: string[], { leaveAfter, perS }: Size): Promise<void> {
  gateway.provider.settings.perS = perS;
  const url = `${gateway.cluster.url(worker)}/sheets/v1/lookup`;
  const { leave } = call(url, lookupRequest(gateway.token, websites(keys)));
  await expect
    .poll(() => countOf(keys), { timeout: timeFor({ keys: leaveAfter, perS, leaveAfter }), interval: 20 })
    .toBeGreaterThanOrEqual(leaveAfter);
  leave();
}

describe.each(sizes)('$keys keys at $perS calls a second, whose caller left in the middle,', (size) => {
  const named = (name: string) =>
    Array.from({ length: size.keys }, (_, at) => `${name}-${size.perS}-${at}.example`);
  const timeout = timeFor(size);

  it(
    'are all remembered in time, each bought once',
    async () => {
      const keys = named('left');
      await beginAndLeave('one', keys, size);
      await expect.poll(() => countOf(keys), { timeout, interval: 50 }).toBe(size.keys);
      const statuses = async () => tally((await remembered('two', keys)).map(({ status }) => status));
      await expect.poll(statuses, { timeout: 30_000 }).toEqual({ hit: size.keys });
      expect(boughtOf(keys)).toEqual({ calls: { 1: size.keys }, credits: size.keys * 10 });
    },
    timeout * 2,
  );

  it(
    'are all remembered after kill -9, each bought once; a call that was on its way is unclear and not sent again',
    async () => {
      const { cluster, provider, budget } = gateway;
      const keys = named('killed');
      const [hanging = ''] = keys;
      provider.fail({ kind: 'hang', keys: [hanging] });
      const before = await budget();
      await beginAndLeave('two', keys, size);
      const { held } = await budget();
      await cluster.kill();
      provider.fail();
      const atKill = countOf(keys);
      expect(atKill).toBeLessThan(size.keys);
      await cluster.start();

      const rows = () => remembered('one', keys);
      const open = async () =>
        (await rows()).filter(({ status }) => status === 'over_budget' || status === 'pending');
      await expect.poll(open, { timeout, interval: 100 }).toEqual([]);
      const { hit, ...others } = tally((await rows()).map(({ problem, status }) => problem ?? status));
      expect(Object.keys(others)).toEqual(['provider_unclear']);
      const unclear = others.provider_unclear ?? 0;
      expect((hit ?? 0) + unclear).toBe(size.keys);
      // At most the calls of the last moment: that were not settled yet, or that began since, at the provider's pace.
      expect(unclear).toBeLessThanOrEqual((held - before.held) / 10 + size.perS);
      const heard = countOf(keys);
      expect(heard).toBeGreaterThan(size.keys - unclear);
      const again = (await gateway.lookup('two', websites(keys))).rows;
      expect(again[0]).toMatchObject({ status: 'failed', problem: 'provider_unclear', credits: 0 });
      expect(tally(again.map(({ credits }) => credits))).toEqual({ 0: size.keys });
      expect(boughtOf(keys)).toEqual({ calls: { 1: heard }, credits: heard * 10 });
      const after = await budget();
      expect(after.spent.day + after.held - before.spent.day - before.held).toBe(size.keys * 10);
    },
    timeout * 3,
  );
});
