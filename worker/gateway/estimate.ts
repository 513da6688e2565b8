// What a lookup would cost.
import type { EstimateResponse, LookupRequest } from '../../shared/api/lookup.ts';
import { createProjection } from '../../shared/query/field-paths.ts';
import { toCacheName } from './cache/cache-keys.ts';
import { buildRefreshCalls, getRequestedFields, readCachedRecords } from './cache/cached-records.ts';
import { buildRecordCall, type GatewayContext } from './context.ts';
import type { CallRequest, CallResult } from './single-flight/types.ts';

/**
 * Tells what a lookup would spend now, and spends nothing.
 */
export async function estimate(request: LookupRequest, context: GatewayContext): Promise<EstimateResponse> {
  const fields = getRequestedFields(request);
  const { requested, usable, unreadable, since } = await readCachedRecords(
    request,
    createProjection(fields),
    context,
  );
  const unknown = new Set(unreadable.map(toCacheName));
  const missing = [...requested].flatMap(([name, { key, operation }]) =>
    usable.has(name) || unknown.has(name) ? [] : [buildRecordCall(operation, key, key.value, since)],
  );
  const refresh = buildRefreshCalls(request, { requested, usable }, context);
  const calls = [...missing, ...refresh];
  const { identity, payer, lane } = context;
  const rows =
    calls.length === 0
      ? new Map<string, CallResult>()
      : await context.fetchCalls({ identity, calls, payer, lane, waitMs: 0, background: false, fields });
  const isUnknown = ({ name }: CallRequest): boolean => rows.get(name)?.outcome === 'unknown';
  const isFailed = ({ name }: CallRequest): boolean => rows.get(name)?.outcome === 'failed';
  const toFetch = calls.filter(isUnknown);
  const notCached = missing.filter((call) => isUnknown(call) || isFailed(call));
  return {
    keys: request.keys.length,
    distinct: requested.size,
    cached: requested.size - notCached.length - unknown.size,
    stale: [...usable.values()].filter(({ stale }) => stale).length,
    to_fetch: toFetch.length,
    credits: toFetch.reduce((sum, { credits }) => sum + credits, 0),
  };
}
