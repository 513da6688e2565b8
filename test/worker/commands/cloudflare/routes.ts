// Routes of the stand-in of Cloudflare's API. A path that is not here fails the test.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type CloudflareAccount, Database, newId, newUuid, type Version } from './account.ts';
import { ApiError } from './errors.ts';
import * as schemas from './schemas.ts';
import { uploadVersion } from './scripts.ts';

/** A call of the API. */
export interface Call {
  account: CloudflareAccount;
  /** The parts of the path that are not fixed. */
  params: string[];
  query: URLSearchParams;
  /** Parses the JSON body. */
  body: <T>(schema: z.ZodType<T>) => T;
  form: () => Promise<FormData>;
}

/** A result, or a page of a list. */
export class Page {
  readonly items: unknown[];
  constructor(items: unknown[]) {
    this.items = items;
  }
}

type Handler = (call: Call) => unknown;

const missing = (code: number, what: string): never => {
  throw new ApiError(404, code, `${what} not found`);
};
const found = <T>(value: T | undefined, code: number, what: string): T => value ?? missing(code, what);
const script = ({ account, params: [name = ''] }: Call) => found(account.scripts.get(name), 10007, 'Worker');
const toQueue = (account: CloudflareAccount, id: string) => {
  const queue = found(account.queues.get(id), 11000, 'queue');
  const consumers = [...queue.consumers].map(([consumer, { script: service, deadLetterQueue }]) => ({
    consumer_id: consumer,
    type: 'worker',
    script: service,
    service,
    environment: 'production',
    dead_letter_queue: deadLetterQueue,
    settings: {},
  }));
  return {
    queue_id: id,
    queue_name: queue.name,
    consumers,
    consumers_total_count: consumers.length,
    producers: [],
  };
};

function putConsumer({ account, params: [id = '', consumer = newId()], body }: Call): unknown {
  const { script_name: name, dead_letter_queue: dead } = body(schemas.consumerBody);
  const queue = found(account.queues.get(id), 11000, 'queue');
  found(account.scripts.get(name), 10007, 'Worker');
  if (dead !== undefined && account.findQueue(dead) === undefined) missing(11000, 'dead-letter queue');
  if ([...queue.consumers].some(([other, { script: holder }]) => other !== consumer && holder === name))
    throw new ApiError(400, 11004, 'queue has this consumer already');
  queue.consumers.set(consumer, { script: name, deadLetterQueue: dead });
  return { consumer_id: consumer };
}

function createUnique<T>(map: Map<string, T>, isSame: (value: T, id: string) => boolean, code: number): void {
  if ([...map].some(([id, value]) => isSame(value, id))) throw new ApiError(400, code, 'already exists');
}

function requireR2({ hasR2 }: CloudflareAccount): void {
  if (!hasR2) throw new ApiError(403, 10042, 'Please enable R2 through the Cloudflare Dashboard.');
}

