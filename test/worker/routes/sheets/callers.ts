// Teams, tokens and clients for tests of the add-on's API.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Problem } from '../../../../shared/problems.ts';
import { generateToken } from '../../../../shared/tokens.ts';
import { addTeamWithToken, type TokenGrant } from '../../../../worker/gateway/auth/tokens.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { sheetsRouteTable } from '../../../../worker/routes/sheets/routes.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { findRoute } from '../../listed-problems.ts';
import { readSuccess } from '../check-response.ts';

/** A request to a path below `/sheets/v1`. */
export type ApiCall = [method: string, path: string, body?: unknown];

/** A client with one token. */
export interface ApiClient {
  /** Sends a request to a path below `/sheets/v1`. */
  call: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** Sends a request that must succeed and match the route's response schema. */
  ok: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  /** Sends a request that must end with a problem. */
  problem: (method: string, path: string, body?: unknown) => Promise<Problem>;
}

/** Creates a client with a token. */
export function createTokenClient(
  token: string | undefined,
  { request }: Gateway = createGateway(buildCompanyResponse),
): ApiClient {
  const call: ApiClient['call'] = (method, path, body) =>
    request(`/sheets/v1${path}`, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    call,
    ok: async <T>(method: string, path: string, body?: unknown) => {
      const response = await call(method, path, body);
      return (await readSuccess(findRoute(sheetsRouteTable, method, path), response)) as T;
    },
    problem: async (method, path, body) => {
      const response = await call(method, path, body);
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      return response.json();
    },
  };
}

/** Creates a token, and its team if it does not exist. */
export async function createToken(team: string, grant: Partial<TokenGrant> = {}): Promise<string> {
  const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
  await getLedger(env, team).setBudget({});
  await addTeamWithToken(env.DB, { id: team, name: team }, token, 0, grant);
  return token;
}

/** Returns the id of a team's first token. */
export async function getTokenId(team: string): Promise<string> {
  const select = env.DB.prepare('SELECT id FROM tokens WHERE team_id = ?').bind(team);
  return (await select.first<string>('id')) ?? '';
}

/** Creates a client with a new token of a team. */
export async function createClient(
  team: string,
  grant: Partial<TokenGrant> = {},
  gateway?: Gateway,
): Promise<ApiClient> {
  return createTokenClient(await createToken(team, grant), gateway);
}
