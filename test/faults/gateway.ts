// The gateway as it is deployed, over a scripted provider, with a team that may use it.
import { randomBytes } from 'node:crypto';
import type { LookupRequest, LookupResponse } from '../../shared/sheets-api.ts';
import { newToken } from '../../shared/tokens.ts';
import { type Cluster, type ClusterOptions, startCluster, type WorkerName } from './cluster/cluster.ts';
import { type Provider, type ProviderOptions, startProvider } from './provider/provider.ts';

/** How a gateway is made. */
export interface GatewayOptions extends Pick<ClusterOptions, 'hideWritesMs' | 'vars'> {
  provider?: Partial<ProviderOptions>;
  /** Credits that the team may spend; null is no cap. */
  caps?: { day: number | null; month: number | null };
}

/** A gateway under test. */
export interface Gateway {
  cluster: Cluster;
  provider: Provider;
  /** Of the team. */
  token: string;
  /** Opens the admin surface. */
  adminToken: string;
  /** Adds a team. @returns its token */
  addTeam: (id: string, caps: { day: number | null; month: number | null }) => Promise<string>;
  /** Looks up through one of the two Workers. @throws Error with the problem, where that is the answer */
  lookup: (worker: WorkerName, body: LookupRequest, token?: string) => Promise<LookupResponse>;
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
      const token = newToken((length) => randomBytes(length));
      await started.run({ run: 'team', id, name: id, token, caps: own });
      return token;
    };
    const token = await addTeam('team', caps);
    return {
      cluster: started,
      provider,
      token,
      adminToken,
      addTeam,
      lookup: async (worker, body, own = token) => {
        const response = await fetch(`${started.url(worker)}/sheets/v1/lookup`, lookupRequest(own, body));
        const answer = await response.text();
        if (!response.ok) throw new Error(answer);
        return JSON.parse(answer);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
