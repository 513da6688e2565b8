// A bulk request from its price to its rows, through the whole development Worker over the sandbox.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CancelledDataRequest, DataRequestView } from '../../../shared/api/data-requests.ts';
import { control } from '../sandbox/client.ts';
import {
  addTeam,
  call,
  createRequest,
  getRequest,
  getSpending,
  importCompanies,
  postRequest,
  readAllRows,
  waitUntilEnded,
} from './bulk.ts';

const ids = (keys: string[], more: object = {}) => ({ family: 'company_clean', kind: 'ids', keys, ...more });

// Each test has ids of its own: a record that was bought before comes from the cache.
beforeAll(() => importCompanies(40));

describe('a request', () => {
  it('brings every row once and costs what was delivered', async () => {
    const before = await getSpending();
    const request = await createRequest(ids(['1', '2', '2', '3', '99']));
    expect(request).toMatchObject({ state: 'reserved', asked: 4, credits: { reserved: 40, charged: null } });
    const view = await waitUntilEnded(request.id);
    expect(view).toMatchObject({ state: 'ready', rows: 3, credits: { reserved: 0, charged: 30 } });
    expect(view.files).toMatchObject([{ rows: 3 }]);
    expect(await readAllRows(request.id)).toEqual([
      [1, 'Company 1'],
      [2, 'Company 2'],
      [3, 'Company 3'],
    ]);
    expect(await getSpending()).toEqual({ spent: before.spent + 30, held: 0 });
  });

  it('is priced by what its query matches, up to its limit', async () => {
    const query = { family: 'company_base', kind: 'filter', filters: { industry: 'Odd' } };
    const two = await createRequest({ ...query, limit: 2 });
    expect(two).toMatchObject({ asked: 2, cached: 0, credits: { reserved: 20 } });
    expect(await waitUntilEnded(two.id)).toMatchObject({ state: 'ready', rows: 2, credits: { charged: 20 } });
    const all = await createRequest(query);
    expect(all).toMatchObject({ asked: 20, cached: 2, credits: { reserved: 180 } });
    expect(await waitUntilEnded(all.id)).toMatchObject({
      state: 'ready',
      rows: 20,
      credits: { charged: 180 },
    });
    expect(new Set((await readAllRows(all.id)).map(([id]) => id)).size).toBe(20);
  });

  it('takes a query of the DSL, with or without its body around it', async () => {
    const bare = { terms: { id: [6, 7] } };
    for (const es_dsl of [{ query: { terms: { id: [8, 9] } } }, bare]) {
      const request = await createRequest({ family: 'company_clean', kind: 'es_dsl', es_dsl });
      expect(await waitUntilEnded(request.id)).toMatchObject({
        state: 'ready',
        rows: 2,
        credits: { charged: 20 },
      });
    }
  });

  it.each([
    ['ids', 'employee_clean', ['1', '2']],
    ['shorthand_names', 'employee_clean', ['p-3', 'p-4']],
    ['urls', 'employee_clean', ['https://network.example/in/p-5', 'network.example/in/p-6/']],
    [
      'urls',
      'company_clean',
      ['https://network.example/company/c-10', 'https://network.example/company/c-11'],
    ],
  ])('finds records by %s of %s', async (kind, family, keys) => {
    const request = await createRequest({ family, kind, keys });
    expect(await waitUntilEnded(request.id)).toMatchObject({
      state: 'ready',
      rows: 2,
      credits: { charged: 20 },
    });
  });

  it('that finds nothing costs nothing and says so', async () => {
    const before = await getSpending();
    const { id } = await createRequest(ids(['98', '99']));
    expect(await waitUntilEnded(id)).toMatchObject({
      state: 'failed',
      credits: { charged: 0 },
      problem: { code: 'not_found', detail: expect.stringContaining('none of the records') },
    });
    expect(await getSpending()).toEqual(before);
  });

  it('is made once for an idempotency key, and the key belongs to that request', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await createRequest(ids(['1']), key);
    expect((await createRequest(ids(['1']), key)).id).toBe(first.id);
    const many = await Promise.all(
      [1, 2, 3, 4].map(() => createRequest(ids(['4']), { 'idempotency-key': 'race' })),
    );
    expect(new Set(many.map(({ id }) => id)).size).toBe(1);
    const other = await postRequest(ids(['2']), key);
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'invalid_request' });
    await waitUntilEnded(first.id);
    await waitUntilEnded(many[0]?.id ?? '');
  });

  it('is seen by its own team alone', async () => {
    const { id } = await createRequest(ids(['1']));
    const stranger = await addTeam('strangers', null);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/rows'],
      ['POST', '/ticket'],
    ]) {
      const answer = await call(`/sheets/v1/requests/${id}${path}`, { method: method ?? '' }, stranger);
      expect(answer.status).toBe(404);
    }
    const list = await (await call('/sheets/v1/requests', {}, stranger)).json<{
      requests: DataRequestView[];
    }>();
    expect(list.requests).toEqual([]);
    await waitUntilEnded(id);
  });

  it('whose price passes the budget holds nothing, is not made and is told what it needs', async () => {
    const token = await addTeam('poor', 25);
    const answer = await postRequest(ids(['21', '22', '23']), {}, token);
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({
      code: 'over_budget',
      detail: expect.stringContaining('30'),
      fix: expect.stringMatching(/^Ask for fewer records/),
    });
    expect(await getSpending('poor')).toEqual({ spent: 0, held: 0 });
    const kept = await env.DB.prepare("SELECT count(*) AS n FROM requests WHERE team_id = 'poor'").first('n');
    expect(kept).toBe(0);
    expect((await postRequest(ids(['21', '22']), {}, token)).status).toBe(201);
  });

  it('that is stopped after it was sent is charged all the same, and says so', async () => {
    await control({ run_ms: 3_000 });
    const { id } = await createRequest(ids(['24', '25']));
    await expect.poll(async () => (await getRequest(id)).state, { timeout: 10_000 }).toBe('running');
    expect((await call(`/sheets/v1/requests/${id}/rows`)).status).toBe(202);
    const stopped = await (
      await call(`/sheets/v1/requests/${id}`, { method: 'DELETE' })
    ).json<CancelledDataRequest>();
    expect(stopped).toMatchObject({
      released: false,
      message:
        'Stopped waiting. The provider has the order and charges for what it delivers, up to 20 credits. You can then write the rows for free.',
      request: { state: 'cancelled', watched: false },
    });
    expect(await waitUntilEnded(id)).toMatchObject({ state: 'cancelled', rows: 2, credits: { charged: 20 } });
    const late = await call(`/sheets/v1/requests/${id}`, { method: 'DELETE' });
    expect(await late.json()).toMatchObject({ message: 'It had already ended: 20 credits were charged.' });
    await control({ run_ms: 0 });
  });
});

