// The stored operations of each action are what the strict bindings count: `npm run test:scale -- operations`.
// `SCALE=1 npx vitest run --project workerd operations.scale.test --update` stores them again.
import { env } from 'cloudflare:workers';
import { afterAll, expect, it } from 'vitest';
import storedText from '../../../worker/operations/counted-operations.json?raw';
import { metering } from '../platform.ts';
import { countActions, type Operations } from './actions.ts';

/** It stores 1,300 records, which takes ten seconds, and a multiple of that on a busy machine. */
const TIMEOUT_MS = 300_000;

/**
 * Units that depend on how calls overlap, with the share and the number by which they may differ: objects batch concurrent
 * work, and reads that take longer than five seconds are repeated. All other units are exact.
 */
const approximate: readonly { units: RegExp; share: number; slack: number }[] = [
  { units: /^(?:object_requests|d1_statements|d1_rows_read)/, share: 0.25, slack: 3 },
  { units: /^(?:kv_reads|subrequests|object_rows_)/, share: 1.2, slack: 40 },
];

function isNear(unit: string, stored = 0, counted = 0): boolean {
  const { share, slack } = approximate.find(({ units }) => units.test(unit)) ?? { share: 0, slack: 0 };
  return Math.abs(stored - counted) <= slack + stored * share;
}

const isSameAction = (stored: Operations[string] = {}, counted: Operations[string] = {}): boolean =>
  Object.keys({ ...stored, ...counted }).every((unit) => isNear(unit, stored[unit], counted[unit]));

const isSame = (stored: Operations, counted: Operations): boolean =>
  Object.keys({ ...stored, ...counted }).every((name) => isSameAction(stored[name], counted[name]));

afterAll(() => {
  delete metering.current;
});

// It waits until objects are quiet for a while, since no condition says so: too slow for each `npm test`.
it.runIf(env.SCALE === 1)(
  'costs are calculated from what the actions use',
  { timeout: TIMEOUT_MS },
  async () => {
    const stored: Operations = JSON.parse(storedText);
    const counted = await countActions();
    const text = `${JSON.stringify(isSame(stored, counted) ? stored : counted, undefined, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../../worker/operations/counted-operations.json');
  },
);
