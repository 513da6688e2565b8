// Data requests over HTTP, as the service's clients see them: from the order to the files.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BulkOperation, operations } from '../../../../shared/operations.ts';
import { getAccount } from '../../../../worker/sandbox/account/account-object.ts';
import { controlDefaults } from '../../../../worker/sandbox/account/control.ts';
import { assumptions } from '../../../../worker/sandbox/api/assumptions.ts';
import { getRequests } from '../../../../worker/sandbox/requests/requests-object.ts';
import { call, put } from '../client.ts';
import { control, idsFile, orderForm, orderJson } from './client.ts';
import { readLines } from './harness.ts';

const BALANCE = 1_000;

const bulk: BulkOperation[] = operations.flatMap((operation) =>
  operation.name === 'bulk' ? [operation] : [],
);

/** An order of every kind that finds records 1 and 2. */
const orders: Readonly<Record<BulkOperation['kind'], (operation: BulkOperation) => Promise<Response>>> = {
  filter: ({ family }) => orderJson(`${family}/filter`, { filters: {} }),
  es_dsl: ({ family }) => orderJson(`${family}/es_dsl`, { es_dsl_query: { query: { match_all: {} } } }),
  ids: ({ family }) =>
    orderForm(`${family}/ids`, [
      ['ids', '1'],
      ['ids[]', '2'],
    ]),
  id_file: ({ family }) => orderForm(`${family}/id_file`, [idsFile('1\n2\n')]),
  shorthand_names: ({ family }) =>
    orderForm(`${family}/shorthand_names`, [
      ['shorthand_names', 'one'],
      ['shorthand_names', 'two'],
    ]),
  urls: ({ family }) => {
    const path = family.startsWith('company') ? 'company' : 'in';
    return orderForm(`${family}/urls`, [
      ['urls', `https://network.example/${path}/one`],
      ['urls', `https://network.example/${path}/TWO/`],
    ]);
  },
};

async function idOf(response: Response): Promise<string> {
  expect(response.status).toBe(201);
  return (await response.json<{ request_id: string }>()).request_id;
}

const files = (id: string) => call(`/cdapi/v2/data_requests/${id}/files`);
const file = (id: string, name: string) => call(`/cdapi/v2/data_requests/${id}/files/${name}`);

/** Waits until a request has ended. */
function ended(id: string): Promise<Response> {
  return vi.waitFor(
    async () => {
      const response = await files(id);
      expect(response.status).not.toBe(202);
      return response;
    },
    { timeout: 10_000, interval: 20 },
  );
}

async function fileNames(id: string): Promise<string[]> {
  const response = await ended(id);
  expect(response.status).toBe(200);
  return (await response.json<{ data_request_files: string[] }>()).data_request_files;
}

beforeAll(async () => {
  for (const [family, url] of [
    ['company_clean', 'websites_professional_network'],
    ['employee_clean', 'websites_professional_network'],
  ] as const) {
    const path = family === 'company_clean' ? 'company' : 'in';
    await put(family, [
      { id: 1, name: 'One', [url]: `https://network.example/${path}/one` },
      { id: 2, name: 'Two', [url]: `https://network.example/${path}/two` },
    ]);
  }
  await put('company_base', [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ]);
  await put('employee_base', [
    { id: 1, shorthand_name: 'one' },
    { id: 2, shorthand_name: 'two' },
  ]);
  await put('job_base', [
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ]);
});

beforeEach(async () => {
  await control({ ...controlDefaults, balance: BALANCE, rate_per_s: 10_000, run_ms: 0 });
});

describe.each(bulk.map((operation) => [operation.path, operation] as const))('%s', (_, operation) => {
  it('delivers the records and charges each', async () => {
    const response = await orders[operation.kind](operation);
    const location = response.headers.get('location');
    const id = await idOf(response);
    expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(location).toBe(`/v2/data_requests/${id}/files`);
    const [name = '', ...others] = await fileNames(id);
    expect(others).toEqual([]);
    expect(name).toMatch(/^part-00000-[0-9a-f-]{36}\.json\.gz$/);
    const download = await file(id, name);
    expect(download.status).toBe(200);
    expect(download.headers.get('content-type')).toBe('application/gzip');
    expect(download.headers.get('content-encoding')).toBeNull();
    if (download.body === null) throw new Error('the file has no body');
    expect(await readLines(download.body)).toMatchObject([{ id: 1 }, { id: 2 }]);
    const { balance } = await getAccount(env).getState();
    expect(BALANCE - balance).toBe(2 * operation.credits);
  });
});

