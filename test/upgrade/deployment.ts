// A rollout: two versions of the Worker over the same database, KV, R2 and Durable Objects.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_splitSqlQuery as splitStatements } from 'wrangler';
import type { KeptBuild } from '../../worker/commands/release/builds.ts';
import { migrationsFolder } from '../../worker/commands/runtime/migrations.ts';
import { readDeployment } from '../faults/cluster/services.ts';
import { PROVIDER_URL, type Provider } from './provider.ts';

/** `old`: the previous release; `new`: this folder. */
export type Release = 'old' | 'new';

const OBJECTS = 'objects';
export const ADMIN_TOKEN = 'admin-token-of-the-upgrade-test-0123456789';

const vars = {
  PUBLIC_URL: 'https://gateway.example',
  CDAPI_BASE_URL: PROVIDER_URL,
  CDAPI_KEY: 'KeyOfTheProvider0123456789abcdef',
  PROVIDER_RATE_PER_S: '1000',
  ADMIN_TOKEN,
  PSEUDONYM_SECRET: 'pseudonym-secret-of-the-upgrade-test-012345',
  ENCRYPTION_SECRET: 'encryption-secret-of-the-upgrade-test-0123',
};

/** A response of the gateway. */
export interface Answer {
  status: number;
  problem: string | null;
  cache: string | null;
  body: unknown;
}

/** Two versions of the Worker, and the version that runs their objects. */
export class Deployment {
  readonly #builds: Readonly<Record<Release, KeptBuild>>;
  readonly #folder: string;
  readonly #provider: Provider;
  #running: Miniflare | undefined;

  /** @param folder - of the stored data */
  constructor(builds: Readonly<Record<Release, KeptBuild>>, folder: string, provider: Provider) {
    this.#builds = builds;
    this.#folder = folder;
    this.#provider = provider;
  }

  /** Starts both versions on the stored data. @param objects - whose objects run */
  async start(objects: Release): Promise<void> {
    await this.stop();
    const { durableObjects, queueConsumers, bindings, ...deployed } = readDeployment();
    const select = (release: Release) => {
      const { script, compatibility_date, compatibility_flags } = this.#builds[release];
      return {
        ...deployed,
        modules: true as const,
        script,
        compatibilityDate: compatibility_date,
        compatibilityFlags: compatibility_flags,
        bindings: { ...bindings, ...vars },
        outboundService: (request: Parameters<Provider['answer']>[0]) => this.#provider.answer(request),
      };
    };
    const { classes } = this.#builds[objects];
    const ownObjects = Object.fromEntries(
      Object.entries(durableObjects).filter(([, { className }]) => classes.includes(className)),
    );
    const remoteObjects = Object.fromEntries(
      Object.entries(ownObjects).map(([name, item]) => [name, { ...item, scriptName: OBJECTS }]),
    );
    this.#running = new Miniflare(
      convertV4MiniflareOptions({
        resourcePersistencePath: join(this.#folder, 'state'),
        workers: [
          ...(['old', 'new'] as const).map((name) => ({
            ...select(name),
            name,
            durableObjects: remoteObjects,
            // A queue can have only one consumer.
            queueConsumers: name === objects ? queueConsumers : {},
          })),
          { ...select(objects), name: OBJECTS, durableObjects: ownObjects },
        ],
      }),
    );
    await this.#running.ready;
  }

  get #platform(): Miniflare {
    if (this.#running === undefined) throw new Error('The deployment was not started.');
    return this.#running;
  }

  /** Stops, and deletes the answers that single-flight objects keep for some minutes: from then on only KV has them. */
  async deleteAnswers(): Promise<void> {
    await this.stop();
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name.includes('SingleFlight'));
    if (folders.length === 0) throw new Error('The objects have no folder.');
    for (const { parentPath, name } of folders) await rm(join(parentPath, name), { recursive: true });
  }

  /** Lists the names in KV. */
  async listCached(): Promise<string[]> {
    const { keys } = await (await this.#platform.getKVNamespace('RECORDS', 'new')).list();
    return keys.map(({ name }) => name);
  }

  /** Applies migrations of this folder. @param names - without folder */
  async migrate(names: readonly string[]): Promise<void> {
    const database = await this.#platform.getD1Database('DB', 'new');
    for (const name of names) {
      const statements = splitStatements(await readFile(join(migrationsFolder, name), 'utf8'));
      await database.batch(statements.map((statement) => database.prepare(statement)));
    }
  }

  /** Runs the cron of a version. */
  async runCron(release: Release, cron: string): Promise<void> {
    await (await this.#platform.getWorker(release)).scheduled({ cron });
  }

  /** Sends a request through a version. @param token - as Bearer token and as API key */
  async call(release: Release, token: string, method: string, path: string, body?: unknown): Promise<Answer> {
    const worker = await this.#platform.getWorker(release);
    const response = await worker.fetch(`https://gateway.example${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, apikey: token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      problem: response.headers.get('x-problem'),
      cache: response.headers.get('x-cache'),
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  async stop(): Promise<void> {
    await this.#running?.dispose();
    this.#running = undefined;
  }
}
