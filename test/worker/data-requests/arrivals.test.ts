// A bulk request that has ended is heard of by open sheets and written into closed ones; what could not be written the admin
// tries again; who is erased is gone from rows that arrived too.
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeadLetterList } from '../../../shared/api/admin-data-requests.ts';
import type { Change, ChangeList } from '../../../shared/api/tables.ts';
import { recordChange } from '../../../worker/tables/changes.ts';
import { clock } from '../platform.ts';
import { listPushes, START, storeRows, TablesHarness } from '../tables/harness.ts';
import { call, createRequest, importCompanies, waitUntilEnded } from './bulk.ts';
import { ServiceHarness } from './service-harness.ts';

beforeAll(() => importCompanies(3));
beforeEach(() => {
  clock.now = START;
});

const changesOf = async (id: string): Promise<Change[]> => {
  const { changes } = await (await call('/sheets/v1/changes')).json<ChangeList>();
  return changes.filter((change) => change.id === id);
};
const noted = async (id: string) =>
  (await env.DB.prepare('SELECT kind, subject, run FROM changes WHERE subject = ?').bind(id).all()).results;

const admin = (method: string, path: string): Promise<Response> =>
  call(path, { method, headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` } });

describe('a request', () => {
  it('that is ready is among the changes once it is over', async () => {
    const { id } = await createRequest({ family: 'company_clean', kind: 'ids', keys: ['1', '2'] });
    await waitUntilEnded(id);
    expect(await changesOf(id)).toEqual([{ kind: 'request', id, at: expect.any(String) }]);
  });

  it('of which nobody knows what became is too', async () => {
    const harness = new ServiceHarness({ create: () => new Response('?', { status: 500 }) });
    const { id } = await harness.createRequest();
    await harness.runSteps(id);
    expect((await harness.getRow(id)).phase).toBe('unclear');
    expect(await noted(id)).toHaveLength(1);
  });

  it('that was stopped is not', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest();
    await harness.service.cancel(await harness.getRow(id));
    await harness.runSteps(id);
    expect((await harness.getRow(id)).phase).toBe('cancelled');
    expect(await noted(id)).toEqual([]);
  });

  it('is heard of once, though its caller’s webhook is tried again and again', async () => {
    const told = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 500 }));
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest({ relayUrl: 'https://caller.example/ready' });
    const table = await new TablesHarness().registerTable({ requestId: id });
    await harness.runSteps(id);
    // Work that others have left behind may send something too.
    const heard = told.mock.calls.filter(([address]) => address === 'https://caller.example/ready');
    told.mockRestore();
    expect(heard).toHaveLength(7);
    expect(await noted(id)).toHaveLength(1);
    expect(await listPushes(table)).toHaveLength(1);
  });
});

describe('a push that was given up', () => {
  it('is a dead letter that the admin reads and replays', async () => {
    const house = new TablesHarness();
    house.spreadsheet.editors.clear();
    const table = await house.registerTable();
    await storeRows('run-1', 2);
    await recordChange(
      env,
      { teamId: 'team', kind: 'table', subject: table.id, run: 'run-1', hasRows: true },
      house.now,
    );
    for (let turn = 0; turn < 3; turn += 1) {
      house.now += 3_600_000;
      await house.runDue();
    }
    const [push] = await listPushes(table);
    expect(push?.state).toBe('failed');
    const list: DeadLetterList = await (await admin('GET', '/admin/v1/dead-letters')).json();
    const letter = list.dead_letters.find(({ request }) => request === push?.id);
    expect(letter).toMatchObject({ kind: 'push', replayed_at: null, error: push?.problem?.detail });
    const replayed = await admin('POST', `/admin/v1/dead-letters/${letter?.id}/replay`);
    expect(await replayed.json()).toMatchObject({ id: letter?.id, replayed_at: expect.any(String) });
    const [again] = await listPushes(table);
    expect(again).toMatchObject({ state: 'waiting', after: null });
    house.spreadsheet.editors.add('pusher@project.iam.gserviceaccount.com');
    await house.runPush(push?.id ?? '');
    expect(house.sheet.values()).toHaveLength(3);
  });
});

describe('who is erased', () => {
  it('is gone from the rows of a run, and what became ready can still be read', async () => {
    const table = await new TablesHarness().registerTable({
      createdAt: Date.now(),
      updatedAt: Date.now(),
      push: false,
    });
    await env.DB.prepare(
      `INSERT INTO table_runs (id, team_id, table_id, state, since, started_at) VALUES ('run-2', 'team', ?, 'done', 0, ?)`,
    )
      .bind(table.id, Date.now())
      .run();
    await storeRows('run-2', 3, 7001);
    const run = { teamId: 'team', kind: 'table', subject: table.id, run: 'run-2', hasRows: true } as const;
    await recordChange(env, run, Date.now());
    expect((await admin('DELETE', '/admin/v1/records/company_clean/c7002.example')).status).toBe(200);
    const answer = await call(`/sheets/v1/tables/${table.id}/runs/run-2/rows`);
    const { rows } = await answer.json<{ rows: unknown[][] }>();
    expect(rows.map(([name]) => name)).toEqual(['Company 7001', 'Company 7003']);
    expect(await changesOf(table.id)).toEqual([
      { kind: 'table', id: table.id, run: 'run-2', at: expect.any(String) },
    ]);
  });
});
