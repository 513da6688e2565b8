// PropertiesService on the host: script, document and user stores with Google's limits.
import { byteLength, type Context, Exception, type Handlers } from '../calls.ts';
import type { Quotas } from '../permissions.ts';
import type { PropertyStores } from '../types.ts';

/** Apps Script quotas: properties value size 9 KB, properties total storage 500 KB a store. */
const VALUE_BYTES = 9 * 1024;
const STORE_BYTES = 500 * 1024;

type Store = Map<string, string>;

export class Properties {
  readonly #script: Store;
  readonly #document: Store | null;
  readonly #users = new Map<string, Store>();
  readonly #quotas: Quotas;

  constructor(stores: PropertyStores, quotas: Quotas) {
    this.#script = new Map(Object.entries(stores.script ?? {}));
    this.#document = stores.document === null ? null : new Map(Object.entries(stores.document ?? {}));
    for (const [user, store] of Object.entries(stores.user ?? {})) {
      this.#users.set(user, new Map(Object.entries(store)));
    }
    this.#quotas = quotas;
  }

  get hasDocument(): boolean {
    return this.#document !== null;
  }

  get stores(): PropertyStores {
    return {
      script: Object.fromEntries(this.#script),
      document: this.#document && Object.fromEntries(this.#document),
      user: Object.fromEntries([...this.#users].map(([user, store]) => [user, Object.fromEntries(store)])),
    };
  }

  /** Call handlers; the first argument selects the store. */
  readonly handlers: Handlers = {
    'PropertiesService.Properties.getProperty': (context, args) =>
      this.#read(context, args.text(0)).get(args.text(1)) ?? null,
    'PropertiesService.Properties.getKeys': (context, args) => [...this.#read(context, args.text(0)).keys()],
    'PropertiesService.Properties.getProperties': (context, args) =>
      Object.fromEntries(this.#read(context, args.text(0))),
    'PropertiesService.Properties.setProperties': (context, args) =>
      this.#change(context, args.text(0), (store) => {
        if (args.flag(2)) store.clear();
        for (const [key, value] of args.map(1)) put(store, key, value);
      }),
    'PropertiesService.Properties.deleteProperty': (context, args) =>
      this.#change(context, args.text(0), (store) => void store.delete(args.text(1))),
    'PropertiesService.Properties.deleteAllProperties': (context, args) =>
      this.#change(context, args.text(0), (store) => store.clear()),
  };

  #read(context: Context, which: string): Store {
    this.#quotas.spend(context.viewer, 'properties', 1);
    return this.#store(context, which);
  }

  /** Changes a copy and stores it only if it fits: a refused call changes nothing. */
  #change(context: Context, which: string, change: (store: Store) => void): null {
    // Guide "Custom functions": in a formula, only the owner can set user properties.
    if (which === 'user' && context.user !== context.viewer) {
      throw new Exception('You do not have permission to call PropertiesService.Properties.setProperty');
    }
    const store = this.#read(context, which);
    const changed = new Map(store);
    change(changed);
    if (size(changed) > STORE_BYTES && size(changed) > size(store)) {
      throw new Exception(
        'You have exceeded the property storage quota. Please remove some properties and try again.',
      );
    }
    store.clear();
    for (const [key, value] of changed) store.set(key, value);
    return null;
  }

  #store(context: Context, which: string): Store {
    if (which === 'script') return this.#script;
    if (which === 'document' && this.#document) return this.#document;
    if (which !== 'user') throw new TypeError(`no property store: ${which}`);
    const store = this.#users.get(context.user) ?? new Map();
    this.#users.set(context.user, store);
    return store;
  }
}

function put(store: Store, key: string, value: string): void {
  if (byteLength(value) > VALUE_BYTES) throw new Exception('Argument too large: value');
  store.set(key, value);
}

function size(store: Store): number {
  let bytes = 0;
  for (const [key, value] of store) bytes += byteLength(key) + byteLength(value);
  return bytes;
}
