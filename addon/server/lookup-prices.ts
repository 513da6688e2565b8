// Prices of lookups in formulas: what they would spend now, and how old the cached records are.

import type { EstimateResponse, LookupRequest } from '../../shared/api/lookup.ts';
import type { Connection } from '../../shared/connection.ts';
import type { NotKey } from '../../shared/keys/index.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { estimateAll } from '../client/gateway.ts';
import { unwrap } from '../client/gateway-history.ts';
import { chunkKeys, listDistinctKeys, listRejected, parseKeys } from '../functions/arguments/keys.ts';
import { parseOptions, RECORD_OPTIONS } from '../functions/arguments/options.ts';
import { recordFormulas, resolveVariant } from '../functions/record-formulas.ts';
import type { LookupCall } from '../sheet/lookup-calls.ts';

export interface KeyedLookup {
  request: Omit<LookupRequest, 'keys'>;
  keys: Set<string>;
  /** Texts that are no keys, and what they are instead. */
  rejected: Map<string, NotKey>;
}

/** Returns what formulas spend from; undefined if formulas are not connected. */
export function findPayer(): Connection | undefined {
  try {
    return requireFormulaConnection();
  } catch {
    return undefined;
  }
}

/**
 * Collects the keys of lookups. Lookups of the same records share them.
 * @param readKeys - returns the cells of a lookup's keys
 * @throws Error if a lookup has invalid options
 */
export function collectKeys<C extends Pick<LookupCall, 'name' | 'options'>>(
  calls: readonly C[],
  readKeys: (call: C) => unknown[][],
): KeyedLookup[] {
  const lookups = new Map<string, KeyedLookup>();
  for (const call of calls) {
    const { variant, maxAgeS } = parseOptions(call.options.slice(1, -1), RECORD_OPTIONS);
    const { by } = recordFormulas[call.name];
    const family = resolveVariant(recordFormulas[call.name], variant);
    const request = { family, by, ...(maxAgeS === undefined ? {} : { max_age_s: maxAgeS }) };
    const name = JSON.stringify(request);
    const lookup = lookups.get(name) ?? { request, keys: new Set(), rejected: new Map() };
    lookups.set(name, lookup);
    const rows = parseKeys(readKeys(call), family, by);
    for (const key of listDistinctKeys(rows)) lookup.keys.add(key);
    for (const { given, is } of listRejected(rows)) lookup.rejected.set(given, is);
  }
  return [...lookups.values()];
}

/** Splits lookups into requests of the size that the gateway accepts. */
export const toRequests = (lookups: readonly KeyedLookup[]): LookupRequest[] =>
  lookups.flatMap(({ request, keys }) => chunkKeys([...keys]).map((chunk) => ({ ...request, keys: chunk })));

/**
 * Estimates requests in one call of Google.
 * @throws AddonError if an estimate fails
 */
export function estimateRequests(
  connection: Connection,
  requests: readonly LookupRequest[],
): EstimateResponse[] {
  if (requests.length === 0) return [];
  return estimateAll(connection, requests).map(unwrap);
}

export const sumOf = (
  estimates: readonly EstimateResponse[],
  name: 'cached' | 'credits' | 'distinct',
): number => estimates.reduce((sum, estimate) => sum + estimate[name], 0);
