// Tells the ledgers about changed and revoked tokens of people.
import { splitIntoBatches } from '../../../../shared/lib/split-into-batches.ts';
import type { Env } from '../../../env.ts';
import { getLedger } from '../../ledger/ledger-object.ts';
import type { TokenChange } from '../../ledger/types.ts';

/** Tokens in one call of a ledger. */
const TOKENS_PER_CALL = 500;

/** Applies a change to tokens in the ledgers of their teams. */
export async function setLedgerTokens(
  env: Env,
  tokens: readonly { id: string; teamId: string }[],
  change: TokenChange,
): Promise<void> {
  for (const [team, ofTeam] of Map.groupBy(tokens, ({ teamId }) => teamId)) {
    const ids = ofTeam.map(({ id }) => id);
    for (const some of splitIntoBatches(ids, TOKENS_PER_CALL)) {
      await getLedger(env, team).setTokens(some, change);
    }
  }
}