describe('a data request', () => {
  it('that runs says so', async () => {
    await control({ run_ms: 3_600_000 });
    const id = await idOf(await orderForm('company_clean/ids', [['ids', '1']]));
    const response = await files(id);
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ message: 'Data request is still being processed' });
  });

  it('goes on after its object was put away', async () => {
    await control({ run_ms: 300 });
    const id = await idOf(await orderForm('company_clean/ids', [['ids', '1']]));
    await evictDurableObject(getRequests(env));
    expect(await fileNames(id)).toHaveLength(1);
  });

  it('is taken up again by an object whose alarm got lost', async () => {
    await control({ run_ms: 3_600_000 });
    await idOf(await orderForm('company_clean/ids', [['ids', '1']]));
    const stub = getRequests(env);
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm());
    await evictDurableObject(stub);
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).not.toBeNull();
  });

  it.each([
    ['company_base/filter', { filters: {}, limit: 1 }],
    ['company_clean/es_dsl', { es_dsl_query: { query: { match_all: {} } }, limit: 1 }],
  ])('for %s with a limit delivers and charges no more', async (path, body) => {
    const id = await idOf(await orderJson(path, body));
    const [name = ''] = await fileNames(id);
    const { body: content } = await file(id, name);
    if (content === null) throw new Error('the file has no body');
    expect(await readLines(content)).toMatchObject([{ id: 1 }]);
    expect((await getAccount(env).getState()).balance).toBe(BALANCE - 10);
  });

  it(assumptions.repeatedIds, async () => {
    const id = await idOf(
      await orderForm('company_clean/ids', [
        ['ids', '1'],
        ['ids', '01'],
        ['ids', '1'],
      ]),
    );
    expect(await fileNames(id)).toHaveLength(1);
    expect((await getAccount(env).getState()).balance).toBe(BALANCE - 10);
  });

  it.each([
    ['shorthand_names', '20200'],
    ['urls', 'https://network.example/company/20200'],
  ])('by %s takes digits for a name, not for an id', async (kind, value) => {
    await put('company_clean', [
      { id: 30, websites_professional_network: 'https://network.example/company/20200' },
      { id: 20200, name: 'Of that id' },
    ]);
    const id = await idOf(await orderForm(`company_clean/${kind}`, [[kind, value]]));
    const [name = ''] = await fileNames(id);
    const { body } = await file(id, name);
    if (body === null) throw new Error('the file has no body');
    expect(await readLines(body)).toMatchObject([{ id: 30 }]);
  });

  it('downloads for nothing, again and again', async () => {
    const id = await idOf(await orderForm('company_clean/ids', [['ids', '1']]));
    const [name = ''] = await fileNames(id);
    const { balance } = await getAccount(env).getState();
    const downloads = [await file(id, name), await file(id, name)];
    expect(downloads.map(({ status }) => status)).toEqual([200, 200]);
    expect((await getAccount(env).getState()).balance).toBe(balance);
  });

  it(assumptions.identicalRequests, async () => {
    await control({ run_ms: 3_600_000 });
    const order = (body: object) => orderJson('company_base/filter', body);
    const filters = { name: 'identical', industry: 'robots' };
    expect((await order({ filters, limit: 5 })).status).toBe(201);
    const again = await order({
      webhook_url: 'https://hooks.example/',
      limit: 5,
      filters: { industry: 'robots', name: 'identical' },
    });
    expect(again.status).toBe(409);
    expect(await again.json()).toEqual({ detail: 'Identical data request is already in progress.' });
    expect((await order({ filters })).status).toBe(201);
    expect((await order({ filters, limit: 6 })).status).toBe(201);
    const dsl = { es_dsl_query: { query: { match: { name: 'identical' } } } };
    expect((await orderJson('company_base/es_dsl', dsl)).status).toBe(201);
    expect((await orderJson('company_clean/es_dsl', dsl)).status).toBe(201);
    expect((await orderJson('company_clean/es_dsl', dsl)).status).toBe(409);
  });

  it('for the same ids may run twice at once', async () => {
    await control({ run_ms: 3_600_000 });
    const order = () => orderForm('company_clean/ids', [['ids', '1']]);
    expect([(await order()).status, (await order()).status]).toEqual([201, 201]);
  });

  it('older than 30 days is a 404, by the provider’s clock', async () => {
    const id = await idOf(await orderForm('company_clean/ids', [['ids', '1']]));
    const [name = ''] = await fileNames(id);
    await control({ clock_offset_s: 30 * 86_400 + 60 });
    const responses = [await files(id), await file(id, name)];
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(await responses[0]?.json()).toEqual({ detail: 'Data request not found' });
  });

  it('that never was is a 404', async () => {
    const responses = await Promise.all(['x', '00000000-0000-4000-8000-000000000000', "'--"].map(files));
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it.each([
    'part-00000-00000000-0000-4000-8000-000000000000.json.gz',
    '..%2F..%2Fsecret',
    '%2e%2e%2f%2e%2e%2fx',
    '..%5C..%5Cx',
    '%00',
    '%ff',
    'a%2Fb',
    'x'.repeat(2_000),
  ])(`${assumptions.unlistedFile} (%s)`, async (name) => {
    const id = await idOf(await orderForm('company_clean/ids', [['ids', '1']]));
    await fileNames(id);
    expect((await file(id, name)).status).toBe(404);
  });

  it('does not give the files of another', async () => {
    const [one, two] = [
      await idOf(await orderForm('company_clean/ids', [['ids', '1']])),
      await idOf(await orderForm('company_clean/ids', [['ids', '2']])),
    ];
    const [name = ''] = await fileNames(one);
    await fileNames(two);
    expect((await file(two, name)).status).toBe(404);
  });

  it.each([
    ['PUT', '/cdapi/v2/data_requests/company_clean/ids'],
    ['POST', '/cdapi/v2/data_requests/x/files'],
    ['DELETE', '/cdapi/v2/data_requests/x/files/y'],
  ])('asked with %s is a 500, as the service says it to a wrong method', async (method, path) => {
    expect((await call(path, { method })).status).toBe(500);
  });

  it.each(['company_clean/id_file', 'employee_post/ids', 'nothing/filter'])(
    'of a kind that the service lacks, %s, is an unknown path',
    async (path) => {
      const response = await orderJson(path, {});
      expect(response.status).toBe(404);
      expect(await response.text()).toBe('404 page not found');
    },
  );
});
