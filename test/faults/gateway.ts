// The gateway as it is deployed, over a scripted provider, with a team that may use it.
import { randomBytes } from 'node:crypto';
import type { BudgetView } from '../../shared/api/admin.ts';
import type { LookupRequest, LookupResponse } from '../../shared/api/lookup.ts';
import { generateToken } from '../../shared/tokens.ts';
import { type Cluster, type ClusterOptions, startCluster, type WorkerName } from './cluster/cluster.ts';
import { call } from './leave.ts';
import { type Provider, type ProviderOptions, startProvider } from './provider/provider.ts';

/** How a gateway is made. */
export interface GatewayOptions extends Pick<ClusterOptions, 'hideWritesMs' | 'vars'> {
  provider?: Partial<ProviderOptions>;
  /** Credits that the team may spend; null is no cap. */
  caps?: { day: number | null; month: number | null };
}

/** An answer of the drop-in surface. */
export interface DropIn {
  status: number;
  /** Code of the problem, where it is one. */
  problem: string | null;
  /** `x-cache`. */
  cache: string | null;
  /** `x-credits-charged`. */
  credits: number;
  retryAfterS: number | null;
  text: string;
}

/** A gateway under test. */
export interface Gateway {
  cluster: Cluster;
  provider: Provider;
  /** Of the team. */
  token: string;
  /** Opens the admin surface. */
  adminToken: string;
  /** The provider's key. */
  apiKey: string;
  /** Adds a team. @returns its token */
  addTeam: (id: string, caps: { day: number | null; month: number | null }) => Promise<string>;
  /** Looks up through one of the two Workers. @throws Error with the problem, where that is the answer */
  lookup: (worker: WorkerName, body: LookupRequest, token?: string) => Promise<LookupResponse>;
  /** GETs from the drop-in surface of one of the two Workers. @param path - below `/cdapi/v2/` */
  get: (
    worker: WorkerName,
    path: string,
    token?: string,
    headers?: Record<string, string>,
  ) => Promise<DropIn>;
  /**
   * Does something as the admin.
   * @param path - below `/admin/v1/`
   * @throws Error with the problem, where that is the answer
   */
  admin: <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
  /** How a team stands, as the admin sees it. */
  budget: (team?: string) => Promise<BudgetView>;
  close: () => Promise<void>;
}

/** A request for a lookup, for `fetch` and for a caller that goes away. */
export function lookupRequest(token: string, body: LookupRequest) {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Asks so often at once, by turns through both Workers. */
export function callConcurrently<T>(
  count: number,
  ask: (worker: 'one' | 'two', at: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => ask(at % 2 === 0 ? 'one' : 'two', at)));
}

/** How often each occurs. */
export function tally(list: Iterable<string | number | null | undefined>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of list) counts[String(one)] = (counts[String(one)] ?? 0) + 1;
  return counts;
}

const secret = (): string => randomBytes(20).toString('hex');

/** Starts a gateway that remembers nothing. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { provider: providerOptions, caps = { day: null, month: null }, vars, ...rest } = options;
  const [apiKey, adminToken] = [secret(), secret()];
  const provider = await startProvider({ apiKey, ...providerOptions });
  let cluster: Cluster | undefined;
  const close = async (): Promise<void> => {
    await cluster?.close();
    await provider.close();
  };
  try {
    const settings = {
      CDAPI_BASE_URL: provider.baseUrl,
      CDAPI_KEY: apiKey,
      ADMIN_TOKEN: adminToken,
      ...vars,
    };
    const started = await startCluster({ ...rest, vars: settings });
    cluster = started;
    const addTeam: Gateway['addTeam'] = async (id, own) => {
      const token = generateToken((length) => randomBytes(length));
      await started.run({ run: 'team', id, name: id, token, caps: own });
      return token;
    };
    const token = await addTeam('team', caps);
    /** @throws Error with the problem, where that is the answer */
    const ask = async (url: string, init: Parameters<typeof call>[1]): Promise<string> => {
      const { status, text } = await call(url, init).answer;
      if (status >= 400) throw new Error(text);
      return text;
    };
    const admin: Gateway['admin'] = async (method, path, body, headers) => {
      const answer = await ask(`${started.url('one')}/admin/v1/${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return JSON.parse(answer === '' ? 'null' : answer);
    };
    return {
      cluster: started,
      provider,
      token,
      adminToken,
      apiKey,
      addTeam,
      get: async (worker, path, own = token, more) => {
        const url = `${started.url(worker)}/cdapi/v2/${path}`;
        const init = { method: 'GET', headers: { ...more, apikey: own } };
        const { status, headers, text } = await call(url, init).answer;
        const header = (name: string): string | null => headers[name]?.toString() ?? null;
        const retryAfter = header('retry-after');
        return {
          status,
          problem: header('x-problem'),
          cache: header('x-cache'),
          credits: Number(header('x-credits-charged') ?? 0),
          retryAfterS: retryAfter === null ? null : Number(retryAfter),
          text,
        };
      },
      admin,
      budget: (team = 'team') => admin('GET', `teams/${team}/budget`),
      lookup: async (worker, body, own = token) =>
        JSON.parse(await ask(`${started.url(worker)}/sheets/v1/lookup`, lookupRequest(own, body))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
