// Starts the deployed gateway with a scripted provider and a team.
import { randomBytes } from 'node:crypto';
import type { BudgetView } from '../../shared/api/admin.ts';
import type { LookupRequest, LookupResponse } from '../../shared/api/lookup.ts';
import { generateToken } from '../../shared/tokens.ts';
import { type Cluster, type ClusterOptions, startCluster, type WorkerName } from './cluster/cluster.ts';
import { call } from './leave.ts';
import { type Provider, type ProviderOptions, startProvider } from './provider/provider.ts';

/** Options of a gateway. */
export interface GatewayOptions extends Pick<ClusterOptions, 'hideWritesMs' | 'vars'> {
  provider?: Partial<ProviderOptions>;
}

/** A response of the drop-in API. */
export interface DropInResponse {
  status: number;
  /** Problem code of an error. */
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
  /** Token of the team. */
  token: string;
  adminToken: string;
  /** API key of the provider. */
  apiKey: string;
  /** Secrets that protect stored data. */
  dataSecrets: readonly string[];
  /** Adds a team. @returns its token */
  addTeam: (id: string, caps: { day: number | null; month: number | null }) => Promise<string>;
  /** Looks up records through one of the Workers. @throws Error with the problem */
  lookup: (worker: WorkerName, body: LookupRequest, token?: string) => Promise<LookupResponse>;
  /** Calls the drop-in API of one of the Workers. @param path - below `/cdapi/v2/` */
  get: (
    worker: WorkerName,
    path: string,
    token?: string,
    headers?: Record<string, string>,
  ) => Promise<DropInResponse>;
  /**
   * Calls the admin API.
   * @param path - below `/admin/v1/`
   * @throws Error with the problem
   */
  admin: <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
  /** Reads the budget of a team. */
  budget: (team?: string) => Promise<BudgetView>;
  close: () => Promise<void>;
}

/** Builds the request of a lookup. */
export function lookupRequest(token: string, body: LookupRequest) {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Makes concurrent calls, alternating between the Workers. */
export function callConcurrently<T>(
  count: number,
  send: (worker: 'one' | 'two', index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => send(index % 2 === 0 ? 'one' : 'two', index)),
  );
}

/** Counts the occurrences of each value. */
export function tally(list: Iterable<string | number | null | undefined>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of list) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

const createSecret = (): string => randomBytes(20).toString('hex');

/** Starts a gateway with empty state. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { provider: providerOptions, vars, ...rest } = options;
  const [apiKey, adminToken] = [createSecret(), createSecret()];
  const dataSecrets = { PSEUDONYM_SECRET: createSecret(), ENCRYPTION_SECRET: createSecret() };
  const provider = await startProvider({ apiKey, ...providerOptions });
  let cluster: Cluster | undefined;
  const close = async (): Promise<void> => {
    await cluster?.close();
    await provider.close();
  };
  try {
    const secrets = {
      CDAPI_BASE_URL: provider.baseUrl,
      CDAPI_KEY: apiKey,
      ADMIN_TOKEN: adminToken,
      ...dataSecrets,
    };
    const started = await startCluster({ ...rest, vars: { ...secrets, ...vars } });
    cluster = started;
    const addTeam: Gateway['addTeam'] = async (id, caps) => {
      const token = generateToken((length) => randomBytes(length));
      await started.run({ run: 'team', id, token, caps });
      return token;
    };
    const token = await addTeam('team', { day: null, month: null });
    /** @throws Error with the problem */
    const send = async (url: string, init: Parameters<typeof call>[1]): Promise<string> => {
      const { status, text } = await call(url, init).answer;
      if (status >= 400) throw new Error(text);
      return text;
    };
    const admin: Gateway['admin'] = async (method, path, body, headers) => {
      const answer = await send(`${started.url('one')}/admin/v1/${path}`, {
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
      dataSecrets: Object.values(dataSecrets),
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
        JSON.parse(await send(`${started.url(worker)}/sheets/v1/lookup`, lookupRequest(own, body))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
