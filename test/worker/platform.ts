// Time and the provider, as the Worker under test sees them: one clock that a test moves, and scripted providers by identity.
import type { DevelopmentEnv } from '../../worker/env.ts';
import type { Platform } from '../../worker/gateway/platform.ts';
import { systemPlatform } from '../../worker/gateway/platform.ts';
import type { Upstream } from '../../worker/gateway/upstream/upstream.ts';
import type { Violation } from './strict/index.ts';

/** How far the tests' clock is ahead of the machine's, in milliseconds. */
let aheadMs = 0;

/** The clock of everything that a gateway under test is made of; it runs, and a test may move it on. */
export const clock = {
  /** Milliseconds since 1970. */
  get now(): number {
    return Date.now() + aheadMs;
  },
  set now(ms: number) {
    aheadMs = ms - Date.now();
  },
};

/** What a gateway under test does with KV. */
export interface KvCounts {
  reads: number;
  writes: number;
  /** Calls of this method fail. */
  failing?: 'get' | 'put';
}

/** Counts the calls of a KV namespace, and lets them fail. */
export function countKvCalls(kv: KVNamespace, counts: KvCounts): KVNamespace {
  return interceptCalls(kv, (method) => {
    if (method === counts.failing) throw new Error('KV is down');
    if (method === 'get') counts.reads += 1;
    if (method === 'put') counts.writes += 1;
  });
}

/** A binding as it is; `called` hears each method's name and arguments first, and may throw in its place. */
export function interceptCalls<T extends object>(
  binding: T,
  called: (method: string, args: readonly unknown[]) => void,
): T {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        called(String(name), args);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/** A scripted provider, and what the flights before it are made of. */
export interface ScriptedProvider {
  upstream: Upstream;
  kv: KvCounts;
  /** The bindings of an object that asks this provider. */
  bindings: (env: DevelopmentEnv) => DevelopmentEnv;
}

/** The suite that runs, by number: suites share an isolate, and what helpers keep for one ends with it. */
export const currentSuite = { number: 0 };

/** Scripted providers by identity. */
export const scriptedProviders = new Map<string, ScriptedProvider>();

/** What the deployed platform would have refused to gateways and desks under test: no test may leave any. */
export const violations: Violation[] = [];

/** Writes of a place in KV within a second of another, which a flight makes later: test/worker/gateway/strict.test.ts. */
export const kvRateViolations: Violation[] = [];

/** Takes note of what the platform refused. */
export function recordViolation(violation: Violation): void {
  (violation.code === 'kv_write_rate' ? kvRateViolations : violations).push(violation);
}

/** Edges with the tests' clock. */
export const testPlatform: Platform = { ...systemPlatform, now: () => clock.now, random: () => 0 };

/** Lets so many calls of each key in; the platform's own limit counts by a clock that no test can set. */
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
