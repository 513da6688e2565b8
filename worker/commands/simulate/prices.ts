// Prices and included volumes of the Workers Paid plan, in US dollars a month (docs/deploy.md has them too). Read in November 2026.

/** A product that Cloudflare bills. */
export interface Product {
  name: string;
  /** The page of the price, below https://developers.cloudflare.com/. */
  source: string;
  meters: readonly PriceMeter[];
}

/** One line of a bill. */
export interface PriceMeter {
  /** A unit of {@link ./volume.ts}. */
  unit: BilledUnit;
  /** Included in the plan, each month. */
  included: number;
  /** Dollars for a million units above. */
  perMillion: number;
}

/** What is billed, each month. */
export type BilledUnit =
  | 'requests'
  | 'cpu_ms'
  | 'object_requests'
  | 'object_gb_seconds'
  | 'object_rows_read'
  | 'object_rows_written'
  | 'kv_reads'
  | 'kv_writes'
  | 'kv_deletes'
  | 'd1_rows_read'
  | 'd1_rows_written'
  | 'r2_writes'
  | 'r2_reads'
  | 'queue_operations';

/** Dollars a month for the plan itself. */
export const PLAN_DOLLARS = 5;

export const products: readonly Product[] = [
  {
    name: 'Workers',
    source: 'workers/platform/pricing/',
    meters: [
      { unit: 'requests', included: 10_000_000, perMillion: 0.3 },
      { unit: 'cpu_ms', included: 30_000_000, perMillion: 0.02 },
    ],
  },
  {
    name: 'Durable Objects',
    source: 'durable-objects/platform/pricing/',
    meters: [
      { unit: 'object_requests', included: 1_000_000, perMillion: 0.15 },
      { unit: 'object_gb_seconds', included: 400_000, perMillion: 12.5 },
      { unit: 'object_rows_read', included: 25_000_000_000, perMillion: 0.001 },
      { unit: 'object_rows_written', included: 50_000_000, perMillion: 1 },
    ],
  },
  {
    name: 'KV',
    source: 'kv/platform/pricing/',
    meters: [
      { unit: 'kv_reads', included: 10_000_000, perMillion: 0.5 },
      { unit: 'kv_writes', included: 1_000_000, perMillion: 5 },
      { unit: 'kv_deletes', included: 1_000_000, perMillion: 5 },
    ],
  },
  {
    name: 'D1',
    source: 'd1/platform/pricing/',
    meters: [
      { unit: 'd1_rows_read', included: 25_000_000_000, perMillion: 0.001 },
      { unit: 'd1_rows_written', included: 50_000_000, perMillion: 1 },
    ],
  },
  {
    name: 'R2',
    source: 'r2/pricing/',
    meters: [
      { unit: 'r2_writes', included: 1_000_000, perMillion: 4.5 },
      { unit: 'r2_reads', included: 10_000_000, perMillion: 0.36 },
    ],
  },
  {
    name: 'Queues',
    source: 'queues/platform/pricing/',
    meters: [{ unit: 'queue_operations', included: 1_000_000, perMillion: 0.4 }],
  },
];
