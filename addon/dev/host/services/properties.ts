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
  readonly #scriptEditors: readonly string[];

  constructor(stores: PropertyStores, quotas: Quotas, scriptEditors: readonly string[] = []) {
    this.#script = new Map(Object.entries(stores.script ?? {}));
    this.#document = stores.document === null ? null : new Map(Object.entries(stores.document ?? {}));
    for (const [user, store] of Object.entries(stores.user ?? {})) {
      this.#users.set(user, new Map(Object.entries(store)));
    }
    this.#quotas = quotas;
    this.#scriptEditors = scriptEditors;
  }

  /**
   * Sets or deletes a script property as the page Project Settings does. Guide "Collaborating": only people with access
   * to the script project can open it.
   */
  editScriptProperty(user: string, name: string, value: string | null): void {
    if (!this.#scriptEditors.includes(user)) throw new Exception('You need access');
    if (value === null) this.#script.delete(name);
    else setValue(this.#script, name, value);
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
      this.#readStore(context, args.string(0)).get(args.string(1)) ?? null,
    'PropertiesService.Properties.getKeys': (context, args) => [
      ...this.#readStore(context, args.string(0)).keys(),
    ],
    'PropertiesService.Properties.getProperties': (context, args) =>
      Object.fromEntries(this.#readStore(context, args.string(0))),
    'PropertiesService.Properties.setProperties': (context, args) =>
      this.#update(context, args.string(0), (store) => {
        if (args.boolean(2)) store.clear();
        for (const [key, value] of args.stringMap(1)) setValue(store, key, value);
      }),
    'PropertiesService.Properties.deleteProperty': (context, args) =>
      this.#update(context, args.string(0), (store) => void store.delete(args.string(1))),
  };

  #readStore(context: Context, scope: string): Store {
    this.#quotas.spend(context.viewer, 'properties', 1);
    return this.#getStore(context, scope);
  }

  /** Changes a copy and stores it only if it fits: a refused call changes nothing. */
  #update(context: Context, scope: string, change: (store: Store) => void): null {
    // Guide "Custom functions": in a formula, only the owner can set user properties.
    if (scope === 'user' && context.user !== context.viewer) {
      throw new Exception('You do not have permission to call PropertiesService.Properties.setProperty');
    }
    const store = this.#readStore(context, scope);
    const changed = new Map(store);
    change(changed);
    if (byteSize(changed) > STORE_BYTES && byteSize(changed) > byteSize(store)) {
      throw new Exception(
        'You have exceeded the property storage quota. Please remove some properties and try again.',
      );
    }
    store.clear();
    for (const [key, value] of changed) store.set(key, value);
    return null;
  }

  #getStore(context: Context, scope: string): Store {
    if (scope === 'script') return this.#script;
    if (scope === 'document' && this.#document) return this.#document;
    if (scope !== 'user') throw new TypeError(`no property store: ${scope}`);
    const store = this.#users.get(context.user) ?? new Map();
    this.#users.set(context.user, store);
    return store;
  }
}

function setValue(store: Store, key: string, value: string): void {
  if (byteLength(value) > VALUE_BYTES) throw new Exception('Argument too large: value');
  store.set(key, value);
}

function byteSize(store: Store): number {
  let bytes = 0;
  for (const [key, value] of store) bytes += byteLength(key) + byteLength(value);
  return bytes;
}
