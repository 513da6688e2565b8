// Durable Objects, buckets, rate limits and other services with counted calls.
import type { Invocation } from './invocation.ts';
import { type Override, withOverrides } from './with-overrides.ts';
import type { WriteTimes } from './write-times.ts';

/** Methods of a bucket. Class B and class A operations are billed, deletions are free (r2/pricing/). */
const BUCKET_METHODS = {
  head: 'r2_reads',
  get: 'r2_reads',
  put: 'r2_writes',
  list: 'r2_writes',
  createMultipartUpload: 'r2_writes',
  resumeMultipartUpload: undefined,
  delete: undefined,
} as const;

const TOO_MANY_WRITES = 'put: Reduce your concurrent request rate for the same object. (10058)';

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
      return invocation.callService(name, () => call(args));
    };
  };
  return withOverrides(service, name, Object.fromEntries(methods.map((method) => [method, count(method)])));
}

/** Wraps a bucket, which accepts one write of a key per second. @param name - of the binding */
export function strictBucket(
  bucket: R2Bucket,
  name: string,
  invocation: Invocation,
  writes: WriteTimes,
): R2Bucket {
  const methods = Object.entries(BUCKET_METHODS).map(([method, billed]): [string, Override] => [
    method,
    async (call, args) => {
      invocation.countOperation(name, method);
      if (billed !== undefined) invocation.meter?.add(billed);
      if (method === 'put' && !writes.mayWrite(String(args[0])))
        invocation.refuse('r2_write_rate', name, TOO_MANY_WRITES);
      return invocation.callService(name, () => call(args));
    },
  ]);
  return withOverrides(bucket, name, Object.fromEntries(methods));
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
