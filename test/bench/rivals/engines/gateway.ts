// Ours, out of its memory: the token is checked and the call counted off the team's allowance.
import type { VariantModule } from '../../harness/bench.ts';
import { drive } from '../../load/drive.ts';
import { collectText } from '../../load/request-text.ts';
import { startStocked } from '../../load/stocked.ts';
import { ASKED, WARM_UP_ANSWERS } from '../asked.ts';

export const variant: VariantModule = {
  async measure({ dir, shared, quick }) {
    const { host, port, token, stop } = await startStocked(shared, dir);
    try {
      const question = { host, port, text: collectText(token), ...ASKED };
      return await drive(
        { question, server: 'workerd', cache: 'hit', warmUpAnswers: WARM_UP_ANSWERS },
        quick,
      );
    } finally {
      await stop();
    }
  },
};
