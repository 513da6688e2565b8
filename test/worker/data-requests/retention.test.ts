// What stays of requests: their list for the admin, rows for thirty days, and nothing of who was erased.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AdminDataRequestList } from '../../../shared/api/admin-data-requests.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { sweepDataRequests } from '../../../worker/data-requests/workflow-instances.ts';
import { addTeamWithToken } from '../../../worker/gateway/auth/tokens.ts';
import {
  addTeam,
  call,
  createRequest,
  getSpending,
  importCompanies,
  postRequest,
  readAllRows,
  waitUntilEnded,
  waitUntilIdle,
} from './bulk.ts';

beforeAll(() => importCompanies(12));

const admin = { headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` } };
const ids = (keys: string[]) => ({ family: 'company_clean', kind: 'ids', keys });

describe('the admin', () => {
  it('sees the requests of all teams, or of one', async () => {
    const mine = await createRequest(ids(['1']));
    const token = await addTeam('others', null);
    const theirs = await (await postRequest(ids(['2']), {}, token)).json<{ id: string }>();
    const list = async (query = '') =>
      (await call(`/admin/v1/requests${query}`, admin)).json<AdminDataRequestList>();
    const all = await list();
    expect(all.requests.map(({ id, team }) => [id, team])).toEqual([
      [theirs.id, 'others'],
      [mine.id, 'team'],
    ]);
    expect((await list('?team=others')).requests.map(({ id }) => id)).toEqual([theirs.id]);
    const page = await list('?limit=1');
    expect((await list(`?limit=1&after=${page.after}`)).requests.map(({ id }) => id)).toEqual([mine.id]);
    expect((await call('/admin/v1/requests?after=nobody', admin)).status).toBe(422);
    expect((await call(`/admin/v1/requests/${crypto.randomUUID()}`, admin)).status).toBe(404);
    await waitUntilEnded(mine.id);
    await waitUntilIdle(theirs.id);
  });
});

describe('rows', () => {
  it('are read again for nothing, and are gone after thirty days', async () => {
    const { id } = await createRequest(ids(['1', '2', '3']));
    await waitUntilEnded(id);
    const before = await getSpending();
    expect(await readAllRows(id)).toHaveLength(3);
    expect(await readAllRows(id, 100)).toHaveLength(3);
    expect(await getSpending()).toEqual(before);
    const pages = async () => (await env.ROWS.list({ prefix: `requests/${id}/` })).objects.length;
    expect(await pages()).toBeGreaterThan(0);
    await env.DB.prepare('UPDATE requests SET created_at = created_at - 2592000001 WHERE id = ?')
      .bind(id)
      .run();
    await sweepDataRequests(env, false);
    const gone = await call(`/sheets/v1/requests/${id}/rows`);
    expect(gone.status).toBe(404);
    expect(await gone.json()).toMatchObject({ detail: expect.stringContaining('30 days') });
    expect(await pages()).toBe(0);
    expect((await call(`/sheets/v1/requests/${id}`)).status).toBe(200);
  });

  it('and files are read only with a token that may use their family', async () => {
    const { id } = await createRequest(ids(['6', '7']));
    expect(await waitUntilEnded(id)).toMatchObject({ state: 'ready', cached: 0 });
    const row = await env.DB.prepare(
      'SELECT provider_id AS request, name FROM requests JOIN request_files ON request_id = requests.id WHERE requests.id = ?',
    )
      .bind(id)
      .first<{ request: string; name: string }>();
    const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
    await addTeamWithToken(env.DB, { id: 'team', name: 'Team' }, token, Date.now(), {
      families: ['job_base'],
    });
    const file = `/cdapi/v2/data_requests/${row?.request}/files/${row?.name}`;
    for (const path of [`/sheets/v1/requests/${id}/rows`, file]) {
      expect((await call(path, { headers: { apikey: token } }, token)).status).toBe(403);
      const allowed = await call(path, { headers: { apikey: env.TEAM_TOKEN } });
      expect(allowed.status).toBe(200);
      await allowed.body?.cancel();
    }
  });

  it('and files tell nothing of somebody who was erased, and no later request brings them back', async () => {
    const through = (path: string, init: RequestInit = {}) =>
      worker.default.fetch(`http://127.0.0.1/cdapi/v2/data_requests/${path}`, {
        ...init,
        headers: { apikey: env.TEAM_TOKEN },
      });
    const { id } = await createRequest(ids(['4', '5']));
    await waitUntilEnded(id);
    const row = await env.DB.prepare('SELECT provider_id FROM requests WHERE id = ?')
      .bind(id)
      .first<{ provider_id: string }>();
    const path = `${row?.provider_id}/files`;
    const list = await (await through(path)).json<{ data_request_files: string[] }>();
    const file = await through(`${path}/${list.data_request_files[0]}`);
    expect(file.status).toBe(200);
    await file.body?.cancel();

    const erased = await call('/admin/v1/records/company_clean/c4.example', { ...admin, method: 'DELETE' });
    expect(await erased.json()).toMatchObject({ removed: { rows: 1 } });
    expect(await readAllRows(id)).toEqual([[5, 'Company 5']]);
    expect((await through(`${path}/${list.data_request_files[0]}`)).status).toBe(410);

    const again = await createRequest(ids(['4', '5']));
    // "Erasing a person or company … refuses them from then on": nobody orders 4 again, and 5 is cached.
    expect(await waitUntilEnded(again.id)).toMatchObject({ asked: 1, rows: 1, credits: { charged: 0 } });
    expect(await readAllRows(again.id)).toEqual([[5, 'Company 5']]);
  });
});

describe('what is asked for', () => {
  it('is kept until the provider has it, and no longer', async () => {
    for (const keys of [['8', '9'], ['8', '10'], ['8']]) {
      const { id } = await createRequest(ids(keys));
      await waitUntilEnded(id);
      const { objects } = await env.ROWS.list();
      expect(
        objects.map(({ key }) => key).filter((key) => /^(asked|split)\//.test(key) && key.includes(id)),
      ).toEqual([]);
    }
  });

  it('is kept as long as its rows where it is a query, unless that names somebody who is erased', async () => {
    const asked = async (name: string): Promise<string> => {
      const es_dsl = {
        bool: { should: [{ match_all: {} }], must_not: [{ term: { shorthand_names: name } }] },
      };
      const { id } = await createRequest({ family: 'employee_clean', kind: 'es_dsl', es_dsl });
      await waitUntilEnded(id);
      return id;
    };
    const [named, other] = [await asked('p-2'), await asked('p-22')];
    const erased = await call('/admin/v1/records/employee_clean/p-2', { ...admin, method: 'DELETE' });
    expect(erased.status).toBe(200);
    const kept = async (id: string) => (await env.ROWS.head(`asked/${id}.json`)) !== null;
    expect([await kept(named), await kept(other)]).toEqual([false, true]);
  });
});
