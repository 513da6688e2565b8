// Derives the configuration of a deployment from the top level of wrangler.toml and from wrangler.logs.toml.
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import * as z from 'zod';
import type { Jurisdiction, Region } from '../../lib/objects.ts';
import { root } from '../paths.ts';
import { type DeployOptions, readDeployOptions } from './options.ts';
import { type Settings, toVariables } from './settings.ts';
import type { DeploymentFiles, DeploymentState } from './state.ts';

/** Names in wrangler.toml start with this; those of a deployment with its name. */
const PREFIX = 'cdapi';
const WORKER = 'cdapi-for-sheets';

/** Longer than the default of 30 s, for large result files; the platform allows 300 s. */
const CPU_MS = 120_000;

/** Secrets without which the gateway refuses to work. */
const requiredSecrets = ['ADMIN_TOKEN', 'CDAPI_KEY', 'ENCRYPTION_SECRET', 'PSEUDONYM_SECRET'];

/**
 * A cloud region in each of our regions: a Worker runs in the data centre with the lowest latency to it
 * (https://developers.cloudflare.com/workers/configuration/placement/).
 */
const placements: Readonly<Record<Region, string>> = {
  wnam: 'aws:us-west-2',
  enam: 'aws:us-east-1',
  weur: 'aws:eu-west-1',
  eeur: 'aws:eu-central-1',
  apac: 'aws:ap-southeast-1',
  oc: 'aws:ap-southeast-2',
};

const templateSchema = z.looseObject({
  name: z.string(),
  main: z.string(),
  vars: z.record(z.string(), z.json()).default({}),
  kv_namespaces: z.array(z.looseObject({ binding: z.string() })),
  d1_databases: z.array(
    z.looseObject({ binding: z.string(), database_name: z.string(), migrations_dir: z.string() }),
  ),
  r2_buckets: z.array(z.looseObject({ bucket_name: z.string() })),
  analytics_engine_datasets: z.array(z.looseObject({ dataset: z.string() })),
  ratelimits: z.array(z.looseObject({ namespace_id: z.string() })),
  queues: z.object({
    producers: z.array(z.looseObject({ queue: z.string() })),
    consumers: z.array(z.looseObject({ queue: z.string() })),
  }),
  env: z.unknown(),
});

const logsSchema = z.looseObject({
  name: z.string(),
  main: z.string(),
  observability: z.looseObject({ logs: z.looseObject({}) }),
});

/** Where a deployment stores its data. */
export interface Place {
  region?: Region | undefined;
  jurisdiction?: Jurisdiction | undefined;
}

/**
 * Plans a deployment: options that are not given stay as they are.
 * @param workersUrl - its address at workers.dev
 */
export function planDeployment(
  options: DeployOptions,
  state: DeploymentState | undefined,
  settings: Settings,
  { workersUrl, providerUrl }: { workersUrl: string; providerUrl: string },
) {
  const domain = options.domain === null ? undefined : (options.domain ?? state?.domain);
  const choices: Partial<DeploymentState> = { ...state, ...options.choices };
  // A demo needs no further product of the account.
  const { region, jurisdiction, free = false, metrics = !free, workers_ai = false } = choices;
  // Spreadsheets are connected with it.
  const isInUse = state?.uploaded !== undefined && (state.domain === undefined || state.workers_dev === true);
  return {
    name: options.name,
    region,
    jurisdiction,
    domain,
    /** Its address at workers.dev is open. */
    hasWorkersDev: domain === undefined || (isInUse && !options.closesOldAddresses),
    isFree: free,
    hasMetrics: metrics,
    /** The Worker has the binding of Workers AI. */
    usesWorkersAi: workers_ai,
    /** Public https origin of the gateway. */
    publicUrl: domain === undefined ? workersUrl : `https://${domain}`,
    providerUrl,
    settings,
  };
}
export type Deployment = ReturnType<typeof planDeployment>;

export type ResourceIds = ReadonlyMap<string, string>;

function rename(text: string, name: string): string {
  return text.startsWith(WORKER) ? text.replace(WORKER, name) : text.replace(PREFIX, name);
}

/** Queries name a dataset like a table, so it has no hyphens. */
const renameDataset = (dataset: string, name: string): string => rename(dataset, name).replaceAll('-', '_');

/** Rate limits are counted by account and number: each deployment has its own. */
function hashNumber(text: string): string {
  return String(createHash('sha256').update(text).digest().readUInt32BE() + 1);
}

/** Returns a path as a configuration in the folder of a deployment must write it. */
function toRelative(folder: string, path: string): string {
  return relative(folder, join(root, path)).replaceAll('\\', '/');
}

