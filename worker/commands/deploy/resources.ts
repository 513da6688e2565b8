// Finds, creates and deletes the resources of a deployment by their names.
import * as z from 'zod';
import type { Region } from '../../lib/objects.ts';
import { UserError } from '../user-error.ts';
import type { Account } from './account.ts';
import { CloudflareError } from './cloudflare.ts';
import type { ResourceIds, ResourceNames } from './configuration.ts';

const PER_PAGE = 100;

/** Error code of R2 before somebody has accepted its terms in the dashboard. */
const R2_DISABLED = 10042;

const bucketSchema = z.looseObject({ name: z.string() });

interface Kind {
  /** For a person: `KV namespace`. */
  label: string;
  /** Path of the collection, below the account. */
  path: string;
  names: (names: ResourceNames) => readonly string[];
  /** Returns the ids of all resources of this kind that have one of the names, by name. */
  find: (account: Account, names: readonly string[]) => Promise<ResourceIds>;
  body: (name: string, region: Region | undefined) => unknown;
  /** Reads the id from the result of a creation. */
  id: z.ZodType<string>;
}

/**
 * Builds a kind whose resources are found in the list of all.
 * @param list - what to call the list, the schema of an item, and its name and id; `perPage` if the API has such a parameter
 */
function listedKind<T>(
  kind: Omit<Kind, 'find' | 'id'>,
  list: {
    title: string;
    schema: z.ZodType<T>;
    toName: (item: T) => string;
    toId: (item: T) => string;
    perPage?: number;
  },
): Kind {
  const { title, schema, toName, toId, perPage } = list;
  return {
    ...kind,
    find: async ({ api, id }, names) => {
      const call = { action: `list ${title}`, path: `/accounts/${id}${kind.path}`, schema };
      const all = await api.list(call, perPage);
      const wanted = all.filter((item) => names.includes(toName(item)));
      return new Map(wanted.map((item) => [toName(item), toId(item)]));
    },
    id: schema.transform(toId),
  };
}

const namespaces = listedKind(
  {
    label: 'KV namespace',
    path: '/storage/kv/namespaces',
    names: (names) => names.namespaces,
    body: (title) => ({ title }),
  },
  {
    title: 'KV namespaces',
    schema: z.looseObject({ id: z.string(), title: z.string() }),
    toName: ({ title }) => title,
    toId: ({ id }) => id,
    perPage: PER_PAGE,
  },
);

const databases = listedKind(
  {
    label: 'D1 database',
    path: '/d1/database',
    names: (names) => names.databases,
    body: (name, region) => ({ name, ...(region === undefined ? {} : { primary_location_hint: region }) }),
  },
  {
    title: 'D1 databases',
    schema: z.looseObject({ uuid: z.string(), name: z.string() }),
    toName: ({ name }) => name,
    toId: ({ uuid }) => uuid,
    perPage: PER_PAGE,
  },
);

/** Found one by one, by name. */
const buckets: Kind = {
  label: 'R2 bucket',
  path: '/r2/buckets',
  names: (names) => names.buckets,
  find: async ({ api, id }, names) => {
    const found = new Map<string, string>();
    for (const name of names) {
      const path = `/accounts/${id}/r2/buckets/${name}`;
      const bucket = await api.find({ action: `look for the R2 bucket ${name}`, path, schema: bucketSchema });
      if (bucket !== undefined) found.set(name, name);
    }
    return found;
  },
  body: (name, region) => ({ name, ...(region === undefined ? {} : { locationHint: region }) }),
  id: bucketSchema.transform((item) => item.name),
};

const queues = listedKind(
  {
    label: 'queue',
    path: '/queues',
    names: (names) => names.queues,
    body: (name) => ({ queue_name: name }),
  },
  {
    title: 'queues',
    schema: z.looseObject({ queue_id: z.string(), queue_name: z.string() }),
    toName: (item) => item.queue_name,
    toId: (item) => item.queue_id,
  },
);

/** In the order of their creation. */
const kinds = [namespaces, databases, buckets, queues] as const;

/** A resource that exists. */
export interface Resource {
  label: string;
  name: string;
  /** Path in the API. */
  path: string;
}

function explainRefusal(error: unknown, { label }: Kind, account: string): unknown {
  if (!(error instanceof CloudflareError)) return error;
  if (error.codes.includes(R2_DISABLED))
    return new UserError(
      `R2 is not enabled in this account: open https://dash.cloudflare.com/${account}/r2 once and accept its terms, then run the same command again.`,
    );
  if (label === 'queue' && [402, 403].includes(error.status))
    return new UserError(
      `This account’s plan or login does not allow queues (${error.message}) Switch the account to Workers Paid, or give the API token the permission Queues: Edit, then run the same command again.`,
    );
  return error;
}

async function findExisting(account: Account, kind: Kind, names: ResourceNames): Promise<ResourceIds> {
  try {
    return await kind.find(account, kind.names(names));
  } catch (error) {
    throw explainRefusal(error, kind, account.id);
  }
}

/** Lists the resources of a deployment that exist. */
export async function listResources(account: Account, names: ResourceNames): Promise<Resource[]> {
  const found: Resource[] = [];
  for (const kind of kinds) {
    const ids = await findExisting(account, kind, names);
    for (const [name, id] of ids)
      found.push({ label: kind.label, name, path: `/accounts/${account.id}${kind.path}/${id}` });
  }
  return found;
}

/** Lists the Workers of a deployment that exist. */
export async function listWorkers({ api, id }: Account, names: ResourceNames): Promise<Resource[]> {
  const path = `/accounts/${id}/workers/scripts`;
  const schema = z.array(z.looseObject({ id: z.string() }));
  const scripts = await api.call({ action: 'list Workers', path, schema });
  // The log Worker can't be deleted before the gateway that sends it lines.
  return [names.worker, names.logs ?? '']
    .filter((name) => scripts.some((script) => script.id === name))
    .map((name) => ({ label: 'Worker', name, path: `${path}/${name}` }));
}

/**
 * Creates the resources that are missing.
 * @param log - receives a line for each
 * @returns the ids of all
 */
export async function createResources(
  account: Account,
  names: ResourceNames,
  region: Region | undefined,
  log: (line: string) => void,
): Promise<ResourceIds> {
  const ids = new Map<string, string>();
  for (const kind of kinds) {
    const found = await findExisting(account, kind, names);
    for (const name of kind.names(names)) {
      const action = `create the ${kind.label} ${name}`;
      const path = `/accounts/${account.id}${kind.path}`;
      const create = () =>
        account.api
          .call({ action, method: 'POST', path, body: kind.body(name, region), schema: kind.id })
          .catch((error: unknown) => {
            throw explainRefusal(error, kind, account.id);
          });
      const existing = found.get(name);
      ids.set(name, existing ?? (await create()));
      if (existing === undefined) log(`Created the ${kind.label} ${name}.`);
    }
  }
  return ids;
}
