// A formula that calls the provider in each cell, with Google's concurrency.
import pMap from 'p-map';
import type { VariantModule } from '../../harness/bench.ts';
import { startProvider } from '../../load/provider.ts';
import { FAMILY } from '../../load/records.ts';
import { CONCURRENCY, createColumnKeys, LATENCY_MS, measureFills } from '../column.ts';

export const variant: VariantModule = {
  async measure() {
    const { baseUrl, getUsage, stop } = await startProvider(0, LATENCY_MS);
    try {
      return await measureFills(async () => {
        const keys = createColumnKeys();
        const fill = async (key: string): Promise<void> => {
          const response = await fetch(`${baseUrl}/v2/${FAMILY}/collect/${key}`, {
            headers: { apikey: 'none' },
          });
          if (!response.ok) throw new Error(await response.text());
          await response.json();
        };
        await pMap(keys, fill, { concurrency: CONCURRENCY });
        return keys.length;
      }, getUsage);
    } finally {
      stop();
    }
  },
};
