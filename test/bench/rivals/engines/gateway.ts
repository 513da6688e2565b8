// The gateway's memory cache, including authentication and rate limit.
import type { VariantModule } from '../../harness/bench.ts';
import { startPreloadedGateway } from '../../load/preloaded-gateway.ts';
import { formatCollect } from '../../load/request-text.ts';
import { measureRival } from '../measure.ts';

export const variant: VariantModule = {
  async measure({ dir, sharedDir, quick }) {
    const { host, port, token, stop } = await startPreloadedGateway(sharedDir, dir);
    try {
      return await measureRival(
        { host, port, text: formatCollect(token), server: 'workerd', cache: 'hit' },
        quick,
      );
    } finally {
      await stop();
    }
  },
};
