// Finds, creates and deletes the resources of a deployment by their names.
import * as z from 'zod';
import { UserError } from '../user-error.ts';
import type { Account } from './account.ts';
import { CloudflareError } from './cloudflare.ts';
import type { Place, ResourceIds, ResourceNames } from './configuration.ts';

const PER_PAGE = 100;

/** Error code of R2 before somebody has accepted its terms in the dashboard. */
const R2_DISABLED = 10042;

interface Kind {
  /** For a person: `KV namespace`. */
  label: string;
  /** Path of the collection, below the account. */
  path: string;
  names: (names: ResourceNames) => readonly string[];
  /** Members of an item. */
  nameMember: string;
  idMember: string;
  /** Size of a page of the list; null: the API has no such parameter; absent: resources are found one by one. */
  perPage?: number | null;
  body: (name: string, place: Place) => unknown;
  /** Buckets of a jurisdiction have separate names. */
  headers?: (place: Place) => Readonly<Record<string, string>>;
}

/** In the order of their creation. */
const kinds: readonly Kind[] = [
  {
    label: 'KV namespace',
    path: '/storage/kv/namespaces',
    names: (names) => names.namespaces,
    nameMember: 'title',
    idMember: 'id',
    perPage: PER_PAGE,
    body: (title) => ({ title }),
  },
  {
    label: 'D1 database',
    path: '/d1/database',
    names: (names) => names.databases,
    nameMember: 'name',
    idMember: 'uuid',
    perPage: PER_PAGE,
    body: (name, { region, jurisdiction }) => ({
      name,
      // Cloudflare ignores the hint beside a jurisdiction.
      ...(jurisdiction ? { jurisdiction } : region ? { primary_location_hint: region } : {}),
    }),
  },
  {
    label: 'R2 bucket',
    path: '/r2/buckets',
    names: (names) => names.buckets,
    nameMember: 'name',
    idMember: 'name',
    body: (name, { region, jurisdiction }) => ({
      name,
      ...(region && !jurisdiction ? { locationHint: region } : {}),
    }),
    headers: ({ jurisdiction }) => (jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {}),
  },
  {
    label: 'queue',
    path: '/queues',
    names: (names) => names.queues,
    nameMember: 'queue_name',
    idMember: 'queue_id',
    perPage: null,
    body: (name) => ({ queue_name: name }),
  },
];

const buildSchema = ({ nameMember, idMember }: Kind) =>
  z
    .looseObject({ [nameMember]: z.string(), [idMember]: z.string() })
    .transform((item) => ({ name: String(item[nameMember]), id: String(item[idMember]) }));

/** Returns the ids of all resources of a kind that have one of the names, by name. */
async function findResources({ api, id }: Account, kind: Kind, all: ResourceNames, place: Place) {
  const { label, perPage } = kind;
  const names = kind.names(all);
  const path = `/accounts/${id}${kind.path}`;
  const schema = buildSchema(kind);
  const found = [];
  if (perPage === undefined)
    for (const name of names) {
      const call = { action: `look for the ${label} ${name}`, path: `${path}/${name}`, schema };
      const headers = kind.headers?.(place) ?? {};
      found.push((await api.find({ ...call, headers })) ?? []);
    }
  else found.push(await api.list({ action: `list ${label}s`, path, schema }, perPage ?? undefined));
  const wanted = found.flat().filter(({ name }) => names.includes(name));
  return new Map(wanted.map((item) => [item.name, item.id]));
}

export interface Resource {
  label: string;
  name: string;
  /** Path in the API. */
  path: string;
  headers?: Readonly<Record<string, string>>;
}

/** Waits for a call. @throws UserError that says what to do, if the account lacks a product */
async function explainRefusal<T>({ label }: Kind, { id }: Account, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error;
    if (error.codes.includes(R2_DISABLED))
      throw new UserError(
        `R2 is not enabled in this account: open https://dash.cloudflare.com/${id}/r2 once and accept its terms, then run the same command again.`,
      );
    if (label === 'queue' && [402, 403].includes(error.status))
      throw new UserError(
        `This account’s plan or login does not allow queues (${error.message}) Switch the account to Workers Paid, or give the API token the permission Queues: Edit, then run the same command again.`,
      );
    throw error;
  }
}

export async function listResources(
  account: Account,
  names: ResourceNames,
  place: Place,
): Promise<Resource[]> {
  const found: Resource[] = [];
  for (const kind of kinds) {
    const headers = kind.headers?.(place) ?? {};
    for (const [name, id] of await explainRefusal(kind, account, findResources(account, kind, names, place)))
      found.push({ label: kind.label, name, path: `/accounts/${account.id}${kind.path}/${id}`, headers });
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
  place: Place,
  log: (line: string) => void,
): Promise<ResourceIds> {
  const ids = new Map<string, string>();
  for (const kind of kinds) {
    const found = await explainRefusal(kind, account, findResources(account, kind, names, place));
    for (const [name, id] of found) ids.set(name, id);
    for (const name of kind.names(names).filter((wanted) => !found.has(wanted))) {
      const created = account.api.call({
        action: `create the ${kind.label} ${name}`,
        method: 'POST',
        path: `/accounts/${account.id}${kind.path}`,
        headers: kind.headers?.(place) ?? {},
        body: kind.body(name, place),
        schema: buildSchema(kind),
      });
      ids.set(name, (await explainRefusal(kind, account, created)).id);
      log(`Created the ${kind.label} ${name}.`);
    }
  }
  return ids;
}
