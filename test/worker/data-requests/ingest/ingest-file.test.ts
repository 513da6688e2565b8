// Ingesting result files: each record becomes one row under any truncation, retry or overlap; other lines are counted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowIndex } from '../../../../worker/data-requests/ingest/index.ts';
import type { RejectionReason } from '../../../../worker/data-requests/ingest/types.ts';
import {
  encode,
  fullBounds,
  gzip,
  ingestBytes,
  ingestLines,
  ingestRecords,
  newRequestId,
  range,
  readAllIds,
  readAllRecords,
  readPageText,
  smallBounds,
  store,
  storeWithHook,
} from './files.ts';

const NUM_RUNS = 8;

const record = (id: number) => ({ id, name: `name ${id}` });

/** Expects exactly these rows, each with its data once. */
async function expectRows(requestId: string, ids: readonly number[]): Promise<void> {
  expect(await readAllIds(requestId)).toEqual(ids);
  const text = await readPageText(requestId);
  for (const id of ids) expect(text.split(`"name ${id}"`)).toHaveLength(2);
}

describe('a result file', () => {
  /** A line with its expected outcome. */
  type ExpectedLine = { text: string } & ({ id: number } | { reason: RejectionReason });

  const accept = (text: string, id: number): ExpectedLine =>
    encode(text).length > smallBounds.lineBytes ? { text, reason: 'too_long' } : { text, id };
  const rejected = (reason: RejectionReason, ...texts: string[]) =>
    fc.constantFrom(...texts).map((text): ExpectedLine => ({ text, reason }));
  const idAndName = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.string({ unit: 'grapheme', maxLength: 8 }));
  const line: fc.Arbitrary<ExpectedLine> = fc.oneof(
    { weight: 6, arbitrary: idAndName.map(([id, name]) => accept(JSON.stringify({ id, name }), id)) },
    {
      weight: 2,
      arbitrary: idAndName.map(([id, name]) => accept(JSON.stringify({ name, id: String(id) }), id)),
    },
    rejected('empty', '', '  ', '\t'),
    rejected('not_json', '{"id":1', '{id:1}', 'null null', '<html>', '{"id":01}'),
    rejected('not_object', '[]', '7', 'null', '"é"'),
    rejected(
      'no_id',
      '{}',
      '{"id":null}',
      '{"id":0}',
      '{"id":1.5}',
      '{"id":"a"}',
      `{"id":"${'1'.repeat(20)}"}`,
    ),
    rejected('too_long', JSON.stringify({ id: 3, name: 'x'.repeat(150) })),
  );

  function countOutcomes(lines: readonly ExpectedLine[]) {
    const ids: number[] = [];
    const counts: Partial<Record<RejectionReason, number>> = {};
    let duplicates = 0;
    for (const expected of lines) {
      if ('reason' in expected) counts[expected.reason] = (counts[expected.reason] ?? 0) + 1;
      else if (ids.includes(expected.id)) duplicates += 1;
      else ids.push(expected.id);
    }
    return { ids, rejected: counts, duplicates };
  }

  it('yields each record once and counts other lines by reason, for any chunks and line breaks', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (lines, partBytes, isGzipped, lineBreak, endsWithBreak) => {
          const texts = lines.map(({ text }) => text);
          const text = texts.join(lineBreak) + (endsWithBreak && lines.length > 0 ? lineBreak : '');
          // A last line without text and line break does not exist.
          const expectedLines = !endsWithBreak && texts.at(-1) === '' ? lines.slice(0, -1) : lines;
          const content = isGzipped ? await gzip(text) : encode(text);
          const requestId = newRequestId();
          const { ids, ...counts } = countOutcomes(expectedLines);
          expect(await ingestBytes(content, { requestId, partBytes })).toMatchObject({
            lines: expectedLines.length,
            rows: ids.length,
            ...counts,
            bytes: encode(text).length,
            truncation: content.length === 0 ? 'incomplete' : null,
          });
          expect((await readAllIds(requestId)).map(Number)).toEqual(ids);
          expect(await new RowIndex(store.db).count(requestId)).toBe(ids.length);
        },
      ),
      { numRuns: 3 * NUM_RUNS },
    ));

  it('loses only the line with invalid UTF-8', async () => {
    const content = encode('{"id":1,"name":"é"}\n{"id":2,"name":"é"}\n{"id":3,"name":"日本"}\n');
    content[encode('{"id":1,"name":"').length] = 0xff;
    const requestId = newRequestId();
    const report = await ingestBytes(await gzip(content), { requestId, partBytes: 1 });
    expect(report).toMatchObject({ rows: 2, rejected: { not_utf8: 1 }, truncation: null });
    expect((await readAllRecords(requestId)).map(({ name }) => name)).toEqual(['é', '日本']);
  });

  it('keeps all digits of ids above 2^53, as number or string', async () => {
    const lines = [
      '{"id":7160958129345265664,"text":"7160958129345265665"}',
      '{"id":7160958129345265665,"parent":7160958129345265667}',
      '{"id":"7160958129345265664"}',
    ];
    const requestId = newRequestId();
    const report = await ingestLines(lines, { requestId, family: 'employee_post' });
    expect(report).toMatchObject({ rows: 2, duplicates: 1 });
    expect(await readAllRecords(requestId)).toEqual([
      { id: 7160958129345265664n, text: '7160958129345265665' },
      { id: 7160958129345265665n, parent: 7160958129345265667n },
    ]);
  });

  it('keeps unknown fields unchanged', async () => {
    const unknown = JSON.stringify({ id: 5, new_field: { deep: [1, null, { x: 'é' }] } });
    const requestId = newRequestId();
    await ingestLines([unknown, '{"id":6,"__proto__":{"x":1}}'], { requestId });
    const text = await readPageText(requestId);
    expect(text).toContain(unknown);
    expect(text).toContain('"__proto__":{"x":1}');
  });

  it('rejects a deeply nested line and a line of 40 MB that compresses well', async () => {
    const requestId = newRequestId();
    const deep = `{"id":1,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const report = await ingestLines([deep, '{"id":2}'], { requestId, bounds: fullBounds });
    expect(report).toMatchObject({ rows: 1, rejected: { too_deep: 1 } });
    const long = new Uint8Array(40_000_000).fill(0x61);
    const content = new Blob([encode('{"id":1}\n'), long, encode('\n{"id":2}\n')]);
    const compressed = await gzip(new Uint8Array(await content.arrayBuffer()));
    expect(compressed.length).toBeLessThan(100_000);
    const options = { requestId: newRequestId(), bounds: fullBounds, partBytes: 65_536 };
    expect(await ingestBytes(compressed, options)).toMatchObject({
      rows: 2,
      lines: 3,
      rejected: { too_long: 1 },
      bytes: 40_000_019,
      truncation: null,
    });
  });
});

describe('a truncated file', () => {
  const lines = range(1, 400).map((id) => JSON.stringify({ id, name: crypto.randomUUID() }));
  const text = lines.map((line) => `${line}\n`).join('');

  it.each([0.1, 0.5, 0.9, 0.999])('yields all complete lines of its first %f', async (part) => {
    const compressed = await gzip(text);
    const requestId = newRequestId();
    const cut = compressed.subarray(0, Math.floor(compressed.length * part));
    const report = await ingestBytes(cut, { requestId, bounds: fullBounds });
    const [last = '', ...others] = text.slice(0, report.bytes).split('\n').reverse();
    // Only the line break may be missing.
    const isComplete = last.endsWith('}');
    const rows = others.length + (isComplete ? 1 : 0);
    expect(report).toMatchObject({ truncation: 'incomplete', rows });
    expect(report.rejected).toEqual(last === '' || isComplete ? {} : { truncated: 1 });
    // Only the compression's look-ahead is lost.
    expect(report.bytes).toBeGreaterThan(text.length * part - 8_000);
    expect(await new RowIndex(store.db).count(requestId)).toBe(rows);
  });

  it('is reported as damaged if it is corrupt, and is complete after another attempt', async () => {
    const compressed = await gzip(text);
    const damaged = compressed.slice();
    damaged.set(new Uint8Array(40), compressed.length / 2);
    const options = { requestId: newRequestId(), bounds: fullBounds };
    expect((await ingestBytes(damaged, options)).truncation).toBe('damaged');
    await ingestBytes(compressed, options);
    expect(await readAllIds(options.requestId)).toEqual(range(1, 400));
  });

  it('has no rows if it is empty or an HTML page', async () => {
    const requestId = newRequestId();
    const empty = await ingestBytes(new Uint8Array(0), { requestId });
    expect(empty).toMatchObject({ truncation: 'incomplete', lines: 0 });
    const page = await ingestBytes(encode('<html>\n<p>Bad gateway</p>\n'), { requestId });
    expect(page).toMatchObject({ truncation: null, rows: 0, rejected: { not_json: 2 } });
  });
});

describe('a repeated ingest', () => {
  it('leaves each row once after a crash at any write, even if the order has changed', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });
    const orders = ids.chain((first) =>
      fc.tuple(fc.constant(first), fc.shuffledSubarray(first, { minLength: first.length })),
    );
    return fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 1, max: 14 }), async ([first, second], failingWrite) => {
        const requestId = newRequestId();
        let writes = 0;
        const target = storeWithHook(async () => {
          writes += 1;
          if (writes === failingWrite) throw new Error('store failed');
        });
        await ingestRecords(first.map(record), { requestId, target }).catch(() => {});
        const report = await ingestRecords(second.map(record), { requestId });
        expect(report).toMatchObject({ rows: second.length, duplicates: 0 });
        await expectRows(requestId, second);
      }),
      { numRuns: 2 * NUM_RUNS },
    );
  });

  it('deletes surplus pages if the file is shorter', async () => {
    const requestId = newRequestId();
    await ingestRecords(range(1, 23).map(record), { requestId });
    const report = await ingestRecords(range(1, 7).map(record), { requestId });
    expect(report).toMatchObject({ rows: 7 });
    await expectRows(requestId, range(1, 7));
    expect(await readPageText(requestId)).not.toContain('name 8');
  });
});

describe('a record in several files', () => {
  it('is one row for any overlap and any repeated file', async () => {
    const file = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat({ max: 2 }), { maxLength: 2 }),
        async (files, repeated) => {
          const requestId = newRequestId();
          const ingest = async (fileIndex: number) =>
            (await ingestRecords((files[fileIndex] ?? []).map(record), { requestId, fileIndex })).rows;
          const rows: number[] = [];
          for (const fileIndex of files.keys()) rows.push(await ingest(fileIndex));
          const distinct = [...new Set(files.flat())];
          expect(rows.reduce((sum, count) => sum + count, 0)).toBe(distinct.length);
          for (const fileIndex of repeated.filter((index) => index < files.length))
            expect(await ingest(fileIndex)).toBe(rows[fileIndex]);
          await expectRows(requestId, distinct);
        },
      ),
      { numRuns: NUM_RUNS },
    );
  });

  it('is one row if files are ingested concurrently', async () => {
    const requestId = newRequestId();
    const reports = await Promise.all(
      [0, 1, 2].map((fileIndex) => ingestRecords(range(1, 13).map(record), { requestId, fileIndex })),
    );
    expect(reports.reduce((sum, { rows }) => sum + rows, 0)).toBe(13);
    expect(reports.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(26);
    expect((await readAllIds(requestId)).map(Number).toSorted((a, b) => a - b)).toEqual(range(1, 13));
  });
});
