// Builds the calls that fetch records by their keys.
import { findRecordOperation, type RecordOperation } from '../../shared/operations.ts';
import { type RecordKey, toCacheName } from './cache/cache-keys.ts';
import { listKeyReadings } from './refusal-list/key-readings.ts';
import type { CallRequest } from './single-flight/types.ts';

/** Kinds of keys in paths, and in the only parameter of a key. */
const PATH_KINDS = ['id', 'shorthand_name'] as const;
const PARAMETER_KINDS = ['website'] as const;

/**
 * Builds the call that fetches a record.
 * @param text - the key as it is sent; undefined omits it, so that the provider reports the missing parameter
 * @param since - see {@link CallRequest}
 */
export function buildRecordCall(
  operation: RecordOperation,
  key: RecordKey,
  text: string | undefined,
  since: number,
): CallRequest {
  const { name, family, path, keyParameter, credits } = operation;
  const encoded = encodeURIComponent(text ?? '');
  const query = text === undefined ? '' : `?${keyParameter}=${encoded}`;
  const readings = listKeyReadings(
    family,
    text ?? '',
    keyParameter === undefined ? PATH_KINDS : PARAMETER_KINDS,
  );
  return {
    name: toCacheName(key),
    operation: name,
    family,
    method: 'GET',
    path: keyParameter === undefined ? path.replace('{key}', () => encoded) : path + query,
    credits,
    key,
    ...(readings.length === 0 ? {} : { readings }),
    since,
  };
}

/**
 * Builds the call that fetches a record by its key.
 * @param since - see {@link CallRequest}
 * @returns undefined if no operation accepts the key
 */
export function buildKeyCall(key: RecordKey, since = 0): CallRequest | undefined {
  const operation = key.kind === 'verbatim' ? undefined : findRecordOperation(key.family, key.kind);
  return operation && buildRecordCall(operation, key, key.value, since);
}
