// Teams and budgets: create, list, change, top up, delete.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { CreatedTeam, TeamList, TopUpList, TopUpView } from '../../../../shared/api/admin.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { call, hits } from '../../gateway/ledger/ledger-harness.ts';
import { admin } from './harness.ts';

const nothing = { day: 0, month: 0 };

describe('a team', () => {
  it('is created with its budget', async () => {
    const { ok, team, clock } = admin();
    const created = await team({
      name: '  Marketing  ',
      budget: { day: 100, month: null },
      spending: false,
      background_refresh: true,
    });
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: 'Marketing',
      created_at: new Date(clock.now).toISOString(),
      background_refresh: true,
      confirm_above_credits: 1000,
      formula_max_credits: 500,
      budget: {
        day: 100,
        month: null,
        spending: false,
        spent: nothing,
        saved: nothing,
        reserved: 0,
        top_up: 0,
        unclear: 0,
        disputed: 0,
        remaining: 0,
      },
      same_name: [],
    });
    const { same_name: _, ...view } = { same_name: [], ...created };
    expect(await ok('GET', `/teams/${created.id}`)).toEqual(view);
  });

  it('is created once by calls with one Idempotency-Key, and another team needs another key', async () => {
    const { ok, problem, remove } = admin();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const create = (name: string) => ok<CreatedTeam>('POST', '/teams', { name }, headers);
    const name = `Once ${headers['idempotency-key']}`;
    const [first, second] = await Promise.all([create(name), create(name)]);
    expect(second).toEqual(first);
    expect(await create(name)).toEqual(first);
    expect(first.same_name).toEqual([]);
    const other = { body: { name: 'Other' }, headers };
    expect(await problem('POST', '/teams', other)).toMatchObject({ code: 'invalid_request' });
    await remove(`/teams/${first.id}`);
    expect(await problem('POST', '/teams', { body: { name }, headers })).toMatchObject({
      detail: 'idempotency-key: was used for another team: send a new key',
    });
  });

  it('names the teams that have its name, or is refused if it may not share it', async () => {
    const { ok, problem, remove } = admin();
    const name = `Sales ${crypto.randomUUID()}`;
    const first = await ok<CreatedTeam>('POST', '/teams', { name });
    const body = { name: name.toUpperCase(), allow_same_name: false };
    expect(await problem('POST', '/teams', { body })).toMatchObject({ code: 'name_taken' });
    const second = await ok<CreatedTeam>('POST', '/teams', { name: name.toUpperCase() });
    expect(second.same_name).toEqual([first.id]);
    await remove(`/teams/${first.id}`);
    await remove(`/teams/${second.id}`);
    expect(await ok('POST', '/teams', body)).toMatchObject({ same_name: [] });
  });

  it.each([
    ['confirm_above_credits', 1000],
    ['formula_max_credits', 500],
  ] as const)('has a limit %s, which can be changed or removed', async (limit, initial) => {
    const { ok, team, problem } = admin();
    const { id, [limit]: first } = await team();
    expect(first).toBe(initial);
    await ok('PATCH', `/teams/${id}`, { [limit]: 250 });
    await ok('PATCH', `/teams/${id}`, { name: 'Research' });
    expect(await ok('GET', `/teams/${id}`)).toMatchObject({ [limit]: 250 });
    await ok('PATCH', `/teams/${id}`, { [limit]: null });
    expect(await ok('GET', `/teams/${id}`)).toMatchObject({ [limit]: null });
    expect(await problem('PATCH', `/teams/${id}`, { body: { [limit]: -1 } })).toMatchObject({
      code: 'invalid_request',
    });
  });

  it('is listed in pages, oldest first', async () => {
    const { pages, team, clock } = admin();
    clock.now = Date.UTC(2040, 0, 1);
    const created: string[] = [];
    for (let at = 0; at < 7; at++) {
      created.push((await team({ name: `Team ${at}`, budget: { day: at } })).id);
      // Some are created in the same millisecond.
      clock.now += at % 2;
    }
    const seen = await pages('/teams?', 3, ({ teams }: TeamList) => teams);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    const ours = seen.filter(({ id }) => created.includes(id));
    expect(ours.map(({ id }) => id).toSorted()).toEqual(created.toSorted());
    expect(seen.map(({ created_at }) => created_at)).toEqual(seen.map((t) => t.created_at).toSorted());
    for (const { name, budget } of ours) expect(name).toBe(`Team ${budget.day}`);
  });

  it('cannot be found or spend after its deletion', async () => {
    const { ok, remove, team, token, problem, sendToken, clock } = admin();
    const { id } = await team({ budget: { day: 100 } });
    const issued = await Promise.all([token(id), token(id)]);
    for (const { token } of issued) expect(await sendToken(token)).toBe(200);

    await remove(`/teams/${id}`);
    expect(await problem('GET', `/teams/${id}`)).toMatchObject({ code: 'not_found' });
    expect(await problem('PATCH', `/teams/${id}`, { body: { name: 'Back' } })).toMatchObject({ status: 404 });
    expect(await problem('POST', `/teams/${id}/tokens`, { body: {} })).toMatchObject({ status: 404 });
    const { teams } = await ok<TeamList>('GET', '/teams');
    expect(teams.map((listed) => listed.id)).not.toContain(id);

    clock.now += 30_000;
    const ledger = getLedger(env, id);
    for (const { id: tokenId, token } of issued) {
      expect(await sendToken(token)).toBe(401);
      expect(await ledger.lease(tokenId, { usages: [] })).toEqual({ refused: 'unauthorised' });
    }
    await remove(`/teams/${id}`);
  });
});

