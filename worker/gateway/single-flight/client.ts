// Client of the single flight: finds the Durable Object of each call by its cache name.
import { hashText } from '../../../shared/lib/hash.ts';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { getObject } from '../../lib/objects.ts';
import { toCacheName } from '../cache/cache-keys.ts';
import { addLinkedPseudonyms } from '../refusal-list/erasure-list.ts';
import { type LinkedKeys, toRecordKeys } from '../refusal-list/named-subjects.ts';
import { Pseudonyms } from '../refusal-list/pseudonyms.ts';
import { buildIdCall } from './answers/delivered-records.ts';
import {
  type DeliveredRecords,
  decodeResult,
  type ErasedCopies,
  type EraseRequest,
  type FoundKeys,
} from './service.ts';
import { SHARDS } from './shard-count.ts';
import type { StoredAnswer } from './storage/answer-repository.ts';
import type { CallResult, SingleFlightRequest } from './types.ts';

/** Returns the object of a cache name, one of {@link shards}. */
function getShard(name: string): number {
  return hashText(name) % SHARDS;
}

function getStub(env: Env, identity: string, shard: number): ReturnType<Env['SINGLE_FLIGHT']['get']> {
  return getObject(env, env.SINGLE_FLIGHT, `${identity}:${shard}`);
}

/**
 * Fetches the answers of calls.
 * @returns a result for each call, by its name
 * @throws ProblemError `not_configured` if erased keys could not be refused: see {@link Pseudonyms.load}
 */
export async function fetchCalls(env: Env, request: SingleFlightRequest): Promise<Map<string, CallResult>> {
  // The objects need the pseudonyms too, but can't report a problem. If D1 is unreachable, they refuse the calls.
  await Pseudonyms.load(env).catch((error: unknown) => {
    if (error instanceof ProblemError) throw error;
  });
  const shards = Map.groupBy(request.calls, ({ name }) => getShard(name));
  const results = new Map<string, CallResult>();
  await Promise.all(
    [...shards].map(async ([shard, calls]) => {
      for (const result of await fetchShard(env, shard, { ...request, calls })) {
        results.set(result.name, result);
      }
    }),
  );
  return results;
}

/** Tries twice: an object that was evicted still has what it stored. Fails all calls if it is unreachable. */
async function fetchShard(env: Env, shard: number, request: SingleFlightRequest): Promise<CallResult[]> {
  for (const attempt of [1, 2]) {
    try {
      const { rows } = await getStub(env, request.identity, shard).fetchCalls(request);
      return rows.map(decodeResult);
    } catch (error) {
      logError('single_flight_unreachable', error, { attempt });
    }
  }
  return request.calls.map(({ name }) => ({
    name,
    outcome: 'failed',
    credits: 0,
    problem: 'gateway_unavailable',
  }));
}

/** Stores records that a data request delivered in the objects of their ids. */
export async function sendDeliveredRecords(
  env: Env,
  { records, ...delivery }: DeliveredRecords,
): Promise<void> {
  const withShard = records.flatMap((record) => {
    const name = buildIdCall(delivery.family, record)?.name;
    return name === undefined ? [] : [{ shard: getShard(name), record }];
  });
  await Promise.all(
    [...Map.groupBy(withShard, ({ shard }) => shard)].map(async ([shard, entries]) => {
      const stub = getStub(env, delivery.identity, shard);
      await stub.storeRecords({ ...delivery, records: entries.map(({ record }) => record) });
    }),
  );
}

/** Sends an answer to the object of another cache name of its record. */
export async function publishAnswer(
  env: Env,
  identity: string,
  name: string,
  answer: StoredAnswer,
): Promise<void> {
  await getStub(env, identity, getShard(name)).acceptAnswer(name, answer);
}

/** The objects of a provider. */
export const shards: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Refuses keys in one object of a provider; see `SingleFlightObject.refuse`. @param shard - one of {@link shards} */
export async function refuseInShard(
  env: Env,
  identity: string,
  shard: number,
  request: EraseRequest,
): Promise<FoundKeys> {
  return getStub(env, identity, shard).refuse(request);
}

/** Erases keys in one object of a provider; see `SingleFlightObject.erase`. @param shard - one of {@link shards} */
export async function eraseFromShard(
  env: Env,
  identity: string,
  shard: number,
  request: EraseRequest,
): Promise<ErasedCopies> {
  return getStub(env, identity, shard).erase(request);
}

/** Ends the refusal of keys in all objects of a provider; see `SingleFlightObject.allow`. */
export async function allowInShards(env: Env, identity: string, pseudonyms: string[]): Promise<void> {
  await Promise.all(shards.map((shard) => getStub(env, identity, shard).allow(pseudonyms)));
}

/** Deletes the answer that is stored under a cache name. */
export async function deleteAnswer(env: Env, identity: string, name: string): Promise<void> {
  await getStub(env, identity, getShard(name)).deleteAnswer(name);
}

/**
 * Withdraws the unsent calls of a cancelled request from all objects. An object that is unreachable withdraws them when the
 * response of that request is due.
 * @returns how many calls were withdrawn
 */
export async function cancelCalls(
  env: Env,
  identity: string,
  team: string,
  cancelId: string,
): Promise<number> {
  const counts = await Promise.all(
    shards.map(async (shard) => {
      try {
        return await getStub(env, identity, shard).cancelCalls(team, cancelId);
      } catch (error) {
        logError('cancellation_failed', error);
        return 0;
      }
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Refuses keys from now on, in lookups and bulk orders of every family.
 * @param identity - the provider's
 * @throws if D1 or an object can't be reached
 */
export async function refuseLinkedKeys(
  env: Env,
  identity: string,
  { keys, because }: LinkedKeys,
): Promise<void> {
  const added = await addLinkedPseudonyms(env.DB, [...keys.keys()], because);
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
