// Data requests over HTTP, from the order to the files.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BulkOperation, operations } from '../../../../shared/operations.ts';
import { getAccount } from '../../../../worker/sandbox/account/account.ts';
import { controlDefaults } from '../../../../worker/sandbox/account/control.ts';
import { getRequests } from '../../../../worker/sandbox/requests/requests-object.ts';
import { assumptions } from '../assumptions.ts';
import { call, control, idsFile, orderForm, orderJson, put } from '../client.ts';
import { readLines } from './harness.ts';

const BALANCE = 1_000;
const HOUR_MS = 3_600_000;
const NETWORK = 'https://network.example';

/** One operation for each kind of data request, of companies and of people. */
const bulkOperations = operations
  .flatMap((operation) => (operation.name === 'bulk' ? [operation] : []))
  .filter(
    ({ kind, family }, at, all) =>
      all.findIndex((other) => other.kind === kind && other.family.startsWith(family.slice(0, 4))) === at,
  )
  .filter(({ family }) => !family.startsWith('job'));
const getProfilePath = (family: string): string => (family.startsWith('company') ? 'company' : 'in');

/** Orders records 1 and 2, by kind of data request. */
const orders: Readonly<Record<BulkOperation['kind'], (family: string) => Promise<Response>>> = {
  filter: (family) => orderJson(`${family}/filter`, { filters: {} }),
  es_dsl: (family) => orderJson(`${family}/es_dsl`, { es_dsl_query: { query: { match_all: {} } } }),
  ids: (family) =>
    orderForm(`${family}/ids`, [
      ['ids', '1'],
      ['ids[]', '2'],
    ]),
  id_file: (family) => orderForm(`${family}/id_file`, [idsFile('1\n2\n')]),
  shorthand_names: (family) =>
    orderForm(
      `${family}/shorthand_names`,
      ['one', 'two'].map((name) => ['shorthand_names', name]),
    ),
  urls: (family) =>
    orderForm(
      `${family}/urls`,
      ['one', 'TWO/'].map((name) => ['urls', `${NETWORK}/${getProfilePath(family)}/${name}`]),
    ),
};

async function readId(response: Response): Promise<string> {
  expect(response.status).toBe(201);
  return (await response.json<{ request_id: string }>()).request_id;
}

const orderIds = async (...ids: string[]): Promise<string> =>
  readId(
    await orderForm(
      'company_clean/ids',
      ids.map((id) => ['ids', id]),
    ),
  );
const getFiles = (id: string) => call(`/cdapi/v2/data_requests/${id}/files`);
const getFile = (id: string, name: string) => call(`/cdapi/v2/data_requests/${id}/files/${name}`);
const readBalance = async () => (await getAccount(env).getState()).balance;

/** Waits until a request is ready and returns its file names. */
async function waitForFiles(id: string): Promise<string[]> {
  const response = await vi.waitFor(
    async () => {
      const current = await getFiles(id);
      expect(current.status).not.toBe(202);
      return current;
    },
    { timeout: 50_000, interval: 20 },
  );
  expect(response.status).toBe(200);
  return (await response.json<{ data_request_files: string[] }>()).data_request_files;
}

async function readRecords(id: string): Promise<unknown[]> {
  const [name = ''] = await waitForFiles(id);
  return readLines((await getFile(id, name)).body);
}

beforeAll(async () => {
  for (const family of ['company_clean', 'employee_clean']) {
    const url = `${NETWORK}/${getProfilePath(family)}`;
    await put(family, [
      { id: 1, name: 'One', websites_professional_network: `${url}/one` },
      { id: 2, name: 'Two', websites_professional_network: `${url}/two` },
    ]);
  }
  for (const family of ['company_base', 'employee_base', 'job_base'])
    await put(family, [
      { id: 1, shorthand_name: 'one' },
      { id: 2, shorthand_name: 'two' },
    ]);
});

beforeEach(async () => {
  await control({ ...controlDefaults, balance: BALANCE, rate_per_s: 10_000, run_ms: 0 });
});

it.each(bulkOperations.map((operation) => [operation.path, operation] as const))(
  '%s delivers the records and charges each',
  async (_, { kind, family, credits }) => {
    const response = await orders[kind](family);
    const location = response.headers.get('location');
    const id = await readId(response);
    expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(location).toBe(`/v2/data_requests/${id}/files`);
    const [name = '', ...others] = await waitForFiles(id);
    expect(others).toEqual([]);
    expect(name).toMatch(/^part-00000-[0-9a-f-]{36}\.json\.gz$/);
    const download = await getFile(id, name);
    expect(download.status).toBe(200);
    expect(download.headers.get('content-type')).toBe('application/gzip');
    expect(download.headers.get('content-encoding')).toBeNull();
    expect(await readLines(download.body)).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(BALANCE - (await readBalance())).toBe(2 * credits);
    // A second download is free.
    expect((await getFile(id, name)).status).toBe(200);
    expect(BALANCE - (await readBalance())).toBe(2 * credits);
  },
);

