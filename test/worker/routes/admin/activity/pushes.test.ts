// Pushes of all teams: the list and their repetition.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../../../shared/api/admin-endpoints.ts';
import type { AuditList } from '../../../../../shared/api/admin-reports.ts';
import type { AdminPushView } from '../../../../../shared/api/admin-schedules.ts';
import { DeadLetterRepository } from '../../../../../worker/queue/dead-letters.ts';
import { planJob } from '../../../job-rows.ts';
import { admin } from '../harness.ts';
import { countStatements, insertPush, insertTable, NOW } from './fixtures.ts';

const deployment = admin();
const { ok, problem, pages, team } = deployment;
deployment.clock.now = NOW;

const MINUTE = 60_000;
const toTime = (ms: number): string => new Date(ms).toISOString();
const list = (query: string) => ok<AdminResponse<'listPushes'>>('GET', `/pushes?${query}`);
const retry = (id: string) => ok<AdminPushView>('POST', `/pushes/${id}/retry`);

const listAudit = async (id: string): Promise<string[]> =>
  (await ok<AuditList>('GET', '/audit')).audit
    .filter(({ target }) => target === id)
    .map(({ action }) => action);

describe('the list', () => {
  it('has each push with its state, attempts and problem', async () => {
    const { id: owner } = await team({ name: 'Pushers' });
    const table = await insertTable(owner, { title: '<Bakers>' });
    const id = await insertPush(owner, table, {
      rowsId: 'rows',
      state: 'waiting',
      rowsWritten: 5,
      attempts: 2,
      problem: { problem: 'google_unavailable' },
      updatedAt: NOW + MINUTE,
    });
    await planJob('push', id, NOW + 2 * MINUTE);
    expect(await list(`team=${owner}`)).toEqual({
      pushes: [
        {
          id,
          team: owner,
          team_name: 'Pushers',
          table,
          title: '<Bakers>',
          rows_id: 'rows',
          state: 'waiting',
          rows: 5,
          attempts: 2,
          problem: expect.objectContaining({ code: 'google_unavailable' }),
          created_at: toTime(NOW),
          updated_at: toTime(NOW + MINUTE),
          next_at: toTime(NOW + 2 * MINUTE),
        },
      ],
      next: null,
    });
  });

  it('is filtered by the state that people see', async () => {
    const { id: owner } = await team();
    const insert = (change: Parameters<typeof insertPush>[2]) => insertPush(owner, 'deleted', change);
    const waiting = await insert({ state: 'waiting' });
    await planJob('push', waiting, NOW);
    const stopped = await insert({ state: 'waiting' });
    await planJob('push', stopped, null);
    const failed = await insert({ state: 'failed' });
    const done = await insert({ state: 'done' });
    const listIds = async (state: string) =>
      (await list(`team=${owner}&state=${state}`)).pushes.map(({ id }) => id);
    expect(await listIds('waiting')).toEqual([waiting]);
    expect(await listIds('stopped')).toEqual([stopped]);
    expect(await listIds('failed')).toEqual([failed]);
    expect(await listIds('done')).toEqual([done]);
    const { pushes } = await list(`team=${owner}`);
    expect(pushes.map(({ state, title }) => [state, title])).toEqual([
      ['done', null],
      ['failed', null],
      ['stopped', null],
      ['waiting', null],
    ]);
  });

  it('is paged over all teams, newest first, with two queries at most', async () => {
    const owners = [await team(), await team()];
    const ids: string[] = [];
    for (let at = 0; at < 6; at += 1) ids.unshift(await insertPush(owners[at % 2]?.id ?? '', 'deleted'));
    const seen = await pages('/pushes?', 4, ({ pushes }: AdminResponse<'listPushes'>) => pushes);
    expect(seen.slice(0, 6).map(({ id }) => id)).toEqual(ids);
    expect(seen).toEqual((await list('')).pushes);
    const { db, getCount } = countStatements();
    await admin({ DB: db }).ok('GET', `/pushes?after=${ids[0]}`);
    expect(getCount()).toBeLessThanOrEqual(2);
  });
});

describe('a retry', () => {
  it('restarts a failed push and the later ones of its table, and closes its dead letters', async () => {
    const { id: owner } = await team();
    const table = await insertTable(owner);
    const failed = await insertPush(owner, table, { state: 'failed', problem: { problem: 'sheet_missing' } });
    const later = await insertPush(owner, table, { state: 'done', createdAt: NOW + MINUTE });
    const failure = { code: 'sheet_missing', error: 'It failed.' };
    const letter = { kind: 'push', teamId: owner, requestId: failed, body: '', ...failure, at: NOW } as const;
    await new DeadLetterRepository(env.DB).insert({ ...letter, id: failed });

    const restarted = await retry(failed);
    expect(restarted).toMatchObject({ id: failed, state: 'waiting', attempts: 0, next_at: toTime(NOW) });
    expect(restarted).not.toHaveProperty('problem');
    expect(await retry(failed)).toEqual(restarted);
    expect(await listAudit(failed)).toEqual(['push.retry']);
    const waiting = (await list(`team=${owner}&state=waiting`)).pushes.map(({ id }) => id);
    expect(waiting.sort()).toEqual([failed, later].sort());
    const { dead_letters } = await ok<AdminResponse<'listDeadLetters'>>('GET', '/dead-letters');
    expect(dead_letters.find(({ id }) => id === failed)?.replayed_at).toBe(toTime(NOW));
  });

  it.each(['done', 'waiting'] as const)('changes nothing if the push is %s', async (state) => {
    const { id: owner } = await team();
    const id = await insertPush(owner, 'deleted', { state, rowsWritten: 3 });
    expect(await retry(id)).toMatchObject({ rows: 3, next_at: null });
    expect(await listAudit(id)).toEqual([]);
  });

  it('returns 404 for a push that does not exist', async () => {
    expect(await problem('POST', '/pushes/unknown/retry')).toMatchObject({ code: 'not_found' });
  });
});
