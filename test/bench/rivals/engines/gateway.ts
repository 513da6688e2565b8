// Ours, out of its memory: the token is checked and the call counted off the team's allowance.
import type { VariantModule } from '../../harness/bench.ts';
import { collectText } from '../../load/request-text.ts';
import { startStocked } from '../../load/stocked.ts';
import { driveRival } from '../drive.ts';

export const variant: VariantModule = {
  async measure({ dir, shared, quick }) {
    const { host, port, token, stop } = await startStocked(shared, dir);
    try {
      return await driveRival(
        { host, port, text: collectText(token), server: 'workerd', cache: 'hit' },
        quick,
      );
    } finally {
      await stop();
    }
  },
};