describe('a data request', () => {
  it('returns 202 while it runs', async () => {
    await control({ run_ms: HOUR_MS });
    const response = await getFiles(await orderIds('1'));
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ message: 'Data request is still being processed' });
  });

  it('continues after its object is evicted', async () => {
    await control({ run_ms: 300 });
    const id = await orderIds('1');
    await evictDurableObject(getRequests(env));
    expect(await waitForFiles(id)).toHaveLength(1);
  });

  it('is scheduled again if the alarm was lost', async () => {
    await control({ run_ms: HOUR_MS });
    await orderIds('1');
    const stub = getRequests(env);
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm());
    await evictDurableObject(stub);
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).not.toBeNull();
  });

  it.each([
    ['company_base/filter', { filters: {}, limit: 1 }],
    ['company_clean/es_dsl', { es_dsl_query: { query: { match_all: {} } }, limit: 1 }],
  ])('%s delivers and charges up to the limit', async (path, body) => {
    expect(await readRecords(await readId(await orderJson(path, body)))).toMatchObject([{ id: 1 }]);
    expect(await readBalance()).toBe(BALANCE - 10);
  });

  it(assumptions.repeatedIds, async () => {
    expect(await readRecords(await orderIds('1', '01', '1'))).toHaveLength(1);
    expect(await readBalance()).toBe(BALANCE - 10);
  });

  it.each([
    ['shorthand_names', '20200'],
    ['urls', `${NETWORK}/company/20200`],
  ])('by %s treats digits as a name', async (kind, value) => {
    await put('company_clean', [
      { id: 30, websites_professional_network: `${NETWORK}/company/20200` },
      { id: 20200, name: 'Of that id' },
    ]);
    const id = await readId(await orderForm(`company_clean/${kind}`, [[kind, value]]));
    expect(await readRecords(id)).toMatchObject([{ id: 30 }]);
  });

  it(assumptions.identicalRequests, async () => {
    await control({ run_ms: HOUR_MS });
    const order = (body: object) => orderJson('company_base/filter', body);
    const filters = { name: 'identical', industry: 'robots' };
    expect((await order({ filters, limit: 5 })).status).toBe(201);
    const reordered = { industry: 'robots', name: 'identical' };
    const again = await order({ webhook_url: 'https://hooks.example/', limit: 5, filters: reordered });
    expect(again.status).toBe(409);
    expect(await again.json()).toEqual({ detail: 'Identical data request is already in progress.' });
    expect((await order({ filters })).status).toBe(201);
    expect((await order({ filters, limit: 6 })).status).toBe(201);
    const dsl = { es_dsl_query: { query: { match: { name: 'identical' } } } };
    expect((await orderJson('company_base/es_dsl', dsl)).status).toBe(201);
    expect((await orderJson('company_clean/es_dsl', dsl)).status).toBe(201);
    expect((await orderJson('company_clean/es_dsl', dsl)).status).toBe(409);
    // Lists of ids may run twice.
    expect(await orderIds('1')).not.toBe(await orderIds('1'));
  });

  it('is a 404 after 30 days of the provider’s clock', async () => {
    const id = await orderIds('1');
    const [name = ''] = await waitForFiles(id);
    await control({ clock_offset_s: 30 * 86_400 + 60 });
    const responses = [await getFiles(id), await getFile(id, name)];
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(await responses[0]?.json()).toEqual({ detail: 'Data request not found' });
  });

  it.each(['x', '00000000-0000-4000-8000-000000000000', "'--"])(
    'is a 404 for an unknown id (%s)',
    async (id) => {
      expect((await getFiles(id)).status).toBe(404);
    },
  );

  it(assumptions.unlistedFile, async () => {
    const [one, two] = [await orderIds('1'), await orderIds('2')];
    await waitForFiles(two);
    const names = [
      ...(await waitForFiles(one)),
      'part-00000-00000000-0000-4000-8000-000000000000.json.gz',
      ...['..%2F..%2Fsecret', '%2e%2e%2f%2e%2e%2fx', '..%5C..%5Cx', '%00', '%ff', 'a%2Fb', 'x'.repeat(2_000)],
    ];
    for (const name of names) expect((await getFile(two, name)).status, name).toBe(404);
  });

  it.each([
    ['PUT', '/cdapi/v2/data_requests/company_clean/ids', 500],
    ['POST', '/cdapi/v2/data_requests/x/files', 500],
    ['DELETE', '/cdapi/v2/data_requests/x/files/y', 500],
    ['POST', '/cdapi/v2/data_requests/company_clean/id_file', 404],
    ['POST', '/cdapi/v2/data_requests/employee_post/ids', 404],
    ['POST', '/cdapi/v2/data_requests/nothing/filter', 404],
  ])('%s %s is a %i', async (method, path, status) => {
    expect((await call(path, { method })).status).toBe(status);
  });
});
