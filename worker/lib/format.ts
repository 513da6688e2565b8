// Formats times and counts.

/**
 * @param ms - milliseconds since 1970
 * @returns ISO 8601, UTC
 */
export const toIsoTime = (ms: number): string => new Date(ms).toISOString();

/** @returns a count with thousands separators: `1,240` */
export const formatCount = (count: number): string => count.toLocaleString('en-US');
