// The globals of Apps Script's V8: what a realm keeps, what it takes away, and the services that stand in it.

/** Objects of ECMAScript 2020 and its internationalisation. Guide "V8 runtime": no modules, timers or web APIs. */
export const LANGUAGE: readonly string[] = [
  'Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float32Array',
  'Float64Array Function Infinity Int16Array Int32Array Int8Array Intl JSON Map Math NaN Number Object Promise',
  'Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array',
  'Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet decodeURI decodeURIComponent encodeURI',
  'encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape',
].flatMap((line) => line.split(' '));

/** Services and logs that are emulated. */
export const SERVICES: readonly string[] = [
  'CacheService',
  'HtmlService',
  'LockService',
  'Logger',
  'PropertiesService',
  'ScriptApp',
  'Session',
  'SpreadsheetApp',
  'UrlFetchApp',
  'Utilities',
  'console',
];

/** Services of Apps Script that are not: their methods throw "not emulated". */
export const MISSING: readonly string[] = [
  'Browser',
  'CalendarApp',
  'CardService',
  'Charts',
  'ContentService',
  'DocumentApp',
  'DriveApp',
  'FormApp',
  'GmailApp',
  'GroupsApp',
  'Jdbc',
  'LanguageApp',
  'MailApp',
  'Maps',
  'SlidesApp',
  'XmlService',
];

/** What came into the language after ES2020: a newer engine has it, Apps Script does not promise it. */
const LATER: Readonly<Record<string, string>> = {
  Array: 'fromAsync',
  'Array.prototype': 'at findLast findLastIndex toReversed toSorted toSpliced with',
  'ArrayBuffer.prototype': 'detached maxByteLength resizable resize transfer transferToFixedLength',
  Error: 'isError',
  Map: 'groupBy',
  Math: 'f16round sumPrecise',
  Object: 'groupBy hasOwn',
  Promise: 'any try withResolvers',
  RegExp: 'escape',
  'Set.prototype': 'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union',
  'String.prototype': 'at isWellFormed replaceAll toWellFormed',
  Uint8Array: 'fromBase64 fromHex',
  'Uint8Array.prototype': 'setFromBase64 setFromHex toBase64 toHex',
};

/**
 * Takes everything out of a global object, and out of what it inherits from, that is no part of the language.
 * Throws where an object would stay, so that no script comes to lean on it; browsers keep a few constants, which do no harm.
 */
export function sweep(global: object): void {
  const keep = new Set<string | symbol>(LANGUAGE);
  for (
    let at: object | null = global;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const key of Reflect.ownKeys(at)) {
      if ((at === global && keep.has(key)) || Reflect.deleteProperty(at, key)) continue;
      if (typeof Reflect.getOwnPropertyDescriptor(at, key)?.value !== 'number') {
        throw new Error(`the realm could not be rid of ${String(key)}`);
      }
    }
  }
  for (const [path, names] of Object.entries(LATER)) {
    const owner = path.split('.').reduce<unknown>((of, name) => Reflect.get(Object(of), name), global);
    for (const name of names.split(' ')) Reflect.deleteProperty(Object(owner), name);
  }
  // All typed arrays inherit from one prototype, which has no name of its own.
  const typedArray: unknown = Object.getPrototypeOf(Uint8Array.prototype);
  for (const name of LATER['Array.prototype']?.split(' ') ?? [])
    Reflect.deleteProperty(Object(typedArray), name);
}
