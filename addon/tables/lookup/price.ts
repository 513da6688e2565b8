// Prices the lookup of a column before it starts. Free.

import type { EstimateResponse } from '../../../shared/api/lookup.ts';
import type { Connection } from '../../../shared/connection.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import { getRecordPrice } from '../../../shared/operations.ts';
import { callAll } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { t } from '../../texts/texts.ts';
import type { TableRecord } from '../registry.ts';
import { type LookupKey, type RowKey, settleComparisons } from './keys.ts';
import { foldName } from './name-choices.ts';
import { explainNamesPrice, getComparisonPrice, priceNames, priceNamesAtMost } from './names.ts';
import { isByKey } from './requests.ts';
import { buildLookups, getMaxBatch, type TableLookup } from './rows.ts';

export type LookupPrice = Pick<EstimateResponse, 'distinct' | 'cached' | 'stale' | 'to_fetch' | 'credits'> & {
  /** Why it may cost less, unless it is 0; absent if the price is exact. */
  reason?: string;
};

const isKey = (key: LookupKey): key is Extract<RowKey, { kind: 'key' }> => key.kind === 'key';

const formatKeys = (keys: readonly RowKey[]): string =>
  JSON.stringify(keys.filter(isKey).map(({ by, text }) => [by, text]));

/**
 * Prices lookups whose rows have several keys. Each row costs at most one record, and none if the record of its first key is
 * there. Names are compared as well, wherever they are in the order.
 */
function limitPrice(
  { family }: TableRecord,
  rows: readonly (readonly RowKey[])[],
  first: Pick<EstimateResponse, 'found'>,
): Pick<LookupPrice, 'to_fetch' | 'credits'> & { comparison: number } {
  const distinct = new Map(rows.map((keys) => [formatKeys(keys), keys.filter(isKey)]));
  const valid = [...distinct.values()].filter((keys) => keys.length > 0);
  const names = new Set(valid.flatMap((keys) => keys.flatMap(({ by, text }) => (by === 'name' ? text : []))));
  const records = Math.max(0, valid.length - first.found);
  const comparison = records === 0 ? 0 : getComparisonPrice({ family }, names.size);
  return { to_fetch: records, credits: records * getRecordPrice(family) + comparison, comparison };
}

/** Counts are free, whatever the team has bought. */
export const priceCounts = (rows: readonly (readonly RowKey[])[]): LookupPrice => ({
  distinct: new Set(rows.flat().flatMap((key) => (isKey(key) ? key.text : []))).size,
  cached: 0,
  stale: 0,
  to_fetch: 0,
  credits: 0,
});

const COLUMNS_REASON = 'further columns are tried where the first has no record';

const isByName = (request: TableLookup): boolean => !isByKey(request);

/**
 * Prices a lookup.
 * @param readRows - the keys of each row, in the order in which they are tried
 * @throws AddonError if the gateway refuses
 */
export function priceLookup(
  table: TableRecord,
  readRows: readonly (readonly RowKey[])[],
  { fields, maxAgeS }: { fields: readonly string[]; maxAgeS?: number },
  connection: Connection,
): LookupPrice {
  const rows = splitIntoBatches(readRows, getMaxBatch(table)).flatMap(settleComparisons);
  const firstKeys = rows.map((keys): LookupKey => keys.find(isKey) ?? { kind: 'blank' });
  const sum = { distinct: 0, cached: 0, stale: 0, found: 0, to_fetch: 0, credits: 0 };
  const requests = buildLookups(table, firstKeys, fields, maxAgeS);
  for (const answer of callAll(connection, 'estimate', requests.filter(isByKey))) {
    const counts = unwrap(answer);
    for (const name of ['distinct', 'cached', 'stale', 'found', 'to_fetch', 'credits'] as const)
      sum[name] += counts[name];
  }
  const byName = requests.filter(isByName);
  for (const { keys } of byName) {
    sum.distinct += new Set(keys.map(foldName)).size;
    sum.to_fetch += keys.length;
  }
  const compared = rows.flat().flatMap((key) => (key.kind === 'compared' ? foldName(key.text) : []));
  sum.distinct += new Set(compared).size;
  const hasSeveral = rows.some((keys) => keys.filter(isKey).length > 1);
  const hasName = rows.some((keys) => keys.some((key) => isKey(key) && key.by === 'name'));
  if (hasSeveral) {
    const { comparison, ...price } = limitPrice(table, rows, sum);
    const reason = hasName
      ? explainNamesPrice(table, { credits: price.credits, comparison })
      : t(COLUMNS_REASON);
    return { ...sum, ...price, reason };
  }
  if (!hasName) return sum;
  const highest = priceNamesAtMost(byName);
  const steps = splitIntoBatches(firstKeys, getMaxBatch(table));
  const lookups = steps.flatMap((keys) => buildLookups(table, keys, fields, maxAgeS));
  const names = priceNames(connection, lookups.filter(isByName));
  const { comparison, credits: namesCredits } = highest.credits < names.credits ? highest : names;
  const credits = sum.credits + namesCredits;
  const reason = explainNamesPrice(table, { credits, comparison });
  return { ...sum, credits, ...(names.isExact ? {} : { reason }) };
}
