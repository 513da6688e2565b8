// A gate on a Durable Object's real storage, with clock, timer and chance in the test's hands.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Platform } from '../../../../worker/gateway/platform.ts';
import type { Lane } from '../../../../worker/gateway/provider-call.ts';
import { ProviderThrottle } from '../../../../worker/gateway/provider-throttle/provider-throttle.ts';
import type { ThrottleStorage } from '../../../../worker/gateway/provider-throttle/schema.ts';
import { ThrottleStore } from '../../../../worker/gateway/provider-throttle/store.ts';
import type { Permit, PermitRequest, Report } from '../../../../worker/gateway/provider-throttle/types.ts';
import { Clock as StandingClock } from '../single-flight/clock.ts';

export { START } from '../single-flight/clock.ts';

/** Promises that follow one another are over after so many turns of the queue of microtasks. */
const TURNS = 12;

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
}

/** Time that stands still until the test moves it. */
export class Clock extends StandingClock {
  /** Lets time pass, timer by timer, and what they set off happen. */
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

/** A gate under test. */
export interface GateBench {
  gate: ProviderThrottle;
  clock: Clock;
  platform: Platform;
  storage: DurableObjectStorage;
  /** Rows written to the storage so far. */
  written: () => number;
  /** Asks for calls of a team, one formula at once if nothing else is said. */
  ask: (more?: Partial<PermitRequest>) => Promise<Permit>;
  /** Asks for calls that must all be granted, and answers when that was. */
  send: (calls?: number) => Promise<number>;
  /** Reports one call that was answered and cost nothing, if nothing else is said. */
  tell: (more?: Partial<Report>) => ReturnType<ProviderThrottle['report']>;
  /** Opens the same storage anew, as after a restart. */
  restart: () => void;
}

/**
 * Runs a test on a gate of its own.
 * @param perS - the configured pace
 */
export async function withGate(
  perS: number,
  test: (bench: GateBench) => Promise<void> | void,
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
      after: (ms, signal) => clock.after(ms, signal),
      random,
    };
    const counted: ThrottleStorage = { sql, transactionSync: (work) => storage.transactionSync(work) };
    const open = (): ProviderThrottle => new ProviderThrottle(platform, new ThrottleStore(counted), perS);
    const bench: GateBench = {
      gate: open(),
      clock,
      platform,
      storage,
      written: () => rows,
      ask: (more) =>
        bench.gate.acquire({ team: 'team', lane: 'formula', calls: 1, credits: 0, waitMs: 0, ...more }),
      send: async (calls = 1) => {
        const { granted, grantedAt } = await bench.ask({ calls });
        if (granted !== calls || grantedAt === undefined) throw new Error(`${granted} granted`);
        return grantedAt;
      },
      tell: (more) => bench.gate.report([{ outcome: 'answered', charged: 0, unclear: 0, ...more }]),
      restart: () => {
        bench.gate = open();
      },
    };
    await test(bench);
  });
}

/** The answer if it is there. */
export function watch(permit: Promise<Permit>): { permit?: Permit } {
  const seen: { permit?: Permit } = {};
  void permit.then((answer) => {
    seen.permit = answer;
  });
  return seen;
}

/** Takes so many calls, asking again for the rest, and says when each was granted. */
export async function takeAll(
  bench: GateBench,
  team: string,
  calls: number,
  lane: Lane = 'formula',
): Promise<number[]> {
  const times: number[] = [];
  while (times.length < calls) {
    const { granted } = await bench.ask({ team, lane, calls: calls - times.length, waitMs: 600_000 });
    for (let call = 0; call < granted; call += 1) times.push(bench.clock.now);
  }
  return times;
}

/** The most calls in any window of 1,000 ms. */
export function busiest(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let first = 0;
  let most = 0;
  sorted.forEach((time, at) => {
    while ((sorted[first] ?? time) <= time - 1_000) first += 1;
    most = Math.max(most, at - first + 1);
  });
  return most;
}
