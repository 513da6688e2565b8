// Runs an uploaded version of the gateway on workerd with exactly the bindings of its upload.
import { convertV4MiniflareOptions, Miniflare, Response as PlatformResponse } from 'miniflare';
import type { CloudflareAccount, Version } from './account.ts';
import type { Binding } from './schemas.ts';

function select<T extends Binding['type'], V>(
  bindings: readonly Binding[],
  type: T,
  toOption: (binding: Extract<Binding, { type: T }>) => V,
): Record<string, V> {
  const isWanted = (binding: Binding): binding is Extract<Binding, { type: T }> => binding.type === type;
  return Object.fromEntries(bindings.filter(isWanted).map((binding) => [binding.name, toOption(binding)]));
}

/** A running version. */
export class DeployedWorker {
  readonly #platform: Miniflare;
  readonly #ready: Promise<void>;

  /** @param provider - answers what the gateway sends to other hosts */
  constructor(account: CloudflareAccount, version: Version, provider: (key: string | null) => Response) {
    const { bindings, metadata, modules } = version;
    const databases = select(bindings, 'd1', ({ id }) => id);
    const tag = metadata.annotations?.['workers/tag'] ?? '';
    this.#platform = new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: modules.get(metadata.main_module) ?? '',
        compatibilityDate: metadata.compatibility_date,
        bindings: {
          ...select(bindings, 'plain_text', ({ text }) => text),
          ...select(bindings, 'secret_text', ({ text }) => text),
          ...select(bindings, 'version_metadata', () => ({ id: version.id, tag, timestamp: '' })),
        },
        kvNamespaces: select(bindings, 'kv_namespace', ({ namespace_id: id }) => id),
        d1Databases: databases,
        r2Buckets: select(bindings, 'r2_bucket', ({ bucket_name: bucket }) => bucket),
        queueProducers: select(bindings, 'queue', ({ queue_name: queueName }) => ({ queueName })),
        durableObjects: select(bindings, 'durable_object_namespace', ({ class_name: className }) => ({
          className,
          useSQLite: true,
        })),
        analyticsEngineDatasets: select(bindings, 'analytics_engine', ({ dataset }) => ({ dataset })),
        ratelimits: select(bindings, 'ratelimit', ({ namespace_id, simple }) => ({ namespace_id, simple })),
        outboundService: async (request) => {
          const response = provider(request.headers.get('apikey'));
          const { status } = response;
          const headers = Object.fromEntries(response.headers);
          return new PlatformResponse(await response.text(), { status, headers });
        },
      }),
    );
    this.#ready = this.#applyQueries(account, databases);
  }

  /** Applies what the command has applied to the databases of the account. */
  async #applyQueries(account: CloudflareAccount, databases: Record<string, string>): Promise<void> {
    for (const [binding, id] of Object.entries(databases)) {
      const database = await this.#platform.getD1Database(binding);
      for (const sql of account.databases.get(id)?.queries ?? [])
        for (const statement of sql.replaceAll(/^--.*$/gm, '').split(/;\s*(?:\n|$)/))
          if (statement.trim() !== '') await database.prepare(statement).run();
    }
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    await this.#ready;
    const { method = 'GET', body } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const response = await this.#platform.dispatchFetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(typeof body === 'string' ? { body } : {}),
    });
    return new Response(await response.text(), { status: response.status });
  }

  /** Runs a cron. */
  async runCron(cron: string): Promise<void> {
    await this.#ready;
    await (await this.#platform.getWorker()).scheduled({ cron });
  }

  async stop(): Promise<void> {
    await this.#platform.dispose();
  }
}
