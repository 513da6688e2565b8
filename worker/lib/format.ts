// Formats times, counts and versions.

/**
 * @param ms - milliseconds since 1970
 * @returns ISO 8601, UTC
 */
export const toIsoTime = (ms: number): string => new Date(ms).toISOString();

/**
 * @param version - absent in development
 * @returns its tag, the deployed commit; its id if it has none, as after `wrangler secret put`
 */
export const formatVersion = (version: WorkerVersionMetadata | undefined): string =>
  version?.tag || version?.id || 'development';
