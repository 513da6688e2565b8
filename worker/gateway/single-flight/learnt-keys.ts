// Keys of erased people and companies that an answer has revealed. They enter the list of all erased keys, and the objects that
// would buy them refuse them at once.
import type { Env } from '../../env.ts';
import { toCacheName } from '../cache/cache-keys.ts';
import { addLearntPseudonyms } from '../refusal-list/erasure-list.ts';
import { type LearntKeys, toRecordKeys } from '../refusal-list/named-subjects.ts';
import { getShard, refuseInShard } from './client.ts';

/**
 * Refuses keys from now on, in lookups and bulk orders of every family.
 * @param identity - the provider's
 * @throws if D1 or an object can't be reached
 */
export async function learnErasedKeys(
  env: Env,
  identity: string,
  { keys, because }: LearntKeys,
): Promise<void> {
  const added = await addLearntPseudonyms(env.DB, [...keys.keys()], because);
  const entries = added.flatMap((pseudonym) => {
    const key = keys.get(pseudonym);
    return key === undefined
      ? []
      : toRecordKeys([key]).map((each) => ({ pseudonym, name: toCacheName(each) }));
  });
  await Promise.all(
    [...Map.groupBy(entries, ({ name }) => getShard(name))].map(([shard, known]) =>
      refuseInShard(env, identity, shard, {
        pseudonyms: known.map(({ pseudonym }) => pseudonym),
        keys: [],
        names: known.map(({ name }) => name),
      }),
    ),
  );
}
