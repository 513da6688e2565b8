// Durable Objects, buckets, rate limits and other services with counted calls.
import type { Invocation } from './invocation.ts';
import { type Override, withOverrides } from './with-overrides.ts';

/** Class B and class A operations; deletions are free (r2/pricing/). */
const BUCKET_READS: ReadonlySet<string> = new Set(['head', 'get']);
const BUCKET_WRITES: ReadonlySet<string> = new Set(['put', 'list', 'createMultipartUpload']);

/** Wraps a stub: every function is a call of the object. */
function strictStub<T extends object>(stub: T, name: string, invocation: Invocation): T {
  return new Proxy(stub, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || typeof key === 'symbol') return value;
      return (...args: unknown[]) => {
        invocation.countOperation(name, key);
        invocation.meter?.add(`object_requests.${name}`);
        return invocation.callObject(name, () => Reflect.apply(value, target, args));
      };
    },
  });
}

function isNear(options: unknown, region: string): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    'locationHint' in options &&
    options.locationHint === region
  );
}

/**
 * Wraps a namespace of Durable Objects. A call of an object is an operation and takes no connection.
 * @param name - of the binding
 * @param region - every stub must have it as location hint
 */
export function strictObjects<T extends DurableObjectNamespace>(
  namespace: T,
  name: string,
  invocation: Invocation,
  region?: string,
): T {
  const getStub: Override = (call, args) => {
    if (region !== undefined && !isNear(args[1], region))
      invocation.refuse('location', name, `A stub of ${name} lacks the location hint ${region}.`);
    const stub = call(args);
    return typeof stub === 'object' && stub !== null ? strictStub(stub, name, invocation) : stub;
  };
  return withOverrides(namespace, name, {
    get: getStub,
    getByName: getStub,
    idFromName: 'pass',
    idFromString: 'pass',
    newUniqueId: 'pass',
  });
}

/** Wraps a service whose methods each take a connection. @param name - of the binding */
export function strictService<T extends object>(
  service: T,
  name: string,
  invocation: Invocation,
  methods: readonly string[],
): T {
  const count = (method: string): Override => {
    return (call, args) => {
      invocation.countOperation(name, method);
      if (BUCKET_READS.has(method)) invocation.meter?.add('r2_reads');
      if (BUCKET_WRITES.has(method)) invocation.meter?.add('r2_writes');
      return invocation.callService(name, () => call(args));
    };
  };
  return withOverrides(service, name, Object.fromEntries(methods.map((method) => [method, count(method)])));
}

/** Wraps a rate limit, which counts locally and takes no connection. @param name - of the binding */
export function strictRateLimit<T extends object>(limit: T, name: string, invocation: Invocation): T {
  return withOverrides(limit, name, {
    limit: (call, args) => {
      invocation.countOperation(name, 'limit');
      return call(args);
    },
  });
}
