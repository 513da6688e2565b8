// A binding with some of its methods replaced, and no way past them.

/** What stands in for a method; `call` is the method itself. */
export type Override = (call: (args: unknown[]) => unknown, args: unknown[]) => unknown;

/**
 * A binding whose methods are replaced.
 * @param name - of the binding, for the error
 * @param methods - by name; `pass` leaves a method as it is
 * @throws Error where another method is used: nothing is to go by uncounted
 */
export function withOverrides<T extends object>(
  binding: T,
  name: string,
  methods: Readonly<Record<string, Override | 'pass'>>,
): T {
  return new Proxy(binding, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      // The class of a binding is what it is told by.
      if (typeof value !== 'function' || typeof key === 'symbol' || key === 'constructor') return value;
      const call = (args: unknown[]): unknown => Reflect.apply(value, target, args);
      const method = Object.hasOwn(methods, key) ? methods[key] : undefined;
      if (method === undefined) throw new Error(`the strict ${name} knows no ${key}`);
      return (...args: unknown[]) => (method === 'pass' ? call(args) : method(call, args));
    },
  });
}