function buildGateway(template: z.output<typeof templateSchema>, deployment: Deployment, folder: string) {
  const { name, region, jurisdiction, hasWorkersDev, isFree, hasMetrics, usesWorkersAi } = deployment;
  const { env: _, tail_consumers: __, analytics_engine_datasets: datasets, queues, ...rest } = template;
  const variables: Record<string, string> = {
    ...toVariables(deployment.settings),
    PUBLIC_URL: deployment.publicUrl,
    CDAPI_BASE_URL: deployment.providerUrl,
    ...(region ? { REGION: region } : {}),
    ...(jurisdiction ? { JURISDICTION: jurisdiction } : {}),
  };
  return {
    ...rest,
    name,
    main: toRelative(folder, template.main),
    // The command attaches a custom domain itself: wrangler would replace an existing DNS record without asking.
    workers_dev: hasWorkersDev,
    preview_urls: false,
    vars: { ...template.vars, ...variables },
    secrets: { required: requiredSecrets },
    kv_namespaces: template.kv_namespaces.map(({ id: _id, ...namespace }) => namespace),
    d1_databases: template.d1_databases.map(({ database_id: _id, ...database }) => ({
      ...database,
      database_name: rename(database.database_name, name),
      migrations_dir: toRelative(folder, database.migrations_dir),
    })),
    r2_buckets: template.r2_buckets.map((bucket) => ({
      ...bucket,
      bucket_name: rename(bucket.bucket_name, name),
      ...(jurisdiction ? { jurisdiction } : {}),
    })),
    analytics_engine_datasets: hasMetrics
      ? datasets.map((item) => ({ ...item, dataset: renameDataset(item.dataset, name) }))
      : [],
    ratelimits: template.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: hashNumber(`${name} ${limit.namespace_id}`),
    })),
    queues: {
      producers: queues.producers.map((item) => ({ ...item, queue: rename(item.queue, name) })),
      consumers: queues.consumers.map((item) => ({ ...item, queue: rename(item.queue, name) })),
    },
    version_metadata: { binding: 'VERSION' },
    upload_source_maps: true,
    ...(usesWorkersAi ? { ai: { binding: 'AI' } } : {}),
    ...(region === undefined ? {} : { placement: { region: placements[region] } }),
    // The free plan has neither CPU limits nor tail Workers.
    ...(isFree ? {} : { limits: { cpu_ms: CPU_MS }, tail_consumers: [{ service: `${name}-logs` }] }),
  };
}

function buildLogs(
  template: z.output<typeof logsSchema>,
  { name, settings: { log_destination: destination } }: Deployment,
  folder: string,
): z.output<typeof logsSchema> {
  const { observability } = template;
  const logs = {
    ...observability.logs,
    ...(destination === undefined ? {} : { destinations: [destination] }),
  };
  return {
    ...template,
    name: rename(template.name, name),
    main: toRelative(folder, template.main),
    observability: { ...observability, logs },
  };
}

function nameNamespace(name: string, binding: string): string {
  return `${name}-${binding.toLowerCase()}`;
}

/**
 * Builds the configurations of both Workers. They contain no ids: {@link insertIds}.
 * @param folder - where they will be written
 */
export function buildConfigurations(deployment: Deployment, folder: string) {
  const read = (file: string): unknown => readRawConfig({ config: join(root, file) }).rawConfig;
  const gateway = buildGateway(templateSchema.parse(read('wrangler.toml')), deployment, folder);
  const { name, isFree } = deployment;
  const logs = logsSchema.parse(read('wrangler.logs.toml'));
  const { producers, consumers } = gateway.queues;
  const queues = [...producers, ...consumers].map(({ queue }) => queue);
  return {
    gateway,
    logs: isFree ? undefined : buildLogs(logs, deployment, folder),
    /** Names of everything that the deployment creates in an account. */
    names: {
      worker: name,
      /** The log Worker; the free plan has none. */
      logs: isFree ? undefined : rename(logs.name, name),
      namespaces: gateway.kv_namespaces.map(({ binding }) => nameNamespace(name, binding)),
      databases: gateway.d1_databases.map(({ database_name }) => database_name),
      buckets: gateway.r2_buckets.map(({ bucket_name }) => bucket_name),
      queues: [...new Set(queues)],
      /** Cloudflare creates them with the first data point and deletes each point after three months. */
      datasets: gateway.analytics_engine_datasets.map(({ dataset }) => dataset),
    },
  };
}
export type Configurations = ReturnType<typeof buildConfigurations>;
export type ResourceNames = Configurations['names'];

/** Builds the names of everything that a deployment may have created: they depend only on its name. */
export function buildResourceNames(name: string): ResourceNames {
  const urls = { workersUrl: '', providerUrl: '' };
  const options = readDeployOptions(['--name', name, '--no-free', '--metrics']);
  return buildConfigurations(planDeployment(options, undefined, { version: 1 }, urls), root).names;
}

