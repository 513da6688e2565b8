// Data requests through the drop-in API: the service's paths, bodies and ids, with a team token.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import { type BulkOperation, operations } from '../../../shared/operations.ts';
import { pickCases } from '../../pick-cases.ts';
import { control } from '../sandbox/client.ts';
import {
  addTeam,
  beginLongRuns,
  call,
  callDropIn,
  endRuns,
  getSpending,
  importCompanies,
  skipWaits,
} from './bulk.ts';

beforeAll(() => importCompanies());

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

function form(fields: readonly (readonly [string, string | File])[]): RequestInit {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return { method: 'POST', body };
}

const idsFile = (text: string) => ['ids_file', new File([text], 'ids.csv')] as const;

/** Waits until the file list of a data request has a final answer. */
function waitForFiles(id: string): Promise<Response> {
  return vi.waitFor(
    async () => {
      await skipWaits();
      const response = await callDropIn(`${id}/files`);
      expect(response.status).not.toBe(202);
      return response;
    },
    { timeout: 50_000, interval: 50 },
  );
}

async function readId(response: Response): Promise<string> {
  expect(response.status).toBe(201);
  const { request_id: id } = await response.json<{ request_id: string }>();
  expect(response.headers.get('location')).toBe(`/v2/data_requests/${id}/files`);
  return id;
}

/** Creates a data request and waits for its only file. @returns its id and the path of the file */
async function completeRequest(path: string, body: RequestInit): Promise<{ id: string; file: string }> {
  const id = await readId(await callDropIn(path, body));
  const list = await waitForFiles(id);
  expect(list.status).toBe(200);
  const { data_request_files: names } = await list.json<{ data_request_files: string[] }>();
  expect(names).toHaveLength(1);
  return { id, file: `${id}/files/${names[0]}` };
}

/** A valid body of each kind. */
const bodies: Readonly<Record<BulkOperation['kind'], (subject: string) => RequestInit>> = {
  filter: () => json({ filters: { industry: 'Odd' }, limit: 2, data_format: 'json' }),
  es_dsl: () => json({ es_dsl_query: { query: { match_all: {} } }, limit: 2 }),
  ids: () =>
    form([
      ['ids', '1'],
      ['ids[]', '2'],
      ['ids', '2'],
    ]),
  id_file: () => form([idsFile('1\r\n2\n\n')]),
  shorthand_names: (subject) => form([['shorthand_names', `${subject}-1`]]),
  urls: (subject) =>
    form([['urls', `https://network.example/${subject === 'p' ? 'in' : 'company'}/${subject}-1`]]),
};

/** One operation of each kind; together they cover three families. */
const bulkOperations = Object.keys(bodies).flatMap((kind, at) => {
  const ofKind = operations.filter(
    (operation): operation is BulkOperation =>
      operation.name === 'bulk' &&
      operation.kind === kind &&
      /^(?:company_clean|company_base|employee_clean)$/.test(operation.family),
  );
  return ofKind[at % ofKind.length] ?? [];
});

