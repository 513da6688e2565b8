// The gateway with counters: calls of bindings by requests and objects, and what the storage of objects does.

import type { Env } from '../../../../worker/env.ts';
import {
  LedgerObject as BaseLedgerObject,
  ProviderThrottleObject as BaseProviderThrottleObject,
  SingleFlightObject as BaseSingleFlightObject,
  default as worker,
} from '../../../../worker/index.ts';

/** Amounts since the last reading. All objects run in one isolate. */
const counts = new Map<string, number>();

function add(name: string, amount = 1): void {
  if (amount > 0) counts.set(name, (counts.get(name) ?? 0) + amount);
}

/** Calls back for each call of a method, with its result, also of the stubs that it returns. */
function watch<T extends object>(target: T, onCall: (method: string, result: unknown) => void): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        if (name === 'getByName' && typeof result === 'object' && result !== null)
          return watch(result, onCall);
        onCall(String(name), result);
        return result;
      };
    },
  });
}

function countBindings<E extends Env>(env: E): E {
  const { RECORDS, LEDGER, PROVIDER_THROTTLE, SINGLE_FLIGHT } = env;
  const watched = Object.entries({ RECORDS, LEDGER, PROVIDER_THROTTLE, SINGLE_FLIGHT }).map(
    ([name, binding]) => [name, watch<object>(binding, (method) => add(`${name}.${method}`))],
  );
  const DB = watch(env.DB, (method) => method === 'prepare' && add('DB statements'));
  return { ...env, ...Object.fromEntries(watched), DB };
}

/** Counts rows, and commits: writes that nothing interrupts are one. Setting an alarm is billed as a row. */
function countStorage(state: DurableObjectState, name: string): DurableObjectState {
  let isWriting = false;
  const recordWrite = (rows: number): void => {
    add(`${name} rows written`, rows);
    if (rows === 0 || isWriting) return;
    isWriting = true;
    add(`${name} commits`);
    queueMicrotask(() => {
      isWriting = false;
    });
  };
  const { storage } = state;
  const sql = new Proxy(storage.sql, {
    get: (target, key) =>
      key === 'exec'
        ? (...args: [string]) => {
            const cursor = target.exec(...args);
            recordWrite(cursor.rowsWritten);
            return cursor;
          }
        : Reflect.get(target, key),
  });
  const watched = watch(storage, (method) => method === 'setAlarm' && recordWrite(1));
  const counted = new Proxy(watched, {
    get: (target, key) => (key === 'sql' ? sql : Reflect.get(target, key)),
  });
  // The platform does not accept a proxy of the state itself.
  Object.defineProperty(state, 'storage', { value: counted });
  return state;
}

export class SingleFlightObject extends BaseSingleFlightObject {
  constructor(state: DurableObjectState, env: Env) {
    super(countStorage(state, 'single flight'), countBindings(env));
  }
}

export class LedgerObject extends BaseLedgerObject {
  constructor(state: DurableObjectState, env: Env) {
    super(countStorage(state, 'ledger'), countBindings(env));
  }
}

export class ProviderThrottleObject extends BaseProviderThrottleObject {
  constructor(state: DurableObjectState, env: Env) {
    super(countStorage(state, 'provider throttle'), countBindings(env));
  }
}

export default {
  ...worker,
  fetch: (request, env, ctx) => {
    if (new URL(request.url).pathname !== '/counts') return worker.fetch(request, countBindings(env), ctx);
    const read = Object.fromEntries(counts);
    counts.clear();
    return Response.json(read);
  },
} satisfies ExportedHandler<Env>;
