// The gateway's formula: one lookup for the whole range.
import type { VariantModule } from '../../harness/bench.ts';
import { startPreloadedGateway } from '../../load/preloaded-gateway.ts';
import { FAMILY } from '../../load/records.ts';
import { createColumnKeys, LATENCY_MS, measureFills } from '../column.ts';

export const variant: VariantModule = {
  async measure({ dir, sharedDir }) {
    const { lookup, provider, stop } = await startPreloadedGateway(sharedDir, dir, LATENCY_MS);
    try {
      return await measureFills(async () => {
        const { rows } = await lookup({
          family: FAMILY,
          by: 'id',
          keys: createColumnKeys(),
          fields: ['name'],
        });
        const empty = rows.find(({ record }) => record === undefined);
        if (empty !== undefined) throw new Error(`${empty.key} is ${empty.status} ${empty.problem ?? ''}`);
        return 1;
      }, provider.getUsage);
    } finally {
      await stop();
    }
  },
};
