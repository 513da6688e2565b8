// Reading and erasing rows: pages in order within limits; erased records leave all data requests and stay out.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  deleteRows,
  eraseRecord,
  RowIndex,
  readRows,
  stripRows,
} from '../../../../worker/data-requests/ingest/index.ts';
import type { RecordKey } from '../../../../worker/gateway/cache/cache-keys.ts';
import { refuseKeys } from '../../refuse-keys.ts';
import {
  encode,
  ingestLines,
  ingestRecords,
  newRequestId,
  range,
  readAllIds,
  readAllRecords,
  readPageText,
  store,
  storeWithHook,
} from './files.ts';

const family = 'company_clean';

describe('reading rows', () => {
  const requestId = newRequestId();
  const COUNT = 15;
  const bounds = { bytes: 1_000, rows: 4, lineBytes: 1_000 };
  const record = (id: number) => ({
    id,
    name: `Å ${'n'.repeat(id)}`,
    industry: id % 2 === 0 ? 'Parks' : null,
    founded: String(2000 + id),
    funding_rounds: [{ last_round_type: 'Seed' }, { last_round_type: `Series ${id}` }],
  });

  beforeAll(async () => {
    await ingestRecords(range(1, 9).map(record), { requestId, bounds, fileIndex: 0 });
    await ingestRecords(range(10, COUNT).map(record), { requestId, bounds, fileIndex: 1 });
  });

  it('returns each row once and in order, for any limits', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 500 }),
        async (limit, maxBytes) => {
          const rows: unknown[] = [];
          for (let after: string | null | undefined; after !== null; ) {
            const page = await readRows(store, {
              requestId,
              family,
              limit,
              maxBytes,
              columns: ['id', 'name'],
              ...(after !== undefined && { after }),
            });
            expect(page.rows.length).toBeGreaterThan(0);
            expect(page.rows.length).toBeLessThanOrEqual(limit);
            if (page.rows.length > 1)
              expect(encode(JSON.stringify(page.rows)).length).toBeLessThanOrEqual(maxBytes);
            rows.push(...page.rows);
            after = page.after;
          }
          expect(rows).toEqual(range(1, COUNT).map((id) => [id, record(id).name]));
        },
      ),
      { numRuns: 15 },
    ));

  it('returns the default or requested columns, with null for missing values', async () => {
    const query = { requestId, family, limit: 1, maxBytes: 10_000 } as const;
    const byDefault = await readRows(store, query);
    const defaults = ['name', 'industry', 'size_range', 'location_hq_country', 'founded'];
    expect(byDefault.columns.map(({ name }) => name)).toEqual(defaults);
    expect(byDefault.rows).toEqual([[record(1).name, null, null, null, '2001']]);
    const columns = ['funding_rounds[1].last_round_type', 'funding_rounds.last_round_type', 'nothing.there'];
    const requested = await readRows(store, { ...query, columns });
    expect(requested.columns.map(({ name }) => name)).toEqual(columns);
    expect(requested.rows).toEqual([['Series 1', ['Seed', 'Series 1'], null]]);
  });

  it.each([{ after: 'nonsense' }, { after: '1-2' }, { columns: ['a b'] }, { columns: [''] }])(
    'refuses %o',
    async (invalid) => {
      const reading = readRows(store, { requestId, family, limit: 1, maxBytes: 100, ...invalid });
      await expect(reading).rejects.toMatchObject({ problem: { code: 'invalid_request' } });
    },
  );

  it('finds nothing after deletion, which affects no other data request and can be repeated', async () => {
    const deleted = newRequestId();
    await ingestRecords(range(1, COUNT).map(record), { requestId: deleted, bounds });
    expect(await new RowIndex(store.db).count(deleted)).toBe(COUNT);
    await deleteRows(store, deleted);
    await deleteRows(store, deleted);
    expect(await new RowIndex(store.db).count(deleted)).toBe(0);
    expect(await readPageText(deleted)).toBe('');
    expect(await new RowIndex(store.db).count(requestId)).toBe(COUNT);
  });
});

