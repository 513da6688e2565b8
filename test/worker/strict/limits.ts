// Limits that only the deployed platform enforces, each with its page below https://developers.cloudflare.com/.

// Limits that the local platform enforces too are not repeated here (KV: keys of 512
// bytes, values of 25 MiB, a TTL of 60 s, 100 keys or 25 MiB at once; D1 and SQLite: 100 parameters, statements of 100 KB).

/** kv/platform/limits/, "Writes to same key: 1 per second"; kv/api/write-key-value-pairs/: the second one is a 429. */
export const KV_WRITE_INTERVAL_MS = 1000;

/** r2/platform/limits/, "Maximum concurrent writes to the same object name (key): 1 per second"; more are a 429. */
export const R2_WRITE_INTERVAL_MS = 1000;

/**
 * kv/concepts/how-kv-works/: each location caches what it reads, also that a key does not exist;
 * kv/api/read-key-value-pairs/: for 60 s unless `cacheTtl` is set.
 */
export const KV_CACHE_MS = 60_000;

/**
 * workers/platform/limits/, "Simultaneous open connections": fetch, KV, R2 and Queues count, D1 and Durable Objects do
 * not. A seventh waits until one of the six has its response headers (changelog, 2026-04-09: no connection is cancelled).
 */
export const CONNECTIONS = 6;

/**
 * kv/platform/limits/, "Operations/Worker invocation: 1000" (a bulk read is one); workers/platform/limits/, "Subrequests",
 * counts requests to all services together. Paid plans have had 10,000 since February 2026; below 1,000 runs on any plan.
 */
export const OPERATIONS = 1000;

/** d1/platform/limits/, "Queries per Worker invocation". Each statement of a batch counts. */
export const QUERIES = 1000;

/**
 * d1/platform/limits/ and durable-objects/platform/limits/, "Maximum string, BLOB or table row size: 2 MB".
 * A kilobyte is 1,000 bytes there.
 */
export const VALUE_BYTES = 2_000_000;

/**
 * queues/platform/limits/: "Message size: 128 KB", "Maximum messages per sendBatch call: 100 (or 256KB in total)". The local
 * platform enforces them only if the queue has a consumer.
 */
export const MESSAGE_BYTES = 128_000;
export const BATCH_MESSAGES = 100;
export const BATCH_BYTES = 256_000;

/**
 * analytics/analytics-engine/limits/: "up to twenty blobs, twenty doubles, and one index", blobs of 16 KB in total, an index of
 * 96 bytes, and 25 points in an invocation, which newer versions of the page raise to 250.
 */
export const POINT_COLUMNS = 20;
export const POINT_INDEXES = 1;
export const POINT_INDEX_BYTES = 96;
export const POINT_BLOB_BYTES = 16_000;
export const POINTS = 25;

/** Counts the bytes of a stored value: a text in UTF-8, a buffer or its view; 8 for a number. */
export function countBytes(value: unknown): number {
  if (typeof value === 'string') return new TextEncoder().encode(value).length;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  return 8;
}
