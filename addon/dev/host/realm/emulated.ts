// Creates Apps Script objects from method tables; each method checks its arguments as Google does.
import { isDate } from '../threads/protocol.ts';
import { createException } from './bridge.ts';

/**
 * A method with its parameter lists as in the reference ('String, Integer'; '' for none).
 * `run` can rely on the types of a list.
 */
export interface Method {
  readonly parameterLists: readonly string[];
  readonly run: (...args: unknown[]) => unknown;
  /** true: the method returns its object instead of a result. */
  readonly returnsSelf?: boolean;
}

export type Methods = Readonly<Record<string, Method>>;

/** Creates a table entry: `method(run, 'String', 'String, Integer')`. */
export function method(run: Method['run'], ...parameterLists: string[]): Method {
  return { parameterLists: parameterLists.length > 0 ? parameterLists : [''], run };
}

/** Creates a table entry of a method that returns its object. */
export function chained(run: Method['run'], ...parameterLists: string[]): Method {
  return { ...method(run, ...parameterLists), returnsSelf: true };
}

/** Class names and enumeration members of objects, for checks and messages. */
const classNames = new WeakMap<object, string>();
const memberPaths = new WeakMap<object, string>();

const isByte = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= -128 && value <= 127;

/** Type checks by the reference's type name. `Cell` is any cell value. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  /** null removes a setting. */
  'String?': (value) => typeof value === 'string' || value === null,
  Number: (value) => typeof value === 'number' && Number.isFinite(value),
  Integer: (value) => Number.isInteger(value),
  Boolean: (value) => typeof value === 'boolean',
  Date: (value) => isDate(value),
  Any: () => true,
  Object: (value) => isPlainObject(value),
  Byte: isByte,
  Cell: (value) => ['string', 'number', 'boolean'].includes(typeof value) || isDate(value),
};

/** Checks for an object literal of a script. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    !classNames.has(value) &&
    !memberPaths.has(value)
  );
}

/** Checks a value by the reference's type name. */
export function matchesType(type: string, value: unknown): boolean {
  if (type.endsWith('[]'))
    return Array.isArray(value) && value.every((item) => matchesType(type.slice(0, -2), item));
  const simple = TYPES[type];
  if (simple) return simple(value);
  return (
    typeof value === 'object' &&
    value !== null &&
    (classNames.get(value) === type || memberPaths.get(value)?.startsWith(`${type}.`) === true)
  );
}

/** Returns the type name as in Google's message. */
function describeType(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'Boolean';
  if (Array.isArray(value)) return `${value.length > 0 ? describeType(value[0]) : '(class)'}[]`;
  if (typeof value === 'object')
    return classNames.get(value) ?? memberPaths.get(value)?.replace(/\.[^.]*$/, '') ?? '(class)';
  return '(class)';
}

/** "The parameters (String) don't match the method signature for CacheService.Cache.put." */
export function signatureMismatch(path: string, args: readonly unknown[], detail = ''): Error {
  return createException(
    `The parameters (${args.map(describeType).join(',')}) don't match the method signature for ${path}.${detail}`,
  );
}

/** Properties that the language and consoles read from every object. */
const LANGUAGE_PROPERTIES = new Set([
  'then',
  'toJSON',
  'constructor',
  'valueOf',
  'inspect',
  'length',
  'nodeType',
  'tagName',
]);

let callMissing = (path: string): unknown => {
  throw createException(`not emulated: ${path}`);
};

/** Sets the handler of calls without emulation. The host knows whether Google would refuse them. */
export function setMissingMethodHandler(handler: (path: string) => unknown): void {
  callMissing = handler;
}

/**
 * Creates an Apps Script object of a class such as 'SpreadsheetApp.Range', with extra `fields`.
 * Any other property is a function that throws Google's refusal, or "not emulated".
 */
export function emulateObject(
  path: string,
  methods: Methods,
  fields: Readonly<Record<string, unknown>> = {},
): object {
  const target: Record<string, unknown> = { ...fields };
  for (const [name, { parameterLists, run, returnsSelf }] of Object.entries(methods)) {
    const lists = parameterLists.map((list) => (list === '' ? [] : list.split(', ')));
    target[name] = (...args: unknown[]): unknown => {
      const matches = lists.some(
        (list) => list.length === args.length && list.every((type, index) => matchesType(type, args[index])),
      );
      if (!matches) throw signatureMismatch(`${path}.${name}`, args);
      const result = run(...args);
      return returnsSelf ? object : result;
    };
  }
  target.toString = () => path.slice(path.lastIndexOf('.') + 1);
  const object: object = new Proxy(Object.freeze(target), {
    get(properties, name) {
      if (typeof name === 'symbol' || name in properties || LANGUAGE_PROPERTIES.has(name))
        return Reflect.get(properties, name);
      return () => callMissing(`${path}.${name}`);
    },
  });
  classNames.set(object, path);
  return object;
}

/** Registers objects with their data, which scripts can't read; throws for other values. */
export function createRegistry<Data>(argument: string) {
  const entries = new WeakMap<object, Data>();
  return {
    set: (object: object, data: Data): void => void entries.set(object, data),
    get: (object: unknown): Data => {
      const data = entries.get(Object(object));
      if (data === undefined) throw createException(`Invalid argument: ${argument}`);
      return data;
    },
  };
}

/** Creates an Apps Script enumeration. Members are equal only to themselves and print as their names. */
export function enumeration(path: string, names: readonly string[]): Readonly<Record<string, object>> {
  return Object.freeze(
    Object.fromEntries(
      names.map((name) => {
        const member = Object.freeze({ toString: () => name, toJSON: () => name });
        memberPaths.set(member, `${path}.${name}`);
        return [name, member];
      }),
    ),
  );
}

/** Returns the name of an enumeration's member; '' for other values. */
export function memberName(value: unknown): string {
  const path = typeof value === 'object' && value !== null ? memberPaths.get(value) : undefined;
  return path ? path.slice(path.lastIndexOf('.') + 1) : '';
}
