// Multiplies the counted operations of each action by what sellers do.
import {
  assumptions,
  HOURS_PER_MONTH,
  MINUTES_PER_MONTH,
  OBJECT_GB,
  OPERATIONS_PER_MESSAGE,
  type Operations,
  sellerActionNames,
  sellerDay,
} from './assumptions.ts';
import { type Peak, type ScaleLimit, scaleLimits, type Units } from './limits.ts';
import { type BilledUnit, PLAN_DOLLARS, products } from './prices.ts';

/** The costs of one product. */
export interface ProductCost {
  name: string;
  dollars: number;
}

/** How much of a limit the busiest second uses. */
export interface LimitUse {
  name: string;
  used: number;
  limit: number;
  unit: ScaleLimit['unit'];
  remedy: string;
  /** Number of sellers at which it is reached. Infinity if it does not grow with them. */
  sellersAtLimit: number;
}

/** What a number of sellers cost, and the limits by how much of them is used. */
export interface Simulation {
  sellers: number;
  volume: Readonly<Record<BilledUnit, number>>;
  costs: readonly ProductCost[];
  total: number;
  limits: readonly LimitUse[];
}

function addUnits(sums: Record<string, number>, units: Units, times: number): void {
  for (const [unit, amount] of Object.entries(units)) sums[unit] = (sums[unit] ?? 0) + amount * times;
}

/** Adds what a seller uses on a working day. */
function sumSellerDay(operations: Operations): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const name of sellerActionNames) addUnits(sums, operations[name], sellerDay[name]);
  return sums;
}

function toBilledUnits(units: Units): Record<BilledUnit, number> {
  const get = (unit: string): number => units[unit] ?? 0;
  const objectRequests = Object.entries(units)
    .filter(([unit]) => unit.startsWith('object_requests.'))
    .reduce((sum, [, amount]) => sum + amount, 0);
  return {
    requests: get('requests'),
    cpu_ms: get('requests') * assumptions.cpuMs,
    object_requests: objectRequests,
    object_gb_seconds: (objectRequests * assumptions.objectActiveMs * OBJECT_GB) / 1000,
    object_rows_read: get('object_rows_read'),
    object_rows_written: get('object_rows_written'),
    kv_reads: get('kv_reads'),
    kv_writes: get('kv_writes'),
    kv_deletes: get('kv_deletes'),
    d1_rows_read: get('d1_rows_read'),
    d1_rows_written: get('d1_rows_written'),
    r2_writes: get('r2_writes'),
    r2_reads: get('r2_reads'),
    queue_operations: get('queue_messages') * OPERATIONS_PER_MESSAGE,
  };
}

/** Calculates the costs of a month by product. */
export function priceVolume(volume: Readonly<Record<BilledUnit, number>>): ProductCost[] {
  return products.map(({ name, meters }) => ({
    name,
    dollars: meters.reduce(
      (sum, { unit, included, perMillion }) =>
        sum + (Math.max(0, volume[unit] - included) / 1_000_000) * perMillion,
      0,
    ),
  }));
}

function toPeak(day: Units, sellers: number): Peak {
  const { busiestHour, busiestSecond, sellersPerTeam } = assumptions;
  const factor = (sellers * busiestHour * busiestSecond) / 3600;
  const units = Object.fromEntries(Object.entries(day).map(([unit, amount]) => [unit, amount * factor]));
  return { units, sellers, teams: Math.max(1, sellers / sellersPerTeam) };
}

/** Finds the number of sellers at which a limit is reached. */
function findSellersAtLimit(day: Units, read: (peak: Peak) => number, limit: number): number {
  // Teams do not grow: more sellers are more teams.
  const [few, many] = [assumptions.sellersPerTeam, assumptions.sellersPerTeam * 1000];
  const usedByMany = read(toPeak(day, many));
  if (usedByMany <= read(toPeak(day, few)) * 1.001) return Number.POSITIVE_INFINITY;
  return Math.floor((limit / usedByMany) * many);
}

/** Simulates a month. */
export function simulate(operations: Operations, sellers: number): Simulation {
  const day = sumSellerDay(operations);
  const month: Record<string, number> = {};
  addUnits(month, day, sellers * assumptions.workingDaysPerMonth);
  addUnits(month, operations.cron_idle, MINUTES_PER_MONTH - HOURS_PER_MONTH);
  addUnits(month, operations.cron_idle_on_the_hour, HOURS_PER_MONTH);
  const volume = toBilledUnits(month);
  const costs = priceVolume(volume);
  const limits = scaleLimits.map(({ name, limit, unit, read, remedy }) => ({
    name,
    unit,
    used: read(toPeak(day, sellers)),
    limit,
    remedy,
    sellersAtLimit: findSellersAtLimit(day, read, limit),
  }));
  return {
    sellers,
    volume,
    costs,
    total: PLAN_DOLLARS + costs.reduce((sum, { dollars }) => sum + dollars, 0),
    limits: limits.toSorted((one, other) => other.used / other.limit - one.used / one.limit),
  };
}
