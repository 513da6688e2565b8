// Maintenance: while D1 is being replaced, the Worker answers nothing, sends nothing and changes nothing.
import { ProblemError } from './problem-error.ts';

/** When callers and queues try again. */
export const RETRY_AFTER_S = 300;
/** When Durable Objects try their alarms again. */
export const ALARM_RETRY_MS = 60_000;

/** Paths that stay open: the health check, and what `npm run restore` calls. */
const openPaths: ReadonlySet<string> = new Set(['/health', '/admin/v1/restores']);

/** Returns whether the deployed version is one of maintenance. */
export function isInMaintenance({ MAINTENANCE }: { MAINTENANCE?: string }): boolean {
  return MAINTENANCE !== undefined && MAINTENANCE !== '';
}

/** Returns the problem of a request that maintenance refuses; undefined if it is served. */
export function findRefusal(env: { MAINTENANCE?: string }, path: string): ProblemError | undefined {
  if (!isInMaintenance(env) || openPaths.has(path)) return undefined;
  return new ProblemError('maintenance', undefined, undefined, { 'retry-after': String(RETRY_AFTER_S) });
}
