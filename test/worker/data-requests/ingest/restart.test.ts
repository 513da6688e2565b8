// Every record is a row once, whatever breaks on the way, however often a file comes, and in how many files a record stands.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ingestFile } from '../../../../worker/data-requests/ingest/index.ts';
import {
  encode,
  gzip,
  ingestLines,
  newRequestId,
  readAllIds,
  readPageText,
  smallBounds,
  storeWithHook,
} from './files.ts';

// Many small files, each with pages in the bucket and the database.
vi.setConfig({ testTimeout: 30_000 });

const line = (id: number, name = `name ${id}`): string => JSON.stringify({ id, name });
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const lines = (from: number, to: number): string[] => range(from, to).map((id) => line(id));

/** A store that breaks once, at its n-th write. */
function breakingAt(n: number) {
  let writes = 0;
  return storeWithHook(async () => {
    writes += 1;
    if (writes === n) throw new Error('the store broke');
  });
}

describe('a restart', () => {
  it('in the middle leaves every row once, also where the file has another order then', async () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
    const orders = ids.chain((all) =>
      fc.record({ first: fc.constant(all), second: fc.shuffledSubarray(all, { minLength: all.length }) }),
    );
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 1, max: 20 }), async ({ first, second }, n) => {
        const requestId = newRequestId();
        const target = breakingAt(n);
        await ingestLines(
          first.map((id) => line(id)),
          { requestId, target },
        ).catch(() => {});
        const report = await ingestLines(
          second.map((id) => line(id)),
          { requestId },
        );
        expect(report).toMatchObject({ rows: second.length, duplicates: 0 });
        expect(await readAllIds(requestId)).toEqual(second);
        // Nothing of the first attempt is left, in no page.
        const text = await readPageText(requestId);
        for (const id of second) expect(text.split(`"name ${id}"`)).toHaveLength(2);
      }),
      { numRuns: 25 },
    );
  });

  it('after which the file is shorter leaves nothing behind its end', async () => {
    const requestId = newRequestId();
    await ingestLines(lines(1, 23), { requestId });
    const report = await ingestLines(lines(1, 7), { requestId });
    expect(report).toMatchObject({ rows: 7, pages: 2 });
    expect(await readAllIds(requestId)).toEqual(range(1, 7));
    expect(await readPageText(requestId)).not.toContain('name 8');
  });
});

describe('a record in several files', () => {
  it('is a row once, however files overlap and whichever comes again', async () => {
    const file = fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
        async (files, again) => {
          const requestId = newRequestId();
          const put = (fileIndex: number) =>
            ingestLines(
              (files[fileIndex] ?? []).map((id) => line(id)),
              { requestId, fileIndex },
            );
          const rows: number[] = [];
          for (const fileIndex of files.keys()) rows.push((await put(fileIndex)).rows);
          const distinct = new Set(files.flat());
          expect(rows.reduce((sum, one) => sum + one, 0)).toBe(distinct.size);
          for (const fileIndex of again.filter((index) => index < files.length)) {
            expect((await put(fileIndex)).rows).toBe(rows[fileIndex]);
          }
          const ids = await readAllIds(requestId);
          expect(ids).toHaveLength(distinct.size);
          expect(new Set(ids)).toEqual(distinct);
          const text = await readPageText(requestId);
          for (const id of distinct) expect(text.split(`"name ${id}"`)).toHaveLength(2);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is a row once also where the files are put in at the same time', async () => {
    const requestId = newRequestId();
    const reports = await Promise.all(
      [0, 1, 2].map((fileIndex) => ingestLines(lines(1, 23), { requestId, fileIndex })),
    );
    expect(reports.reduce((sum, { rows }) => sum + rows, 0)).toBe(23);
    expect(reports.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(46);
    expect((await readAllIds(requestId)).toSorted((a, b) => Number(a) - Number(b))).toEqual(range(1, 23));
    const text = await readPageText(requestId);
    for (const id of range(1, 23)) expect(text.split(`"name ${id}"`)).toHaveLength(2);
  });
});

describe('a store that breaks', () => {
  it('ends the reading of a file of which nothing more comes', async () => {
    const packed = await gzip(lines(1, 400).join('\n'));
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(packed.slice(0, -20)),
      cancel() {
        isCancelled = true;
      },
    });
    const file = {
      requestId: newRequestId(),
      family: 'company_clean',
      fileIndex: 0,
      fileName: 'part',
      body,
    } as const;
    await expect(ingestFile(breakingAt(1), file, smallBounds)).rejects.toThrow('the store broke');
    expect(isCancelled).toBe(true);
  });
});

describe('backpressure', () => {
  it('stops reading while pages wait to be written', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let puts = 0;
    const target = storeWithHook(async (what) => {
      if (what !== 'put') return;
      puts += 1;
      await gate;
    });
    const filler = Array.from({ length: 400 }, (_, at) => line(at + 1));
    const content = filler.map((text) => `${text}\n`).join('');
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (pulled >= content.length) return controller.close();
          controller.enqueue(encode(content.slice(pulled, pulled + 50)));
          pulled += 50;
        },
      },
      { highWaterMark: 0 },
    );
    const requestId = newRequestId();
    const file = { requestId, family: 'company_clean', fileIndex: 0, fileName: 'part', body } as const;
    const ingesting = ingestFile(target, file, smallBounds);
    for (let turn = 0; turn < 100; turn += 1) await scheduler.wait(0);
    expect(puts).toBe(1);
    // The page that waits, the one behind it, and a line.
    expect(pulled).toBeLessThan(3 * smallBounds.bytes);
    open();
    expect(await ingesting).toMatchObject({ rows: 400 });
  });
});
