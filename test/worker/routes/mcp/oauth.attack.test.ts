// OAuth of /mcp: the whole flow, replayed codes, revocation, and consent that others try to get.
import { env } from 'cloudflare:workers';
import { base64url } from 'jose';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AssistantCode } from '../../../../shared/api/account.ts';
import { callTool, postMessage } from '../../../mcp-client.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { createClient, createToken, getTokenId } from '../sheets/callers.ts';
import { newTeam } from '../sheets/fixtures.ts';

const gateway = createGateway(buildCompanyResponse);
const REDIRECT = 'https://assistant.example/callback';
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0123';
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const tokenSchema = z.object({ access_token: z.string(), refresh_token: z.string() });

async function createChallenge(): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(VERIFIER));
  return base64url.encode(new Uint8Array(hash));
}

async function register(redirect = REDIRECT, name = 'Assistant'): Promise<string> {
  const response = await gateway.request('/mcp/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirect],
      client_name: name,
      token_endpoint_auth_method: 'none',
    }),
  });
  return z.object({ client_id: z.string() }).parse(await response.json()).client_id;
}

const buildPath = async (client: string, more: Record<string, string> = {}): Promise<string> =>
  `/mcp/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    state: 'state-1',
    code_challenge: await createChallenge(),
    code_challenge_method: 'S256',
    ...more,
  })}`;

/** Sends the consent form. */
const consent = (path: string, connection: string, headers: Record<string, string> = {}) =>
  gateway.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ connection, decision: 'allow' }).toString(),
    redirect: 'manual',
  });

/** Reads a parameter of a redirect to the client. */
function readRedirect(response: Response, name: string): string {
  expect(response.status).toBe(303);
  const url = new URL(response.headers.get('location') ?? '');
  expect(url.origin + url.pathname).toBe(REDIRECT);
  return url.searchParams.get(name) ?? '';
}

const exchange = (parameters: Record<string, string>) =>
  gateway.request('/mcp/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  });

const buildExchange = (client: string, code: string) => ({
  grant_type: 'authorization_code',
  client_id: client,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
  code,
});

/** Gets a code for the token of a new team. */
async function authorize() {
  const team = newTeam();
  const token = await createToken(team);
  const client = await register();
  const code = readRedirect(
    await consent(await buildPath(client), `http://localhost/connect#${token}`),
    'code',
  );
  return { team, client, code };
}

async function connect() {
  const { team, client, code } = await authorize();
  const tokens = tokenSchema.parse(await (await exchange(buildExchange(client, code))).json());
  return { team, client, code, tokens };
}

describe('an assistant', () => {
  it('finds its way from the refusal to a token, which spends from the team', async () => {
    const resource = await gateway.request('/.well-known/oauth-protected-resource/mcp');
    expect(await resource.json()).toMatchObject({
      resource: 'http://localhost/mcp',
      authorization_servers: ['http://localhost'],
    });
    const server = await gateway.request('/.well-known/oauth-authorization-server');
    expect(await server.json()).toMatchObject({
      issuer: 'http://localhost',
      authorization_endpoint: 'http://localhost/mcp/authorize',
      token_endpoint: 'http://localhost/mcp/token',
      registration_endpoint: 'http://localhost/mcp/register',
      code_challenge_methods_supported: ['S256'],
    });
    const { team, tokens } = await connect();
    const args = { keys: ['a.example'], max_credits: 10 };
    expect(await callTool(gateway, tokens.access_token, 'enrich_companies', args)).toMatchObject({
      spending: { charged: 10, remaining: 990 },
    });
    expect(await callTool(gateway, tokens.access_token, 'get_budget')).toMatchObject({ data: { team } });
  });

  it('refreshes its token', async () => {
    const { client, tokens } = await connect();
    const parameters = {
      grant_type: 'refresh_token',
      client_id: client,
      refresh_token: tokens.refresh_token,
    };
    const next = tokenSchema.parse(await (await exchange(parameters)).json());
    expect((await postMessage(gateway, next.access_token, listTools)).status).toBe(200);
  });

  it('loses access at the next call when the token is revoked, and can’t refresh', async () => {
    const { team, client, tokens } = await connect();
    await env.DB.prepare('UPDATE tokens SET revoked_at = 1 WHERE id = ?')
      .bind(await getTokenId(team))
      .run();
    expect((await postMessage(gateway, tokens.access_token, listTools)).status).toBe(401);
    const parameters = {
      grant_type: 'refresh_token',
      client_id: client,
      refresh_token: tokens.refresh_token,
    };
    expect(await (await exchange(parameters)).json()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('a code', () => {
  it('that is replayed fails, and ends what it gave', async () => {
    const { client, code, tokens } = await connect();
    const replay = await exchange(buildExchange(client, code));
    expect([replay.status, await replay.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await postMessage(gateway, tokens.access_token, listTools)).status).toBe(401);
  });

  it('gives tokens at most once in ten exchanges at once, and none of them stay valid', async () => {
    const { client, code } = await authorize();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => exchange(buildExchange(client, code))),
    );
    const issued = await Promise.all(responses.filter(({ ok }) => ok).map((response) => response.json()));
    expect(issued.length).toBeLessThanOrEqual(1);
    for (const body of issued) {
      const { access_token: token } = tokenSchema.parse(body);
      expect((await postMessage(gateway, token, listTools)).status).toBe(401);
    }
  });

  it('works only with its verifier, client and address', async () => {
    for (const change of [
      { code_verifier: `${VERIFIER}x` },
      { client_id: await register() },
      { redirect_uri: 'https://evil.example/' },
    ]) {
      const { client, code } = await authorize();
      expect((await exchange({ ...buildExchange(client, code), ...change })).ok).toBe(false);
    }
  });
});

describe('consent', () => {
  it('names the client as text and its host, and can’t be framed', async () => {
    const client = await register(REDIRECT, '<script>alert(1)</script>');
    const page = await gateway.request(await buildPath(client));
    const text = await page.text();
    expect(text).toContain('assistant.example');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('is given by a code of the sidebar once, within ten minutes', async () => {
    const sidebar = await createClient(newTeam(), {}, gateway);
    const createCode = async () => (await sidebar.ok<AssistantCode>('POST', '/assistant-codes', {})).code;
    const path = await buildPath(await register());
    const code = await createCode();
    const answers = await Promise.all([consent(path, code), consent(path, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403]);
    const late = await createCode();
    gateway.clock.now += 600_001;
    expect((await consent(path, late)).status).toBe(403);
  });

  it('is given by nobody without a valid connection', async () => {
    const path = await buildPath(await register());
    const token = await createToken(newTeam());
    for (const connection of [
      '',
      'x',
      `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`,
      `https://evil.example/connect#${token}`,
    ]) {
      expect((await consent(path, connection)).status).toBe(403);
    }
  });

  it('is not taken from a form of another site', async () => {
    const path = await buildPath(await register());
    const token = await createToken(newTeam());
    expect((await consent(path, token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await consent(path, token, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('never sends a code to an address that the client has not registered', async () => {
    const client = await register();
    const token = await createToken(newTeam());
    for (const redirect of ['https://evil.example/', `${REDIRECT}/more`, 'javascript:alert(1)']) {
      const response = await consent(await buildPath(client, { redirect_uri: redirect }), token);
      expect(response.status).toBe(400);
      expect(response.headers.get('location')).toBeNull();
    }
  });

  it('that is declined tells the client', async () => {
    const response = await gateway.request(await buildPath(await register()), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=deny',
      redirect: 'manual',
    });
    expect(readRedirect(response, 'error')).toBe('access_denied');
  });
});
