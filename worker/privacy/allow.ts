// Allows an erased company again: ends the refusal of its keys. Persons stay refused.
import type { Env } from '../env.ts';
import { deleteErasedKeys, listKeysOfErasure } from '../gateway/refusal-list/erasure-list.ts';
import { listRefusedAllowed } from '../gateway/refusal-list/erasure-repository.ts';
import { allowInShards } from '../gateway/single-flight/client.ts';

/**
 * Ends the refusal of the keys of companies that are marked as allowed. A repeated call continues.
 * @param identity - the provider's
 * @throws if D1 or an object can't be reached
 */
export async function endRefusals(env: Env, identity: string): Promise<void> {
  for (const id of await listRefusedAllowed(env.DB)) {
    let pseudonyms = await listKeysOfErasure(env.DB, id);
    while (pseudonyms.length > 0) {
      // The objects first: as long as D1 has the keys, another call finds them.
      await allowInShards(env, identity, pseudonyms);
      await deleteErasedKeys(env.DB, id, pseudonyms);
      pseudonyms = await listKeysOfErasure(env.DB, id);
    }
  }
}