const storage: Record<string, Handler> = {
  'GET /storage/kv/namespaces': ({ account }) =>
    new Page([...account.namespaces].map(([id, title]) => ({ id, title, supports_url_encoding: true }))),
  'POST /storage/kv/namespaces': ({ account, body }) => {
    const { title } = body(schemas.namespaceBody);
    createUnique(account.namespaces, (other) => other === title, 10014);
    const id = newId();
    account.namespaces.set(id, title);
    return { id, title, supports_url_encoding: true };
  },
  'DELETE /storage/kv/namespaces/*': ({ account, params: [id = ''] }) =>
    account.namespaces.delete(id) ? null : missing(10013, 'namespace'),
  'GET /d1/database': ({ account }) =>
    new Page([...account.databases].map(([uuid, { name }]) => ({ uuid, name, version: 'production' }))),
  'POST /d1/database': ({ account, body }) => {
    const { name, primary_location_hint: location } = body(schemas.databaseBody);
    createUnique(account.databases, (other) => other.name === name, 7502);
    const uuid = newUuid();
    account.databases.set(uuid, new Database(name, location));
    return { uuid, name, version: 'production' };
  },
  'DELETE /d1/database/*': ({ account, params: [id = ''] }) =>
    account.databases.delete(id) ? null : missing(7404, 'database'),
  'GET /d1/database/*/time_travel/bookmark': ({ account, params: [id = ''], query }) => {
    const timestamp = query.get('timestamp');
    const at = timestamp === null ? undefined : z.iso.datetime().transform(Date.parse).parse(timestamp);
    const database = found(account.databases.get(id), 7404, 'database');
    return { bookmark: found(database.getBookmark(at), 7500, 'bookmark') };
  },
  'POST /d1/database/*/time_travel/restore': ({ account, params: [id = ''], query }) => {
    const database = found(account.databases.get(id), 7404, 'database');
    const previous = database.getBookmark();
    if (!database.restore(query.get('bookmark') ?? ''))
      throw new ApiError(400, 7500, 'The bookmark is not valid');
    return {
      bookmark: database.getBookmark(),
      previous_bookmark: previous,
      message: 'Database restored successfully',
    };
  },
  'POST /d1/database/*/query': ({ account, params: [id = ''], body }) => {
    const database = found(account.databases.get(id), 7404, 'database');
    try {
      return [{ success: true, results: database.query(body(schemas.queryBody).sql), meta: {} }];
    } catch (error) {
      throw new ApiError(400, 7500, String(error));
    }
  },
  'GET /r2/buckets/*': ({ account, params: [name = ''] }) => {
    requireR2(account);
    const bucket = found(account.buckets.get(name), 10006, 'bucket');
    return { name, location: bucket.location, creation_date: new Date(0).toISOString() };
  },
  'POST /r2/buckets': ({ account, body }) => {
    requireR2(account);
    const { name, locationHint } = body(schemas.bucketBody);
    createUnique(account.buckets, (_bucket, other) => other === name, 10004);
    account.buckets.set(name, { location: locationHint, isFull: false, expires: false });
    return { name, location: locationHint };
  },
  'DELETE /r2/buckets/*': ({ account, params: [name = ''] }) => {
    if (found(account.buckets.get(name), 10006, 'bucket').isFull)
      throw new ApiError(409, 10008, 'The bucket you tried to delete is not empty');
    account.buckets.delete(name);
    return {};
  },
  'PUT /r2/buckets/*/lifecycle': ({ account, params: [name = ''], body }) => {
    body(schemas.lifecycleBody);
    found(account.buckets.get(name), 10006, 'bucket').expires = true;
    return {};
  },
};

const queues: Record<string, Handler> = {
  'GET /queues': ({ account, query }) => {
    const wanted = query.getAll('name');
    const ids = [...account.queues].filter(([, { name }]) => wanted.length === 0 || wanted.includes(name));
    return new Page(ids.map(([id]) => toQueue(account, id)));
  },
  'POST /queues': ({ account, body }) => {
    if (!account.hasQueues) throw new ApiError(403, 11006, 'Queues is not enabled on your plan');
    const { queue_name: name } = body(schemas.queueBody);
    createUnique(account.queues, (other) => other.name === name, 11009);
    const id = newId();
    account.queues.set(id, { name, consumers: new Map() });
    return toQueue(account, id);
  },
  'DELETE /queues/*': ({ account, params: [id = ''] }) =>
    account.queues.delete(id) ? null : missing(11000, 'queue'),
  'POST /queues/*/consumers': putConsumer,
  'PUT /queues/*/consumers/*': putConsumer,
};

/** The API never returns the text of a secret. */
const hideSecret = (binding: schemas.Binding): object =>
  binding.type === 'secret_text' ? { name: binding.name, type: binding.type } : binding;

/** A hash of the code, without settings and secrets. */
const hashModules = (modules: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify([...modules]))
    .digest('hex');

