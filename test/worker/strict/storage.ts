// Durable Object storage with the deployed limit of bytes per value and row.
import type { Violation } from './invocation.ts';
import { countBytes, VALUE_BYTES } from './limits.ts';
import type { Meter } from './meter.ts';
import { type Override, withOverrides } from './with-overrides.ts';

const NAME = 'storage';
const TOO_BIG = 'string or blob too big: SQLITE_TOOBIG';
const INSERTS = /^\s*(insert|replace)\b/i;

function isCursor(value: unknown): value is SqlStorageCursor<never> {
  return typeof value === 'object' && value !== null && 'rowsRead' in value && 'rowsWritten' in value;
}

/** Wraps storage. Takes the values of an INSERT for one row, which holds 2 MB like a single value. */
export function strictStorage(
  storage: DurableObjectStorage,
  onViolation?: (violation: Violation) => void,
  meter?: Meter,
): DurableObjectStorage {
  const exec: Override = (call, args) => {
    const [statement, ...values] = args;
    const sizes = values.map(countBytes);
    const rowBytes = INSERTS.test(String(statement)) ? sizes.reduce((sum, size) => sum + size, 0) : 0;
    if (Math.max(rowBytes, ...sizes) > VALUE_BYTES) {
      onViolation?.({ code: 'value_size', binding: NAME, message: TOO_BIG });
      throw new Error(TOO_BIG);
    }
    const cursor = call(args);
    if (isCursor(cursor)) meter?.watch(cursor);
    return cursor;
  };
  // durable-objects/platform/pricing/: each setAlarm is billed as one row written.
  const setAlarm: Override = (call, args) => {
    meter?.add('object_rows_written');
    return call(args);
  };
  const sql = withOverrides(storage.sql, NAME, { exec });
  const wrapped = withOverrides(storage, NAME, {
    transactionSync: 'pass',
    transaction: 'pass',
    getAlarm: 'pass',
    setAlarm,
    deleteAlarm: 'pass',
    deleteAll: 'pass',
    sync: 'pass',
  });
  return new Proxy(wrapped, { get: (target, key) => (key === 'sql' ? sql : Reflect.get(target, key)) });
}

/** Makes the storage of an object strict before its constructor runs. */
export function makeStrict(
  state: DurableObjectState,
  onViolation?: (violation: Violation) => void,
  meter?: Meter,
): DurableObjectState {
  // The platform does not accept a proxy of the state itself.
  Object.defineProperty(state, 'storage', { value: strictStorage(state.storage, onViolation, meter) });
  return state;
}