describe('a budget', () => {
  it('contains caps, spent, saved, reserved and unclear credits', async () => {
    const { ok, team, token } = admin();
    const { id } = await team({ budget: { day: 100, month: 200 } });
    const payer = (await token(id)).id;
    const ledger = getLedger(env, id);
    await ledger.reserveMany(
      ['paid', 'unclear', 'open'].map((name) => call(10, payer, name)),
      0,
    );
    await ledger.settleMany([
      { id: 'paid', charged: 10 },
      { id: 'unclear', charged: 'unclear' },
    ]);
    await ledger.recordUsage([hits(3, 30, payer)]);
    expect(await ok('GET', `/teams/${id}/budget`)).toEqual({
      day: 100,
      month: 200,
      spending: true,
      spent: { day: 20, month: 20 },
      saved: { day: 30, month: 30 },
      reserved: 10,
      top_up: 0,
      unclear: 10,
      disputed: 0,
      remaining: 70,
    });
  });
});

describe('a top-up', () => {
  const key = (value: string) => ({ 'idempotency-key': value });

  it('is added once for each idempotency key', async () => {
    const { ok, team } = admin();
    const { id } = await team({ budget: { day: 10 } });
    const send = () =>
      ok<TopUpView>('POST', `/teams/${id}/top-ups`, { credits: 50, note: 'Fair' }, key('fair-1'));
    const created = await send();
    expect(created).toEqual({ id: 'fair-1', at: expect.any(String), credits: 50, note: 'Fair' });
    expect(await send()).toEqual(created);
    await ok('POST', `/teams/${id}/top-ups`, { credits: 7 }, key('fair-2'));
    expect(await ok<TopUpList>('GET', `/teams/${id}/top-ups`)).toEqual({
      top_ups: [expect.objectContaining({ id: 'fair-2', credits: 7, note: null }), created],
    });
    expect(await ok('GET', `/teams/${id}/budget`)).toMatchObject({ top_up: 57, remaining: 67 });
  });

  it('is rejected if its key was used for another one', async () => {
    const { ok, team, problem } = admin();
    const { id } = await team();
    await ok('POST', `/teams/${id}/top-ups`, { credits: 50 }, key('once'));
    for (const body of [{ credits: 51 }, { credits: 50, note: 'Other' }]) {
      expect(await problem('POST', `/teams/${id}/top-ups`, { body, headers: key('once') })).toMatchObject({
        code: 'invalid_request',
        detail: expect.stringContaining('idempotency-key'),
      });
    }
    expect(await ok('GET', `/teams/${id}/budget`)).toMatchObject({ top_up: 50 });
  });
});