/** Names of secrets whose values two versions do not share. */
function compareSecrets(one: Version, other: Version): string[] {
  const [mine, theirs] = [one, other].map(
    ({ bindings }) =>
      new Map(
        bindings.flatMap((binding) =>
          binding.type === 'secret_text' ? [[binding.name, binding.text] as const] : [],
        ),
      ),
  );
  const names = new Set([...(mine?.keys() ?? []), ...(theirs?.keys() ?? [])]);
  return [...names].filter((name) => mine?.get(name) !== theirs?.get(name));
}

/** Makes the version of `wrangler secret put`, which has no tag, and deploys it. */
function putSecret(call: Call): unknown {
  const { name, text } = call.body(schemas.secretBody);
  const { versions, deployments } = script(call);
  const latest = found(versions.at(-1), 10007, 'version');
  if (deployments[0]?.version !== latest.id)
    throw new ApiError(400, 10215, 'Secret edit failed: the latest version is not deployed.');
  const { annotations: _, ...metadata } = latest.metadata;
  const bindings = latest.bindings.filter((binding) => binding.name !== name);
  const version: Version = {
    ...latest,
    id: newUuid(),
    number: latest.number + 1,
    metadata,
    bindings: [...bindings, { name, text, type: 'secret_text' }],
  };
  versions.push(version);
  deployments.unshift({ version: version.id });
  return { name, type: 'secret_text' };
}

function deployVersion(call: Call): unknown {
  const { versions: wanted, annotations } = call.body(schemas.deploymentBody);
  const { versions, deployments } = script(call);
  const find = (id: string | undefined) => versions.find((version) => version.id === id);
  const version = found(find(wanted[0]?.version_id), 10007, 'version');
  const present = found(find(deployments[0]?.version), 10007, 'version');
  // A version that was just uploaded has the secrets of its upload.
  const changed = version === versions.at(-1) ? [] : compareSecrets(present, version);
  if (changed.length > 0 && call.query.get('force') !== 'true')
    throw new ApiError(
      400,
      10220,
      `A secret was changed since this version. The following secrets have changed: ${changed.join(', ')}`,
    );
  deployments.unshift({ version: version.id, message: annotations['workers/message'] });
  return { id: newUuid() };
}

/** The API returns only the last deployments. */
const MAX_DEPLOYMENTS = 10;

const toVersion = (call: Call, id = '') => {
  const {
    id: versionId,
    number,
    metadata,
    migration,
    bindings,
    modules,
  } = found(
    script(call).versions.find((version) => version.id === id),
    10007,
    'version',
  );
  const runtime = { compatibility_date: metadata.compatibility_date, migration_tag: migration };
  return {
    id: versionId,
    number,
    metadata: { created_on: new Date(0).toISOString(), author_email: '' },
    annotations: metadata.annotations,
    resources: {
      bindings: bindings.map(hideSecret),
      script: { etag: hashModules(modules), handlers: ['fetch'] },
      script_runtime: runtime,
    },
    startup_time_ms: 50,
  };
};