describe('a data request', () => {
  it.each(pickCases(bulkOperations, 2).map((operation) => [operation.path, operation] as const))(
    'by %s can be created, listed and downloaded, and is charged to the team',
    async (_, { kind, family }) => {
      const before = await getSpending();
      const body = bodies[kind](family.startsWith('emp') ? 'p' : 'c');
      const file = await callDropIn((await completeRequest(`${family}/${kind}`, body)).file);
      expect(file.headers.get('content-type')).toBe('application/gzip');
      const text = await new Response(file.body?.pipeThrough(new DecompressionStream('gzip'))).text();
      const lines = text.trim().split('\n');
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ id: expect.any(Number) });
      await expect
        .poll(getSpending)
        .toEqual({ spent: before.spent + lines.length * 10, reserved: before.reserved });
    },
  );

  it('returns 202 until its files are ingested, and shows them only to its team', async () => {
    await beginLongRuns();
    const id = await readId(await callDropIn('company_clean/ids', bodies.ids('c')));
    const early = await callDropIn(`${id}/files`);
    expect(early.status).toBe(202);
    expect(await early.json()).toEqual({ message: 'Data request is still being processed' });
    await endRuns();
    const { data_request_files: names } = await (await waitForFiles(id)).json<{
      data_request_files: string[];
    }>();
    const otherToken = await addTeam('other', null);
    expect((await callDropIn(`${id}/files`, {}, otherToken)).status).toBe(404);
    expect((await callDropIn(`${id}/files/${names[0]}`, {}, otherToken)).status).toBe(404);
    for (const name of ['..%2f..%2fx', '%2e%2e', 'part-00000-x.json.gz', `${names[0]}%00`]) {
      expect((await callDropIn(`${id}/files/${name}`)).status).toBe(404);
    }
  });

  it('with another limit than a running one of the same query is its own order, charged for what it delivers', async () => {
    await beginLongRuns();
    const order = (more: object): Promise<Response> =>
      callDropIn('company_base/filter', json({ filters: { industry: 'Even' }, ...more }));
    const before = await getSpending();
    const running = await Promise.all(
      [await order({}), await order({ limit: 9_000 }), await order({ limit: 1 })].map(readId),
    );
    for (const repeated of [{}, { limit: 9_000 }, { limit: 1 }])
      expect((await order(repeated)).status).toBe(409);
    await endRuns();
    const lists = await Promise.all(running.map(waitForFiles));
    expect(lists.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { requests } = await (await call('/sheets/v1/requests?limit=10')).json<{
      requests: DataRequestView[];
    }>();
    const delivered = requests.filter(({ ended_at, rows }) => ended_at !== null && rows > 0).slice(0, 3);
    const [one = 0, ...all] = delivered.map(({ rows }) => rows).toSorted((a, b) => a - b);
    expect([one, new Set(all).size]).toEqual([1, 1]);
    const charged = 10 * (one + (all[0] ?? 0) * 2);
    await expect.poll(getSpending).toEqual({ spent: before.spent + charged, reserved: before.reserved });
  });

  // Provider API, "Bulk": "402 appears on GET files."
  it('returns 402 for its files while the provider’s account is empty, and continues afterwards', async () => {
    await control({ balance: 0 });
    const id = await readId(await callDropIn('company_clean/ids', bodies.ids('c')));
    const unpaid = await waitForFiles(id);
    expect(unpaid.status).toBe(402);
    expect(await unpaid.json()).toEqual({ detail: 'Insufficient credits' });
    expect(unpaid.headers.get('x-credits-charged')).toBe('0');
    const list = await call('/sheets/v1/requests?limit=1');
    const { requests } = await list.json<{ requests: DataRequestView[] }>();
    expect(requests[0]).toMatchObject({
      ended_at: null,
      problem: { code: 'provider_out_of_credits', detail: 'Insufficient credits.' },
    });
    await control({ balance: 10_000_000 });
    await vi.waitFor(async () => expect((await callDropIn(`${id}/files`)).status).toBe(200), {
      timeout: 50_000,
      interval: 50,
    });
  });

  describe('older than 30 days', () => {
    let [id, file] = ['', ''];
    beforeAll(async () => {
      ({ id, file } = await completeRequest('company_clean/ids', bodies.ids('c')));
    });

    async function expectMissing(path: string): Promise<void> {
      const answer = await callDropIn(path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ detail: expect.any(String) });
    }

    const failures = [
      [429, 'rate_limited'],
      [500, 'provider_unavailable'],
      [402, 'provider_out_of_credits'],
    ] as const;
    it.each(pickCases(failures, 1))(
      'is distinguished from a provider that returns %i for a file',
      async (status, problem) => {
        await control({ faults: [{ operation: 'download', status, body: '{"detail":"no"}', times: 1 }] });
        const answer = await callDropIn(file);
        expect(answer.status).toBe(status);
        expect(answer.headers.get('x-problem')).toBe(problem);
        expect((await callDropIn(file)).status).toBe(200);
      },
    );

    // Provider API, "Status list": "404 (unknown record; unknown path […]; a data request older than 30 days)".
    it('returns 404 for a file that the provider has deleted', async () => {
      await control({ clock_offset_s: 31 * 86_400 });
      await expectMissing(file);
      await control({ clock_offset_s: 0 });
    });

    it('returns 404 for files that are not cleared here yet', async () => {
      const createdAt = Date.now() - 30 * 86_400_000 - 1;
      await env.DB.prepare('UPDATE requests SET created_at = ? WHERE provider_id = ?')
        .bind(createdAt, id)
        .run();
      await expectMissing(`${id}/files`);
      await expectMissing(file);
    });
  });

  it('above the budget is refused before it is sent', async () => {
    const token = await addTeam('poor-drop-in', 5);
    const answer = await callDropIn('company_clean/ids', bodies.ids('c'), token);
    expect(answer.status).toBe(402);
    expect(await answer.json()).toEqual({ detail: 'Insufficient credits' });
    expect(await getSpending('poor-drop-in')).toEqual({ spent: 0, reserved: 0 });
  });
});

