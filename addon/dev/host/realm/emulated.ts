// Makes the objects of Apps Script out of tables: each method checks its arguments as Google does.
import { isDate } from '../threads/serializer.ts';
import { exception } from './bridge.ts';

/**
 * A method: the lists of parameters that it takes, as in the reference ('String, Integer'; '' for none), and what it does.
 * What it does may rely on the types that its lists name.
 */
export interface Method {
  readonly takes: readonly string[];
  readonly does: (...args: unknown[]) => unknown;
}

/** The methods of a class by name. */
export type Methods = Readonly<Record<string, Method>>;

/** Shortens the tables: `method(does, 'String', 'String, Integer')`. */
export function method(does: Method['does'], ...takes: string[]): Method {
  return { takes: takes.length > 0 ? takes : [''], does };
}

/** What things are, for checks and messages: the name of an object's class or of an enumeration's member. */
const classes = new WeakMap<object, string>();
const members = new WeakMap<object, string>();

const isByte = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= -128 && value <= 127;

/** Types of parameters, as the reference names them. `Cell` is what a cell can hold. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  /** Where null takes away what was set. */
  'String?': (value) => typeof value === 'string' || value === null,
  Number: (value) => typeof value === 'number' && Number.isFinite(value),
  Integer: (value) => Number.isInteger(value),
  Boolean: (value) => typeof value === 'boolean',
  Date: (value) => isDate(value),
  Any: () => true,
  Object: (value) => isPlain(value),
  Byte: isByte,
  Cell: (value) => ['string', 'number', 'boolean'].includes(typeof value) || isDate(value),
};

/** Whether a value is an object that a script made with braces. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !classes.has(value) && !members.has(value);
}

function fits(type: string, value: unknown): boolean {
  if (type.endsWith('[]'))
    return Array.isArray(value) && value.every((item) => fits(type.slice(0, -2), item));
  const simple = TYPES[type];
  if (simple) return simple(value);
  return (
    typeof value === 'object' &&
    value !== null &&
    (classes.get(value) === type || members.get(value)?.startsWith(`${type}.`) === true)
  );
}

/** The type of an argument as Google's message names it. */
function described(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'Boolean';
  if (Array.isArray(value)) return `${value.length > 0 ? described(value[0]) : '(class)'}[]`;
  if (typeof value === 'object')
    return classes.get(value) ?? members.get(value)?.replace(/\.[^.]*$/, '') ?? '(class)';
  return '(class)';
}

/** "The parameters (String) don't match the method signature for CacheService.Cache.put." */
export function mismatch(path: string, args: readonly unknown[], detail = ''): Error {
  return exception(
    `The parameters (${args.map(described).join(',')}) don't match the method signature for ${path}.${detail}`,
  );
}

/** What languages and consoles ask every object for; none of it is a method of Apps Script. */
const ORDINARY = new Set([
  'then',
  'toJSON',
  'constructor',
  'valueOf',
  'inspect',
  'length',
  'nodeType',
  'tagName',
]);

/**
 * An object of Apps Script: `path` is its class ('SpreadsheetApp.Range'), `fields` what it holds beside methods.
 * Any other name is taken for a method that is not emulated, and throws so when it is called.
 */
export function emulated(
  path: string,
  methods: Methods,
  fields: Readonly<Record<string, unknown>> = {},
): object {
  const target: Record<string, unknown> = { ...fields };
  for (const [name, { takes, does }] of Object.entries(methods)) {
    const lists = takes.map((list) => (list === '' ? [] : list.split(', ')));
    target[name] = (...args: unknown[]): unknown => {
      const right = lists.some(
        (list) => list.length === args.length && list.every((type, index) => fits(type, args[index])),
      );
      if (!right) throw mismatch(`${path}.${name}`, args);
      return does(...args);
    };
  }
  target.toString = () => path.slice(path.lastIndexOf('.') + 1);
  const object = new Proxy(Object.freeze(target), {
    get(of, name) {
      if (typeof name === 'symbol' || name in of || ORDINARY.has(name)) return Reflect.get(of, name);
      return () => {
        throw exception(`not emulated: ${path}.${name}`);
      };
    },
  });
  classes.set(object, path);
  return object;
}

/** An enumeration of Apps Script: its members are objects that are equal only to themselves and print as their names. */
export function enumeration(path: string, names: readonly string[]): Readonly<Record<string, object>> {
  return Object.freeze(
    Object.fromEntries(
      names.map((name) => {
        const member = Object.freeze({ toString: () => name, toJSON: () => name });
        members.set(member, `${path}.${name}`);
        return [name, member];
      }),
    ),
  );
}

/** The name of an enumeration's member; '' for anything else. */
export function memberName(value: unknown): string {
  const path = typeof value === 'object' && value !== null ? members.get(value) : undefined;
  return path ? path.slice(path.lastIndexOf('.') + 1) : '';
}

/** A service that stands in Apps Script and not here: every method of it throws "not emulated". */
export function missing(path: string): object {
  return emulated(path, {});
}