const workers: Record<string, Handler> = {
  'GET /workers/scripts': ({ account }) =>
    [...account.scripts].map(([id, { migration }]) => ({ id, migration_tag: migration })),
  'GET /workers/services/*': ({ account, params: [id = ''] }) => {
    const { migration } = found(account.scripts.get(id), 10090, 'workers.api.error.service');
    const worker = { tag: newId(), tags: null, last_deployed_from: 'wrangler', migration_tag: migration };
    return { id, default_environment: { environment: 'production', script: worker } };
  },
  'PUT /workers/scripts/*': async (call) => {
    const { account, params, form } = call;
    const { script: uploaded, version } = await uploadVersion(account, params[0] ?? '', await form(), true);
    uploaded.deployments.unshift({ version: version.id });
    return {
      id: params[0],
      etag: version.id,
      deployment_id: version.id.replaceAll('-', ''),
      startup_time_ms: 50,
    };
  },
  'DELETE /workers/scripts/*': ({ account, params: [name = ''], query }) => {
    if (query.get('force') !== 'true') throw new ApiError(400, 10064, 'the Worker has Durable Objects');
    for (const { consumers } of account.queues.values())
      for (const [id, { script: holder }] of consumers) if (holder === name) consumers.delete(id);
    return account.scripts.delete(name) ? null : missing(10007, 'Worker');
  },
  'GET /workers/scripts/*/secrets': (call) =>
    (script(call).versions.at(-1)?.bindings ?? [])
      .filter(({ type }) => type === 'secret_text')
      .map(({ name, type }) => ({ name, type })),
  'GET /workers/scripts/*/settings': (call) => ({
    bindings: (script(call).versions.at(-1)?.bindings ?? []).map(hideSecret),
  }),
  'POST /workers/scripts/*/versions': async (call) => {
    const { version } = await uploadVersion(call.account, call.params[0] ?? '', await call.form(), false);
    return toVersion(call, version.id);
  },
  'GET /workers/scripts/*/versions/*': (call) => toVersion(call, call.params[1]),
  'GET /workers/scripts/*/versions': (call) => ({
    items: script(call).versions.map(({ id }) => toVersion(call, id)),
  }),
  'GET /workers/scripts/*/deployments': (call) => ({
    deployments: script(call)
      .deployments.slice(0, MAX_DEPLOYMENTS)
      .map(({ version, message }) => ({
        id: newUuid(),
        source: 'wrangler',
        strategy: 'percentage',
        created_on: new Date(0).toISOString(),
        versions: [{ version_id: version, percentage: 100 }],
        annotations: message === undefined ? {} : { 'workers/message': message },
      })),
  }),
  'POST /workers/scripts/*/deployments': deployVersion,
  'PUT /workers/scripts/*/secrets': putSecret,
  'PATCH /workers/scripts/*/script-settings': (call) => {
    script(call);
    return call.body(schemas.scriptSettingsBody);
  },
  'GET /workers/scripts/*/subdomain': (call) => ({ enabled: script(call).isPublic, previews_enabled: false }),
  'POST /workers/scripts/*/subdomain': (call) => {
    const { enabled } = call.body(schemas.scriptSubdomainBody);
    script(call).isPublic = enabled;
    return { enabled, previews_enabled: false };
  },
  'PUT /workers/scripts/*/schedules': (call) => {
    script(call).schedules = call.body(schemas.schedulesBody).map(({ cron }) => cron);
    return { schedules: [] };
  },
  'GET /workers/subdomain': ({ account: { subdomain } }) =>
    subdomain === undefined ? missing(10007, 'subdomain') : { subdomain },
  'PUT /workers/subdomain': ({ account, body }) => {
    account.subdomain = body(schemas.subdomainBody).subdomain;
    return { subdomain: account.subdomain };
  },
  'GET /workers/domains': ({ account, query }) => {
    const all = [...account.domains].map(([id, domain]) => ({ id, ...domain }));
    const isWanted = (key: 'hostname' | 'service', value: string): boolean =>
      (query.get(key) ?? value) === value;
    return all.filter(
      ({ hostname, service }) => isWanted('hostname', hostname) && isWanted('service', service),
    );
  },
  'PUT /workers/domains': ({ account, body }) => {
    const { hostname, service } = body(schemas.domainBody);
    found(account.scripts.get(service), 10007, 'Worker');
    if (account.records.has(hostname))
      throw new ApiError(409, 100117, 'Hostname already has externally managed DNS records');
    const id = newUuid();
    account.domains.set(id, { hostname, service });
    return { id, hostname, service };
  },
  'DELETE /workers/domains/*': ({ account, params: [id = ''] }) =>
    account.domains.delete(id) ? null : missing(10007, 'domain'),
  'GET /subscriptions': ({ account }) => {
    if (!account.readsBilling) throw new ApiError(403, 10000, 'Authentication error');
    return account.plan === 'paid'
      ? [{ rate_plan: { id: 'workers_paid', public_name: 'Workers Paid' } }]
      : [];
  },
};

/** Handlers by method and path below an account; `*` is one part of the path. */
export const routes: Readonly<Record<string, Handler>> = { ...storage, ...queues, ...workers };
