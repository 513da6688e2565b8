// A file that needs more calls than an invocation may make is ingested in slices.
import { expect, it } from 'vitest';
import { ingestRecords, newRequestId, range, readAllIds } from './files.ts';
import { buildRecords, ingestInSlices } from './slices.ts';

it.each([1, 12])(
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
