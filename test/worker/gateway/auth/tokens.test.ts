// Scopes, token hashes, and the initial team of development.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateToken } from '../../../../shared/tokens.ts';
import {
  addTeamWithToken,
  ensureTeam,
  findCallerByHash,
  isSameHash,
  requireAlertsScope,
  requireScope,
  type Scopes,
} from '../../../../worker/gateway/auth/tokens.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { ProblemError } from '../../../../worker/http/problem-error.ts';
import { sha256Hex } from '../../../../worker/lib/hash.ts';
import { createCaller } from './create-caller.ts';

const NOW = Date.UTC(2026, 8, 1);
const createToken = () => generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));

describe('requireScope', () => {
  const getRefusal = (scopes: Scopes): string | undefined => {
    try {
      requireScope(createCaller({ scopes }), 'company_base', 'collect');
      return undefined;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      expect(error.problem).toMatchObject({ code: 'forbidden_scope', status: 403 });
      return error.problem.detail;
    }
  };

  const no = 'This token has no scope for';
  it.each<[string, Scopes, string | undefined]>([
    ['allows everything with null', { families: null, operations: null }, undefined],
    [
      'allows the listed families and operations',
      { families: ['job_base', 'company_base'], operations: ['collect'] },
      undefined,
    ],
    [
      'names the missing family and operation',
      { families: [], operations: [] },
      `${no} the family company_base and the operation collect.`,
    ],
  ])('%s', (_, scopes, detail) => {
    expect(getRefusal(scopes)).toBe(detail);
  });
});

it.each<[boolean, Scopes]>([
  [true, { families: null, operations: null }],
  [true, { families: ['job_base'], operations: ['search', 'alerts'] }],
  [false, { families: ['job_base'], operations: null }],
  [false, { families: null, operations: ['search'] }],
])('alerts are permitted: %s with %j', (isPermitted, scopes) => {
  const require = () => requireAlertsScope(createCaller({ scopes }));
  if (isPermitted) require();
  else
    expect(require).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'forbidden_scope' }) }),
    );
});

describe('token hashes', () => {
  it('compares hashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (one, other) => {
        expect(isSameHash(await sha256Hex(one), await sha256Hex(other))).toBe(one === other);
      }),
    );
    expect(isSameHash('ab', 'abc')).toBe(false);
  });

  it('finds a caller only by the whole hash', async () => {
    const token = createToken();
    await addTeamWithToken(env.DB, { id: 'team', name: 'Team' }, token, NOW);
    const hash = await sha256Hex(token);
    expect(await findCallerByHash(env.DB, hash, NOW)).toMatchObject({ teamId: 'team' });
    const last = hash.endsWith('0') ? '1' : '0';
    expect(await findCallerByHash(env.DB, hash.slice(0, -1) + last, NOW)).toBeUndefined();
    expect(await findCallerByHash(env.DB, hash.slice(0, 16), NOW)).toBeUndefined();
  });
});

describe('ensureTeam', () => {
  const limits = { caps: { day: 1_000_000, month: null }, ratePerMinute: 600_000 };

  it('creates a team with its caps and rate', async () => {
    const token = createToken();
    await ensureTeam(env, { id: 'first', name: 'First' }, token, limits, NOW);
    expect(await findCallerByHash(env.DB, await sha256Hex(token), NOW)).toMatchObject({
      teamId: 'first',
      teamName: 'First',
      ratePerMinute: 600_000,
    });
    const { caps, spending } = await getLedger(env, 'first').getBudget();
    expect({ caps, spending }).toEqual({ caps: limits.caps, spending: true });
  });

  it("keeps the admin's changes when it runs again", async () => {
    const team = { id: 'second', name: 'Second' };
    const token = createToken();
    await ensureTeam(env, team, token, limits, NOW);
    await getLedger(env, team.id).setBudget({ caps: { day: 5, month: 7 }, spending: false });
    await ensureTeam(env, team, token, limits, NOW);
    const later = createToken();
    await ensureTeam(env, team, later, limits, NOW);
    const { caps, spending } = await getLedger(env, team.id).getBudget();
    expect({ caps, spending }).toEqual({ caps: { day: 5, month: 7 }, spending: false });
    for (const kept of [token, later]) {
      expect(await findCallerByHash(env.DB, await sha256Hex(kept), NOW)).toMatchObject({
        ratePerMinute: 600_000,
      });
    }
  });
});
