// Durable Objects, queues, buckets and other services, their calls counted.
import type { Invocation } from './invocation.ts';
import { type Override, withOverrides } from './with-overrides.ts';

/** A stub answers to any name, so what is no function of the stub itself is a call of the object. */
function strictStub<T extends object>(stub: T, name: string, invocation: Invocation): T {
  return new Proxy(stub, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || typeof key === 'symbol') return value;
      return (...args: unknown[]) => {
        invocation.countOperation(name, key);
        // As it is, since it may be more than a promise.
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/**
 * Wraps a namespace of Durable Objects: each call of an object counts as an operation and takes no connection.
 * @param name - of the binding
 */
export function strictObjects<T extends DurableObjectNamespace>(
  namespace: T,
  name: string,
  invocation: Invocation,
): T {
  const stub: Override = (call, args) => {
    const found = call(args);
    return typeof found === 'object' && found !== null ? strictStub(found, name, invocation) : found;
  };
  return withOverrides(namespace, name, {
    get: stub,
    getByName: stub,
    idFromName: 'pass',
    idFromString: 'pass',
    newUniqueId: 'pass',
  });
}

/**
 * Wraps a service each of whose methods is one call over a connection: a queue, a bucket, another Worker.
 * @param name - of the binding
 * @param methods - those that there are
 */
export function strictService<T extends object>(
  service: T,
  name: string,
  invocation: Invocation,
  methods: readonly string[],
): T {
  const counted = (method: string): Override => {
    return (call, args) => {
      invocation.countOperation(name, method);
      return invocation.withConnection(() => invocation.recordRefusal(name, () => call(args)));
    };
  };
  return withOverrides(service, name, Object.fromEntries(methods.map((method) => [method, counted(method)])));
}

/**
 * Wraps a rate limit, which is counted at the machine and takes no connection.
 * @param name - of the binding
 */
export function strictRateLimit<T extends object>(limit: T, name: string, invocation: Invocation): T {
  return withOverrides(limit, name, {
    limit: (call, args) => {
      invocation.countOperation(name, 'limit');
      return call(args);
    },
  });
}
