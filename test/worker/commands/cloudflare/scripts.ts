// Uploads of the stand-in: checks that everything that a Worker is bound to exists.
import type { CloudflareAccount, Script, Version } from './account.ts';
import { newUuid } from './account.ts';
import { ApiError } from './errors.ts';
import { type Binding, type UploadMetadata, uploadMetadata } from './schemas.ts';

const MAX_SECRET_BYTES = 5 * 1024;

function checkBinding(account: CloudflareAccount, binding: Binding, modules: string): void {
  const fail = (what: string): never => {
    throw new ApiError(400, 10021, `binding ${binding.name}: ${what} not found`);
  };
  if (binding.type === 'kv_namespace' && !account.namespaces.has(binding.namespace_id)) fail('KV namespace');
  if (binding.type === 'd1' && !account.databases.has(binding.id)) fail('database');
  if (binding.type === 'r2_bucket') {
    const bucket = account.buckets.get(binding.bucket_name);
    if (bucket === undefined || bucket.jurisdiction !== binding.jurisdiction) fail('bucket');
  }
  if (binding.type === 'queue' && account.findQueue(binding.queue_name) === undefined) fail('queue');
  if ('class_name' in binding && !modules.includes(binding.class_name)) fail('class');
  if (binding.type === 'secret_text' && binding.text.length > MAX_SECRET_BYTES) fail('room');
}

/** Resolves bindings that a version takes over from the one before. */
function resolveBindings(metadata: UploadMetadata, before: Version | undefined): Binding[] {
  const earlier = before?.bindings ?? [];
  const resolved = metadata.bindings.map((binding) => {
    if (binding.type !== 'inherit') return binding;
    const found = earlier.find(({ name }) => name === binding.name);
    if (found === undefined) throw new ApiError(400, 10021, `${binding.name} is inherited, but not set`);
    return found;
  });
  const kept = earlier.filter(
    ({ name, type }) =>
      type === 'secret_text' &&
      metadata.keep_bindings?.includes(type) === true &&
      !resolved.some((binding) => binding.name === name),
  );
  return [...resolved, ...kept];
}

async function readForm(form: FormData): Promise<{ metadata: UploadMetadata; modules: Map<string, string> }> {
  const modules = new Map<string, string>();
  for (const [name, part] of form)
    if (part instanceof File && name !== 'metadata') modules.set(name, await part.text());
  const text = form.get('metadata');
  const json = text instanceof File ? await text.text() : text;
  const parsed = uploadMetadata.safeParse(JSON.parse(json ?? 'null'));
  // A violation: the API would ignore or refuse it.
  if (!parsed.success) throw parsed.error;
  return { metadata: parsed.data, modules };
}

/** Uploads a version. @param canMigrate - only the older call may */
export async function uploadVersion(
  account: CloudflareAccount,
  name: string,
  form: FormData,
  canMigrate: boolean,
): Promise<{ script: Script; version: Version }> {
  const { metadata, modules } = await readForm(form);
  const script = account.scripts.get(name) ?? {
    versions: [],
    deployments: [],
    migration: undefined,
    isPublic: false,
    schedules: [],
  };
  if (account.plan === 'free' && metadata.limits !== undefined)
    throw new ApiError(400, 100328, 'CPU limits are not supported for the Free plan');
  if (account.plan === 'free' && metadata.tail_consumers !== undefined)
    throw new ApiError(403, 100329, 'Tail Workers need a paid plan');
  for (const { service } of metadata.tail_consumers ?? [])
    if (!account.scripts.has(service)) throw new ApiError(400, 10021, `tail consumer ${service} not found`);
  const bindings = resolveBindings(metadata, script.versions.at(-1));
  for (const binding of bindings) checkBinding(account, binding, [...modules.values()].join(''));
  if (metadata.migrations !== undefined) {
    if (!canMigrate) throw new ApiError(400, 10211, 'migrations must be fully applied with a deploy');
    if (metadata.migrations.old_tag !== script.migration)
      throw new ApiError(412, 10079, 'wrong migration tag');
    script.migration = metadata.migrations.new_tag;
  }
  const version: Version = {
    id: newUuid(),
    number: script.versions.length + 1,
    metadata,
    bindings,
    modules,
    migration: script.migration,
  };
  script.versions.push(version);
  account.scripts.set(name, script);
  return { script, version };
}
