// A provider throttle on a Durable Object's real storage, with simulated clock, timers and random numbers.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { it } from 'vitest';
import type { Platform } from '../../../../worker/gateway/platform.ts';
import { ProviderThrottle } from '../../../../worker/gateway/provider-throttle/provider-throttle.ts';
import type { ThrottleStorage } from '../../../../worker/gateway/provider-throttle/schema.ts';
import { ThrottleStore } from '../../../../worker/gateway/provider-throttle/store.ts';
import type {
  Permit,
  PermitRequest,
  Report,
  ReportedCall,
} from '../../../../worker/gateway/provider-throttle/types.ts';
import { Clock as SimulatedClock } from '../single-flight/clock.ts';

export { START } from '../single-flight/clock.ts';

/** Builds the reported call of a question: by default a purchase of the team `team`. */
export function buildReportedCall(question: string | number, more: Partial<ReportedCall> = {}): ReportedCall {
  return { team: 'team', purpose: 'purchase', area: 'company_clean', question: String(question), ...more };
}

/** Turns of the microtask queue in which pending promises resolve. */
const TURNS = 12;

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
}

/** A clock that the test advances. */
export class Clock extends SimulatedClock {
  /** Advances the time, timer by timer. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await settle();
    while (this.next !== undefined && this.next <= end) {
      this.moveTo(this.next);
      await settle();
    }
    this.now = end;
  }
}

/** A throttle with its simulated environment. */
export interface ThrottleBench {
  throttle: ProviderThrottle;
  clock: Clock;
  platform: Platform;
  storage: DurableObjectStorage;
  /** Number of rows written to the storage so far. */
  written: () => number;
  /** Requests a permit. Default: one formula call without waiting. */
  acquire: (more?: Partial<PermitRequest>) => Promise<Permit>;
  /** Requests calls that must all be granted, and returns the time. */
  send: (calls?: number, more?: Partial<PermitRequest>) => Promise<number>;
  /** Reports a call. Default: answered and free. */
  report: (more?: Partial<Report>) => ReturnType<ProviderThrottle['report']>;
  /** Restarts the throttle on the same storage. */
  restart: () => void;
}

/**
 * Runs a test on a new throttle.
 * @param perS - the configured pace
 */
export async function withThrottle(
  perS: number,
  test: (bench: ThrottleBench) => Promise<void> | void,
  random: () => number = () => 0.5,
): Promise<void> {
  const stub = env.PROVIDER_THROTTLE.getByName(crypto.randomUUID());
  await runInDurableObject(stub, async (_instance, { storage }) => {
    const clock = new Clock();
    let rows = 0;
    const sql = new Proxy(storage.sql, {
      get: (target, name) =>
        name !== 'exec'
          ? Reflect.get(target, name)
          : (query: string, ...values: unknown[]) => {
              const cursor = target.exec(query, ...values);
              if (/^\s*(INSERT|UPDATE|DELETE)/.test(query)) rows += 1;
              return cursor;
            },
    });
    const platform: Platform = {
      now: () => clock.now,
      sleep: (ms, until) => clock.after(ms, until),
      random,
    };
    const counted: ThrottleStorage = { sql, transactionSync: (work) => storage.transactionSync(work) };
    const create = (): ProviderThrottle => new ProviderThrottle(platform, new ThrottleStore(counted), perS);
    const bench: ThrottleBench = {
      throttle: create(),
      clock,
      platform,
      storage,
      written: () => rows,
      acquire: (more) =>
        bench.throttle.acquire({
          team: 'team',
          purpose: 'purchase',
          lane: 'formula',
          calls: 1,
          credits: 0,
          waitMs: 0,
          ...more,
        }),
      send: async (calls = 1, more = {}) => {
        const { granted, grantedAt } = await bench.acquire({ calls, ...more });
        if (granted !== calls || grantedAt === undefined) throw new Error(`${granted} granted`);
        return grantedAt;
      },
      report: (more) => bench.throttle.report([{ outcome: 'answered', charged: 0, unclear: 0, ...more }]),
      restart: () => {
        bench.throttle = create();
      },
    };
    await test(bench);
  });
}

/** Defines a test on a new throttle with a configured pace. */
export function throttleTest(
  name: string,
  perS: number,
  test: (bench: ThrottleBench) => Promise<void> | void,
): void {
  it(name, () => withThrottle(perS, test));
}

/** Captures the permit once it is resolved. */
export function watch(permit: Promise<Permit>): { permit?: Permit } {
  const seen: { permit?: Permit } = {};
  void permit.then((answer) => {
    seen.permit = answer;
  });
  return seen;
}

/** Counts the calls in the busiest window of 1,000 ms. */
export function countBusiestWindow(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let first = 0;
  let most = 0;
  sorted.forEach((time, at) => {
    while ((sorted[first] ?? time) <= time - 1_000) first += 1;
    most = Math.max(most, at - first + 1);
  });
  return most;
}