describe('bad input', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));
  const names = (keys: string[]) => ({ family: 'company_clean', kind: 'shorthand_names', keys });
  it.each([
    ['20,000 ids', ids(many(20_000)), 'keys'],
    ['no ids', ids([]), 'keys'],
    ['a heading among ids', ids(['id', '1']), 'keys.0'],
    ['an id below 1', ids(['0']), 'keys.0'],
    ['an id beyond 64 bits', ids(['9223372036854775808']), 'keys.0'],
    ['a name that stands twice', names(['acme', 'ACME']), 'keys.1'],
    [
      'a URL of no profile',
      { family: 'company_clean', kind: 'urls', keys: ['https://acme.example/'] },
      'keys.0',
    ],
    ['a limit of -1', ids(['1'], { limit: -1 }), 'limit'],
    ['a family without bulk', { family: 'employee_post', kind: 'ids', keys: ['1'] }, 'employee_post'],
    [
      'a kind that the family lacks',
      { family: 'job_base', kind: 'urls', keys: ['x'] },
      'job_base supports ids, filter',
    ],
    ['a broken query', { family: 'company_clean', kind: 'es_dsl', es_dsl: { nothing: {} } }, 'nothing'],
    [
      'a query that matches nothing',
      { family: 'company_base', kind: 'filter', filters: { name: 'zzzz' } },
      'no records',
    ],
    ['a column that is no path', ids(['1'], { columns: ['a b['] }), 'columns'],
    ['an unknown kind', { family: 'company_clean', kind: 'all' }, 'kind'],
    ['no body', 'nothing', 'body'],
  ])('%s is refused before any credit is held', async (_, body, where) => {
    const before = await getSpending();
    const answer = await postRequest(body);
    expect(answer.status).toBe(422);
    const problem = await answer.json<{ code: string; detail: string }>();
    expect(problem.code).toBe('invalid_request');
    expect(problem.detail).toContain(where);
    expect(await getSpending()).toEqual(before);
  });
});
