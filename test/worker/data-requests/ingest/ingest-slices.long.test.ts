// A file of 900 MB is ingested in slices within the limits of an invocation.
import { expect, it } from 'vitest';
import { newRequestId, range, readAllIds } from './files.ts';
import { buildRecords, ingestInSlices } from './slices.ts';

/** Pages of a file of 900 MB: 10,000 records of 90 KB. */
const PAGES = 225;
const ROWS_PER_PAGE = 5;
/** As for the pages of one step. */
const MAX_CALLS = 850;

it('ingests 225 pages a second time with fewer than 1,000 calls in each invocation, and no row is missing', async () => {
  const requestId = newRequestId();
  const ids = range(1, PAGES * ROWS_PER_PAGE);
  const first = await ingestInSlices(buildRecords(ids), MAX_CALLS, { requestId });
  expect(first.report).toMatchObject({ rows: ids.length });
  const second = await ingestInSlices(buildRecords(ids), MAX_CALLS, { requestId });
  // The first attempt has left other rows on each page.
  const others = ids.filter((id) => id % 7 !== 0);
  const third = await ingestInSlices(buildRecords(others), MAX_CALLS, { requestId });
  for (const { calls } of [first, second, third]) expect(Math.max(...calls)).toBeLessThan(1_000);
  expect(second.calls).toHaveLength(1);
  expect(second.report).toMatchObject({ rows: ids.length, duplicates: 0 });
  expect((await readAllIds(requestId)).length).toBe(others.length);
});
