// Retention and erasure of data requests: rows for 30 days, selections until submission, queries as long as the rows.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../shared/api/admin-endpoints.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { eraseFromRequests } from '../../../worker/data-requests/erasure.ts';
import {
  getSelection,
  indexMissingQueries,
  indexQueryText,
  putSelection,
} from '../../../worker/data-requests/order/selection-store.ts';
import { createDataRequestService } from '../../../worker/data-requests/run-request.ts';
import type { Env } from '../../../worker/env.ts';
import { addTeamWithToken } from '../../../worker/gateway/auth/tokens.ts';
import { testPlatform } from '../platform.ts';
import { insertDataRequest, newId } from '../routes/sheets/fixtures.ts';
import {
  addTeam,
  call,
  callAdmin,
  callDropIn,
  companyIds,
  completeRequest,
  getSpending,
  importCompanies,
  readAllRows,
} from './bulk.ts';

describe('data requests of the sandbox', () => {
  beforeAll(() => importCompanies(12));

  it('are listed for the admin, of all teams or of one, page by page', async () => {
    await addTeam('others', null);
    const mine = await insertDataRequest('team', { createdAt: Date.now() - 1_000 });
    const theirs = await insertDataRequest('others', { createdAt: Date.now() });
    const list = async (query = '') =>
      (await callAdmin(`/requests${query}`)).json<AdminResponse<'listDataRequests'>>();
    const listIds = async (query: string) => (await list(query)).requests.map(({ id }) => id);
    expect((await list()).requests.map(({ id, team }) => [id, team])).toEqual([
      [theirs, 'others'],
      [mine, 'team'],
    ]);
    expect(await listIds('?team=others')).toEqual([theirs]);
    expect(await listIds(`?limit=1&after=${(await list('?limit=1')).after}`)).toEqual([mine]);
    expect((await callAdmin('/requests?after=nobody')).status).toBe(422);
    expect((await callAdmin(`/requests/${crypto.randomUUID()}`)).status).toBe(404);
  });

  it('have rows that are free to read, and are deleted after 30 days', async () => {
    const { id } = await completeRequest(companyIds([1, 2, 3]));
    const before = await getSpending();
    expect(await readAllRows(id)).toHaveLength(3);
    expect(await readAllRows(id, 100)).toHaveLength(3);
    expect(await getSpending()).toEqual(before);
    const countPages = async () => (await env.ROWS.list({ prefix: `requests/${id}/` })).objects.length;
    expect(await countPages()).toBeGreaterThan(0);
    const sql = 'UPDATE requests SET created_at = created_at - 2592000001 WHERE id = ?';
    await env.DB.prepare(sql).bind(id).run();
    await createDataRequestService(env, testPlatform).deleteExpired();
    const answer = await call(`/sheets/v1/requests/${id}/rows`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('30 days') });
    expect(await countPages()).toBe(0);
    expect((await call(`/sheets/v1/requests/${id}`)).status).toBe(200);
  });

  it('show rows and files only to tokens with the family, and nothing of an erased company', async () => {
    const { id } = await completeRequest(companyIds([4, 5]));
    const row = await env.DB.prepare(
      'SELECT provider_id AS request, name FROM requests JOIN request_files ON request_id = requests.id WHERE requests.id = ?',
    )
      .bind(id)
      .first<{ request: string; name: string }>();
    const file = `${row?.request}/files/${row?.name}`;
    const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
    await addTeamWithToken(env.DB, { id: 'team', name: 'Team' }, token, Date.now(), {
      families: ['job_base'],
    });
    const readStatuses = async (own?: string) => {
      const answers = [
        await call(`/sheets/v1/requests/${id}/rows`, {}, own),
        await callDropIn(file, {}, own),
      ];
      await Promise.all(answers.map(({ body }) => body?.cancel()));
      return answers.map(({ status }) => status);
    };
    expect(await readStatuses(token)).toEqual([403, 403]);
    expect(await readStatuses()).toEqual([200, 200]);

    const erasure = await callAdmin('/records/company_clean/c4.example', 'DELETE');
    expect(await erasure.json()).toMatchObject({ removed: { rows: 1 } });
    expect(await readStatuses()).toEqual([200, 410]);
    expect(await readAllRows(id)).toEqual([[5, 'Company 5']]);
    // "Erasing a person or company … refuses them from then on": 4 is not ordered again, and 5 is cached.
    const again = await completeRequest(companyIds([4, 5]));
    expect(again).toMatchObject({ requested: 1, rows: 1, credits: { charged: 0 } });
    expect(await readAllRows(again.id)).toEqual([[5, 'Company 5']]);
  });

  it('delete their keys after submission', async () => {
    for (const keys of [['8', '9'], ['8']]) {
      const { id } = await completeRequest(companyIds(keys));
      const { objects } = await env.ROWS.list();
      const selections = objects.filter(({ key }) => /^(selections|split)\//.test(key) && key.includes(id));
      expect(selections).toEqual([]);
    }
  });

  it('keep their query, unless it names an erased person', async () => {
    const order = async (name: string): Promise<string> => {
      const es_dsl = {
        bool: { should: [{ match_all: {} }], must_not: [{ term: { shorthand_names: name } }] },
      };
      return (await completeRequest({ family: 'employee_clean', kind: 'es_dsl', es_dsl })).id;
    };
    const [named, other] = [await order('p-2'), await order('p-22')];
    expect((await callAdmin('/records/employee_clean/p-2', 'DELETE')).status).toBe(200);
    const isKept = async (id: string) => (await env.ROWS.head(`selections/${id}.json`)) !== null;
    expect([await isKept(named), await isKept(other)]).toEqual([false, true]);
  });
});

