// How flights are reached: each question has one, found by its name.
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import type { KeptAnswer, Swept } from './answers.ts';
import { callOfRecord, type DeliveredRecords } from './delivered.ts';
import type { SingleFlightObject } from './single-flight-object.ts';
import type { Ask, FlightRow } from './types.ts';
import { readRow } from './written.ts';

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

function shardOf(name: string): number {
  return hash(name) % SHARDS;
}

function flight(env: Env, identity: string, shard: number): DurableObjectStub<SingleFlightObject> {
  return env.SINGLE_FLIGHT.getByName(`${identity}:${shard}`);
}

/**
 * Asks the flights of some calls. A flight that died is asked once more: what it had written down is still there.
 * @returns a row for each call, by its name; a call whose flight can't be reached has failed
 */
export async function askFlights(env: Env, ask: Ask): Promise<Map<string, FlightRow>> {
  const shards = Map.groupBy(ask.calls, ({ name }) => shardOf(name));
  const rows = new Map<string, FlightRow>();
  await Promise.all(
    [...shards].map(async ([shard, calls]) => {
      for (const row of await askOne(env, shard, { ...ask, calls })) rows.set(row.name, row);
    }),
  );
  return rows;
}

async function askOne(env: Env, shard: number, ask: Ask): Promise<FlightRow[]> {
  for (const last of [false, true]) {
    try {
      const { rows } = await flight(env, ask.identity, shard).ask(ask);
      return rows.map(readRow);
    } catch (error) {
      logError('flight_lost', error, { attempt: last ? 2 : 1 });
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
export async function keepInFlights(env: Env, { records, ...delivery }: DeliveredRecords): Promise<void> {
  const named = records.flatMap((record) => {
    const name = callOfRecord(delivery.family, record)?.name;
    return name === undefined ? [] : [{ shard: shardOf(name), record }];
  });
  await Promise.all(
    [...Map.groupBy(named, ({ shard }) => shard)].map(async ([shard, own]) => {
      const stub = flight(env, delivery.identity, shard);
      await stub.keep({ ...delivery, records: own.map(({ record }) => record) });
    }),
  );
}

/** Tells the flight that is asked under a name of an answer that another one heard. */
export async function teachFlight(env: Env, identity: string, name: string, kept: KeptAnswer): Promise<void> {
  await flight(env, identity, shardOf(name)).learn(name, kept);
}

/**
 * Has keys refused by every flight of a provider from now on, and every answer about them forgotten.
 * @param names - under which they may be asked
 * @returns what was forgotten
 */
export async function eraseFromFlights(
  env: Env,
  identity: string,
  pseudonyms: string[],
  names: string[],
): Promise<Swept> {
  const all = Array.from({ length: SHARDS }, (_, shard) => flight(env, identity, shard));
  const swept = await Promise.all(all.map((stub) => stub.erase(pseudonyms, names)));
  return {
    answers: swept.reduce((sum, { answers }) => sum + answers, 0),
    places: swept.flatMap(({ places }) => places),
    keys: swept.flatMap(({ keys }) => keys),
  };
}

/** Has the flight that is asked under a name forget what it was answered. */
export async function forgetInFlight(env: Env, identity: string, name: string): Promise<void> {
  await flight(env, identity, shardOf(name)).erase([], [name]);
}

/**
 * Withdraws the calls of a cancelled request that have not been sent, wherever they wait. A shard that cannot be reached
 * withdraws its calls when the answer of that request is due.
 * @returns how many calls were withdrawn
 */
export async function cancelInFlights(
  env: Env,
  identity: string,
  team: string,
  cancelId: string,
): Promise<number> {
  const withdrawn = await Promise.all(
    Array.from({ length: SHARDS }, async (_, shard) => {
      try {
        return await flight(env, identity, shard).cancel(team, cancelId);
      } catch (error) {
        logError('not_cancelled', error);
        return 0;
      }
    }),
  );
  return withdrawn.reduce((sum, count) => sum + count, 0);
}
