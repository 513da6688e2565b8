// CacheService, PropertiesService and LockService in the realm.
import type { Bridge } from '../bridge.ts';
import { emulated, isPlain, method, mismatch } from '../emulated.ts';

/** Reference "Class Cache", put: 600 seconds by default. */
const DEFAULT_SECONDS = 600;

function cache(bridge: Bridge, which: string): object {
  const path = 'CacheService.Cache';
  const put = (values: unknown, seconds: unknown): void =>
    void bridge.ask(`${path}.putAll`, which, values, seconds ?? DEFAULT_SECONDS);
  const putAll = (values: unknown, seconds: unknown): void => {
    const items = isPlain(values) ? Object.values(values) : [];
    if (items.some((item) => typeof item !== 'string'))
      throw mismatch(`${path}.putAll`, [values], ' (values must be strings)');
    put(values, seconds);
  };
  return emulated(path, {
    get: method((key) => only(bridge.ask(`${path}.getAll`, which, [key])), 'String'),
    getAll: method((keys) => bridge.ask(`${path}.getAll`, which, keys), 'String[]'),
    put: method(
      (key, value, seconds) => put({ [String(key)]: value }, seconds),
      'String, String',
      'String, String, Integer',
    ),
    putAll: method(putAll, 'Object', 'Object, Integer'),
    remove: method((key) => void bridge.ask(`${path}.removeAll`, which, [key]), 'String'),
    removeAll: method((keys) => void bridge.ask(`${path}.removeAll`, which, keys), 'String[]'),
  });
}

function only(found: unknown): unknown {
  return Object.values(Object(found))[0] ?? null;
}

function properties(bridge: Bridge, which: string): object {
  const path = 'PropertiesService.Properties';
  const set = (values: unknown, deleteOthers: unknown): object => {
    const texts = Object.entries(Object(values)).map(([key, value]) => [key, String(value)]);
    bridge.ask(`${path}.setProperties`, which, Object.fromEntries(texts), deleteOthers ?? false);
    return store;
  };
  const then = (call: string, ...args: unknown[]): object => {
    bridge.ask(`${path}.${call}`, which, ...args);
    return store;
  };
  const store = emulated(path, {
    getProperty: method((key) => bridge.ask(`${path}.getProperty`, which, key), 'String'),
    getKeys: method(() => bridge.ask(`${path}.getKeys`, which)),
    getProperties: method(() => bridge.ask(`${path}.getProperties`, which)),
    setProperty: method((key, value) => set({ [String(key)]: value }, false), 'String, Cell'),
    setProperties: method(set, 'Object', 'Object, Boolean'),
    deleteProperty: method((key) => then('deleteProperty', key), 'String'),
    deleteAllProperties: method(() => then('deleteAllProperties')),
  });
  return store;
}

function lock(bridge: Bridge, which: string): object {
  const path = 'LockService.Lock';
  return emulated(path, {
    tryLock: method((ms) => bridge.ask(`${path}.tryLock`, which, ms), 'Integer'),
    waitLock: method((ms) => void bridge.ask(`${path}.waitLock`, which, ms), 'Integer'),
    hasLock: method(() => bridge.ask(`${path}.hasLock`, which)),
    releaseLock: method(() => void bridge.ask(`${path}.releaseLock`, which)),
  });
}

/** Creates the services; each has a store for script, user and document. */
export function stores(bridge: Bridge): Readonly<Record<string, object>> {
  const service = (path: string, noun: string, store: (bridge: Bridge, which: string) => object): object =>
    emulated(path, {
      [`getScript${noun}`]: method(() => store(bridge, 'script')),
      [`getUser${noun}`]: method(() => store(bridge, 'user')),
      [`getDocument${noun}`]: method(() =>
        bridge.ask(`${path}.getDocument${noun}`) === true ? store(bridge, 'document') : null,
      ),
    });
  return {
    CacheService: service('CacheService', 'Cache', cache),
    LockService: service('LockService', 'Lock', lock),
    PropertiesService: service('PropertiesService', 'Properties', properties),
  };
}