describe('an erasure of stored queries', () => {
  const jane = [{ family: 'employee_clean', kind: 'shorthand_name', value: 'jane-doe' }] as const;

  beforeAll(async () => {
    await env.DB.batch(['request_files', 'requests'].map((name) => env.DB.prepare(`DELETE FROM ${name}`)));
  });

  /** Copies a data request. @returns the ids of the copies */
  async function copyRequest(id: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, newId);
    const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info('requests')").all();
    const columns = results.flatMap(({ name }) => (name === 'id' ? [] : [`"${name}"`])).join();
    await env.DB.prepare(
      `INSERT INTO requests (id, ${columns}) SELECT value, ${columns.replace('"idempotency_key"', 'NULL')}
         FROM requests, json_each(?) WHERE requests.id = ?`,
    )
      .bind(JSON.stringify(ids), id)
      .run();
    return ids;
  }

  const queryNaming = (name: string): { query: string } => ({
    query: JSON.stringify({ term: { shorthand_names: name } }),
  });

  /** Stores a data request with a query. @param isIndexed - false after a crash */
  async function storeQuery(selection: { query: string }, isIndexed = true): Promise<string> {
    const id = await insertDataRequest('team', { kind: 'es_dsl' });
    await putSelection(env, id, selection);
    if (isIndexed) await indexQueryText(env, id, selection);
    return id;
  }

  const isKept = async (id: string): Promise<boolean> => (await getSelection(env, id)) !== undefined;

  /** Records the calls of R2. @param failing - method that throws */
  function watchBucket(failing?: string): { env: Env; calls: string[]; maxConcurrency: () => number } {
    const calls: string[] = [];
    let [open, max] = [0, 0];
    const ROWS = new Proxy(env.ROWS, {
      get: (bucket, name) => {
        const value: unknown = Reflect.get(bucket, name);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          calls.push(`${String(name)} ${String(args[0])}`);
          open += 1;
          max = Math.max(max, open);
          try {
            if (name === failing) throw new Error('R2 is down');
            return await value.apply(bucket, args);
          } finally {
            open -= 1;
          }
        };
      },
    });
    return { env: { ...env, ROWS }, calls, maxConcurrency: () => max };
  }

  it('reads none of 1,000 indexed queries and deletes only those that name the person', async () => {
    const insert = env.DB.prepare('INSERT INTO request_queries (request_id, text) VALUES (?, ?)');
    const template = await storeQuery(queryNaming('somebody'));
    const ids = await copyRequest(template, 1000);
    // Half of them contain the name within a longer one.
    await env.DB.batch(
      ids.map((id, at) => insert.bind(id, queryNaming(at % 2 === 0 ? 'jane-doe-2' : 'joe').query)),
    );
    const named = [
      await storeQuery(queryNaming('Jane-Doe')),
      await storeQuery(queryNaming('x.com/in/jane-doe')),
    ];
    const bucket = watchBucket();
    await eraseFromRequests(bucket.env, jane);
    expect(bucket.calls.toSorted()).toEqual(
      named.map((id) => `delete selections/${id}.json,split/${id}.json`).toSorted(),
    );
    expect(await Promise.all([template, ...named].map(isKept))).toEqual([true, false, false]);
  });

  it('indexes queries that are not indexed, at most five at a time', async () => {
    const others = await Promise.all(Array.from({ length: 12 }, () => storeQuery(queryNaming('joe'), false)));
    const named = await storeQuery(queryNaming('jane-doe'), false);
    const first = watchBucket();
    await eraseFromRequests(first.env, jane);
    expect(first.calls.filter((name) => name.startsWith('get'))).toHaveLength(13);
    expect(first.maxConcurrency()).toBeLessThanOrEqual(5);
    expect(await isKept(named)).toBe(false);
    expect(await Promise.all(others.map(isKept))).not.toContain(false);
    const second = watchBucket();
    await eraseFromRequests(second.env, jane);
    expect(second.calls).toEqual([]);
  });

  it('reads queries that are too long for the index', async () => {
    const long = (name: string) => ({ query: JSON.stringify({ terms: { a: ['x'.repeat(120_000), name] } }) });
    const [named, other] = [await storeQuery(long('jane-doe')), await storeQuery(long('joe'))];
    await eraseFromRequests(env, jane);
    expect([await isKept(named), await isKept(other)]).toEqual([false, true]);
  });

  it('fails while too many queries are not indexed, and continues when it is repeated', async () => {
    const ids = await copyRequest(await insertDataRequest('team', { kind: 'es_dsl' }), 320);
    const last = ids.toSorted().at(-1) ?? '';
    await putSelection(env, last, queryNaming('jane-doe'));
    await expect(eraseFromRequests(env, jane)).rejects.toThrow('not indexed yet');
    expect(await indexMissingQueries(env, 10)).toBe(false);
    await eraseFromRequests(env, jane);
    expect(await isKept(last)).toBe(false);
  });

  it.each(['get', 'delete'])('fails if R2 does (%s), and continues when it is repeated', async (method) => {
    const named = await storeQuery(queryNaming('jane-doe'), method === 'delete');
    await expect(eraseFromRequests(watchBucket(method).env, jane)).rejects.toThrow('R2 is down');
    expect(await isKept(named)).toBe(true);
    await eraseFromRequests(env, jane);
    expect(await isKept(named)).toBe(false);
  });
});
