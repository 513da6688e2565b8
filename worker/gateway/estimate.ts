// Computes the price of a lookup, and limits that of formulas.
import type { EstimateResponse, LookupRequest } from '../../shared/api/lookup.ts';
import { formatNumber } from '../../shared/lib/format-count.ts';
import { createProjection } from '../../shared/query/field-paths.ts';
import { ProblemError } from '../http/problem-error.ts';
import { toCacheName } from './cache/cache-keys.ts';
import { buildRefreshCalls, getRequestedFields, readCachedRecords } from './cached-records.ts';
import type { GatewayContext } from './context.ts';
import { buildRecordCall } from './record-call.ts';
import type { CallRequest, CallResult } from './single-flight/types.ts';

/**
 * Requires that a person has confirmed the price of a formula above the team's limit. `max_credits` confirms it.
 * @throws ProblemError `confirm_price`
 */
export function requireConfirmation(
  credits: number,
  { max_credits: confirmed }: { max_credits?: number | undefined },
  { formulaMaxCredits = Number.POSITIVE_INFINITY }: Pick<GatewayContext, 'formulaMaxCredits'>,
): void {
  if (confirmed !== undefined || credits <= formulaMaxCredits) return;
  throw new ProblemError('confirm_price', `This formula costs up to ${formatNumber(credits)} credits.`);
}

/** Computes what a lookup would cost now. Spends nothing. */
export async function estimate(request: LookupRequest, context: GatewayContext): Promise<EstimateResponse> {
  const fields = getRequestedFields(request);
  const cached = await readCachedRecords(request, createProjection(fields), context);
  const { requested, usable, since } = cached;
  const unreadable = new Set(cached.unreadable.map(toCacheName));
  const missing = [...requested].flatMap(([name, { key, operation }]) =>
    usable.has(name) || unreadable.has(name) ? [] : [buildRecordCall(operation, key, key.value, since)],
  );
  const calls = [...missing, ...buildRefreshCalls(request, cached, context)];
  const { identity, payer, lane } = context;
  const results =
    calls.length === 0
      ? new Map<string, CallResult>()
      : await context.fetchCalls({ identity, calls, payer, lane, waitMs: 0, background: false, fields });
  const isUnknown = ({ name }: CallRequest): boolean => results.get(name)?.outcome === 'unknown';
  const isFailed = ({ name }: CallRequest): boolean => results.get(name)?.outcome === 'failed';
  const isFound = ({ name }: CallRequest): boolean => {
    const result = results.get(name);
    return result !== undefined && 'envelope' in result && result.envelope.content.kind === 'record';
  };
  const records = [...usable.values()].filter(({ outcome }) => outcome.record !== undefined);
  const toFetch = calls.filter(isUnknown);
  const notCached = missing.filter((call) => isUnknown(call) || isFailed(call));
  return {
    keys: request.keys.length,
    distinct: requested.size,
    cached: requested.size - notCached.length - unreadable.size,
    stale: [...usable.values()].filter(({ stale }) => stale).length,
    found: records.length + missing.filter(isFound).length,
    to_fetch: toFetch.length,
    credits: toFetch.reduce((sum, { credits }) => sum + credits, 0),
  };
}
