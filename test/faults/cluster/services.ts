// The Workers of one process: two gateways with the bindings of wrangler.toml, and the one that holds their objects.
import { join } from 'node:path';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';
import * as z from 'zod';
import { root } from '../../../worker/commands/paths.ts';
import { FRONTS, OBJECTS, type PlatformOptions } from './messages.ts';

const HOST = '127.0.0.1';
const KV = 'kv';

/** What the Workers of a cluster are made of. */
export interface ClusterConfig {
  /** Where everything is stored that is to outlive the process. */
  folder: string;
  /** The built Workers, as text. */
  scripts: { front: string; objects: string; kv: string };
  /** Settings of all Workers. */
  vars: Readonly<Record<string, string>>;
  /** How long KV hides writes, milliseconds; undefined: the local platform's own KV. */
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

/** What wrangler.toml says of a deployment, as far as it is known here. */
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
  workflows: z.record(z.string(), z.object({ name: z.string(), className: z.string() })),
});

/** Parts that say how, and bind nothing. */
const IGNORED_OPTIONS = new Set(['rootPath', 'modulesRules']);

function isEmpty(part: unknown): boolean {
  return typeof part !== 'object' || part === null || Object.values(part).every(isEmpty);
}

/**
 * Reads wrangler.toml's top level, which is the deployment.
 * @throws Error where it binds something that this harness would leave out
 */
export function readDeployment(): z.output<typeof deployment> {
  const options: object = optionsOf(join(root, 'wrangler.toml')).workerOptions;
  for (const [name, part] of Object.entries(options)) {
    const known = IGNORED_OPTIONS.has(name) || Object.hasOwn(deployment.shape, name);
    if (!known && !isEmpty(part))
      throw new Error(`wrangler.toml has ${name}, which the harness does not start`);
  }
  // What is not set is told as undefined: as JSON it is absent.
  return deployment.parse(JSON.parse(JSON.stringify(options)));
}

/** @returns what the platform is started with */
export function buildPlatformOptions({
  folder,
  scripts,
  vars,
  hideWritesMs,
}: ClusterConfig): PlatformOptions {
  const { durableObjects, queueConsumers, bindings, ...deployed } = readDeployment();
  const classes = { ...durableObjects, PROBE: { className: 'Probe', useSQLite: true as const } };
  const common = {
    ...deployed,
    modules: true as const,
    bindings: { ...bindings, ENVIRONMENT: 'development', ...vars },
    unsafeDirectSockets: [{ host: HOST, port: 0 }],
  };
  /** Each Worker looks at the stand-in from a place of its own. */
  const kvOf = (location: string) => {
    const { kvNamespaces } = deployed;
    if (hideWritesMs === undefined) return { kvNamespaces, serviceBindings: {} };
    const bindingOf = (namespace: string) => ({
      name: KV,
      entrypoint: 'LaggingKv',
      props: { namespace, location },
    });
    const names = Object.keys(kvNamespaces);
    return {
      kvNamespaces: {},
      serviceBindings: Object.fromEntries(names.map((name) => [name, bindingOf(name)])),
    };
  };
  /** One Worker runs the Workflows of all. */
  const workflows = Object.fromEntries(
    Object.entries(deployed.workflows).map(([name, own]) => [name, { ...own, scriptName: OBJECTS }]),
  );
  const elsewhere = Object.fromEntries(
    Object.entries(classes).map(([name, object]) => [name, { ...object, scriptName: OBJECTS }]),
  );
  const { compatibilityDate, compatibilityFlags } = deployed;
  return {
    resourcePersistencePath: join(folder, 'state'),
    workers: [
      ...FRONTS.map((name, at) => ({
        ...common,
        ...kvOf(name),
        name,
        script: scripts.front,
        durableObjects: elsewhere,
        workflows,
        // A queue has one consumer.
        queueConsumers: at === 0 ? queueConsumers : {},
      })),
      { ...common, ...kvOf(OBJECTS), name: OBJECTS, script: scripts.objects, durableObjects: classes },
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