describe('an erased record', () => {
  const bounds = { bytes: 600, rows: 3, lineBytes: 500 };
  const companies = (...ids: number[]) =>
    ids.map((id) => ({
      id,
      name: `name ${id}.`,
      websites_main: `https://www.site${id}.com/`,
      websites_professional_network: `https://x.com/company/slug${id}`,
    }));

  async function addToErasureList(kind: RecordKey['kind'], value: string): Promise<void> {
    await refuseKeys({ family, kind, value });
  }

  /** Expects only these rows, and no text of an erased company. */
  async function expectErased(requestId: string, erased: number[], ids: number[]): Promise<void> {
    expect(await readAllIds(requestId)).toEqual(ids);
    expect(await new RowIndex(store.db).count(requestId)).toBe(ids.length);
    const text = await readPageText(requestId);
    for (const id of erased) expect(text).not.toContain(`name ${id}.`);
  }

  it('is deleted from all data requests, and no other record is', async () => {
    const [one, other] = [newRequestId(), newRequestId()];
    await ingestRecords(companies(101, 102, 103, 104, 105), { requestId: one, bounds });
    await ingestRecords(companies(102, 106), { requestId: other, bounds });
    expect(await eraseRecord(store, family, '102')).toBe(2);
    await expectErased(one, [102], [101, 103, 104, 105]);
    await expectErased(other, [102], [106]);
    expect(await eraseRecord(store, family, '102')).toBe(0);
  });

  it('is found by website and shorthand name', async () => {
    await ingestRecords(companies(121, 122), { requestId: newRequestId(), bounds });
    expect(await new RowIndex(store.db).findRecordIdsByKey(family, 'website:site122.com')).toEqual(['122']);
    expect(await new RowIndex(store.db).findRecordIdsByKey(family, 'shorthand_name:slug121')).toEqual([
      '121',
    ]);
    expect(await new RowIndex(store.db).findRecordIdsByKey(family, 'website:site12')).toEqual([]);
  });

  it('is not ingested, by whichever key it was erased', async () => {
    await addToErasureList('id', '131');
    await addToErasureList('website', 'site132.com');
    await addToErasureList('shorthand_name', 'slug133');
    const requestId = newRequestId();
    const report = await ingestRecords(companies(130, 131, 132, 133, 134), { requestId, bounds });
    expect(report).toMatchObject({ rows: 2, rejected: { erased: 3 } });
    await expectErased(requestId, [131, 132, 133], [130, 134]);
  });

  it('is removed if the erasure happens between writing its page and its index', async () => {
    const requestId = newRequestId();
    let batches = 0;
    const target = storeWithHook(async (operation) => {
      if (operation !== 'batch') return;
      batches += 1;
      if (batches !== 1) return;
      await addToErasureList('id', '142');
      expect(await eraseRecord(store, family, '142')).toBe(0);
    });
    const report = await ingestRecords(companies(141, 142, 143), { requestId, bounds, target });
    expect(report).toMatchObject({ rows: 2, rejected: { erased: 1 } });
    await expectErased(requestId, [142], [141, 143]);
  });

  it('is removed from a page that is rewritten during the erasure', async () => {
    const requestId = newRequestId();
    const ingest = () => ingestRecords(companies(151, 152, 153), { requestId, bounds });
    await ingest();
    let puts = 0;
    const { bucket } = storeWithHook(async (operation) => {
      if (operation !== 'put') return;
      puts += 1;
      if (puts === 1) await ingest();
    });
    expect(await eraseRecord({ ...store, bucket }, family, '152')).toBe(1);
    await expectErased(requestId, [152], [151, 153]);
  });
});

describe('an erased person or company in the rows of others', () => {
  const bounds = { bytes: 2_000, rows: 3, lineBytes: 1_500 };
  /** A company with two posts, one of which names somebody. */
  const buildCompany = (id: number, name: string) => ({
    id,
    name: 'Other',
    updates: [
      { reshared_post_author_url: `https://x.com/in/${name}`, description: 'Shared' },
      { description: 'Own' },
    ],
  });
  const jane = (name: string) => ({ family: 'employee_base', kind: 'shorthand_name', value: name }) as const;
  const own = { id: 1, name: 'Other', updates: [{ description: 'Own' }] };

  it('is not ingested with them', async () => {
    await refuseKeys(jane('jane-1'));
    const requestId = newRequestId();
    const companies = [buildCompany(1, 'jane-1'), buildCompany(2, 'max')];
    const report = await ingestRecords(companies, { requestId, bounds });
    expect(report).toMatchObject({ rows: 2, stripped: 1 });
    expect(await readAllRecords(requestId)).toEqual([own, buildCompany(2, 'max')]);
    expect(await readPageText(requestId)).not.toContain('jane-1');
  });

  it('is removed later, page by page, in every spelling of a profile URL', async () => {
    const requestId = newRequestId();
    const ids = range(1, 10);
    const names = ['jürgen-2', 'J%C3%BCrgen-2', 'max'];
    const lines = ids.map((id) =>
      JSON.stringify(buildCompany(id, names[id % 3] ?? '')).replace('ü', '\\u00fc'),
    );
    await ingestLines(lines, { requestId, bounds });
    const keys = [{ subject: 'employee', kind: 'shorthand_name', value: 'jürgen-2' }] as const;
    let changed = 0;
    for (let after: string | null = ''; after !== null; ) {
      const page = await stripRows(store, keys, after, 1);
      changed += page.rows;
      after = page.after;
    }
    expect(changed).toBe(7);
    const expected = ids.map((id) => (id % 3 === 2 ? buildCompany(id, 'max') : { ...own, id }));
    expect(await readAllRecords(requestId)).toEqual(expected);
    expect(await readPageText(requestId)).not.toMatch(/rgen-2/i);
  });
});
