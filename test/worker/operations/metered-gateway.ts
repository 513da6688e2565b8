// The whole Worker on strict bindings that count what the platform bills: requests, queue consumers and the cron.
import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { createApp } from '../../../worker/app.ts';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import type { Platform } from '../../../worker/gateway/platform.ts';
import type { Upstream } from '../../../worker/gateway/upstream/upstream.ts';
import { createWorker } from '../../../worker/jobs/run-jobs.ts';
import {
  clock,
  metering,
  recordViolation,
  scriptedProviders,
  testPlatform,
  withRateLimit,
} from '../platform.ts';
import { Meter, StrictRuntime } from '../strict/index.ts';

const POLL_MS = 50;
/** Objects work on after the reply. They have ended when nothing is counted in this number of polls. */
const QUIET_POLLS = 10;
/** After a purchase, which is settled, stored in KV and told to other objects by alarms. */
export const PURCHASE_POLLS = 30;

/** A queue that keeps its messages. It has the platform's class name, by which the strict bindings know it. */
class WorkerQueue {
  readonly messages: { body: unknown; delayMs: number }[] = [];
  async sendBatch(messages: Iterable<{ body: unknown; delaySeconds?: number }>): Promise<void> {
    for (const { body, delaySeconds = 0 } of messages)
      this.messages.push({ body, delayMs: delaySeconds * 1000 });
  }
}

/** Timers of requests, which run out when the test says so: usage is collected for seconds before it is handed over. */
class HeldTimers {
  #isOpen = false;
  #held: (() => void)[] = [];

  sleep = (_ms: number, until?: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      if (this.#isOpen) resolve();
      else this.#held.push(resolve);
      until?.then(() => resolve(), resolve);
    });

  async openDuring(work: Promise<unknown>): Promise<void> {
    this.#isOpen = true;
    for (const release of this.#held.splice(0)) release();
    await work;
    this.#isOpen = false;
  }
}

/** A gateway whose operations are counted from its creation. */
export class MeteredGateway {
  readonly meter = new Meter();
  readonly jobs = new WorkerQueue();
  readonly #timers = new HeldTimers();
  readonly #runtime = new StrictRuntime({ clock: () => clock.now });
  readonly #upstream: Upstream;
  readonly #platform: Platform<DevelopmentEnv>;
  readonly #contexts: ExecutionContext[] = [];
  #worker: ReturnType<typeof createWorker<DevelopmentEnv>>;

  constructor(answer: (request: Request) => Response | Promise<Response>) {
    const identity = `metered-${crypto.randomUUID()}`;
    this.#upstream = {
      identity,
      baseUrl: 'http://127.0.0.1/cdapi',
      apiKey: env.SANDBOX_KEY,
      fetch: async (request) => withRateLimit(await answer(request)),
    };
    this.#platform = { ...testPlatform, sleep: this.#timers.sleep, sandbox: () => this.#upstream };
    this.#worker = createWorker(createApp(this.#platform), this.#platform);
    const wrapBindings = (bindings: DevelopmentEnv) =>
      this.#runtime.wrapBindings(bindings, {
        kind: 'object',
        meter: this.meter,
        onViolation: recordViolation,
      }).env;
    scriptedProviders.set(identity, { upstream: this.#upstream, wrapBindings });
    metering.current = this.meter;
  }

  /** Continues in an isolate that has nothing in memory. */
  startIsolate(): void {
    this.#worker = createWorker(createApp(this.#platform), this.#platform);
  }

  #startInvocation() {
    this.meter.add('requests');
    return this.#wrap();
  }

  #wrap() {
    const bindings = Object.assign(
      { ...env },
      {
        JOBS: this.jobs,
      },
    );
    const { meter } = this;
    return this.#runtime.wrapBindings<DevelopmentEnv>(bindings, {
      meter,
      onViolation: recordViolation,
    });
  }

  #createContext(): ExecutionContext {
    const context = createExecutionContext();
    this.#contexts.push(context);
    return context;
  }

  async request(path: string, init: RequestInit): Promise<Response> {
    const request = new Request(`http://127.0.0.1:8787${path}`, init);
    const response = await this.#worker.fetch(request, this.#startInvocation().env, this.#createContext());
    if (!response.ok) throw new Error(await response.text());
    return response;
  }

  /** Runs the minute cron, then the jobs that it found. */
  async runCron(): Promise<void> {
    const controller = createScheduledController({ cron: '* * * * *', scheduledTime: new Date(clock.now) });
    await this.#worker.scheduled(controller, this.#startInvocation().env, this.#createContext());
  }

  /** Consumes the messages of the queue, each in its own batch, and those that follow. The clock jumps over their delays. */
  async runJobs(): Promise<void> {
    for (let next = this.jobs.messages.shift(); next !== undefined; next = this.jobs.messages.shift()) {
      clock.now += next.delayMs;
      const message = {
        id: crypto.randomUUID(),
        timestamp: new Date(clock.now),
        attempts: 1,
        body: next.body,
      };
      const batch = createMessageBatch('cdapi-jobs', [message]);
      await this.#worker.queue(batch, this.#startInvocation().env, this.#createContext());
    }
  }

  /** Waits until requests and objects have ended their work after the reply. */
  async finish(quietPolls = QUIET_POLLS): Promise<void> {
    const contexts = this.#contexts.splice(0);
    await this.#timers.openDuring(Promise.all(contexts.map((context) => waitOnExecutionContext(context))));
    let [last, quiet] = ['', 0];
    await expect
      .poll(
        () => {
          const counts = JSON.stringify(this.meter.read());
          quiet = counts === last ? quiet + 1 : 0;
          last = counts;
          return quiet;
        },
        { interval: POLL_MS },
      )
      .toBeGreaterThanOrEqual(quietPolls);
  }

  /** Counts what an action uses, with its work after the reply. */
  async count(action: () => Promise<unknown>, quietPolls?: number): Promise<Record<string, number>> {
    const before = this.meter.read();
    await action();
    await this.finish(quietPolls);
    const after = Object.entries(this.meter.read());
    return Object.fromEntries(
      after.flatMap(([unit, amount]) => {
        const used = amount - (before[unit] ?? 0);
        return used === 0 ? [] : [[unit, used]];
      }),
    );
  }
}
