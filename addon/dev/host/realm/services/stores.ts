// CacheService, PropertiesService and LockService in the realm.
import type { Bridge } from '../bridge.ts';
import { chained, emulateObject, isPlainObject, method, signatureMismatch } from '../emulated.ts';

/** Reference "Class Cache", put: 600 seconds by default. */
const DEFAULT_SECONDS = 600;

function createCache(bridge: Bridge, scope: string): object {
  const path = 'CacheService.Cache';
  const put = (values: unknown, seconds: unknown): void =>
    void bridge.call(`${path}.putAll`, scope, values, seconds ?? DEFAULT_SECONDS);
  const putAll = (values: unknown, seconds: unknown): void => {
    const items = isPlainObject(values) ? Object.values(values) : [];
    if (items.some((item) => typeof item !== 'string'))
      throw signatureMismatch(`${path}.putAll`, [values], ' (values must be strings)');
    put(values, seconds);
  };
  return emulateObject(path, {
    get: method((key) => firstValue(bridge.call(`${path}.getAll`, scope, [key])), 'String'),
    getAll: method((keys) => bridge.call(`${path}.getAll`, scope, keys), 'String[]'),
    put: method(
      (key, value, seconds) => put({ [String(key)]: value }, seconds),
      'String, String',
      'String, String, Integer',
    ),
    putAll: method(putAll, 'Object', 'Object, Integer'),
    remove: method((key) => void bridge.call(`${path}.removeAll`, scope, [key]), 'String'),
    removeAll: method((keys) => void bridge.call(`${path}.removeAll`, scope, keys), 'String[]'),
  });
}

function firstValue(values: unknown): unknown {
  return Object.values(Object(values))[0] ?? null;
}

function createProperties(bridge: Bridge, scope: string): object {
  const path = 'PropertiesService.Properties';
  const set = (values: unknown, deleteOthers: unknown): void => {
    const texts = Object.entries(Object(values)).map(([key, value]) => [key, String(value)]);
    bridge.call(`${path}.setProperties`, scope, Object.fromEntries(texts), deleteOthers ?? false);
  };
  return emulateObject(path, {
    getProperty: method((key) => bridge.call(`${path}.getProperty`, scope, key), 'String'),
    getKeys: method(() => bridge.call(`${path}.getKeys`, scope)),
    getProperties: method(() => bridge.call(`${path}.getProperties`, scope)),
    setProperty: chained((key, value) => set({ [String(key)]: value }, false), 'String, Cell'),
    setProperties: chained(set, 'Object', 'Object, Boolean'),
    deleteProperty: chained((key) => bridge.call(`${path}.deleteProperty`, scope, key), 'String'),
  });
}

function createLock(bridge: Bridge, scope: string): object {
  const path = 'LockService.Lock';
  return emulateObject(path, {
    tryLock: method((ms) => bridge.call(`${path}.tryLock`, scope, ms), 'Integer'),
    waitLock: method((ms) => void bridge.call(`${path}.waitLock`, scope, ms), 'Integer'),
    releaseLock: method(() => void bridge.call(`${path}.releaseLock`, scope)),
  });
}

/** Creates the services; each has a store for script, user and document. */
export function createStores(bridge: Bridge): Readonly<Record<string, object>> {
  const service = (path: string, noun: string, store: (bridge: Bridge, scope: string) => object): object =>
    emulateObject(path, {
      [`getScript${noun}`]: method(() => store(bridge, 'script')),
      [`getUser${noun}`]: method(() => store(bridge, 'user')),
      [`getDocument${noun}`]: method(() =>
        bridge.call(`${path}.getDocument${noun}`) === true ? store(bridge, 'document') : null,
      ),
    });
  return {
    CacheService: service('CacheService', 'Cache', createCache),
    LockService: service('LockService', 'Lock', createLock),
    PropertiesService: service('PropertiesService', 'Properties', createProperties),
  };
}
