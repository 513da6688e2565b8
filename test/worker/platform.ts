// The clock and the scripted providers of the Worker under test, and the violations of its strict bindings.
import { expect, vi } from 'vitest';
import type { DevelopmentEnv } from '../../worker/env.ts';
import type { Platform } from '../../worker/gateway/platform.ts';
import type { Upstream } from '../../worker/gateway/upstream/upstream.ts';
import { systemClock } from '../../worker/lib/clock.ts';
import { findPointProblem } from './strict/data-points.ts';
import type { Meter, StrictRuntime, Violation } from './strict/index.ts';

/** How far the tests' clock is ahead of the system's, milliseconds. */
let aheadMs = 0;

/** The clock of everything under test. It runs, and a test may move it forward. */
export const clock = {
  /** Milliseconds since 1970. */
  get now(): number {
    return Date.now() + aheadMs;
  },
  set now(ms: number) {
    aheadMs = ms - Date.now();
  },
};

/** Promises of `waitUntil` that are pending, whether waits end early, and how often a test has ended all waits. */
const background = { running: 0, isEnding: false, endings: 0 };

/** How often a wait looks whether it should end, milliseconds: another invocation cannot end its timer. */
const SLICE_MS = 10;

const { sleep: sleepSlice } = systemClock;

async function sleep(ms: number, until?: Promise<unknown>): Promise<void> {
  let hasSettled = false;
  const settle = (): void => {
    hasSettled = true;
  };
  until?.then(settle, settle);
  const end = Date.now() + ms;
  const { endings } = background;
  for (let left = ms; left > 0 && !hasSettled; left = end - Date.now()) {
    await sleepSlice(Math.min(left, SLICE_MS), until);
    if (background.isEnding || background.endings !== endings) return;
  }
}

// The development Worker has the system's clock. Otherwise each file would wait five seconds for its last count of calls.
systemClock.sleep = sleep;

/** Returns a context that counts the work after a response. */
export function countBackgroundWork(ctx: ExecutionContext): ExecutionContext {
  return interceptCalls(ctx, (method, [promise]) => {
    if (method !== 'waitUntil') return;
    background.running += 1;
    const end = (): void => {
      background.running -= 1;
    };
    Promise.resolve(promise).then(end, end);
  });
}

/** Ends the waits that run now, such as those for the deadline of a call. */
export function endWaits(): void {
  background.endings += 1;
}

/** Ends the waits of all background work, and resolves when that work has ended: afterwards it changes no total. */
export async function endBackgroundWork(): Promise<void> {
  background.isEnding = true;
  try {
    await vi.waitFor(() => expect(background.running).toBe(0), {
      timeout: 60_000,
      interval: SLICE_MS,
    });
  } finally {
    background.isEnding = false;
  }
}

/** The clock and the runtime's timers. */
export const testPlatform: Platform = { ...systemClock, now: () => clock.now, random: () => 0, sleep };

/** Counts the KV writes of a gateway, and may let KV fail. */
export interface KvCounts {
  writes: number;
  /** Calls of this method fail. */
  failing?: 'get' | 'put' | 'delete';
}

/** Counts the calls of a KV namespace, and lets them fail. */
export function countKvCalls(kv: KVNamespace, counts: KvCounts): KVNamespace {
  return interceptCalls(kv, (method) => {
    if (method === counts.failing) throw new Error('KV is down');
    if (method === 'put') counts.writes += 1;
  });
}

/** Wraps a binding. @param onCall - receives each method and its arguments before the call; may throw */
export function interceptCalls<T extends object>(
  binding: T,
  onCall: (method: string, args: readonly unknown[]) => void,
): T {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        onCall(String(name), args);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/** A scripted provider. */
export interface ScriptedProvider {
  upstream: Upstream;
  /** Wraps the bindings of its single-flight objects. */
  wrapBindings: (env: DevelopmentEnv) => DevelopmentEnv;
}

/** Counts what new ledgers, throttles and single-flight objects use, while a test measures. */
export const metering: { current?: Meter } = {};

/** By identity. */
export const scriptedProviders = new Map<string, ScriptedProvider>();

/** Registers a provider whose single-flight objects run on strict bindings. */
export function registerProvider(upstream: Upstream, runtime: StrictRuntime, kv: KvCounts): void {
  const options = { location: 'objects', kind: 'object', onViolation: recordViolation } as const;
  const wrapBindings = (env: DevelopmentEnv): DevelopmentEnv => {
    const strict = runtime.wrapBindings(env, options);
    return { ...strict.env, RECORDS: countKvCalls(strict.env.RECORDS, kv) };
  };
  scriptedProviders.set(upstream.identity, { upstream, wrapBindings });
}

/** Copies a response with a rate limit that never delays a test, unless it has one. */
export function withRateLimit(response: Response): Response {
  const copy = new Response(response.body, response);
  if (!copy.headers.has('x-ratelimit-limit-second')) copy.headers.set('x-ratelimit-limit-second', '9999');
  return copy;
}

/** Number of the running test file. Files share an isolate; helpers discard the state of earlier files. */
export const currentSuite = { number: 0 };

/** Whether messages of the queue may start jobs. */
export const consumedJobs = { mayStart: true };

/** What the deployed platform would have refused. Every test must leave this empty. */
export const violations: Violation[] = [];

/**
 * Writes to KV and R2 within a second of another one of the same key: not an error, because single-flight objects and jobs repeat
 * them.
 */
export const rateViolations: Violation[] = [];

const RATE_CODES: ReadonlySet<Violation['code']> = new Set(['kv_write_rate', 'r2_write_rate']);

export function recordViolation(violation: Violation): void {
  (RATE_CODES.has(violation.code) ? rateViolations : violations).push(violation);
}

/** Data points of requests and objects, in order. Each test begins without any. */
export const dataPoints: AnalyticsEngineDataPoint[] = [];

/** A dataset that records its points. It has the local platform's class name, by which the strict bindings know it. */
class LocalAnalyticsEngineDataset {
  writeDataPoint(point: AnalyticsEngineDataPoint = {}): void {
    const problem = findPointProblem(point);
    if (problem !== undefined)
      recordViolation({ code: 'data_point', binding: 'METRICS', message: `a data point with ${problem}` });
    dataPoints.push(point);
  }
}

/** The dataset of everything under test. */
export const metricsDataset: AnalyticsEngineDataset = new LocalAnalyticsEngineDataset();

/** Creates a rate limit without a window, because the platform's one uses the system clock. */
export function createRateLimit(limit: number): RateLimit {
  const counts = new Map<string, number>();
  return {
    limit: async ({ key }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= limit };
    },
  };
}
