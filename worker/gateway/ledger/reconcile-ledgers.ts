// When the provider's balance has told whether unclear calls were charged, the ledgers get to know.
import type { Env } from '../../env.ts';
import type { ProviderThrottleObject } from '../provider-throttle/provider-throttle-object.ts';
import type { Resolution } from '../provider-throttle/types.ts';
import { getLedger } from './ledger-object.ts';

/**
 * Corrects the ledgers, then tells the gate that they know. Where this fails half way, the gate tells of the same again, and
 * a ledger corrects nothing twice.
 */
export async function reconcileLedgers(
  env: Env,
  gate: DurableObjectStub<ProviderThrottleObject>,
  resolutions: readonly Resolution[],
): Promise<void> {
  const groups = Map.groupBy(resolutions, ({ team, resolved }) => JSON.stringify([team, resolved]));
  for (const own of groups.values()) {
    const [first] = own;
    if (first === undefined) continue;
    const ids = own.map(({ id }) => id);
    await getLedger(env, first.team).reconcile(ids, first.resolved === 'charged');
  }
  await gate.acknowledge(resolutions.map(({ team, id }) => ({ team, id })));
}
