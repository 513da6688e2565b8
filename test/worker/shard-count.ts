// Replaces the number of single-flight objects in suites in workerd: an erasure, a cancellation and a sweep call all of them.

/** Enough that keys meet the same object and others. `npm run test:scale` uses the number of the deployed Worker. */
export const SHARDS = 8;
