// The bindings as they are deployed: what the platform refuses and the local one lets pass is refused here, and every call
// of a binding is on record.
import { strictD1 } from './d1.ts';
import { allowances, type Connections, Invocation, type Violation } from './invocation.ts';
import { strictKv } from './kv.ts';
import { KvRegions } from './kv-regions.ts';
import { strictObjects, strictRateLimit, strictService } from './objects.ts';
import { strictQueue } from './queue.ts';
import { withOverrides } from './with-overrides.ts';

export type { Connections, Violation, ViolationCode } from './invocation.ts';
export { makeStrict, strictStorage } from './storage.ts';

/** What the invocations of a test share. */
export interface RuntimeOptions {
  /** Milliseconds since 1970. */
  clock: () => number;
  /**
   * How long KV hides a write from other locations, milliseconds. KV then also caches what was read where it was read, also
   * that there is nothing. Absent: every write is seen at once.
   */
  lagMs?: number;
}

/** How one invocation is watched. */
export interface InvocationOptions {
  /** Where it runs; writes to KV are seen at once in the same location only. */
  location?: string;
  /** Hears of each violation when it happens. */
  onViolation?: (violation: Violation) => void;
  /**
   * What the bindings are for. An `object` lives on over many invocations: it has six connections for all of them, and
   * operations and queries can't be counted for each.
   */
  kind?: keyof typeof allowances;
}

/** The bindings of one invocation. */
export interface StrictBindings<E extends object> {
  env: E;
  /** Every call of a binding so far: `RECORDS.get`. */
  listCalls: () => readonly string[];
  listViolations: () => readonly Violation[];
  countConnections: () => Connections;
  /** A fetch that is counted and takes one of the six connections until the response's headers are there. */
  wrapFetch: (
    send: (request: Request) => Response | Promise<Response>,
  ) => (request: Request) => Promise<Response>;
}

const BUCKET = ['head', 'get', 'put', 'delete', 'list', 'createMultipartUpload', 'resumeMultipartUpload'];

/** The platform as it is deployed, for invocations that see the same KV. */
export class StrictRuntime {
  readonly #options: RuntimeOptions;
  readonly #namespaces = new Map<string, KvRegions>();

  constructor(options: RuntimeOptions) {
    this.#options = options;
  }

  /**
   * Wraps the bindings for one invocation. A binding of a kind that is not known here throws when it is used.
   */
  wrapBindings<E extends object>(env: E, options: InvocationOptions = {}): StrictBindings<E> {
    const { location = 'here', onViolation, kind = 'invocation' } = options;
    const invocation = new Invocation(allowances[kind], onViolation);
    const wrapped = new Map<string | symbol, unknown>();
    return {
      env: new Proxy(env, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (!wrapped.has(name)) wrapped.set(name, this.#wrap(value, String(name), invocation, location));
          return wrapped.get(name);
        },
      }),
      listCalls: () => invocation.calls,
      listViolations: () => invocation.violations,
      countConnections: () => invocation.connections,
      wrapFetch: (send) => (request) => {
        invocation.countOperation('fetch', request.method);
        return invocation.withConnection(() => send(request));
      },
    };
  }

  #wrap(value: unknown, name: string, invocation: Invocation, location: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (isNamed<KVNamespace>(value, 'KvNamespace')) {
      return strictKv(value, name, invocation, { regions: this.#world(name), location });
    }
    if (isNamed<D1Database>(value, 'D1Database')) return strictD1(value, name, invocation);
    if (isNamed<DurableObjectNamespace>(value, 'DurableObjectNamespace')) {
      return strictObjects(value, name, invocation);
    }
    if (isNamed<Queue>(value, 'WorkerQueue')) return strictQueue(value, name, invocation);
    if (isNamed(value, 'R2Bucket')) return strictService(value, name, invocation, BUCKET);
    if (isNamed(value, 'Fetcher')) return strictService(value, name, invocation, ['fetch']);
    if (isNamed(value, 'Ratelimit')) return strictRateLimit(value, name, invocation);
    if (Array.isArray(value) || isNamed(value, 'Object')) return value;
    return withOverrides(value, name, {});
  }

  #world(name: string): KvRegions {
    const known = this.#namespaces.get(name) ?? new KvRegions(this.#options.clock, this.#options.lagMs);
    this.#namespaces.set(name, known);
    return known;
  }
}

/** Bindings are told apart by the name of their class: a stub or a service would answer to any method. */
function isNamed<T extends object>(value: object, className: string): value is T {
  return value.constructor.name === className;
}
