// Data requests from the price to the rows, through the development Worker with the sandbox.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type DataRequestView, newDataRequest } from '../../../shared/api/data-requests.ts';
import type { SheetsResponse } from '../../../shared/api/sheets-endpoints.ts';
import { familyNames } from '../../../shared/families/index.ts';
import type { ListKind } from '../../../worker/data-requests/order/parse-keys.ts';
import { parseKeys, splitLines } from '../../../worker/data-requests/order/parse-keys.ts';
import { isFileName } from '../../../worker/data-requests/provider-client.ts';
import { unicodeText } from '../../unicode-text.ts';
import {
  addTeam,
  beginLongRuns,
  call,
  callDropIn,
  companyIds,
  completeRequest,
  createRequest,
  endRuns,
  getRequest,
  getSpending,
  importCompanies,
  postRequest,
  readAllRows,
  waitUntilEnded,
} from './bulk.ts';

// Each test uses other ids, because records that were bought before come from the cache.
beforeAll(() => importCompanies(40));

describe('a data request', () => {
  it('delivers each row once and charges the delivered records', async () => {
    const before = await getSpending();
    const request = await createRequest(companyIds([1, 2, 2, 3, 99]));
    expect(request).toMatchObject({
      state: 'reserved',
      requested: 4,
      credits: { reserved: 40, charged: null },
    });
    const view = await waitUntilEnded(request.id);
    expect(view).toMatchObject({ state: 'ready', rows: 3, credits: { reserved: 0, charged: 30 } });
    expect(view.files).toMatchObject([{ rows: 3 }]);
    expect(await readAllRows(request.id)).toEqual([
      [1, 'Company 1'],
      [2, 'Company 2'],
      [3, 'Company 3'],
    ]);
    expect(await getSpending()).toEqual({ spent: before.spent + 30, reserved: 0 });
  });

  it('prices a query by its matches, up to its limit', async () => {
    const query = { family: 'company_base', kind: 'filter', filters: { industry: 'Odd' } };
    const two = await createRequest({ ...query, limit: 2 });
    expect(two).toMatchObject({ requested: 2, cached: 0, credits: { reserved: 20 } });
    expect(await waitUntilEnded(two.id)).toMatchObject({ state: 'ready', rows: 2, credits: { charged: 20 } });
    const all = await createRequest(query);
    expect(all).toMatchObject({ requested: 20, cached: 2, credits: { reserved: 180 } });
    expect(await waitUntilEnded(all.id)).toMatchObject({
      state: 'ready',
      rows: 20,
      credits: { charged: 180 },
    });
    expect(new Set((await readAllRows(all.id, 20)).map(([id]) => id)).size).toBe(20);
  });

  it('accepts a DSL body', async () => {
    const es_dsl = { query: { terms: { id: [8, 9] } } };
    expect(await completeRequest({ family: 'company_clean', kind: 'es_dsl', es_dsl })).toMatchObject({
      state: 'ready',
      rows: 2,
      credits: { charged: 20 },
    });
  });

  it('charges nothing if no record exists', async () => {
    const before = await getSpending();
    expect(await completeRequest(companyIds([98, 99]))).toMatchObject({
      state: 'failed',
      credits: { charged: 0 },
      problem: { code: 'not_found', detail: expect.stringContaining('none of the records') },
    });
    expect(await getSpending()).toEqual(before);
  });

  it('is created once per idempotency key, which no other order can use', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await createRequest(companyIds([1]), headers);
    expect((await createRequest(companyIds([1]), headers)).id).toBe(first.id);
    const many = await Promise.all(
      [1, 2, 3, 4].map(() => createRequest(companyIds([4]), { 'idempotency-key': 'race' })),
    );
    expect(new Set(many.map(({ id }) => id)).size).toBe(1);
    const other = await postRequest(companyIds([2]), headers);
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'invalid_request' });
    await waitUntilEnded(many[0]?.id ?? '');
  });

  it('is visible only to its team', async () => {
    const { id } = await createRequest(companyIds([1]));
    const token = await addTeam('others', null);
    for (const [method = '', path = ''] of [['GET'], ['DELETE'], ['GET', '/rows'], ['POST', '/ticket']]) {
      expect((await call(`/sheets/v1/requests/${id}${path}`, { method }, token)).status).toBe(404);
    }
    const list = await call('/sheets/v1/requests', {}, token);
    expect((await list.json<{ requests: DataRequestView[] }>()).requests).toEqual([]);
  });

  it('above the budget is refused without a reservation, with the required credits', async () => {
    const token = await addTeam('poor', 25);
    const answer = await postRequest(companyIds([21, 22, 23]), {}, token);
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({
      code: 'over_budget',
      detail: expect.stringContaining('30'),
      fix: expect.stringMatching(/^Ask for fewer records/),
    });
    expect(await getSpending('poor')).toEqual({ spent: 0, reserved: 0 });
    const sql = "SELECT count(*) AS n FROM requests WHERE team_id = 'poor'";
    expect(await env.DB.prepare(sql).first('n')).toBe(0);
    expect((await postRequest(companyIds([21, 22]), {}, token)).status).toBe(201);
  });

  it('is charged if it is cancelled after submission, and says so', async () => {
    await beginLongRuns();
    const { id } = await createRequest(companyIds([24, 25]));
    await expect.poll(async () => (await getRequest(id)).state).toBe('running');
    expect((await call(`/sheets/v1/requests/${id}/rows`)).status).toBe(202);
    const cancel = async () =>
      (await call(`/sheets/v1/requests/${id}`, { method: 'DELETE' })).json<
        SheetsResponse<'cancelDataRequest'>
      >();
    expect(await cancel()).toMatchObject({
      released: false,
      message:
        'Stopped waiting. The provider has the order and charges for what it delivers, up to 20 credits. You can then write the rows for free.',
      request: { state: 'cancelled', cancel_requested: true },
    });
    await endRuns();
    expect(await waitUntilEnded(id)).toMatchObject({ state: 'cancelled', rows: 2, credits: { charged: 20 } });
    expect(await cancel()).toMatchObject({ message: 'It had already ended: 20 credits were charged.' });
  });
});

