// Corrects the ledgers once the provider's balance has shown whether unclear calls were charged.
import type { Env } from '../../env.ts';
import type { ReservationRef, Resolution } from '../provider-throttle/types.ts';
import { getLedger } from './ledger-object.ts';

/**
 * Corrects the ledgers, then acknowledges the resolutions. If this fails half way, the throttle reports the same
 * resolutions again. Correcting a ledger twice has no effect.
 */
export async function reconcileLedgers(
  env: Env,
  throttle: { acknowledge: (references: ReservationRef[]) => Promise<void> },
  resolutions: readonly Resolution[],
): Promise<void> {
  const groups = Map.groupBy(resolutions, ({ team, resolved }) => JSON.stringify([team, resolved]));
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const ids = group.map(({ id }) => id);
    await getLedger(env, first.team).reconcile(ids, first.resolved === 'charged');
  }
  await throttle.acknowledge(resolutions.map(({ team, id }) => ({ team, id })));
}
