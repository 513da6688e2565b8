// A fake KV that hides each write from other locations for some time, limits writes per key, and expires entries.
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';

interface Env {
  VERSIONS: DurableObjectNamespace<Versions>;
  /** How long writes are hidden from other locations, in milliseconds. */
  HIDE_MS: number;
}

/** Namespace and location of a binding. */
interface Props {
  namespace: string;
  location: string;
}

const MAX_KEYS = 100;
const WRITE_INTERVAL_MS = 1000;

/** Stores all versions of the entries of a namespace, durably. */
export class Versions extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS versions (key TEXT, at INTEGER, location TEXT, value TEXT, expires INTEGER)',
    );
    ctx.storage.sql.exec('CREATE INDEX IF NOT EXISTS versions_by_key ON versions (key)');
  }

  /** Reads the versions that a location sees. */
  read(keys: string[], location: string): Map<string, string | null> {
    const now = Date.now();
    return new Map(
      keys.map((key) => {
        const [version] = this.ctx.storage.sql
          .exec<{ value: string | null; expires: number | null }>(
            `SELECT value, expires FROM versions WHERE key = ? AND (location = ? OR at <= ?)
             ORDER BY at DESC, rowid DESC LIMIT 1`,
            key,
            location,
            now - this.env.HIDE_MS,
          )
          .toArray();
        const isMissing = version === undefined || (version.expires !== null && version.expires <= now);
        return [key, isMissing ? null : version.value];
      }),
    );
  }

  /** Writes an entry; deletes it if the value is null. */
  write(method: string, key: string, value: string | null, ttlS: number | undefined, location: string): void {
    const now = Date.now();
    const { sql } = this.ctx.storage;
    const { last } = sql
      .exec<{ last: number | null }>('SELECT max(at) AS last FROM versions WHERE key = ?', key)
      .one();
    if (last !== null && now - last < WRITE_INTERVAL_MS) {
      throw new Error(`KV ${method} failed: 429 Too Many Requests`);
    }
    const expires = ttlS === undefined ? null : now + ttlS * 1000;
    sql.exec(
      'INSERT INTO versions (key, at, location, value, expires) VALUES (?, ?, ?, ?, ?)',
      key,
      now,
      location,
      value,
      expires,
    );
  }
}

/** The methods of a KV namespace that the Workers use. */
export class LaggingKv extends WorkerEntrypoint<Env, Props> {
  async get(keys: string | string[], options: string | { type?: string } = 'text'): Promise<unknown> {
    const list = Array.isArray(keys) ? keys : [keys];
    if (list.length > MAX_KEYS) {
      throw new Error(`KV GET_BULK failed: 400 You can request a maximum of ${MAX_KEYS} keys`);
    }
    const type = typeof options === 'string' ? options : (options.type ?? 'text');
    if (type !== 'text' && type !== 'json') throw new Error(`the fake KV has no type ${type}`);
    const texts = await this.#versions().read(list, this.ctx.props.location);
    const values = new Map(
      [...texts].map(([key, text]): [string, unknown] => [
        key,
        text === null || type === 'text' ? text : JSON.parse(text),
      ]),
    );
    return Array.isArray(keys) ? values : values.get(keys);
  }

  async put(key: string, value: string, options: { expirationTtl?: number } = {}): Promise<void> {
    if (typeof value !== 'string') throw new Error('the fake KV takes only strings');
    await this.#versions().write('PUT', key, value, options.expirationTtl, this.ctx.props.location);
  }

  async delete(key: string): Promise<void> {
    await this.#versions().write('DELETE', key, null, undefined, this.ctx.props.location);
  }

  #versions(): DurableObjectStub<Versions> {
    return this.env.VERSIONS.getByName(this.ctx.props.namespace);
  }
}

export default { fetch: () => new Response(null, { status: 404 }) } satisfies ExportedHandler<Env>;
