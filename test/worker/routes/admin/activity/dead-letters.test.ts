// Dead letters: chosen by team, kind, error, state and age, and replayed or dismissed together.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../../../shared/api/admin-endpoints.ts';
import type { AuditList } from '../../../../../shared/api/admin-reports.ts';
import type { deadLetters } from '../../../../../worker/db/schema.ts';
import { DeadLetterRepository } from '../../../../../worker/queue/dead-letters.ts';
import { readJob } from '../../../job-rows.ts';
import { admin } from '../harness.ts';
import { insertPush, insertTable, NOW } from './fixtures.ts';

const deployment = admin();
const { ok, problem, team } = deployment;
deployment.clock.now = NOW;

const store = new DeadLetterRepository(env.DB);

/** Inserts a dead letter. @returns its id */
async function insert(change: Partial<typeof deadLetters.$inferInsert>): Promise<string> {
  const id = crypto.randomUUID();
  const failure = { code: 'http_404', error: 'The receiver answered 404.' };
  await store.insert({
    ...{ id, at: NOW - 1_000, kind: 'alert', teamId: 'nobody', requestId: id, body: '', ...failure },
    ...change,
  });
  return id;
}

const list = async (query: string): Promise<string[]> =>
  (await ok<AdminResponse<'listDeadLetters'>>('GET', `/dead-letters?${query}`)).dead_letters.map(
    ({ id }) => id,
  );

describe('dead letters', () => {
  it('are filtered by team, kind, error, state and age, also from page to page', async () => {
    const { id: owner } = await team({ name: 'Listeners' });
    const of = `team=${owner}`;
    const old = await insert({ teamId: owner, at: NOW - 86_400_000 });
    const push = await insert({ teamId: owner, kind: 'push', code: 'sheet_missing', at: NOW - 3_000 });
    const replayed = await insert({ teamId: owner, replayedAt: NOW, at: NOW - 2_000 });
    await insert({});
    expect(await list(of)).toEqual([replayed, push, old]);
    expect(await list(`${of}&kind=alert`)).toEqual([replayed, old]);
    expect(await list(`${of}&code=sheet_missing`)).toEqual([push]);
    expect(await list(`${of}&state=open`)).toEqual([push, old]);
    expect(await list(`${of}&state=replayed`)).toEqual([replayed]);
    expect(await list(`${of}&before=${new Date(NOW - 3_600_000).toISOString()}`)).toEqual([old]);
    expect(await list(`${of}&state=open&limit=1&after=${push}`)).toEqual([old]);
    const { dead_letters } = await ok<AdminResponse<'listDeadLetters'>>('GET', `/dead-letters?${of}&limit=1`);
    expect(dead_letters).toMatchObject([{ team_name: 'Listeners', code: 'http_404', dismissed_at: null }]);
  });

  it('are dismissed together: they are no longer open, and no signal counts them', async () => {
    const before = await store.countOpen(100);
    const ids = [await insert({ teamId: 'dismissed' }), await insert({ teamId: 'dismissed' })];
    const replayed = await insert({ teamId: 'dismissed', replayedAt: NOW });
    expect(await store.countOpen(100)).toBe(before + 2);
    const body = { ids: [...ids, replayed, 'unknown'] };
    expect(await ok('POST', '/dead-letter-dismissals', body)).toEqual({ changed: 2 });
    expect(await ok('POST', '/dead-letter-dismissals', body)).toEqual({ changed: 0 });
    expect(await store.countOpen(100)).toBe(before);
    expect((await list('team=dismissed&state=dismissed')).sort()).toEqual(ids.sort());
  });

  it('are replayed together, each once, and each is in the audit log', async () => {
    const { id: owner } = await team();
    const table = await insertTable(owner);
    const pushes = await Promise.all([
      insertPush(owner, table, { state: 'failed', rowsId: 'one' }),
      insertPush(owner, table, { state: 'failed', rowsId: 'two' }),
    ]);
    const open = { teamId: owner, kind: 'push', code: 'sheet_missing' } as const;
    const ids = await Promise.all(pushes.map((requestId) => insert({ ...open, requestId })));
    const dismissed = await insert({ ...open, dismissedAt: NOW });
    const body = { ids: [...ids, dismissed] };
    expect(await ok('POST', '/dead-letter-replays', body)).toEqual({ changed: 2 });
    for (const push of pushes) expect(await readJob('push', push)).toMatchObject({ dueAt: NOW });
    expect(await ok('POST', '/dead-letter-replays', body)).toEqual({ changed: 0 });
    const { audit } = await ok<AuditList>('GET', '/audit');
    const logged = audit.filter(({ action }) => action === 'dead_letter.replay').map(({ target }) => target);
    expect(logged.filter((target) => body.ids.includes(target)).sort()).toEqual(ids.sort());
  });

  it.each([{ ids: [] }, { ids: ['a b'] }, { ids: Array.from({ length: 101 }, () => 'x') }, {}])(
    'are not changed by a wrong list',
    async (body) => {
      expect(await problem('POST', '/dead-letter-dismissals', { body })).toMatchObject({
        code: 'invalid_request',
      });
    },
  );
});