describe('invalid input', () => {
  const many = Array.from({ length: 10_001 }, (_, at) => ['ids', String(at + 1)] as const);
  const names = ['a', 'A'].map((name) => ['shorthand_names', name] as const);
  const url = [['urls', 'https://acme.example/']] as const;
  const filter = (body: unknown) => ['company_base/filter', json(body)] as const;
  it.each([
    ['10,001 ids', 'company_clean/ids', form(many), ['body', 'ids']],
    ['no ids', 'company_clean/ids', form([['other', '1']]), ['body', 'ids']],
    ['a heading in the file', 'employee_clean/id_file', form([idsFile('id\n1\n')]), ['body', 'ids_file', 1]],
    ['a text for a file', 'employee_clean/id_file', form([['ids_file', '1']]), ['body', 'ids_file']],
    ['no form', 'company_clean/ids', json({ ids: [1] }), ['header', 'content-type']],
    ['a duplicate name', 'company_clean/shorthand_names', form(names), ['body', 'shorthand_names', 1]],
    ['a URL of no profile', 'company_clean/urls', form(url), ['body', 'urls', 0]],
    ['a limit of -1', ...filter({ filters: {}, limit: -1 }), ['body', 'limit']],
    ['no filters', ...filter({ limit: 1 }), ['body', 'filters']],
    [
      'a private webhook',
      ...filter({ filters: {}, webhook_url: 'https://10.0.0.1/x' }),
      ['body', 'webhook_url'],
    ],
    [
      'a webhook by http',
      ...filter({ filters: {}, webhook_url: 'http://a.example/x' }),
      ['body', 'webhook_url'],
    ],
    ['an empty webhook', ...filter({ filters: {}, webhook_url: '' }), ['body', 'webhook_url']],
    ['an unknown filter', ...filter({ filters: { nam: 'x' } }), ['body', 'filters', 'nam']],
    ['a duplicate filter', ...filter('{"filters":{"name":"a","name":"b"}}'), ['body', 'filters', 'name']],
  ])('%s is refused in the service’s shape, without a reservation', async (_, path, init, loc) => {
    const before = await getSpending();
    const answer = await callDropIn(path, init);
    expect(answer.status).toBe(422);
    const { detail } = await answer.json<{ detail: { loc: unknown[]; msg: string; type: string }[] }>();
    expect(detail[0]).toMatchObject({ loc, msg: expect.any(String), type: expect.any(String) });
    expect(await getSpending()).toEqual(before);
  });

  it.each([
    ['broken JSON', 'company_base/filter', '{"filters": {', 422, 'value_error.jsondecode'],
    ['an invalid query', 'company_clean/es_dsl', '{"es_dsl_query":{"query":{"nothing":{}}}}', 400, 'nothing'],
  ])('%s is refused with the provider’s message', async (_, path, body, status, message) => {
    const answer = await callDropIn(path, json(body));
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(message);
  });
});
