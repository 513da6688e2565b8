// Searches and writes: a search finds the records of one version.
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { RecordRepository } from '../../../worker/sandbox/record-repository.ts';
import type { Query } from '../../../worker/sandbox/search/query.ts';

const FAMILY = 'company_base';

/** Stores records by id and name. */
async function put(...records: readonly [id: string, name: string][]): Promise<void> {
  const { store } = new RecordRepository(env.SANDBOX_DB);
  await store.put(
    FAMILY,
    records.map(([id, name]) => ({ id, record: { id: BigInt(id), name } })),
  );
}

async function findIds(repository: RecordRepository, name: string): Promise<string[]> {
  const query: Query = { kind: 'term', field: 'name', value: name, boost: 1 };
  const { hits } = await repository.search(FAMILY, {
    query,
    size: 2000,
    sort: [{ field: '_id', order: 'asc' }],
  });
  return hits.map(({ id }) => id);
}

it('finds what other isolates have written', async () => {
  const repository = new RecordRepository(env.SANDBOX_DB);
  await put(['1', 'acme'], ['2', 'acme']);
  expect(await findIds(repository, 'acme')).toEqual(['1', '2']);
  await put(['2', 'other'], ['9007199254740993', 'acme']);
  expect(await findIds(repository, 'acme')).toEqual(['1', '9007199254740993']);
});

it('finds the records of all pages', async () => {
  const ids = Array.from({ length: 1001 }, (_, at) => String(at + 100));
  await put(...ids.map((id): [string, string] => [id, 'many']));
  expect(await findIds(new RecordRepository(env.SANDBOX_DB), 'many')).toEqual(ids);
});

it('repeats a search during which records are written', async () => {
  await put(['3', 'first'], ['4', 'first']);
  const repository = new RecordRepository(env.SANDBOX_DB);
  const { store } = repository;
  const read = store.readAll.bind(store);
  vi.spyOn(store, 'readAll').mockImplementationOnce(async function* (...range) {
    yield* read(...range);
    await put(['4', 'second'], ['5', 'first']);
  });
  expect(await findIds(repository, 'first')).toEqual(['3', '5']);
});

it('finds values of every type as they are stored', async () => {
  const repository = new RecordRepository(env.SANDBOX_DB);
  const name = 'a "quoted" \u0000 text';
  const company_locations_collection = [{ location_address: 'Here' }];
  const record = { id: 7n, name, founded: 1999, company_locations_collection };
  await repository.store.put(FAMILY, [{ id: '7', record }]);
  const address: Query = {
    kind: 'term',
    field: 'company_locations_collection.location_address.exact',
    value: 'Here',
    boost: 1,
  };
  const queries: Query[] = [
    { kind: 'term', field: 'name.exact', value: name, boost: 1 },
    { kind: 'term', field: 'founded', value: 1999, boost: 1 },
    { kind: 'nested', path: 'company_locations_collection', query: address, scoreMode: 'avg', boost: 1 },
  ];
  for (const query of queries)
    expect((await repository.search(FAMILY, { query, size: 1 })).hits.map(({ id }) => id)).toEqual(['7']);
});
