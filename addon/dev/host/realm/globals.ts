// Globals of Apps Script's V8: allowed names, emulated services, and the removal of all others.

/** Globals of ECMAScript 2020 and Intl. Guide "V8 runtime": no modules, timers or web APIs. */
export const LANGUAGE_GLOBALS: readonly string[] = [
  'Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float32Array',
  'Float64Array Function Infinity Int16Array Int32Array Int8Array Intl JSON Map Math NaN Number Object Promise',
  'Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array',
  'Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet decodeURI decodeURIComponent encodeURI',
  'encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape',
].flatMap((line) => line.split(' '));

/** Services without emulation: their methods throw "not emulated". */
export const UNSUPPORTED_SERVICES: readonly string[] = [
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
  'Logger',
  'MailApp',
  'Maps',
  'SlidesApp',
  'XmlService',
];

/** Later than ES2020: engines may have it, Apps Script does not promise it. */
const AFTER_ES2020: Readonly<Record<string, string>> = {
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
 * Removes non-language properties from a global object and its prototypes.
 * Throws if an object remains that a script could use; remaining numeric constants of browsers are harmless.
 */
export function removeForeignGlobals(global: object): void {
  const keep = new Set<string | symbol>(LANGUAGE_GLOBALS);
  for (
    let at: object | null = global;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const key of Reflect.ownKeys(at)) {
      if ((at === global && keep.has(key)) || Reflect.deleteProperty(at, key)) continue;
      if (typeof Reflect.getOwnPropertyDescriptor(at, key)?.value !== 'number') {
        throw new Error(`cannot remove the global ${String(key)}`);
      }
    }
  }
  for (const [path, names] of Object.entries(AFTER_ES2020)) {
    const owner = path
      .split('.')
      .reduce<unknown>((parent, name) => Reflect.get(Object(parent), name), global);
    for (const name of names.split(' ')) Reflect.deleteProperty(Object(owner), name);
  }
  // The shared prototype of all typed arrays has no global name.
  const typedArray: unknown = Object.getPrototypeOf(Uint8Array.prototype);
  for (const name of AFTER_ES2020['Array.prototype']?.split(' ') ?? [])
    Reflect.deleteProperty(Object(typedArray), name);
}
