// Limits of the platform that grow with the number of sellers. docs/limits.md has those of a single invocation.
import { assumptions, sellerDay } from './assumptions.ts';

/** Amounts by unit. */
export type Units = Readonly<Record<string, number>>;

/** The busiest second of a month. */
export interface Peak {
  units: Units;
  teams: number;
  sellers: number;
}

/** A limit, with how much of it is used. */
export interface ScaleLimit {
  name: string;
  limit: number;
  unit: 'a second' | 'GB';
  /** The page of the limit, below https://developers.cloudflare.com/. */
  source: string;
  /** Amount in the busiest second, or amount that is stored. */
  read: (peak: Peak) => number;
  /** What one does before it is reached. */
  remedy: string;
}

const OBJECT_CALLS = 1000;
const SINGLE_FLIGHT_SHARDS = 64;
/** A row of a data request is kept for 30 days and has about 250 bytes (docs/limits.md). */
const ROW_BYTES = 250;
const ROWS_PER_ORDER = 1000;

export const scaleLimits: readonly ScaleLimit[] = [
  {
    name: 'calls of one ledger',
    limit: OBJECT_CALLS,
    unit: 'a second',
    source: 'durable-objects/platform/limits/',
    read: ({ units, teams }) => (units['object_requests.LEDGER'] ?? 0) / teams,
    remedy: 'split the team',
  },
  {
    name: 'calls of the provider throttle',
    limit: OBJECT_CALLS,
    unit: 'a second',
    source: 'durable-objects/platform/limits/',
    read: ({ units }) => units['object_requests.PROVIDER_THROTTLE'] ?? 0,
    remedy: 'let single-flight objects lease several permits with one call',
  },
  {
    name: 'calls of one single-flight object',
    limit: OBJECT_CALLS,
    unit: 'a second',
    source: 'durable-objects/platform/limits/',
    read: ({ units }) => (units['object_requests.SINGLE_FLIGHT'] ?? 0) / SINGLE_FLIGHT_SHARDS,
    remedy: 'use more shards',
  },
  {
    // One database runs one query after the other: a query of a millisecond allows a thousand a second.
    name: 'D1 queries of 1 ms',
    limit: 1000,
    unit: 'a second',
    source: 'd1/platform/limits/',
    read: ({ units }) => units.d1_statements ?? 0,
    remedy: 'give each group of teams its own deployment',
  },
  {
    name: 'messages of a queue',
    limit: 5000,
    unit: 'a second',
    source: 'queues/platform/limits/',
    read: ({ units }) => units.queue_messages ?? 0,
    remedy: 'spread schedules over the hour',
  },
  {
    name: 'rows of orders in D1',
    limit: 10,
    unit: 'GB',
    source: 'd1/platform/limits/',
    read: ({ sellers }) => {
      const orders = sellers * sellerDay.data_request_of_1000 * assumptions.workingDaysPerMonth;
      return (orders * ROWS_PER_ORDER * ROW_BYTES) / 1_000_000_000;
    },
    remedy: 'shorten the retention of rows',
  },
];
