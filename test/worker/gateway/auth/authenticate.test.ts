// Tokens: only callers with a good one come in, a revoked one stops working within 30 seconds, guessing is slow.
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

const TEAM = { id: 'doorway', name: 'Doorway' };
const START = Date.UTC(2026, 8, 1);
/** Wrong tokens of one address in a minute. */
const ATTEMPTS = 60;

const random = () => generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
const token = random();

async function addToken(): Promise<string> {
  const added = random();
  await addTeamWithToken(env.DB, TEAM, added, 0);
  return added;
}

/** Sets a column of a token's row. */
async function mark(column: 'revoked_at' | 'expires_at', at: number, marked: string): Promise<void> {
  await env.DB.prepare(`UPDATE tokens SET ${column} = ?1 WHERE hash = ?2`)
    .bind(at, await sha256Hex(marked))
    .run();
}

interface Door {
  clock: { now: number };
  /** Look-ups in D1 so far. `takeMs`: how long each takes. */
  database: { reads: number; takeMs: number };
  /** The status of a call from an address. */
  knock: (headers: Record<string, string>, address?: string) => Promise<Response>;
  /** The status of a call with this token as bearer. */
  enter: (shown: string, address?: string) => Promise<number>;
}

/** A door as an isolate has it: nothing is known yet, the address is the test's own. */
function door(place = readBearerToken): Door {
  const clock = { now: START };
  const database = { reads: 0, takeMs: 0 };
  const DB = interceptCalls(env.DB, () => {
    database.reads += 1;
    clock.now += database.takeMs;
  });
  const app = new Hono<AuthenticatedEnv<Env>>();
  app.use(authenticate(() => clock.now, place));
  app.get('/', (c) => c.json(c.get('caller')));
  app.onError((error) => {
    if (error instanceof ProblemError) return problemResponse(error.problem, error.headers);
    throw error;
  });
  const own = crypto.randomUUID();
  const bindings = { ...env, DB, AUTH_RATE_LIMIT: createRateLimit(ATTEMPTS) };
  const knock: Door['knock'] = async (headers, address = own) =>
    app.request('/', { headers: { ...headers, 'cf-connecting-ip': address } }, bindings);
  return {
    clock,
    database,
    knock,
    enter: async (shown, address) => (await knock({ authorization: `Bearer ${shown}` }, address)).status,
  };
}

beforeAll(async () => {
  await addTeamWithToken(env.DB, TEAM, token, 0);
});

describe('a call', () => {
  it.each([
    ['no header', ''],
    ['another scheme', 'Basic eDp5'],
    ['an unknown token', `Bearer ${random()}`],
    ['no token', 'Bearer '],
    ['two tokens', `Bearer ${token} ${token}`],
    ['a mistyped token', `Bearer ${token.slice(0, -1)}~`],
    ['the hash of a token', `Bearer ${'0'.repeat(64)}`],
    ['SQL', "Bearer ' OR 1=1 --"],
    ['a very long token', `Bearer ${'x'.repeat(5000)}`],
  ])('with %s is refused with a problem that says what to do', async (_, authorization) => {
    const response = await door().knock({ authorization });
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      code: 'unauthorised',
      status: 401,
      fix: expect.any(String),
    });
  });

  it('with a good token is let in, whatever the case of the scheme', async () => {
    expect((await door().knock({ authorization: `bearer ${token}` })).status).toBe(200);
  });

  it('names its token, its team and what it may do', async () => {
    const response = await door().knock({ authorization: `Bearer ${token}` });
    expect(await response.json()).toEqual({
      tokenId: (await sha256Hex(token)).slice(0, 16),
      teamId: TEAM.id,
      teamName: TEAM.name,
      scopes: { families: null, operations: null },
      ratePerMinute: 6000,
      expiresAt: null,
      backgroundRefresh: false,
      confirmAboveCredits: 1000,
      erasureVersion: '.',
    });
  });

  it('shows its token where the surface expects it, and nowhere else', async () => {
    expect((await door(readApiKeyToken).knock({ apikey: token })).status).toBe(200);
    expect((await door(readApiKeyToken).knock({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await door().knock({ apikey: token })).status).toBe(401);
  });
});

describe('a token', () => {
  it('that is revoked is refused after 30 seconds at the latest, and stays refused', async () => {
    const revoked = await addToken();
    const { enter, clock } = door();
    expect(await enter(revoked)).toBe(200);
    await mark('revoked_at', clock.now, revoked);
    clock.now += 30_000;
    expect(await enter(revoked)).toBe(401);
    clock.now += 3_600_000;
    expect(await enter(revoked)).toBe(401);
  });

  it('is remembered from when the look-up began, however long that took', async () => {
    const revoked = await addToken();
    const { enter, clock, database } = door();
    database.takeMs = 20_000;
    expect(await enter(revoked)).toBe(200);
    database.takeMs = 0;
    await mark('revoked_at', clock.now, revoked);
    clock.now += 10_000;
    expect(await enter(revoked)).toBe(401);
  });

  it('that expires is refused from that moment, also where it is remembered', async () => {
    const expiring = await addToken();
    const { enter, clock } = door();
    await mark('expires_at', clock.now + 1000, expiring);
    clock.now += 999;
    expect(await enter(expiring)).toBe(200);
    clock.now += 1;
    expect(await enter(expiring)).toBe(401);
    expect(await door().enter(expiring)).toBe(200);
  });

  it('costs one look-up in 30 seconds', async () => {
    const { enter, clock, database } = door();
    for (let call = 0; call < 30; call++) {
      expect(await enter(token)).toBe(200);
      clock.now += 999;
    }
    expect(database.reads).toBe(1);
    clock.now += 30;
    expect(await enter(token)).toBe(200);
    expect(database.reads).toBe(2);
  });
});

describe('an unknown token', () => {
  it('costs one look-up in 10 seconds, however often it is repeated', async () => {
    const { enter, clock, database } = door();
    const unknown = random();
    for (let call = 0; call < 50; call++) expect(await enter(unknown)).toBe(401);
    expect(database.reads).toBe(1);
    clock.now += 10_001;
    expect(await enter(unknown)).toBe(401);
    expect(database.reads).toBe(2);
  });

  it('of a wrong form costs none', async () => {
    const { enter, database } = door();
    expect(await enter(token.slice(0, -1))).toBe(401);
    expect(database.reads).toBe(0);
  });

  it('after unknown token from one address is refused as too many, without a look-up, and nobody else is', async () => {
    const { enter, knock, clock, database } = door();
    const address = crypto.randomUUID();
    expect(await enter(token, address)).toBe(200);
    for (let call = 0; call < ATTEMPTS; call += 1) expect(await enter(random(), address)).toBe(401);
    expect(await enter(random(), address)).toBe(429);
    const { reads } = database;
    const response = await knock({ authorization: `Bearer ${random()}` }, address);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await response.json()).toMatchObject({ code: 'rate_limited' });
    expect(database.reads).toBe(reads);

    expect(await enter(random(), crypto.randomUUID())).toBe(401);
    expect(await enter(token, address)).toBe(200);
    clock.now += 30_000;
    expect(await enter(token, address)).toBe(200);
  });
});
