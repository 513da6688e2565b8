// Data requests through the drop-in surface: the service's own paths, bodies and ids, with a team token.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import { type BulkOperation, operations } from '../../../shared/operations.ts';
import { control } from '../sandbox/client.ts';
import { addTeam, call, getSpending, importCompanies } from './bulk.ts';

beforeAll(() => importCompanies());

const through = (path: string, init: RequestInit = {}, token = env.TEAM_TOKEN): Promise<Response> =>
  worker.default.fetch(`http://127.0.0.1/cdapi/v2/data_requests/${path}`, {
    ...init,
    headers: { apikey: token, ...init.headers },
  });

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

/** Waits until the files of a data request are there, or there will be none. */
function ended(id: string): Promise<Response> {
  return vi.waitFor(
    async () => {
      const response = await through(`${id}/files`);
      expect(response.status).not.toBe(202);
      return response;
    },
    { timeout: 20_000, interval: 50 },
  );
}

async function idOf(response: Response): Promise<string> {
  expect(response.status).toBe(201);
  const { request_id: id } = await response.json<{ request_id: string }>();
  expect(response.headers.get('location')).toBe(`/v2/data_requests/${id}/files`);
  return id;
}

/** A body of each kind that finds something. */
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

const asked = operations.flatMap((operation) =>
  operation.name === 'bulk' && /^(?:company_clean|company_base|employee_clean)$/.test(operation.family)
    ? [operation]
    : [],
);

describe('a data request', () => {
  it.each(asked.map((operation) => [operation.path, operation] as const))(
    'by %s is made, listed and downloaded as the service has it, and paid by the team',
    async (_, { kind, family }) => {
      const before = await getSpending();
      const id = await idOf(
        await through(`${family}/${kind}`, bodies[kind](family.startsWith('emp') ? 'p' : 'c')),
      );
      const list = await ended(id);
      expect(list.status).toBe(200);
      const { data_request_files: names } = await list.json<{ data_request_files: string[] }>();
      expect(names).toHaveLength(1);
      const file = await through(`${id}/files/${names[0]}`);
      expect(file.headers.get('content-type')).toBe('application/gzip');
      const text = await new Response(file.body?.pipeThrough(new DecompressionStream('gzip'))).text();
      const records = text
        .trim()
        .split('\n')
        .map((line): { id: number } => JSON.parse(line));
      expect(records.length).toBeGreaterThan(0);
      await expect
        .poll(getSpending)
        .toEqual({ spent: before.spent + records.length * 10, held: before.held });
    },
  );

  it('is still being processed until its files are here, and its files are its team’s alone', async () => {
    await control({ run_ms: 1_500 });
    const id = await idOf(await through('company_clean/ids', bodies.ids('c')));
    const early = await through(`${id}/files`);
    expect(early.status).toBe(202);
    expect(await early.json()).toEqual({ message: 'Data request is still being processed' });
    const { data_request_files: names } = await (await ended(id)).json<{ data_request_files: string[] }>();
    const stranger = await addTeam('other', null);
    expect((await through(`${id}/files`, {}, stranger)).status).toBe(404);
    expect((await through(`${id}/files/${names[0]}`, {}, stranger)).status).toBe(404);
    for (const name of ['..%2f..%2fx', '%2e%2e', 'part-00000-x.json.gz', `${names[0]}%00`]) {
      expect((await through(`${id}/files/${name}`)).status).toBe(404);
    }
    await control({ run_ms: 0 });
  });

  it('that an identical one is running for is refused in the provider’s words, and costs nothing', async () => {
    await control({ run_ms: 2_000 });
    const body = json({ filters: { industry: 'Even' } });
    const id = await idOf(await through('company_base/filter', body));
    const held = await getSpending();
    const second = await through('company_base/filter', body);
    expect(second.status).toBe(409);
    expect(await second.json()).toEqual({ detail: 'Identical data request is already in progress.' });
    await expect.poll(getSpending).toEqual(held);
    await ended(id);
    await control({ run_ms: 0 });
  });

  // contract.md, "Bulk": "402 appears on GET files."
  it('that the provider’s account can’t pay answers 402 on GET files, says so in the sidebar, and goes on when it can', async () => {
    await control({ balance: 0 });
    const id = await idOf(await through('company_clean/ids', bodies.ids('c')));
    const unpaid = await ended(id);
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
    await vi.waitFor(async () => expect((await through(`${id}/files`)).status).toBe(200), {
      timeout: 40_000,
      interval: 200,
    });
  });

  describe('older than 30 days', () => {
    const DAY_MS = 86_400_000;

    async function ready(): Promise<{ id: string; file: string }> {
      const id = await idOf(await through('company_clean/ids', bodies.ids('c')));
      const { data_request_files: names } = await (await ended(id)).json<{ data_request_files: string[] }>();
      return { id, file: `${id}/files/${names[0]}` };
    }

    async function expectMissing(path: string): Promise<void> {
      const answer = await through(path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ detail: expect.any(String) });
    }

    // contract.md, "Status list": "404 (unknown record; unknown path […]; a data request older than 30 days)".
    it('answers 404 for a file that the provider has no longer', async () => {
      const { file } = await ready();
      await control({ clock_offset_s: 31 * 86_400 });
      await expectMissing(file);
      await control({ clock_offset_s: 0 });
    });

    it('answers 404 for its files before they are cleared here', async () => {
      const { id, file } = await ready();
      const made = Date.now() - 30 * DAY_MS - 1;
      await env.DB.prepare('UPDATE requests SET created_at = ? WHERE provider_id = ?').bind(made, id).run();
      await expectMissing(`${id}/files`);
      await expectMissing(file);
    });

    it.each([
      [429, 'rate_limited'],
      [500, 'provider_unavailable'],
      [402, 'provider_out_of_credits'],
    ])('is one thing, a provider that answers %i for a file another', async (status, problem) => {
      const { file } = await ready();
      await control({ faults: [{ operation: 'download', status, body: '{"detail":"no"}', times: 1 }] });
      const answer = await through(file);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-problem')).toBe(problem);
      expect((await through(file)).status).toBe(200);
    });
  });

  it('for more than the budget has is refused before it is sent', async () => {
    const token = await addTeam('poor', 5);
    const answer = await through('company_clean/ids', bodies.ids('c'), token);
    expect(answer.status).toBe(402);
    expect(await answer.json()).toEqual({ detail: 'Insufficient credits' });
    expect(await getSpending('poor')).toEqual({ spent: 0, held: 0 });
  });
});

