// What the deployed platform refuses and the local one lets pass. Each limit with the page that states it, below
// https://developers.cloudflare.com/. What the local platform refuses itself (KV: keys of more than 512 bytes, values of
// more than 25 MiB, a TTL of less than 60 s, more than 100 keys or 25 MiB at once; D1 and SQLite: more than 100 parameters,
// statements of more than 100 KB) is not repeated here: the wrappers note that it did.

/** kv/platform/limits/, "Writes to same key: 1 per second"; kv/api/write-key-value-pairs/: the second one is a 429. */
export const KV_WRITE_INTERVAL_MS = 1000;

/**
 * kv/concepts/how-kv-works/: what was read is cached where it was read, also that a key does not exist;
 * kv/api/read-key-value-pairs/: for 60 s where `cacheTtl` says nothing else.
 */
export const KV_CACHE_MS = 60_000;

/**
 * workers/platform/limits/, "Simultaneous open connections": fetch, KV, R2 and Queues count, D1 and Durable Objects do
 * not. A seventh waits until one of the six has its response headers (changelog, 2026-04-09: no connection is cancelled
 * any more to make room).
 */
export const CONNECTIONS = 6;

/**
 * kv/platform/limits/, "Operations/Worker invocation: 1000", a bulk read being one; workers/platform/limits/,
 * "Subrequests", counts requests to all services together. Paid plans have had 10,000 since February 2026; what stays
 * below 1,000 runs on any plan.
 */
export const OPERATIONS = 1000;

/** d1/platform/limits/, "Queries per Worker invocation". Statements of a batch are counted one by one. */
export const QUERIES = 1000;

/**
 * d1/platform/limits/ and durable-objects/platform/limits/, "Maximum string, BLOB or table row size: 2 MB".
 * A kilobyte is 1,000 bytes there.
 */
export const VALUE_BYTES = 2_000_000;

/**
 * queues/platform/limits/: "Message size: 128 KB", "Maximum messages per sendBatch call: 100 (or 256KB in total)". The local
 * platform refuses them only where the queue has a consumer.
 */
export const MESSAGE_BYTES = 128_000;
export const BATCH_MESSAGES = 100;
export const BATCH_BYTES = 256_000;
