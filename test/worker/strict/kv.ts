// KV with the deployed limits: one write per second and key, six connections, and writes that other locations see late.
import type { Invocation } from './invocation.ts';
import type { KvRegions } from './kv-regions.ts';
import { type Override, withOverrides } from './with-overrides.ts';

/** Where an invocation uses a namespace. */
export interface KvLocation {
  regions: KvRegions;
  location: string;
}

/** `get` takes the type as a text or in its options. */
function getType(options: unknown): unknown {
  if (typeof options !== 'object' || options === null) return options ?? 'text';
  return 'type' in options ? (options.type ?? 'text') : 'text';
}

function parseValue(text: string | null, type: unknown): unknown {
  if (text === null || type === 'text') return text;
  if (type === 'json') return JSON.parse(text);
  throw new Error(`the strict KV cannot hide writes from readers of type ${String(type)}`);
}

function toKeys(name: string, argument: unknown): string[] {
  return [argument].flat().map((key) => {
    if (typeof key !== 'string') throw new TypeError(`a key of ${name} is not a text`);
    return key;
  });
}

/** Wraps a namespace. @param name - of the binding */
export function strictKv(
  kv: KVNamespace,
  name: string,
  invocation: Invocation,
  { regions, location }: KvLocation,
): KVNamespace {
  const write =
    (method: 'put' | 'delete'): Override =>
    async (call, args) => {
      invocation.countOperation(name, method);
      invocation.meter?.add(method === 'put' ? 'kv_writes' : 'kv_deletes');
      const [key = ''] = toKeys(name, args[0]);
      if (!regions.writes.mayWrite(key)) {
        const message = `KV ${method.toUpperCase()} failed: 429 Too Many Requests`;
        invocation.refuse('kv_write_rate', name, message);
      }
      if (!regions.hidesWrites) return invocation.callService(name, () => call(args));
      const text = method === 'delete' ? null : args[1];
      if (typeof text !== 'string' && text !== null) throw new Error('the strict KV can only hide texts');
      const before = regions.hasWritten(key) ? null : await kv.get(key);
      await invocation.callService(name, () => call(args));
      regions.recordWrite(key, location, text, before);
    };
  const get: Override = async (call, args) => {
    invocation.countOperation(name, 'get');
    invocation.meter?.add('kv_reads', toKeys(name, args[0]).length);
    const result = await invocation.callService(name, () => call(args));
    if (!regions.hidesWrites) return result;
    const type = getType(args[1]);
    const keys = toKeys(name, args[0]);
    const stored: Map<string, unknown> = result instanceof Map ? result : new Map([[keys[0] ?? '', result]]);
    const visible = new Map(
      [...stored].map(([key, value]) => {
        const text = typeof value === 'string' || value === null ? value : JSON.stringify(value);
        return [key, parseValue(regions.read(key, location, text), type)];
      }),
    );
    return result instanceof Map ? visible : visible.get(keys[0] ?? '');
  };
  const list: Override = (call, args) => {
    invocation.countOperation(name, 'list');
    return invocation.callService(name, () => call(args));
  };
  return withOverrides(kv, name, { get, list, put: write('put'), delete: write('delete') });
}