describe('bad input', () => {
  const many = Array.from({ length: 10_001 }, (_, at) => ['ids', String(at + 1)] as const);
  it.each([
    ['10,001 ids', 'company_clean/ids', form(many), ['body', 'ids']],
    ['no ids', 'company_clean/ids', form([['other', '1']]), ['body', 'ids']],
    ['a heading in the file', 'employee_clean/id_file', form([idsFile('id\n1\n')]), ['body', 'ids_file', 1]],
    ['a text for a file', 'employee_clean/id_file', form([['ids_file', '1']]), ['body', 'ids_file']],
    ['no form', 'company_clean/ids', json({ ids: [1] }), ['header', 'content-type']],
    [
      'a name twice',
      'company_clean/shorthand_names',
      form([
        ['shorthand_names', 'a'],
        ['shorthand_names', 'A'],
      ]),
      ['body', 'shorthand_names', 1],
    ],
    [
      'a URL of no profile',
      'company_clean/urls',
      form([['urls', 'https://acme.example/']]),
      ['body', 'urls', 0],
    ],
    ['a limit of -1', 'company_base/filter', json({ filters: {}, limit: -1 }), ['body', 'limit']],
    ['no filters', 'company_base/filter', json({ limit: 1 }), ['body', 'filters']],
    [
      'a private webhook',
      'company_base/filter',
      json({ filters: {}, webhook_url: 'https://10.0.0.1/x' }),
      ['body', 'webhook_url'],
    ],
    [
      'a webhook without TLS',
      'company_base/filter',
      json({ filters: {}, webhook_url: 'http://acme.example/x' }),
      ['body', 'webhook_url'],
    ],
    ['an unknown filter', 'company_base/filter', json({ filters: { nam: 'x' } }), ['body', 'nam']],
    ['a filter twice', 'company_base/filter', json('{"filters":{"name":"a","name":"b"}}'), ['body', 'name']],
  ])('%s is refused as the service refuses it, before any credit is held', async (_, path, init, loc) => {
    const before = await getSpending();
    const answer = await through(path, init);
    expect(answer.status).toBe(422);
    const { detail } = await answer.json<{ detail: { loc: unknown[]; msg: string; type: string }[] }>();
    expect(detail[0]).toMatchObject({ loc, msg: expect.any(String), type: expect.any(String) });
    expect(await getSpending()).toEqual(before);
  });

  it('broken JSON is told by its place', async () => {
    const answer = await through('company_base/filter', json('{"filters": {'));
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ type: 'value_error.jsondecode' }] });
  });

  it('a broken query is refused in the provider’s words', async () => {
    const answer = await through('company_clean/es_dsl', json({ es_dsl_query: { query: { nothing: {} } } }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ Error: expect.stringContaining('nothing') });
  });
});