/** Inserts the ids of created resources: wrangler finds KV namespaces and databases only by id. */
export function insertIds(gateway: Configurations['gateway'], ids: ResourceIds): Configurations['gateway'] {
  return {
    ...gateway,
    kv_namespaces: gateway.kv_namespaces.map((namespace) => ({
      ...namespace,
      id: ids.get(nameNamespace(gateway.name, namespace.binding)),
    })),
    d1_databases: gateway.d1_databases.map((database) => ({
      ...database,
      database_id: ids.get(database.database_name),
    })),
  };
}

const LABEL_WIDTH = 21;

function formatLine(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${text}`;
}

export function formatPlan(deployment: Deployment, { names }: Configurations): string[] {
  const { domain, hasWorkersDev, isFree, jurisdiction, publicUrl, region } = deployment;
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['Workers', [names.worker, ...(names.logs === undefined ? [] : [names.logs])]],
    ['KV namespace', names.namespaces],
    ['D1 database', names.databases],
    ['R2 bucket', names.buckets],
    ['Queue', names.queues],
    ['Metrics', names.datasets.length === 0 ? ['none'] : names.datasets],
  ];
  return [
    formatLine('Address', publicUrl),
    ...(domain !== undefined && hasWorkersDev
      ? [formatLine('Old address', 'its workers.dev address stays open until --close-old')]
      : []),
    formatLine(
      'Region',
      `${region ?? 'near its first users (choose one with --region)'}: a hint for D1, R2 and Durable Objects. KV, which stores the bought records, has none`,
    ),
    ...(jurisdiction === undefined
      ? []
      : [
          formatLine(
            'Jurisdiction',
            `${jurisdiction}, for ever, for D1, R2 and Durable Objects. Outside stay: KV (the bought records), queues, logs, metrics and the memory of Workers`,
          ),
        ]),
    ...kinds.map(([label, items]) => formatLine(label, items.join(', '))),
    ...(isFree ? [formatLine('Plan', 'free: a demo, without stored logs, metrics and CPU limits')] : []),
  ];
}

/**
 * Summarizes what a deployment consists of, by label.
 * @param release - version of this project
 */
export function summarizeDeployment(
  deployment: Deployment,
  release: string,
  commit: string,
): Record<string, string> {
  const { settings, domain, hasWorkersDev, isFree, hasMetrics, usesWorkersAi } = deployment;
  const { version: _, ...fields } = settings;
  const yesNo = (isOn: boolean): string => (isOn ? 'yes' : 'no');
  return {
    Release: release,
    Code: commit,
    Address: deployment.publicUrl,
    'Old address': yesNo(domain !== undefined && hasWorkersDev),
    Region: deployment.region ?? 'none',
    Jurisdiction: deployment.jurisdiction ?? 'none',
    'Free plan': yesNo(isFree),
    Metrics: yesNo(hasMetrics),
    'Workers AI': yesNo(usesWorkersAi),
    Provider: deployment.providerUrl,
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])),
  };
}

/** Formats what differs from the deployed version. The roles of people are not printed. */
export function formatDifference(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  migrations: readonly string[],
): string[] {
  const labels = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const lines = labels
    .filter((label) => before[label] !== after[label])
    .map((label) =>
      formatLine(
        label,
        label === 'access' ? 'changed' : `${before[label] ?? 'default'} → ${after[label] ?? 'default'}`,
      ),
    );
  const all = [...lines, ...migrations.map((name) => formatLine('Migration', name))];
  return ['', ...(all.length === 0 ? ['Nothing differs from what is deployed.'] : ['Differences:', ...all])];
}

/**
 * Formats what a complete deployment offers.
 * @param isNew - the connection link was made, or its address has changed, in this run
 * @param link - undefined if it may not be shown
 */
export function formatResult(
  url: string,
  files: DeploymentFiles,
  isNew: boolean,
  link: string | undefined,
): string[] {
  const addresses = [
    '',
    formatLine('Admin console', `${url}/console (ADMIN_TOKEN is in ${files.secretsFile})`),
    formatLine('API reference', `${url}/docs`),
  ];
  if (!isNew) return addresses;
  return [
    ...addresses,
    ...(link === undefined ? [] : [formatLine('Connection link', link)]),
    '',
    'What to do next:',
    `1. Keep a copy of ${files.secretsFile} in a safe place: without it, stored data can’t be read again.`,
    '2. Open the admin console and set a budget: the first team may spend 1,000 credits a day.',
    '3. Install the add-on: docs/install.md (npm run addon:release for everyone, npm run addon:push for one script).',
    `4. In the spreadsheet, choose Extensions → CDAPI → Connect and paste the connection link. ${
      link === undefined ? `It is in ${files.linkFile}. ` : ''
    }Whoever has it spends from the team’s budget.`,
  ];
}
