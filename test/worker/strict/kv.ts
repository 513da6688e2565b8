// KV as it is deployed: one write a second for each key, six connections, and a world in which writes arrive late.
import type { Invocation } from './invocation.ts';
import type { KvRegions } from './kv-regions.ts';
import { type Override, withOverrides } from './with-overrides.ts';

/** From where an invocation looks at a namespace. */
export interface KvLocation {
  regions: KvRegions;
  location: string;
}

const TOO_SOON = '429 Too Many Requests';

/** `get` takes its type as a text or among options. */
function typeOf(options: unknown): unknown {
  if (typeof options !== 'object' || options === null) return options ?? 'text';
  return 'type' in options ? (options.type ?? 'text') : 'text';
}

/** What a reader sees, in the type that was asked for. */
function shown(text: string | null, type: unknown): unknown {
  if (text === null || type === 'text') return text;
  if (type === 'json') return JSON.parse(text);
  throw new Error(`the strict KV can't hide writes from readers of type ${String(type)}`);
}

function keysOf(name: string, argument: unknown): string[] {
  const keys = Array.isArray(argument) ? argument : [argument];
  return keys.map((key) => {
    if (typeof key !== 'string') throw new TypeError(`a key of ${name} is no text`);
    return key;
  });
}

/**
 * Wraps a namespace.
 * @param name - of the binding
 */
export function strictKv(
  kv: KVNamespace,
  name: string,
  invocation: Invocation,
  { regions: world, location }: KvLocation,
): KVNamespace {
  const pass =
    (method: string): Override =>
    (call, args) => {
      invocation.countOperation(name, method);
      return invocation.withConnection(() => invocation.recordRefusal(name, () => call(args)));
    };
  const write =
    (method: 'put' | 'delete'): Override =>
    async (call, args) => {
      invocation.countOperation(name, method);
      const [key = ''] = keysOf(name, args[0]);
      if (!world.mayWrite(key)) {
        invocation.refuse('kv_write_rate', name, `KV ${method.toUpperCase()} failed: ${TOO_SOON}`);
      }
      const text = method === 'delete' ? null : args[1];
      const followed = world.hidesWrites && (typeof text === 'string' || text === null);
      if (world.hidesWrites && !followed) throw new Error('the strict KV can hide only texts');
      const before = followed && !world.hasWritten(key) ? await kv.get(key) : null;
      await invocation.withConnection(() => invocation.recordRefusal(name, () => call(args)));
      if (followed) world.recordWrite(key, location, text, before);
    };
  const get: Override = async (call, args) => {
    invocation.countOperation(name, 'get');
    const answer = await invocation.withConnection(() => invocation.recordRefusal(name, () => call(args)));
    if (!world.hidesWrites) return answer;
    const type = typeOf(args[1]);
    const keys = keysOf(name, args[0]);
    const stored = new Map<string, unknown>(
      answer instanceof Map ? answer : keys.map((key) => [key, answer]),
    );
    const seen = new Map(
      [...stored].map(([key, value]) => {
        const text = typeof value === 'string' ? value : value === null ? null : JSON.stringify(value);
        return [key, shown(world.read(key, location, text), type)];
      }),
    );
    return answer instanceof Map ? seen : seen.get(keys[0] ?? '');
  };
  return withOverrides(kv, name, {
    get,
    getWithMetadata: world.hidesWrites
      ? () => {
          throw new Error('the strict KV can hide no metadata');
        }
      : pass('getWithMetadata'),
    list: pass('list'),
    put: write('put'),
    delete: write('delete'),
  });
}
