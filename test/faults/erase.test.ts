// An erasure leaves nothing in KV, database, objects and files, and no key buys the company again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErasureView } from '../../shared/api/admin-erasures.ts';
import type { RecordView } from '../../shared/api/admin-records.ts';
import type { PreviewResponse } from '../../shared/api/search.ts';
import type { WorkerName } from './cluster/cluster.ts';
import { findInFiles, isWalFile } from './cluster/stored.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** Only records of the company contain it. */
const MARKER = 'Marker of the erased one';
const ID = 4711;
const WEBSITE = 'erased.example';
const NAME = 'erased-company';
const PROFILE = `https://network.example/company/${NAME}`;
const OTHER = 'other.example';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  const { settings } = gateway.provider;
  settings.recordsByKey = {
    [WEBSITE]: {
      id: ID,
      name: MARKER,
      websites_main: WEBSITE,
      websites_professional_network_canonical: PROFILE,
    },
    [NAME]: { id: ID, name: MARKER, website: `https://${WEBSITE}/`, canonical_shorthand_name: NAME },
  };
  settings.searchResults = [
    [ID, MARKER],
    [12, 'Other'],
  ].map(([id, name]) => ({ id: Number(id), name, company_name: name }));
});
afterAll(async () => {
  await gateway?.close();
});

async function preview(worker: WorkerName): Promise<PreviewResponse> {
  const response = await fetch(`${gateway.cluster.url(worker)}/sheets/v1/preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}` },
    body: JSON.stringify({ family: 'company_clean', text: 'acme', fields: ['id', 'name'] }),
  });
  return JSON.parse(await response.text());
}

/** Dumps everything behind the bindings as text. */
async function dumpAll(): Promise<string> {
  const { run } = gateway.cluster;
  const objects = ['SINGLE_FLIGHT', 'LEDGER', 'PROVIDER_THROTTLE'] as const;
  return JSON.stringify(
    await Promise.all([
      run({ run: 'dump_kv' }),
      run({ run: 'dump_sql' }),
      ...objects.map((object) => run({ run: 'dump_objects', object })),
    ]),
  );
}

const keys: [by: 'website' | 'id' | 'shorthand_name' | 'url', key: string][] = [
  ['website', WEBSITE],
  ['id', String(ID)],
  ['shorthand_name', NAME],
  ['url', PROFILE],
];

it('deletes the company from KV, database, objects and files, and refuses every key without a call', async () => {
  const { provider, cluster, lookup, get, admin } = gateway;
  // Only through one Worker, so that the other has nothing in memory.
  await lookup('one', { family: 'company_clean', by: 'website', keys: [WEBSITE, OTHER] });
  await lookup('one', { family: 'company_base', by: 'shorthand_name', keys: [NAME] });
  expect((await preview('one')).rows).toHaveLength(2);
  await expect.poll(dumpAll).toContain(MARKER);
  const searchFiles = () => findInFiles(cluster.folder, [MARKER], isWalFile);
  await expect.poll(searchFiles).toEqual([MARKER]);

  const erasure = await admin<ErasureView>('DELETE', `records/company_clean/${WEBSITE}`);
  expect(erasure.removed).toMatchObject({ pages: 1 });
  const dump = await dumpAll();
  for (const text of [MARKER, WEBSITE, NAME]) expect.soft(dump.includes(text), text).toBe(false);
  expect(dump).toContain(`Record of ${OTHER}`);
  expect.soft(await searchFiles()).toEqual([]);

  const calls = provider.calls.length;
  for (const family of ['company_clean', 'company_base', 'company_multi_source'] as const) {
    for (const [by, key] of keys) {
      if (by === 'website' && family === 'company_base') continue;
      const { rows } = await lookup('two', { family, by, keys: [key] });
      const erased = { status: 'failed', problem: 'erased', credits: 0 };
      expect.soft(rows, `${family} ${by}`).toMatchObject([erased]);
    }
  }
  expect(await get('two', `company_clean/enrich?website=${WEBSITE}`)).toMatchObject({ status: 410 });
  expect(provider.calls).toHaveLength(calls);
  const record = await admin<RecordView>('GET', `records/company_clean/${ID}`);
  expect(record).toMatchObject({ erased: true, cached: null });
});

it('removes the company from new previews, and refuses it after SIGKILL', async () => {
  const { cluster, lookup, provider } = gateway;
  expect((await preview('two')).rows).toEqual([[12, 'Other']]);
  await cluster.kill();
  await cluster.start();
  const calls = provider.calls.length;
  for (const worker of ['one', 'two'] as const) {
    const all = keys.map(([, key]) => key);
    const { rows } = await lookup(worker, { family: 'company_clean', by: 'auto', keys: all });
    expect(rows.map(({ problem }) => problem)).toEqual(keys.map(() => 'erased'));
  }
  expect(provider.calls).toHaveLength(calls);
  expect(await dumpAll()).not.toContain(MARKER);
});
