// Configures the Workers of a cluster: two gateways with the bindings of wrangler.toml, and one Worker with the objects.
import { join } from 'node:path';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';
import * as z from 'zod';
import { root } from '../../../worker/commands/paths.ts';
import { FRONTS, OBJECTS, type PlatformOptions } from './messages.ts';

const HOST = '127.0.0.1';
const KV = 'kv';

/** Configuration of a cluster. */
export interface ClusterConfig {
  /** Folder of the durable state. */
  folder: string;
  /** Bundled Workers. */
  scripts: { front: string; objects: string; kv: string };
  vars: Readonly<Record<string, string>>;
  /** Uses the fake KV if defined. */
  hideWritesMs: number | undefined;
}

const identified = z.record(z.string(), z.object({ id: z.string() }));
const consumer = z.object({
  maxBatchSize: z.number().exactOptional(),
  maxBatchTimeout: z.number().exactOptional(),
  maxRetries: z.number().exactOptional(),
  deadLetterQueue: z.string().exactOptional(),
  retryDelay: z.number().exactOptional(),
});
const rateLimit = z.object({
  namespace_id: z.string(),
  simple: z.object({ limit: z.number(), period: z.union([z.literal(10), z.literal(60)]) }),
});

/** The supported options of wrangler.toml. */
const deployment = z.object({
  compatibilityDate: z.string(),
  compatibilityFlags: z.array(z.string()),
  bindings: z.record(z.string(), z.string()),
  kvNamespaces: identified,
  r2Buckets: identified,
  d1Databases: identified,
  durableObjects: z.record(z.string(), z.object({ className: z.string(), useSQLite: z.literal(true) })),
  queueProducers: z.record(z.string(), z.object({ queueName: z.string() })),
  queueConsumers: z.record(z.string(), consumer),
  ratelimits: z.record(z.string(), rateLimit),
});

/** Options that define no binding. */
const IGNORED_OPTIONS = new Set(['rootPath', 'modulesRules', 'tails']);

function isEmpty(part: unknown): boolean {
  return typeof part !== 'object' || part === null || Object.values(part).every(isEmpty);
}

/**
 * Reads the top level of wrangler.toml, which is the deployment.
 * @throws Error if it has an unsupported binding
 */
export function readDeployment(): z.output<typeof deployment> {
  const options: object = optionsOf(join(root, 'wrangler.toml')).workerOptions;
  for (const [name, part] of Object.entries(options)) {
    const known = IGNORED_OPTIONS.has(name) || Object.hasOwn(deployment.shape, name);
    if (!known && !isEmpty(part)) throw new Error(`the harness does not support ${name} of wrangler.toml`);
  }
  // JSON removes undefined options.
  return deployment.parse(JSON.parse(JSON.stringify(options)));
}

/** Builds the options of Miniflare. */
export function buildPlatformOptions({
  folder,
  scripts,
  vars,
  hideWritesMs,
}: ClusterConfig): PlatformOptions {
  const { durableObjects, queueConsumers, bindings, ...deployed } = readDeployment();
  const common = {
    ...deployed,
    modules: true as const,
    bindings: { ...bindings, ENVIRONMENT: 'development', ...vars },
    unsafeDirectSockets: [{ host: HOST, port: 0 }],
  };
  /** Each Worker has a separate location of the fake KV. */
  const bindKv = (location: string) => {
    const { kvNamespaces } = deployed;
    if (hideWritesMs === undefined) return { kvNamespaces, serviceBindings: {} };
    const buildBinding = (namespace: string) => ({
      name: KV,
      entrypoint: 'LaggingKv',
      props: { namespace, location },
    });
    const names = Object.keys(kvNamespaces);
    return {
      kvNamespaces: {},
      serviceBindings: Object.fromEntries(names.map((name) => [name, buildBinding(name)])),
    };
  };
  const remoteObjects = Object.fromEntries(
    Object.entries(durableObjects).map(([name, object]) => [name, { ...object, scriptName: OBJECTS }]),
  );
  const { compatibilityDate, compatibilityFlags } = deployed;
  return {
    resourcePersistencePath: join(folder, 'state'),
    workers: [
      ...FRONTS.map((name, at) => ({
        ...common,
        ...bindKv(name),
        name,
        script: scripts.front,
        // The local platform consumes one message after the other: a consumer returns before its job has ended.
        compatibilityFlags: [...deployed.compatibilityFlags, 'queue_consumer_no_wait_for_wait_until'],
        durableObjects: remoteObjects,
        // A queue can have only one consumer.
        queueConsumers: at === 0 ? queueConsumers : {},
      })),
      {
        ...common,
        ...bindKv(OBJECTS),
        name: OBJECTS,
        script: scripts.objects,
        durableObjects: durableObjects,
      },
      {
        name: KV,
        modules: true,
        script: scripts.kv,
        compatibilityDate,
        compatibilityFlags,
        bindings: { HIDE_MS: hideWritesMs ?? 0 },
        durableObjects: { VERSIONS: { className: 'Versions', useSQLite: true } },
      },
    ],
  };
}
