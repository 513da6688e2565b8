// How flights are reached: each question has one, found by its name.
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { buildIdCall } from './answers/delivered-records.ts';
import { decodeResult } from './result-codec.ts';
import type { DeliveredRecords } from './service.ts';
import type { ErasedAnswers, StoredAnswer } from './storage/answer-repository.ts';
import type { CallResult, SingleFlightRequest } from './types.ts';

/** Enough that one object's calls at once are no bound, few enough that a batch of a thousand asks each for several. */
const SHARDS = 64;

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}

function getShard(name: string): number {
  return hash(name) % SHARDS;
}

function getStub(env: Env, identity: string, shard: number): ReturnType<Env['SINGLE_FLIGHT']['get']> {
  return env.SINGLE_FLIGHT.getByName(`${identity}:${shard}`);
}

/**
 * Asks the flights of some calls. A flight that died is asked once more: what it had written down is still there.
 * @returns a row for each call, by its name; a call whose flight can't be reached has failed
 */
export async function fetchCalls(env: Env, ask: SingleFlightRequest): Promise<Map<string, CallResult>> {
  const shards = Map.groupBy(ask.calls, ({ name }) => getShard(name));
  const rows = new Map<string, CallResult>();
  await Promise.all(
    [...shards].map(async ([shard, calls]) => {
      for (const row of await fetchShard(env, shard, { ...ask, calls })) rows.set(row.name, row);
    }),
  );
  return rows;
}

async function fetchShard(env: Env, shard: number, ask: SingleFlightRequest): Promise<CallResult[]> {
  for (const last of [false, true]) {
    try {
      const { rows } = await getStub(env, ask.identity, shard).fetchCalls(ask);
      return rows.map(decodeResult);
    } catch (error) {
      logError('single_flight_unreachable', error, { attempt: last ? 2 : 1 });
    }
  }
  return ask.calls.map(({ name }) => ({
    name,
    outcome: 'failed',
    credits: 0,
    problem: 'gateway_unavailable',
  }));
}

/** Keeps records that a data request delivered in the flights that are asked for them. */
export async function sendDeliveredRecords(
  env: Env,
  { records, ...delivery }: DeliveredRecords,
): Promise<void> {
  const named = records.flatMap((record) => {
    const name = buildIdCall(delivery.family, record)?.name;
    return name === undefined ? [] : [{ shard: getShard(name), record }];
  });
  await Promise.all(
    [...Map.groupBy(named, ({ shard }) => shard)].map(async ([shard, own]) => {
      const stub = getStub(env, delivery.identity, shard);
      await stub.storeRecords({ ...delivery, records: own.map(({ record }) => record) });
    }),
  );
}

/** Tells the flight that is asked under a name of an answer that another one heard. */
export async function publishAnswer(
  env: Env,
  identity: string,
  name: string,
  kept: StoredAnswer,
): Promise<void> {
  await getStub(env, identity, getShard(name)).acceptAnswer(name, kept);
}

/**
 * Has keys refused by every flight of a provider from now on, and every answer about them forgotten.
 * @param names - under which they may be asked
 * @returns what was forgotten
 */
export async function eraseAnswers(
  env: Env,
  identity: string,
  pseudonyms: string[],
  names: string[],
): Promise<ErasedAnswers> {
  const all = Array.from({ length: SHARDS }, (_, shard) => getStub(env, identity, shard));
  const swept = await Promise.all(all.map((stub) => stub.erase(pseudonyms, names)));
  return {
    answers: swept.reduce((sum, { answers }) => sum + answers, 0),
    kvKeys: swept.flatMap(({ kvKeys }) => kvKeys),
    pseudonyms: swept.flatMap(({ pseudonyms }) => pseudonyms),
  };
}

/** Has the flight that is asked under a name forget what it was answered. */
export async function deleteAnswer(env: Env, identity: string, name: string): Promise<void> {
  await getStub(env, identity, getShard(name)).erase([], [name]);
}

/**
 * Withdraws the calls of a cancelled request that have not been sent, wherever they wait. A shard that cannot be reached
 * withdraws its calls when the answer of that request is due.
 * @returns how many calls were withdrawn
 */
export async function cancelCalls(
  env: Env,
  identity: string,
  team: string,
  cancelId: string,
): Promise<number> {
  const withdrawn = await Promise.all(
    Array.from({ length: SHARDS }, async (_, shard) => {
      try {
        return await getStub(env, identity, shard).cancelCalls(team, cancelId);
      } catch (error) {
        logError('cancellation_failed', error);
        return 0;
      }
    }),
  );
  return withdrawn.reduce((sum, count) => sum + count, 0);
}
