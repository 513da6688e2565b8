// Bindings with the limits of the deployed platform that the local one lacks. They record every call.
import { strictD1 } from './d1.ts';
import { strictDataset } from './data-points.ts';
import { allowances, type Connections, Invocation, type Violation } from './invocation.ts';
import { strictKv } from './kv.ts';
import { KvRegions } from './kv-regions.ts';
import { R2_WRITE_INTERVAL_MS } from './limits.ts';
import type { Meter } from './meter.ts';
import { strictBucket, strictObjects, strictRateLimit, strictService } from './objects.ts';
import { strictQueue } from './queue.ts';
import type { Trips } from './trips.ts';
import { withOverrides } from './with-overrides.ts';
import { WriteTimes } from './write-times.ts';

export type { Connections, Violation, ViolationCode } from './invocation.ts';
export { Meter } from './meter.ts';
export { makeStrict, strictStorage } from './storage.ts';
export { Trips } from './trips.ts';

export interface RuntimeOptions {
  /** Milliseconds since 1970. */
  clock: () => number;
  /** How long KV hides a write from other locations, milliseconds; it then also caches reads. Absent: not at all. */
  lagMs?: number;
}

export interface InvocationOptions {
  /** KV may hide writes from other locations. */
  location?: string;
  onViolation?: (violation: Violation) => void;
  /** An `object` lives over many invocations: it has six connections for all, and no limit of operations. */
  kind?: keyof typeof allowances;
  /** Holds the calls until the test releases them. */
  trips?: Trips;
  /** Counts what the platform bills. */
  meter?: Meter;
}

/** The bindings of one invocation. */
export interface StrictBindings<E extends object> {
  env: E;
  /** Every call of a binding so far, for example `RECORDS.get`. */
  listCalls: () => readonly string[];
  /** Number of operations and of queries so far, each statement of a batch included. */
  countCalls: () => number;
  listViolations: () => readonly Violation[];
  countConnections: () => Connections;
  /** Wraps `fetch`: a call is an operation and takes a connection. */
  wrapFetch: (
    send: (request: Request) => Response | Promise<Response>,
  ) => (request: Request) => Promise<Response>;
}

/** The deployed platform, for invocations that share KV. */
export class StrictRuntime {
  readonly #options: RuntimeOptions;
  readonly #regions = new Map<string, KvRegions>();
  readonly #bucketWrites = new Map<string, WriteTimes>();

  constructor(options: RuntimeOptions) {
    this.#options = options;
  }

  /** Wraps the bindings of one invocation. A binding of an unknown kind throws when it is used. */
  wrapBindings<E extends object>(env: E, options: InvocationOptions = {}): StrictBindings<E> {
    const { location = 'here', onViolation, kind = 'invocation', trips, meter } = options;
    const invocation = new Invocation(allowances[kind], onViolation, trips, meter);
    const wrapped = new Map<string | symbol, unknown>();
    const region = 'REGION' in env ? String(env.REGION) : undefined;
    return {
      env: new Proxy(env, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (!wrapped.has(name))
            wrapped.set(name, this.#wrap(value, String(name), invocation, { location, region }));
          return wrapped.get(name);
        },
      }),
      listCalls: () => invocation.calls,
      countCalls: () => invocation.callCount,
      listViolations: () => invocation.violations,
      countConnections: () => invocation.connections,
      wrapFetch: (send) => (request) => {
        invocation.countOperation('fetch', request.method);
        return invocation.withConnection(() => send(request));
      },
    };
  }

  #wrap(
    value: unknown,
    name: string,
    invocation: Invocation,
    { location, region }: { location: string; region: string | undefined },
  ): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (isInstance<KVNamespace>(value, 'KvNamespace')) {
      return strictKv(value, name, invocation, { regions: this.#getRegions(name), location });
    }
    if (isInstance<D1Database>(value, 'D1Database')) return strictD1(value, name, invocation);
    if (isInstance<DurableObjectNamespace>(value, 'DurableObjectNamespace')) {
      return strictObjects(value, name, invocation, region);
    }
    if (isInstance<Queue>(value, 'WorkerQueue')) return strictQueue(value, name, invocation);
    if (isInstance<R2Bucket>(value, 'R2Bucket')) {
      return strictBucket(value, name, invocation, this.#getBucketWrites(name));
    }
    if (isInstance(value, 'Fetcher')) return strictService(value, name, invocation, ['fetch']);
    if (isInstance(value, 'Ratelimit')) return strictRateLimit(value, name, invocation);
    if (isInstance(value, 'LocalAnalyticsEngineDataset')) return strictDataset(value, name, invocation);
    if (Array.isArray(value) || isInstance(value, 'Object')) return value;
    return withOverrides(value, name, {});
  }

  #getRegions(name: string): KvRegions {
    const regions = this.#regions.get(name) ?? new KvRegions(this.#options.clock, this.#options.lagMs);
    this.#regions.set(name, regions);
    return regions;
  }

  #getBucketWrites(name: string): WriteTimes {
    const writes = this.#bucketWrites.get(name) ?? new WriteTimes(this.#options.clock, R2_WRITE_INTERVAL_MS);
    this.#bucketWrites.set(name, writes);
    return writes;
  }
}

/** Compares the class name: stubs and services respond to any method, so methods cannot tell bindings apart. */
function isInstance<T extends object>(value: object, className: string): value is T {
  return value.constructor.name === className;
}
