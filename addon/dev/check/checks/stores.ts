// Caches and properties: limits, and what formulas see of them. Owners.
import type { Check, CheckContext } from '../check.ts';
import { tryOut } from '../check.ts';
import { ask } from '../formulas.ts';
import { describeOwner } from '../probes.ts';
import { getProperties, KEYS } from '../stores.ts';

const KEY_CHARACTERS = 250;
const CACHE_BYTES = 100 * 1024;
const PROPERTY_BYTES = 9 * 1024;

/** Tries a size and one more. */
const tryLimit = (limit: number, use: (size: number) => unknown): string =>
  [limit, limit + 1].map((size) => `${size}: ${tryOut(() => use(size))}`).join(', ');

const documented = (limit: number): string => `${limit}: accepted, ${limit + 1}: refused`;

/** Sets a nonce in a store and asks a formula whether it sees that store. */
function findStore(
  context: CheckContext,
  probe: string,
  store: GoogleAppsScript.Properties.Properties,
): string {
  store.setProperty(KEYS.seen, context.nonce);
  try {
    return ask(context, probe);
  } finally {
    store.deleteProperty(KEYS.seen);
  }
}

/** Runs first: the company's connection depends on it in every formula. */
export const OWNER_CHECK: Check = {
  id: 'formula-owner-address',
  expected: 'formulas see the owner’s address, or not: then a person allows them once in the sidebar',
  accepted: ['visible', 'hidden', 'no owner', 'an error'],
  find: (context) => ask(context, 'owner address'),
};

export const STORE_CHECKS: readonly Check[] = [
  {
    id: 'cache-limits',
    expected: 'the cache takes keys of 250 characters and values of 100 KB',
    accepted: [`keys ${documented(KEY_CHARACTERS)}; values ${documented(CACHE_BYTES)}`],
    find: ({ nonce }) => {
      const cache = CacheService.getScriptCache();
      const keys = tryLimit(KEY_CHARACTERS, (size) => cache.put('k'.repeat(size), 'value', 1));
      const values = tryLimit(CACHE_BYTES, (size) => cache.put(nonce, 'v'.repeat(size), 1));
      return `keys ${keys}; values ${values}`;
    },
  },
  {
    id: 'property-limit',
    expected: 'a property takes 9 KB',
    accepted: [documented(PROPERTY_BYTES)],
    find: () => {
      const properties = getProperties();
      const key = `${KEYS.seen} size`;
      try {
        return tryLimit(PROPERTY_BYTES, (size) => properties.setProperty(key, 'v'.repeat(size)));
      } finally {
        properties.deleteProperty(key);
      }
    },
  },
  {
    id: 'document-properties-error',
    expected: 'in a formula, asking for the document’s properties gives a store, null or an error',
    accepted: ['a store', 'null', 'an error'],
    find: (context) => ask(context, 'document properties kind'),
  },
  {
    id: 'shared-stores',
    expected: 'the document’s properties and the script’s are separate, or in a bound script the same',
    accepted: ['separate', 'the same'],
    find: ({ nonce }) => {
      const script = PropertiesService.getScriptProperties();
      script.setProperty(KEYS.seen, nonce);
      const isShared = getProperties().getProperty(KEYS.seen) === nonce;
      script.deleteProperty(KEYS.seen);
      return isShared ? 'the same' : 'separate';
    },
  },
  {
    id: 'formula-document-properties',
    expected: 'formulas see the document’s properties, or null',
    accepted: ['the same as in a menu item', 'null'],
    find: (context) => findStore(context, 'document properties', getProperties()),
  },
  {
    id: 'formula-script-properties',
    expected: 'formulas see the script’s properties',
    accepted: ['the same as in a menu item'],
    find: (context) => findStore(context, 'script properties', PropertiesService.getScriptProperties()),
  },
  {
    id: 'formula-user-properties',
    expected: 'formulas see the owner’s properties; in a shared drive nobody’s',
    accepted: ['the same as in a menu item', 'others than in a menu item'],
    find: (context) => findStore(context, 'user properties', PropertiesService.getUserProperties()),
  },
  {
    id: 'owner',
    expected: 'getOwner() is a person; null in a shared drive, or an error',
    accepted: ['a person', 'null', 'an error'],
    find: describeOwner,
  },
  {
    id: 'formula-owner',
    expected: 'in a formula, getOwner() is a person, null or an error',
    accepted: ['a person', 'null', 'an error'],
    find: (context) => ask(context, 'owner'),
  },
];
