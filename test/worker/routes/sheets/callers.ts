// Teams and tokens for the suites of the add-on's surface, and calls with them.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type * as z from 'zod';
import type { Problem } from '../../../../shared/problems.ts';
import { generateToken } from '../../../../shared/tokens.ts';
import { addTeamWithToken, type TokenGrant } from '../../../../worker/gateway/auth/tokens.ts';
import { sheetsRouteTable } from '../../../../worker/routes/sheets/routes.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';

/** What an isolate answers to one token. */
export interface TokenCalls {
  /** A call as it is: path below `/sheets/v1`. */
  call: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** A call that must succeed: its answer, which must be as the table of routes describes it. */
  ok: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  /** A call that must end with a problem. */
  problem: (method: string, path: string, body?: unknown) => Promise<Problem>;
}

/** The route that a path belongs to. */
function described(method: string, address: string) {
  const [path = ''] = address.split('?');
  return sheetsRouteTable.find(
    (route) =>
      route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

/** Calls with a token. */
export function callsWith(
  token: string | undefined,
  { request }: Gateway = createGateway(buildCompanyResponse),
): TokenCalls {
  const call: TokenCalls['call'] = (method, path, body) =>
    request(`/sheets/v1${path}`, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    call,
    ok: async (method, path, body) => {
      const response = await call(method, path, body);
      const text = await response.text();
      const { success } = described(method, path) ?? {};
      expect([response.status, text]).toEqual([success?.status, expect.anything()]);
      const answer = text === '' ? undefined : JSON.parse(text);
      const schema: z.ZodType | undefined = success?.schema;
      expect(schema?.parse(answer)).toEqual(answer);
      return answer;
    },
    problem: async (method, path, body) => {
      const response = await call(method, path, body);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      return response.json();
    },
  };
}

/** A new token of a team, which is made where there is none. */
export async function tokenOf(team: string, grant: Partial<TokenGrant> = {}): Promise<string> {
  const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
  await addTeamWithToken(env.DB, { id: team, name: team }, token, 0, grant);
  return token;
}
