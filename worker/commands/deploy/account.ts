// Finds the Cloudflare account of a deployment: login, plan, and the address that the gateway gets.
import * as z from 'zod';
import { UserError } from '../user-error.ts';
import { CloudflareApi } from './cloudflare.ts';
import type { DeployPlatform } from './platform.ts';

const DEFAULT_API = 'https://api.cloudflare.com/client/v4';
/** The largest page of accounts and zones. */
const MAX_PAGE = 50;
const LOGIN =
  'You are not logged in to Cloudflare: run npx wrangler login once, or set CLOUDFLARE_API_TOKEN (docs/deploy.md lists its permissions). Then run the same command again.';

/** Output of `wrangler auth token --json`. */
const loginSchema = z.union([
  z.object({ token: z.string().min(1) }),
  z.object({ key: z.string().min(1), email: z.string() }),
]);

const accountSchema = z.object({ id: z.string(), name: z.string() });
const subscriptionSchema = z.looseObject({
  rate_plan: z.looseObject({ id: z.string().nullish(), public_name: z.string().nullish() }).nullish(),
});
const subdomainSchema = z.object({ subdomain: z.string() });
const zoneSchema = z.looseObject({ id: z.string(), name: z.string() });
const domainSchema = z.looseObject({ id: z.string(), hostname: z.string(), service: z.string() });

async function findHeaders({ env, wrangler }: DeployPlatform): Promise<Record<string, string>> {
  const { CLOUDFLARE_API_TOKEN: token } = env;
  if (token) return { authorization: `Bearer ${token}` };
  const { succeeded, output } = await wrangler(['auth', 'token', '--json']);
  const [json] = /\{[\s\S]*\}/.exec(succeeded ? output : '') ?? [];
  if (json === undefined) throw new UserError(LOGIN);
  const login = loginSchema.parse(JSON.parse(json));
  if ('token' in login) return { authorization: `Bearer ${login.token}` };
  return { 'x-auth-key': login.key, 'x-auth-email': login.email };
}

/**
 * Logs in and finds the account.
 * @param wanted - its id; default: the one of the environment, or the only one of the login
 * @throws UserError if nobody is logged in or the account is not clear
 */
export async function openAccount(platform: DeployPlatform, wanted = platform.env.CLOUDFLARE_ACCOUNT_ID) {
  const { env, fetch, signal } = platform;
  const headers = await findHeaders(platform);
  const baseUrl = env.CLOUDFLARE_API_BASE_URL || DEFAULT_API;
  const api = new CloudflareApi({ baseUrl, headers, fetch, signal });
  const accounts = await api.list(
    { action: 'list your accounts', path: '/accounts', schema: accountSchema },
    MAX_PAGE,
  );
  const [account, ...others] = accounts.filter(({ id }) => !wanted || id === wanted);
  if (account === undefined)
    throw new UserError(
      wanted
        ? `This login has no account ${wanted}: correct CLOUDFLARE_ACCOUNT_ID.`
        : 'This login has no account: an API token needs the permission Account Settings: Read.',
    );
  if (others.length > 0) {
    const choices = accounts.map(({ id, name }) => `CLOUDFLARE_ACCOUNT_ID=${id} (${name})`).join('; ');
    throw new UserError(`This login has several accounts: choose one in the environment. ${choices}`);
  }
  /** The environment makes wrangler use this account. */
  return { ...account, api, environment: { CLOUDFLARE_ACCOUNT_ID: account.id } };
}
export type Account = Awaited<ReturnType<typeof openAccount>>;

/**
 * Reads whether the account has Workers Paid.
 * @returns undefined if the login may not read subscriptions, or none names Workers: then the upload shows it
 */
export async function hasPaidPlan({ api, id }: Account): Promise<true | undefined> {
  try {
    const path = `/accounts/${id}/subscriptions`;
    const subscriptions = await api.call({
      action: 'read the plan',
      path,
      schema: z.array(subscriptionSchema),
    });
    const names = subscriptions.map(({ rate_plan: plan }) => `${plan?.id} ${plan?.public_name}`);
    return names.some((name) => /workers.*paid/i.test(name)) || undefined;
  } catch (error) {
    // `wrangler login` does not include billing.
    if (error instanceof UserError && 'status' in error && error.status === 403) return undefined;
    throw error;
  }
}

/** Returns the host of the account's Workers, such as `example.workers.dev`; undefined if it has none yet. */
export async function findWorkersHost({ api, id }: Account): Promise<string | undefined> {
  const found = await api.find({
    action: 'read the workers.dev address',
    path: `/accounts/${id}/workers/subdomain`,
    schema: subdomainSchema,
  });
  return found === undefined ? undefined : `${found.subdomain}.workers.dev`;
}

export async function registerWorkersHost({ api, id }: Account, name: string): Promise<string> {
  const { subdomain } = await api.call({
    action: `register the address ${name}.workers.dev`,
    method: 'PUT',
    path: `/accounts/${id}/workers/subdomain`,
    body: { subdomain: name },
    schema: subdomainSchema,
  });
  return `${subdomain}.workers.dev`;
}

/** @returns the id of the zone that contains a host; undefined if the account has none */
async function findZone({ api, id }: Account, host: string): Promise<string | undefined> {
  const call = { action: `look up ${host}`, path: `/zones?account.id=${id}`, schema: zoneSchema };
  const zones = await api.list(call, MAX_PAGE);
  return zones.find(({ name }) => host === name || host.endsWith(`.${name}`))?.id;
}

/**
 * Checks that a host can become the gateway's custom domain.
 * @param worker - name of the gateway's Worker
 * @throws UserError if its zone is not in the account or another Worker has the host
 */
export async function checkDomain(account: Account, host: string, worker: string): Promise<void> {
  if ((await findZone(account, host)) === undefined)
    throw new UserError(
      `${host} belongs to no domain of this account: add the domain to Cloudflare first (dashboard, Add a domain), or leave out --domain.`,
    );
  const [taken] = (await listDomains(account, `hostname=${host}`)).filter(
    ({ service }) => service !== worker,
  );
  if (taken !== undefined)
    throw new UserError(
      `${host} already leads to the Worker ${taken.service}: choose another host with --domain.`,
    );
}

/** Closes every custom domain of a Worker except one. @returns the closed hosts */
export async function detachOtherDomains(account: Account, host: string, worker: string): Promise<string[]> {
  const others = (await listDomains(account, `service=${worker}`)).filter(
    ({ hostname }) => hostname !== host,
  );
  for (const { id, hostname } of others)
    await account.api.find({
      action: `close ${hostname}`,
      method: 'DELETE',
      path: `/accounts/${account.id}/workers/domains/${id}`,
      schema: z.unknown(),
    });
  return others.map(({ hostname }) => hostname);
}

/** Lists custom domains. @param filter - a query string */
export function listDomains({ api, id }: Pick<Account, 'api' | 'id'>, filter: string) {
  const path = `/accounts/${id}/workers/domains?${filter}`;
  return api.call({ action: 'list custom domains', path, schema: z.array(domainSchema) });
}

/** Leads a custom domain to a Worker. Cloudflare refuses it if the host has a DNS record that it does not manage. */
export async function attachDomain(account: Account, host: string, worker: string): Promise<void> {
  if ((await listDomains(account, `hostname=${host}`)).some(({ service }) => service === worker)) return;
  await account.api.call({
    action: `lead ${host} to the gateway`,
    method: 'PUT',
    path: `/accounts/${account.id}/workers/domains`,
    body: { hostname: host, service: worker, zone_id: await findZone(account, host) },
    schema: domainSchema,
  });
}
