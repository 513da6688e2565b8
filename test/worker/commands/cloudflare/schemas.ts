// Bodies of the calls of Cloudflare's API that a deployment makes, as its published description states them
// (https://github.com/cloudflare/api-schemas). Every object is strict: an unknown field fails.
import * as z from 'zod';

const name = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
const hex32 = z.string().regex(/^[\da-f]{32}$/);
const location = z.enum(['apac', 'eeur', 'enam', 'weur', 'wnam', 'oc']);

export const namespaceBody = z.strictObject({ title: z.string().min(1).max(512) });
export const databaseBody = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-_]*$/),
  primary_location_hint: location.optional(),
});
export const bucketBody = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/),
  locationHint: location.optional(),
});
export const queueBody = z.strictObject({ queue_name: name });
export const queryBody = z.strictObject({ sql: z.string().min(1), params: z.array(z.string()).optional() });
export const subdomainBody = z.strictObject({ subdomain: name });
export const domainBody = z.strictObject({
  hostname: z.string(),
  service: name,
  zone_id: hex32.optional(),
  zone_name: z.string().optional(),
});
export const deploymentBody = z.strictObject({
  strategy: z.literal('percentage'),
  versions: z
    .array(z.strictObject({ version_id: z.uuid(), percentage: z.number().min(0.01).max(100) }))
    .min(1)
    .max(2),
  annotations: z.strictObject({ 'workers/message': z.string().max(1000) }),
});
export const secretBody = z.strictObject({
  name: z.string(),
  text: z.string().min(1),
  type: z.literal('secret_text'),
});
export const scriptSubdomainBody = z.strictObject({
  enabled: z.boolean(),
  previews_enabled: z.boolean().optional(),
});
export const schedulesBody = z.array(z.strictObject({ cron: z.string() }));
export const lifecycleBody = z.strictObject({
  rules: z.array(
    z.strictObject({
      id: z.string(),
      enabled: z.boolean(),
      conditions: z.strictObject({ prefix: z.string() }),
      deleteObjectsTransition: z.strictObject({
        condition: z.strictObject({ type: z.literal('Age'), maxAge: z.int().min(1) }),
      }),
    }),
  ),
});
export const consumerBody = z.strictObject({
  type: z.literal('worker'),
  script_name: name,
  dead_letter_queue: name.optional(),
  settings: z.strictObject({
    batch_size: z.int().min(1).max(100).optional(),
    max_concurrency: z.int().nullish(),
    max_retries: z.int().min(0).max(100).optional(),
    max_wait_time_ms: z.int().min(0).max(60_000).optional(),
    retry_delay: z.int().min(0).optional(),
  }),
});

const observabilityPart = { enabled: z.boolean(), head_sampling_rate: z.number().optional() };
const observability = z.strictObject({
  ...observabilityPart,
  redact_query_string: z.boolean().optional(),
  logs: z.strictObject({ ...observabilityPart, invocation_logs: z.boolean() }).optional(),
  traces: z.strictObject(observabilityPart).optional(),
  issues: z.strictObject(observabilityPart).optional(),
});
const tailConsumers = z.array(z.strictObject({ service: name }));
export const scriptSettingsBody = z.strictObject({
  logpush: z.boolean().optional(),
  tags: z.array(z.string()).nullish(),
  tail_consumers: tailConsumers.nullish(),
  observability: observability.nullish(),
});

const bindingName = { name: z.string().regex(/^[A-Z_]+$/) };
export const binding = z.discriminatedUnion('type', [
  z.strictObject({ ...bindingName, type: z.literal('plain_text'), text: z.string() }),
  z.strictObject({ ...bindingName, type: z.literal('secret_text'), text: z.string().min(1) }),
  z.strictObject({ ...bindingName, type: z.literal('inherit') }),
  z.strictObject({ ...bindingName, type: z.literal('kv_namespace'), namespace_id: hex32 }),
  z.strictObject({ ...bindingName, type: z.literal('d1'), id: z.uuid() }),
  z.strictObject({ ...bindingName, type: z.literal('r2_bucket'), bucket_name: name }),
  z.strictObject({ ...bindingName, type: z.literal('queue'), queue_name: name }),
  // The API takes other names too, but queries could not name the table without quotes.
  z.strictObject({
    ...bindingName,
    type: z.literal('analytics_engine'),
    dataset: z.string().regex(/^[a-z][a-z0-9_]*$/),
  }),
  z.strictObject({ ...bindingName, type: z.literal('version_metadata') }),
  z.strictObject({ ...bindingName, type: z.literal('durable_object_namespace'), class_name: z.string() }),
  z.strictObject({
    ...bindingName,
    type: z.literal('ratelimit'),
    namespace_id: z.string().regex(/^[1-9]\d*$/),
    simple: z.strictObject({ limit: z.int(), period: z.union([z.literal(10), z.literal(60)]) }),
  }),
]);
export type Binding = z.output<typeof binding>;

/** Metadata of an upload. */
export const uploadMetadata = z.strictObject({
  main_module: z.string(),
  bindings: z.array(binding),
  compatibility_date: z.iso.date(),
  compatibility_flags: z.array(z.string()).optional(),
  tail_consumers: tailConsumers.optional(),
  observability: observability.optional(),
  keep_bindings: z.array(z.enum(['plain_text', 'json', 'secret_text', 'secret_key'])).optional(),
  limits: z.strictObject({ cpu_ms: z.int().min(1).max(300_000) }).optional(),
  placement: z
    .strictObject({ mode: z.literal('targeted'), region: z.string().regex(/^aws:[a-z]+-[a-z]+-\d$/) })
    .optional(),
  annotations: z
    .strictObject({
      'workers/message': z.string().max(1000).optional(),
      'workers/tag': z.string().max(100).optional(),
    })
    .optional(),
  migrations: z
    .strictObject({
      old_tag: z.string().optional(),
      new_tag: z.string(),
      steps: z.array(z.strictObject({ new_sqlite_classes: z.array(z.string()) })),
    })
    .optional(),
  // Which packages the project has; wrangler sends it for statistics.
  package_dependencies: z.array(z.unknown()).optional(),
});
export type UploadMetadata = z.output<typeof uploadMetadata>;
