// Ours: the formula hands its range over in one lookup.
import type { VariantModule } from '../../harness/bench.ts';
import { FAMILY } from '../../load/records.ts';
import { startStocked } from '../../load/stocked.ts';
import { columnKeys, fillTwice, LATENCY_MS } from '../column.ts';

export const variant: VariantModule = {
  async measure({ dir, shared }) {
    const { lookup, provider, stop } = await startStocked(shared, dir, LATENCY_MS);
    try {
      return await fillTwice(async () => {
        const { rows } = await lookup({ family: FAMILY, by: 'id', keys: columnKeys(), fields: ['name'] });
        const empty = rows.find(({ record }) => record === undefined);
        if (empty !== undefined) throw new Error(`${empty.key} is ${empty.status} ${empty.problem ?? ''}`);
        return 1;
      }, provider.count);
    } finally {
      await stop();
    }
  },
};
