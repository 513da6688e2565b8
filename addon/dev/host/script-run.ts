// Checks of google.script.run: which values may cross between a page and the script, and for which account.
import { HostError } from './calls.ts';
import { translate } from './languages.ts';
import type { Settings } from './settings.ts';

/** Guide "Communicate with server functions": a page runs 10 calls at a time and queues the others. */
export const MAX_PAGE_CALLS = 10;

/** Returns a function that runs calls, at most `limit` of them at a time. */
export function limitConcurrency(limit: number): <Result>(call: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let active = 0;
  return async (call) => {
    if (active < limit) active++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await call();
    } finally {
      // A finished call passes its place on.
      const next = waiting.shift();
      if (next) next();
      else active--;
    }
  };
}

/**
 * Guide "HTML Service" does not say it, but developers report it for browsers with several accounts, for example
 * https://theappsscriptlab.com/%f0%9f%91%a5the-multi-account-trap-in-google-workspace-add-ons-and-how-to-avoid-it: the call fails
 * before the script runs. The second message: https://github.com/alexwforsythe/code-blocks/issues/79. A refused
 * UrlFetchApp.fetch, in permissions.ts: https://github.com/enuchi/React-Google-Apps-Script/issues/44.
 */
const WRONG_ACCOUNT = {
  storage: "We're sorry, a server error occurred while reading from storage. Error code PERMISSION_DENIED.",
  authorization: 'Authorization is required to perform that action.',
};

/** Throws Google's error if the call fails before the script runs. */
export function checkAccounts({ severalAccounts, language }: Settings): void {
  if (severalAccounts === 'none' || severalAccounts === 'fetch') return;
  const message = WRONG_ACCOUNT[severalAccounts];
  throw new HostError({ name: 'ScriptError', message: translate(message, language) });
}

/** The property of a value that google.script.run refuses. */
export interface IllegalValue {
  readonly property: string;
  readonly isCircular: boolean;
}

/**
 * Finds a value that google.script.run refuses. Reference "google.script.run", myFunction: numbers, booleans, texts, null,
 * and objects and arrays of them are legal; dates, functions, elements, class instances and circular references are not.
 * Undefined becomes null in an array and is omitted from an object.
 */
export function findIllegalValue(value: unknown): IllegalValue | null {
  return findIn(value, '', new Set());
}

function findIn(value: unknown, property: string, ancestors: Set<object>): IllegalValue | null {
  if (value === null || value === undefined) return null;
  if (['string', 'number', 'boolean'].includes(typeof value)) return null;
  if (typeof value !== 'object' || !isPlainValue(value)) return { property, isCircular: false };
  if (ancestors.has(value)) return { property, isCircular: true };
  ancestors.add(value);
  for (const [key, item] of Object.entries(value)) {
    const illegal = findIn(item, key, ancestors);
    if (illegal) return illegal;
  }
  ancestors.delete(value);
  return null;
}

/** Checks for an array or a plain object of any realm. */
function isPlainValue(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || !Object.getPrototypeOf(prototype);
}

/** Copies arguments for the script. Throws the TypeError that the page's call would throw. */
export function copyArguments(args: readonly unknown[]): unknown[] {
  const illegal = findIllegalValue(args);
  if (illegal?.isCircular) throw new TypeError('Failed due to circular reference.');
  if (illegal) throw new TypeError(`Failed due to illegal value in property: ${illegal.property}`);
  const copy: unknown = JSON.parse(JSON.stringify(args));
  return Array.isArray(copy) ? copy : [];
}
