// Tokens: shown once, listed without their value, changed, revoked.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { IssuedToken, TokenList, TokenView } from '../../../../shared/api/admin.ts';
import { parseConnectionLink } from '../../../../shared/connection.ts';
import { isWellFormedToken } from '../../../../shared/tokens.ts';
import { findCallerByHash } from '../../../../worker/gateway/auth/tokens.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { sha256Hex } from '../../../../worker/lib/hash.ts';
import { call } from '../../gateway/ledger/ledger-harness.ts';
import { admin } from './harness.ts';

const caller = async ({ token }: IssuedToken) => findCallerByHash(env.DB, await sha256Hex(token), Date.now());

describe('a new token', () => {
  it('authenticates with its scopes, rate and expiry', async () => {
    const { team, token, sendToken, clock } = admin();
    const { id } = await team();
    const expires = new Date(clock.now + 86_400_000);
    const issued = await token(id, {
      name: 'Spreadsheet',
      families: ['company_clean', 'job_base', 'company_clean'],
      operations: ['enrich'],
      expires_at: expires.toISOString().replace('Z', '+00:00'),
      rate_per_minute: 60,
      budget: { day: 5 },
    });
    expect(issued).toEqual({
      id: (await sha256Hex(issued.token)).slice(0, 16),
      prefix: issued.token.slice(0, 8),
      person: null,
      name: 'Spreadsheet',
      families: ['company_clean', 'job_base'],
      operations: ['enrich'],
      rate_per_minute: 60,
      budget: { day: 5, month: null, spent: { day: 0, month: 0 } },
      created_at: new Date(clock.now).toISOString(),
      expires_at: expires.toISOString(),
      last_used_at: null,
      revoked_at: null,
      token: expect.stringMatching(/^cds_/),
      connection_link: expect.any(String),
    });
    expect(isWellFormedToken(issued.token)).toBe(true);
    expect(await sendToken(issued.token)).toBe(200);
    expect(await caller(issued)).toMatchObject({
      teamId: id,
      scopes: { families: ['company_clean', 'job_base'], operations: ['enrich'] },
      ratePerMinute: 60,
      expiresAt: expires.getTime(),
    });
    expect(await getLedger(env, id).lease(issued.id, { calls: 1000, usages: [] })).toMatchObject({
      limit: 60,
    });
  });

  it('has no restrictions by default', async () => {
    const { team, token } = admin();
    const issued = await token((await team()).id);
    expect(issued).toMatchObject({ families: null, operations: null, expires_at: null, name: '' });
    expect(await caller(issued)).toMatchObject({ ratePerMinute: 6000, expiresAt: null });
  });

  it('carries the scope alerts if it is named', async () => {
    const { team, token, problem } = admin();
    const { id } = await team();
    const operations = ['search', 'alerts'];
    const issued = await token(id, { operations });
    expect(issued).toMatchObject({ operations });
    expect(await caller(issued)).toMatchObject({ scopes: { families: null, operations } });
    const body = { operations: ['alarms'] };
    expect(await problem('POST', `/teams/${id}/tokens`, { body })).toMatchObject({ code: 'invalid_request' });
  });

  it('has a connection link with the public URL', async () => {
    const settings: { PUBLIC_URL?: string }[] = [
      {},
      { PUBLIC_URL: 'https://data.example.com' },
      { PUBLIC_URL: 'https://data.example.com/' },
    ];
    for (const setting of settings) {
      const at = admin(setting);
      const { connection_link, token } = await at.token((await at.team()).id);
      const url = setting.PUBLIC_URL === undefined ? 'http://localhost' : 'https://data.example.com';
      expect(parseConnectionLink(connection_link)).toEqual({ url, token });
    }
  });

  it('is not stored in clear text', async () => {
    const { team, token } = admin();
    const { id } = await team();
    const issued = await token(id, { name: 'Stored' });
    for (const table of ['tokens', 'audit', 'teams']) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
      expect(JSON.stringify(results)).not.toContain(issued.token.slice(0, 12));
    }
    expect(JSON.stringify(await getLedger(env, id).listEntries({ limit: 100 }))).not.toContain('cds_');
  });
});

