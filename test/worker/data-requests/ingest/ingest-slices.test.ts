// A file that needs more calls than an invocation may make is ingested in slices.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { FileReport, IngestProgress } from '../../../../worker/data-requests/ingest/index.ts';
import { getRowStore } from '../../../../worker/data-requests/state-machine.ts';
import { StrictRuntime } from '../../strict/index.ts';
import { type IngestOptions, ingestRecords, newRequestId, range, readAllIds } from './files.ts';

/** Pages of a file of 900 MB: 10,000 records of 90 KB. */
const PAGES = 225;
const ROWS_PER_PAGE = 5;
/** As for the pages of one step. */
const MAX_CALLS = 850;

const buildRecords = (ids: readonly number[]) => ids.map((id) => ({ id, name: `name ${id}` }));

/** Ingests a file in slices, each in its own invocation. */
async function ingestInSlices(
  records: readonly object[],
  maxCalls: number,
  options: Pick<IngestOptions, 'requestId' | 'fileIndex'>,
): Promise<{ report: FileReport; calls: number[] }> {
  const calls: number[] = [];
  for (let progress: IngestProgress | null = null; ; ) {
    const runtime = new StrictRuntime({ clock: () => 0 }).wrapBindings(env);
    const report: FileReport = await ingestRecords(records, {
      ...options,
      target: getRowStore(runtime.env),
      slice: { progress, maxCalls },
    });
    expect(runtime.listViolations()).toEqual([]);
    calls.push(runtime.countCalls());
    if (report.next === null) return { report, calls };
    progress = report.next;
  }
}

it('ingests 225 pages a second time with fewer than 1,000 calls in each invocation, and no row is missing', async () => {
  const requestId = newRequestId();
  const ids = range(1, PAGES * ROWS_PER_PAGE);
  const first = await ingestInSlices(buildRecords(ids), MAX_CALLS, { requestId });
  expect(first.report).toMatchObject({ rows: ids.length, pages: PAGES });
  const second = await ingestInSlices(buildRecords(ids), MAX_CALLS, { requestId });
  // The first attempt has left other rows on each page.
  const others = ids.filter((id) => id % 7 !== 0);
  const third = await ingestInSlices(buildRecords(others), MAX_CALLS, { requestId });
  for (const { calls } of [first, second, third]) expect(Math.max(...calls)).toBeLessThan(1_000);
  expect(second.calls).toHaveLength(1);
  expect(second.report).toMatchObject({ rows: ids.length, duplicates: 0 });
  expect((await readAllIds(requestId)).length).toBe(others.length);
});

it.each([1, 7, 12, 30])(
  'a file in slices of %s calls has the report and the rows of a whole one',
  async (maxCalls) => {
    const [whole, sliced] = [newRequestId(), newRequestId()];
    // Duplicates within a page, of an earlier page and of another file.
    const records = buildRecords([...range(1, 20), 20, 3, ...range(21, 40), 100, ...range(41, 60)]);
    for (const requestId of [whole, sliced]) {
      await ingestRecords(buildRecords([100, 45]), { requestId, fileIndex: 1 });
    }
    const expected = await ingestRecords(records, { requestId: whole });
    const { report, calls } = await ingestInSlices(records, maxCalls, { requestId: sliced });
    expect(report).toEqual(expected);
    expect(calls.length).toBeGreaterThan(1);
    expect(await readAllIds(sliced)).toEqual(await readAllIds(whole));
  },
);

it('a slice is refused if the file has changed since the first pages', async () => {
  const requestId = newRequestId();
  const { next } = await ingestRecords(buildRecords(range(1, 60)), { requestId, slice: { maxCalls: 9 } });
  expect(next).not.toBeNull();
  for (const ids of [range(2, 60), range(1, 6)]) {
    const slice = { progress: next, maxCalls: 9 };
    await expect(ingestRecords(buildRecords(ids), { requestId, slice })).rejects.toThrow('changed');
  }
});
