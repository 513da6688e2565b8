// A Durable Object's storage as it is deployed: values and rows that fit.
import { countBytes } from './bytes.ts';
import type { Violation } from './invocation.ts';
import { VALUE_BYTES } from './limits.ts';
import { type Override, withOverrides } from './with-overrides.ts';

const NAME = 'storage';
const TOO_BIG = 'string or blob too big: SQLITE_TOOBIG';
const WRITES_A_ROW = /^\s*(insert|replace)\b/i;

/**
 * Wraps the storage of an object that uses SQL and alarms. What an INSERT binds is taken for one row, which holds 2 MB as
 * a single value does.
 * @param told - hears of each violation
 */
export function strictStorage(
  storage: DurableObjectStorage,
  told?: (violation: Violation) => void,
): DurableObjectStorage {
  function refuse(message: string): never {
    told?.({ code: 'value_size', binding: NAME, message });
    throw new Error(message);
  }
  const exec: Override = (call, args) => {
    const [statement, ...values] = args;
    const sizes = values.map(countBytes);
    const row = WRITES_A_ROW.test(String(statement)) ? sizes.reduce((sum, size) => sum + size, 0) : 0;
    if (Math.max(row, ...sizes) > VALUE_BYTES) refuse(TOO_BIG);
    return call(args);
  };
  const sql = withOverrides(storage.sql, NAME, { exec });
  const wrapped = withOverrides(storage, NAME, {
    transactionSync: 'pass',
    transaction: 'pass',
    getAlarm: 'pass',
    setAlarm: 'pass',
    deleteAlarm: 'pass',
    deleteAll: 'pass',
    sync: 'pass',
  });
  return new Proxy(wrapped, { get: (target, key) => (key === 'sql' ? sql : Reflect.get(target, key)) });
}

/** Makes the storage of an object strict that is about to be constructed with this state. */
export function makeStrict(
  state: DurableObjectState,
  told?: (violation: Violation) => void,
): DurableObjectState {
  // The platform takes no stand-in for the state itself.
  Object.defineProperty(state, 'storage', { value: strictStorage(state.storage, told) });
  return state;
}