describe('the tokens of a team', () => {
  it('are listed in pages, oldest first, without their values', async () => {
    const { pages, team, token, clock } = admin();
    const { id } = await team();
    await token((await team()).id, { name: 'of another team' });
    const created: TokenView[] = [];
    for (let at = 0; at < 5; at++) {
      const { token: _, connection_link: __, ...view } = await token(id, { name: `Token ${at}` });
      created.push(view);
      clock.now += 1;
    }
    expect(await pages(`/teams/${id}/tokens?`, 2, ({ tokens }: TokenList) => tokens)).toEqual(created);
  });

  it('have their last use and spending', async () => {
    const { ok, team, token } = admin();
    const { id } = await team({ budget: { day: 100 } });
    const [used] = await Promise.all([token(id), token(id)]);
    const ledger = getLedger(env, id);
    await ledger.lease(used.id, { calls: 10, usages: [] });
    await ledger.reserveMany([call(1, used.id, 'h')], 0);
    await ledger.settleMany([{ id: 'h', charged: 1 }]);
    const { tokens } = await ok<TokenList>('GET', `/teams/${id}/tokens`);
    const views = Object.fromEntries(tokens.map((view) => [view.id === used.id, view]));
    expect(views.true).toMatchObject({
      last_used_at: expect.stringMatching(/^20/),
      budget: { spent: { day: 1, month: 1 } },
    });
    expect(views.false).toMatchObject({ last_used_at: null, budget: { spent: { day: 0, month: 0 } } });
  });
});

describe('a token', () => {
  it('changes its name, caps and rate separately', async () => {
    const { ok, team, token, clock } = admin();
    const { id } = await team({ budget: { day: 100 } });
    const issued = await token(id, { name: 'Old', budget: { month: 9 } });
    const path = `/teams/${id}/tokens/${issued.id}`;
    expect(await ok('PATCH', path, { name: 'New' })).toMatchObject({ name: 'New', budget: { month: 9 } });
    expect(await ok('PATCH', path, { budget: { day: 3 } })).toMatchObject({ budget: { day: 3, month: 9 } });
    expect(await ok('PATCH', path, { budget: { month: null } })).toMatchObject({
      budget: { day: 3, month: null },
    });
    const changed = await ok<TokenView>('PATCH', path, { rate_per_minute: 7 });
    expect(changed).toMatchObject({ name: 'New', rate_per_minute: 7, budget: { day: 3 } });
    expect(await ok('PATCH', path, {})).toEqual(changed);
    expect(await getLedger(env, id).lease(issued.id, { calls: 100, usages: [] })).toMatchObject({ limit: 7 });
    clock.now += 30_000;
    expect(await caller(issued)).toMatchObject({ ratePerMinute: 7 });
  });

  it('is refused by the ledger at once after its revocation, and everywhere within 30 seconds', async () => {
    const { ok, remove, team, token, sendToken, clock } = admin();
    const { id } = await team({ budget: { day: 100 } });
    const issued = await token(id);
    const other = await token(id);
    expect(await sendToken(issued.token)).toBe(200);
    await remove(`/teams/${id}/tokens/${issued.id}`);

    const ledger = getLedger(env, id);
    const { outcomes } = await ledger.reserveMany([call(1, issued.id), call(1, other.id)], 0);
    expect(outcomes).toEqual(['unauthorised', 'reserved']);
    expect(await ledger.lease(issued.id, { usages: [] })).toEqual({ refused: 'unauthorised' });

    const revokedAt = clock.now;
    clock.now += 30_000;
    expect(await sendToken(issued.token)).toBe(401);
    expect(await sendToken(other.token)).toBe(200);
    const { tokens } = await ok<TokenList>('GET', `/teams/${id}/tokens`);
    expect(tokens.find((view) => view.id === issued.id)?.revoked_at).toBe(new Date(revokedAt).toISOString());

    // A second revocation, or a change of its caps, does not reactivate it.
    await remove(`/teams/${id}/tokens/${issued.id}`);
    await ok('PATCH', `/teams/${id}/tokens/${issued.id}`, { budget: { day: 10 }, rate_per_minute: 10 });
    expect(await ledger.lease(issued.id, { usages: [] })).toEqual({ refused: 'unauthorised' });
    expect(await sendToken(issued.token)).toBe(401);
  });

  it('of another team is not found', async () => {
    const { team, token, problem, sendToken } = admin();
    const [own, other] = await Promise.all([team(), team()]);
    const issued = await token(own.id);
    const path = `/teams/${other.id}/tokens/${issued.id}`;
    expect(await problem('DELETE', path)).toMatchObject({ code: 'not_found' });
    expect(await problem('PATCH', path, { body: { name: 'Mine' } })).toMatchObject({ code: 'not_found' });
    expect(await sendToken(issued.token)).toBe(200);
  });
});
