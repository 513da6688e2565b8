// Authentication: valid tokens only, revocation within 30 seconds, throttled guessing.
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateToken } from '../../../../shared/tokens.ts';
import type { Env } from '../../../../worker/env.ts';
import {
  type AuthenticatedEnv,
  authenticate,
  readApiKeyToken,
  readBearerToken,
} from '../../../../worker/gateway/auth/authenticate.ts';
import { addTeamWithToken } from '../../../../worker/gateway/auth/tokens.ts';
import { ProblemError, problemResponse } from '../../../../worker/http/problem-error.ts';
import { sha256Hex } from '../../../../worker/lib/hash.ts';
import { createRateLimit, interceptCalls } from '../../platform.ts';
import { createCaller } from './create-caller.ts';

const TEAM = { id: 'doorway', name: 'Doorway' };
const START = Date.UTC(2026, 8, 1);
/** Failures allowed per address and minute. */
const ATTEMPTS = 60;

const createToken = () => generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
const token = createToken();

async function addToken(): Promise<string> {
  const added = createToken();
  await addTeamWithToken(env.DB, TEAM, added, 0);
  return added;
}

/** Sets a column of a token's row. */
async function setTokenColumn(column: 'revoked_at' | 'expires_at', at: number, token: string): Promise<void> {
  await env.DB.prepare(`UPDATE tokens SET ${column} = ?1 WHERE hash = ?2`)
    .bind(at, await sha256Hex(token))
    .run();
}

interface TestApp {
  clock: { now: number };
  /** D1 queries so far. `takeMs`: duration of each. */
  database: { reads: number; takeMs: number };
  /** Sends a request with headers. */
  send: (headers: Record<string, string>, address?: string) => Promise<Response>;
  /** Sends a bearer token and returns the status. */
  sendToken: (shown: string, address?: string) => Promise<number>;
}

/** Creates an app like a new isolate, with its own client address. */
function createApp(readToken = readBearerToken): TestApp {
  const clock = { now: START };
  const database = { reads: 0, takeMs: 0 };
  const DB = interceptCalls(env.DB, () => {
    database.reads += 1;
    clock.now += database.takeMs;
  });
  const app = new Hono<AuthenticatedEnv<Env>>();
  app.use(authenticate(() => clock.now, readToken));
  app.get('/', (c) => c.json(c.get('caller')));
  app.onError((error) => {
    if (error instanceof ProblemError) return problemResponse(error.problem, error.headers);
    throw error;
  });
  const defaultAddress = crypto.randomUUID();
  const bindings = { ...env, DB, AUTH_RATE_LIMIT: createRateLimit(ATTEMPTS) };
  const send: TestApp['send'] = async (headers, address = defaultAddress) =>
    app.request('/', { headers: { ...headers, 'cf-connecting-ip': address } }, bindings);
  return {
    clock,
    database,
    send,
    sendToken: async (shown, address) => (await send({ authorization: `Bearer ${shown}` }, address)).status,
  };
}

beforeAll(async () => {
  await addTeamWithToken(env.DB, TEAM, token, 0);
});

describe('authenticate', () => {
  it.each([
    ['no header', ''],
    ['another scheme', 'Basic eDp5'],
    ['an unknown token', `Bearer ${createToken()}`],
    ['no token', 'Bearer '],
    ['the hash of a token', `Bearer ${'0'.repeat(64)}`],
    ['SQL', "Bearer ' OR 1=1 --"],
    ['a very long token', `Bearer ${'x'.repeat(5000)}`],
  ])('rejects %s', async (_, authorization) => {
    const response = await createApp().send({ authorization });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'unauthorised', fix: expect.any(String) });
  });

  it('sets the caller with its team and scopes', async () => {
    const response = await createApp().send({ authorization: `bearer ${token}` });
    const tokenId = (await sha256Hex(token)).slice(0, 16);
    expect(await response.json()).toEqual(createCaller({ tokenId, teamId: TEAM.id, teamName: TEAM.name }));
  });

  it('reads the token from one header only', async () => {
    expect((await createApp(readApiKeyToken).send({ apikey: token })).status).toBe(200);
    expect((await createApp(readApiKeyToken).send({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await createApp().send({ apikey: token })).status).toBe(401);
  });
});

describe('a cached token', () => {
  it('is refused 30 seconds after its revocation', async () => {
    const revoked = await addToken();
    const { sendToken, clock } = createApp();
    expect(await sendToken(revoked)).toBe(200);
    await setTokenColumn('revoked_at', clock.now, revoked);
    clock.now += 30_000;
    expect(await sendToken(revoked)).toBe(401);
    clock.now += 3_600_000;
    expect(await sendToken(revoked)).toBe(401);
  });

  it('is cached from the start of the query', async () => {
    const revoked = await addToken();
    const { sendToken, clock, database } = createApp();
    database.takeMs = 20_000;
    expect(await sendToken(revoked)).toBe(200);
    database.takeMs = 0;
    await setTokenColumn('revoked_at', clock.now, revoked);
    clock.now += 10_000;
    expect(await sendToken(revoked)).toBe(401);
  });

  it('is refused once it expires', async () => {
    const expiring = await addToken();
    const { sendToken, clock } = createApp();
    await setTokenColumn('expires_at', clock.now + 1000, expiring);
    clock.now += 999;
    expect(await sendToken(expiring)).toBe(200);
    clock.now += 1;
    expect(await sendToken(expiring)).toBe(401);
    expect(await createApp().sendToken(expiring)).toBe(200);
  });

  it('needs one query in 30 seconds', async () => {
    const { sendToken, clock, database } = createApp();
    for (let call = 0; call < 30; call++) {
      expect(await sendToken(token)).toBe(200);
      clock.now += 999;
    }
    expect(database.reads).toBe(1);
    clock.now += 30;
    expect(await sendToken(token)).toBe(200);
    expect(database.reads).toBe(2);
  });
});

describe('an unknown token', () => {
  it('needs one query in 10 seconds', async () => {
    const { sendToken, clock, database } = createApp();
    const unknownToken = createToken();
    for (let call = 0; call < 50; call++) expect(await sendToken(unknownToken)).toBe(401);
    expect(database.reads).toBe(1);
    clock.now += 10_001;
    expect(await sendToken(unknownToken)).toBe(401);
    expect(database.reads).toBe(2);
  });

  it('is refused without a query if it is malformed', async () => {
    const { sendToken, database } = createApp();
    expect(await sendToken(token.slice(0, -1))).toBe(401);
    expect(database.reads).toBe(0);
  });

  it('is throttled by address, without delaying valid tokens', async () => {
    const { sendToken, send, clock, database } = createApp();
    const address = crypto.randomUUID();
    expect(await sendToken(token, address)).toBe(200);
    for (let call = 0; call < ATTEMPTS; call += 1) expect(await sendToken(createToken(), address)).toBe(401);
    expect(await sendToken(createToken(), address)).toBe(429);
    const { reads } = database;
    const response = await send({ authorization: `Bearer ${createToken()}` }, address);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await response.json()).toMatchObject({ code: 'rate_limited' });
    expect(database.reads).toBe(reads);

    expect(await sendToken(createToken(), crypto.randomUUID())).toBe(401);
    expect(await sendToken(token, address)).toBe(200);
    clock.now += 30_000;
    expect(await sendToken(token, address)).toBe(200);
  });
});
