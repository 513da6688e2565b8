// The whole gateway with a stand-in of Google's key endpoint, for tests of the sign-in.
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, vi } from 'vitest';
import type { SignInResponse } from '../../../../../shared/api/account.ts';
import type { TeamView } from '../../../../../shared/api/admin.ts';
import type { DomainView, PersonView, TeamRulesImport } from '../../../../../shared/api/admin-people.ts';
import type { Problem } from '../../../../../shared/problems.ts';
import type { DevelopmentEnv } from '../../../../../worker/env.ts';
import { getLedger } from '../../../../../worker/gateway/ledger/ledger-object.ts';
import { Pseudonyms } from '../../../../../worker/gateway/refusal-list/pseudonyms.ts';
import { adminRouteTable } from '../../../../../worker/routes/admin/index.ts';
import { signInRouteTable } from '../../../../../worker/routes/sheets/sign-in.ts';
import { AUDIENCE, GoogleIdentity } from '../../../../google-identity.ts';
import { buildCompanyResponse, createGateway } from '../../../harness.ts';
import { findRoute } from '../../../listed-problems.ts';
import { clock } from '../../../platform.ts';
import { readSuccess } from '../../../routes/check-response.ts';

interface StoredToken {
  id: string;
  team_id: string;
  hash: string;
  expires_at: number;
}

/** Creates a gateway whose keys come from a stand-in. Domains and people of earlier tests are deleted. */
export async function createSignInHarness(settings: Partial<DevelopmentEnv> = {}) {
  await env.DB.batch(
    ['team_rules', 'domains', 'people'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  // An earlier file may have verified the secret against a database that was reset since.
  await env.DB.prepare("DELETE FROM settings WHERE name = 'pseudonym_fingerprint'").run();
  await Pseudonyms.load(env);
  const google = await GoogleIdentity.create(() => clock.now);
  vi.stubGlobal('fetch', google.fetch);
  const { now } = clock;
  onTestFinished(() => {
    vi.unstubAllGlobals();
    clock.now = now;
  });
  const gateway = createGateway(buildCompanyResponse, undefined, undefined, settings);
  const address = crypto.randomUUID();
  const { request } = gateway;

  const send = (identityToken: string): Promise<Response> =>
    request('/sheets/v1/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cf-connecting-ip': address },
      body: JSON.stringify({ identity_token: identityToken }),
    });
  const admin = (method: string, path: string, body?: unknown): Promise<Response> =>
    request(`/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${env.ADMIN_TOKEN}`, 'cf-connecting-ip': address },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const adminOk = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await readSuccess(findRoute(adminRouteTable, method, path), await admin(method, path, body))) as T;

  return {
    google,
    admin,
    adminOk,
    send,
    listCalls: gateway.listBindingCalls,
    ledgerOf: (team: string) => getLedger(env, team),
    /** Signs in, which must succeed. */
    ok: async (identityToken: string): Promise<SignInResponse> =>
      (await readSuccess(
        findRoute(signInRouteTable, 'POST', '/sign-in'),
        await send(identityToken),
      )) as SignInResponse,
    /** Signs in, which must be refused. */
    problem: async (identityToken: string): Promise<Problem> => {
      const response = await send(identityToken);
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      return response.json();
    },
    createTeam: (name = 'Sales'): Promise<TeamView> => adminOk('POST', '/teams', { name }),
    /** Assigns a domain to a new team. */
    assign: async (
      domain: string,
      change: Record<string, unknown> = {},
    ): Promise<DomainView & { team: string }> => {
      const { id } = await adminOk<TeamView>('POST', '/teams', { name: 'Sales' });
      const body = { team: id, audience: AUDIENCE, ...change };
      return { ...(await adminOk<DomainView>('PUT', `/domains/${domain}`, body)), team: id };
    },
    /** Imports rules as CSV. */
    importRules: (csv: string, isDryRun = false): Promise<TeamRulesImport> =>
      adminOk('PUT', '/team-rules', { csv, dry_run: isDryRun }),
    listPeople: async (query = ''): Promise<PersonView[]> =>
      (await adminOk<{ people: PersonView[] }>('GET', `/people${query}`)).people,
    /** Lists the live tokens of all people. */
    listTokens: async (): Promise<StoredToken[]> => {
      const { results } = await env.DB.prepare(
        "SELECT id, team_id, hash, expires_at FROM tokens WHERE name LIKE '%, person %' AND revoked_at IS NULL AND team_id IN (SELECT team_id FROM domains)",
      ).all<StoredToken>();
      return results;
    },
    /** Sends a team token and returns the status. */
    readAccount: async (token: string): Promise<number> =>
      (await request('/sheets/v1/me', { headers: { authorization: `Bearer ${token}` } })).status,
    /** Looks up a company with a team token and returns the status. */
    lookUp: async (token: string, website: string): Promise<number> =>
      (
        await request('/sheets/v1/lookup', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify({ family: 'company_clean', by: 'website', keys: [website] }),
        })
      ).status,
    /** Sends a team token with a change, which the database verifies. */
    change: async (token: string): Promise<number> =>
      (
        await request('/sheets/v1/runs', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: '{}',
        })
      ).status,
  };
}

export type SignInHarness = Awaited<ReturnType<typeof createSignInHarness>>;