describe('invalid input', () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  const order = (family: string, kind: string, more: object) => ({ family, kind, ...more });
  it.each([
    ['20,000 ids', companyIds(upTo(20_000)), 'keys'],
    ['no ids', companyIds([]), 'keys'],
    ['a heading', companyIds(['id', '1']), 'keys.0'],
    ['an id below 1', companyIds([0]), 'keys.0'],
    ['an id above 64 bits', companyIds(['9223372036854775808']), 'keys.0'],
    ['a duplicate name', order('company_clean', 'shorthand_names', { keys: ['acme', 'ACME'] }), 'keys.1'],
    ['a URL of no profile', order('company_clean', 'urls', { keys: ['https://acme.example/'] }), 'keys.0'],
    ['a limit of -1', companyIds([1], { limit: -1 }), 'limit'],
    ['a family without bulk', order('employee_post', 'ids', { keys: ['1'] }), 'employee_post'],
    ['a missing kind', order('job_base', 'urls', { keys: ['x'] }), 'job_base supports ids, filter'],
    ['an invalid query', order('company_clean', 'es_dsl', { es_dsl: { nothing: {} } }), 'nothing'],
    ['no match', order('company_base', 'filter', { filters: { name: 'zzzz' } }), 'no records'],
    ['an invalid column', companyIds([1], { columns: ['a b['] }), 'columns'],
    ['an unknown kind', order('company_clean', 'all', {}), 'kind'],
    ['no body', 'nothing', 'body'],
  ])('%s is refused with its place, without a reservation', async (_, body, place) => {
    const before = await getSpending();
    const answer = await postRequest(body);
    expect(answer.status).toBe(422);
    const problem = await answer.json<{ code: string; detail: string }>();
    expect(problem.code).toBe('invalid_request');
    expect(problem.detail).toContain(place);
    expect(await getSpending()).toEqual(before);
  });

  const family = fc.constantFrom(...familyNames);
  const key = fc.oneof(
    fc.string(),
    unicodeText(),
    fc.bigInt().map(String),
    fc.webUrl(),
    fc.domain().map((domain) => `https://${domain}/company/acme`),
  );

  it('parseKeys returns distinct stable keys, or an issue per place', () =>
    fc.assert(
      fc.property(
        fc.constantFrom<ListKind>('ids', 'id_file', 'shorthand_names', 'urls'),
        family,
        fc.array(key, { minLength: 1, maxLength: 40 }),
        (kind, name, texts) => {
          const parsed = parseKeys(kind, name, texts);
          if ('keys' in parsed) {
            expect(new Set(parsed.keys).size).toBe(parsed.keys.length);
            expect(parsed.keys.length).toBeGreaterThan(0);
            if (kind === 'ids' || kind === 'id_file')
              for (const id of parsed.keys) expect(id).toMatch(/^[1-9]\d*$/);
            expect(parseKeys(kind, name, parsed.keys)).toEqual(parsed);
            return;
          }
          if (!('issues' in parsed)) throw new Error('neither keys nor issues');
          for (const { index, msg } of parsed.issues) {
            expect(index).toBeLessThan(texts.length);
            expect(msg).not.toBe('');
          }
        },
      ),
    ));

  it('splitLines returns the non-empty lines for any line break', () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat().map(String), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n \r\n'),
        (ids, lineBreak) => {
          expect(splitLines(ids.join(lineBreak)).map(({ text }) => text)).toEqual(ids);
        },
      ),
    ));

  it('isFileName accepts no path', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webPath(), fc.constantFrom('..', '.', 'a/../b', '%2e', 'a\0')),
        (name) => {
          if (!isFileName(name)) return;
          expect(new URL(`http://provider/files/${name}`).pathname).toBe(`/files/${name}`);
        },
      ),
    ));

  const kinds = newDataRequest.options.map(({ shape }) => shape.kind.value);
  const anyBody = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.record(
      {
        family: fc.oneof(family, fc.string()),
        kind: fc.oneof(fc.constantFrom(...kinds), fc.string()),
        keys: fc.oneof(fc.array(key, { maxLength: 5 }), fc.jsonValue()),
        filters: fc.jsonValue(),
        es_dsl: fc.jsonValue(),
        limit: fc.oneof(fc.integer(), fc.double(), fc.string()),
        columns: fc.jsonValue(),
      },
      { requiredKeys: ['family', 'kind'] },
    ),
  );

  it('any body is accepted or refused with a problem', () =>
    fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const answer = await postRequest(body);
        expect([201, 402, 422]).toContain(answer.status);
        const content = await answer.json();
        if (answer.status !== 201)
          expect(content).toMatchObject({ code: expect.any(String), fix: expect.any(String) });
      }),
      { numRuns: 25 },
    ));

  it('any drop-in body is refused in a shape of the service', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('company_base/filter', 'company_clean/es_dsl', 'company_clean/ids'),
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify(value)),
          fc
            .record({ filters: fc.string(), es_dsl_query: fc.jsonValue(), webhook_url: fc.jsonValue() })
            .map((value) => JSON.stringify(value)),
        ),
        async (path, body) => {
          const headers = { 'content-type': 'application/json' };
          const answer = await callDropIn(path, { method: 'POST', body, headers });
          expect([400, 422]).toContain(answer.status);
          const content = await answer.json<object>();
          expect('detail' in content || 'Error' in content).toBe(true);
        },
      ),
      { numRuns: 25 },
    ));

  it('any id is answered with 404 or 422', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }),
        fc.constantFrom('', '/rows', '/events'),
        async (id, path) => {
          const answer = await call(`/sheets/v1/requests/${encodeURIComponent(id)}${path}`);
          expect([404, 422]).toContain(answer.status);
        },
      ),
      { numRuns: 15 },
    ));
});
