// Rows are read in their order, a page at a time, and no page is larger than it may be.
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { countRows, deleteRows, readRows } from '../../../../worker/data-requests/ingest/index.ts';
import { ProblemError } from '../../../../worker/http/problem-error.ts';
import { ingestLines, newRequestId, readPageText, store } from './files.ts';

// Many small files, each with pages in the bucket and the database.
vi.setConfig({ testTimeout: 30_000 });

const requestId = newRequestId();
const family = 'company_clean';
const record = (id: number) => ({
  id,
  name: `Å ${'n'.repeat(id)}`,
  industry: id % 2 === 0 ? 'Parks' : null,
  founded: String(2000 + id),
  funding_rounds: [{ last_round_type: 'Seed' }, { last_round_type: `Series ${id}` }],
});
const COUNT = 30;
const ids = Array.from({ length: COUNT }, (_, at) => at + 1);
const bounds = { bytes: 1_000, rows: 4, lineBytes: 1_000 };

beforeAll(async () => {
  const half = (from: number, to: number) => ids.slice(from, to).map((id) => JSON.stringify(record(id)));
  await ingestLines(half(0, 17), { requestId, bounds, fileIndex: 0 });
  await ingestLines(half(17, COUNT), { requestId, bounds, fileIndex: 1 });
});

describe('rows', () => {
  it('come in their order, each once, whatever the limits are', async () => {
    const size = fc.record({
      limit: fc.integer({ min: 1, max: 40 }),
      maxBytes: fc.integer({ min: 1, max: 900 }),
    });
    await fc.assert(
      fc.asyncProperty(size, async ({ limit, maxBytes }) => {
        const seen: unknown[] = [];
        let after: string | undefined;
        do {
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
          const bytes = new TextEncoder().encode(JSON.stringify(page.rows)).length;
          if (page.rows.length > 1) expect(bytes).toBeLessThanOrEqual(maxBytes);
          seen.push(...page.rows);
          after = page.after ?? undefined;
        } while (after !== undefined);
        expect(seen).toEqual(ids.map((id) => [id, record(id).name]));
      }),
      { numRuns: 25 },
    );
  });

  it('have the family’s default columns, or those that are asked, with null where there is nothing', async () => {
    const query = { requestId, family, limit: 1, maxBytes: 10_000 } as const;
    const usual = await readRows(store, query);
    expect(usual.columns.map(({ name }) => name)).toEqual([
      'name',
      'industry',
      'size_range',
      'location_hq_country',
      'founded',
    ]);
    expect(usual.rows).toEqual([[record(1).name, null, null, null, '2001']]);
    const columns = ['funding_rounds[1].last_round_type', 'funding_rounds.last_round_type', 'nothing.there'];
    const asked = await readRows(store, { ...query, columns });
    expect(asked.columns.map(({ name }) => name)).toEqual(columns);
    expect(asked.rows).toEqual([['Series 1', ['Seed', 'Series 1'], null]]);
  });

  it.each([{ after: 'nonsense' }, { after: '1-2' }, { columns: ['a b'] }, { columns: [''] }])(
    'refuse %o in words',
    async (wrong) => {
      const asking = readRows(store, { requestId, family, limit: 1, maxBytes: 100, ...wrong });
      const error: unknown = await asking.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProblemError);
      expect(error).toMatchObject({ problem: { code: 'invalid_request' } });
    },
  );

  it('are gone when their request is deleted, and no other’s', async () => {
    const own = newRequestId();
    await ingestLines(
      ids.map((id) => JSON.stringify(record(id))),
      { requestId: own, bounds },
    );
    expect(await countRows(store, own)).toBe(COUNT);
    await deleteRows(store, own);
    await deleteRows(store, own);
    expect(await countRows(store, own)).toBe(0);
    expect(await readPageText(own)).toBe('');
    expect(await countRows(store, requestId)).toBe(COUNT);
  });
});
