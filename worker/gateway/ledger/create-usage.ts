// Creates the usage that an isolate hands over to a ledger.
import { createHistogram } from '../../lib/latency-histogram.ts';
import type { CallUsage, Usage } from './types.ts';

/** Counts calls of all outcomes. */
export function countCalls({ outcomes }: Pick<Usage, 'outcomes'>): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/**
 * Creates the usage of a request, whose calls all took as long as the request.
 * @param token - id of the token
 */
export function createUsage(token: string, usage: CallUsage): Usage {
  return { ...usage, token, durations: createHistogram(countCalls(usage), usage.latencyMs) };
}
