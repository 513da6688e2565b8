// Overrides the methods of a binding.

/** Replaces a method; `call` is the original one. */
export type Override = (call: (args: unknown[]) => unknown, args: unknown[]) => unknown;

/**
 * Overrides the methods of a binding. Every other method throws, so that no call is uncounted.
 * @param name - of the binding, for the error
 * @param methods - by name; `pass` keeps a method
 */
export function withOverrides<T extends object>(
  binding: T,
  name: string,
  methods: Readonly<Record<string, Override | 'pass'>>,
): T {
  return new Proxy(binding, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      // The runtime wraps bindings by the name of their constructor.
      if (typeof value !== 'function' || typeof key === 'symbol' || key === 'constructor') return value;
      const call = (args: unknown[]): unknown => Reflect.apply(value, target, args);
      const method = Object.hasOwn(methods, key) ? methods[key] : undefined;
      if (method === undefined) throw new Error(`the strict ${name} has no ${key}`);
      return (...args: unknown[]) => (method === 'pass' ? call(args) : method(call, args));
    },
  });
}
