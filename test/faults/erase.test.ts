// Nothing is left of who was erased: not in KV, the database, objects or files, and by no key is it bought again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErasureView, RecordView } from '../../shared/api/admin-records.ts';
import type { PreviewResponse } from '../../shared/api/search.ts';
import type { WorkerName } from './cluster/cluster.ts';
import { findInFiles, isWalFile } from './cluster/stored.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** Stands in every record of the company, and nowhere else. */
const MARKER = 'Marker of the erased one';
const ID = 4711;
const WEBSITE = 'erased.example';
const NAME = 'erased-company';
const PROFILE = `https://network.example/company/${NAME}`;
const KEPT = 'kept.example';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  const { settings } = gateway.provider;
  const clean = {
    id: ID,
    name: MARKER,
    websites_main: WEBSITE,
    websites_professional_network_canonical: PROFILE,
  };
  const base = { id: ID, name: MARKER, website: `https://${WEBSITE}/`, canonical_shorthand_name: NAME };
  settings.recordsByKey = { [WEBSITE]: clean, [NAME]: base };
  settings.searchResults = [
    { id: ID, company_name: MARKER },
    { id: 12, company_name: 'Kept in the preview' },
  ].map((item) => ({ ...item, name: item.company_name }));
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

/** Everything that is stored behind the bindings, as text. */
async function everything(): Promise<string> {
  const { run } = gateway.cluster;
  const parts = [
    run({ run: 'kv_all' }),
    run({ run: 'sql_all' }),
    ...(['SINGLE_FLIGHT', 'LEDGER', 'PROVIDER_THROTTLE'] as const).map((object) =>
      run({ run: 'stored', object }),
    ),
  ];
  return JSON.stringify(await Promise.all(parts));
}

const ways: [by: 'website' | 'id' | 'shorthand_name' | 'url', key: string][] = [
  ['website', WEBSITE],
  ['id', String(ID)],
  ['shorthand_name', NAME],
  ['url', PROFILE],
];

it('who is erased is gone from KV, database and objects, and is refused by every key without a call to the provider', async () => {
  const { provider, cluster, lookup, get, admin } = gateway;
  // Through one Worker alone, so that the other has nothing of it in its memory.
  await lookup('one', { family: 'company_clean', by: 'website', keys: [WEBSITE, KEPT] });
  await lookup('one', { family: 'company_base', by: 'shorthand_name', keys: [NAME] });
  expect((await preview('one')).rows).toHaveLength(2);
  await expect.poll(everything, { timeout: 30_000 }).toContain(MARKER);
  await expect
    .poll(() => findInFiles(cluster.folder, [MARKER], isWalFile), { timeout: 30_000 })
    .toEqual([MARKER]);

  const erasure = await admin<ErasureView>('DELETE', `records/company_clean/${WEBSITE}`);
  expect(erasure.removed).toMatchObject({ pages: 1 });
  const left = await everything();
  for (const text of [MARKER, WEBSITE, NAME]) expect.soft(left.includes(text), text).toBe(false);
  expect(left).toContain(`Record of ${KEPT}`);
  expect.soft(await findInFiles(cluster.folder, [MARKER], isWalFile), 'bytes of stored files').toEqual([]);

  const calls = provider.calls.length;
  for (const family of ['company_clean', 'company_base', 'company_multi_source'] as const) {
    for (const [by, key] of ways) {
      if (by === 'website' && family === 'company_base') continue;
      const { rows } = await lookup('two', { family, by, keys: [key] });
      expect
        .soft(rows, `${family} ${by}`)
        .toMatchObject([{ status: 'failed', problem: 'erased', credits: 0 }]);
    }
  }
  expect(await get('two', `company_clean/enrich?website=${WEBSITE}`)).toMatchObject({ status: 410 });
  expect(provider.calls).toHaveLength(calls);
  const shown = await admin<RecordView>('GET', `records/company_clean/${ID}`);
  expect(shown).toMatchObject({ erased: true, remembered: null });
});

it('a preview that is bought again has no row of it, and the refusal outlives kill -9', async () => {
  const { cluster, lookup, provider } = gateway;
  expect((await preview('two')).rows).toEqual([[12, 'Kept in the preview']]);
  await cluster.kill();
  await cluster.start();
  const calls = provider.calls.length;
  for (const worker of ['one', 'two'] as const) {
    const { rows } = await lookup(worker, {
      family: 'company_clean',
      by: 'auto',
      keys: ways.map(([, key]) => key),
    });
    expect(rows.map(({ problem }) => problem)).toEqual(ways.map(() => 'erased'));
  }
  expect(provider.calls).toHaveLength(calls);
  expect(await everything()).not.toContain(MARKER);
});

it('what the provider says under a key that was not known yet is not passed on either', async () => {
  const { provider, lookup } = gateway;
  const alias = 'another-site.example';
  provider.settings.recordsByKey = { ...provider.settings.recordsByKey, [alias]: { id: ID, name: MARKER } };
  const before = provider.calls.length;
  for (const _ of ['bought', 'refused']) {
    const { rows } = await lookup('one', { family: 'company_clean', by: 'website', keys: [alias] });
    expect(rows).toMatchObject([{ status: 'failed', problem: 'erased' }]);
  }
  expect(provider.calls).toHaveLength(before + 1);
  expect(await everything()).not.toContain(MARKER);
});
