// Number of single-flight objects of a provider. The suites in workerd replace it: see `vitest.config.ts`.

/** Enough that the connections of one object are no bottleneck; few enough that each gets several keys of a large batch. */
export const SHARDS = 64;
