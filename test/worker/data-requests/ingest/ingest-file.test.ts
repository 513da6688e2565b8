// Result files become rows: whatever can be read goes in once, whatever can't is counted and named.

import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { countRows } from '../../../../worker/data-requests/ingest/index.ts';
import { MAX_LINE_BYTES } from '../../../../worker/data-requests/ingest/line-splitter.ts';
import { PAGE_BYTES, PAGE_ROWS } from '../../../../worker/data-requests/ingest/page.ts';
import type { RejectionReason } from '../../../../worker/data-requests/ingest/types.ts';
import { StrictRuntime } from '../../strict/index.ts';
import {
  encode,
  gzip,
  ingestBytes,
  ingestLines,
  newRequestId,
  readAllIds,
  readAllRecords,
  readPageText,
  store,
} from './files.ts';

// Many small files, each with pages in the bucket and the database.
vi.setConfig({ testTimeout: 30_000 });

const full = { bytes: PAGE_BYTES, rows: PAGE_ROWS, lineBytes: MAX_LINE_BYTES };

interface Told {
  text: string;
  /** The record's id, or why it is none. */
  is: { id: string } | { reason: RejectionReason };
}

const id = fc.integer({ min: 1, max: 12 });
const word = fc.string({ unit: 'grapheme', maxLength: 8 });

/** Lines with what has to become of them. */
const told: fc.Arbitrary<Told> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(id, word).map(([n, name]) => good(JSON.stringify({ id: n, name }), n)) },
  {
    weight: 2,
    arbitrary: fc.tuple(id, word).map(([n, name]) => good(JSON.stringify({ name, id: String(n) }), n)),
  },
  fc.constantFrom('', '  ', '\t').map((text) => bad(text, 'empty')),
  fc
    .constantFrom('{"id":1', '{id:1}', 'null null', '<html>', '{"id":01}')
    .map((text) => bad(text, 'not_json')),
  fc.constantFrom('[]', '7', 'null', '"é"').map((text) => bad(text, 'not_object')),
  fc
    .constantFrom('{}', '{"id":null}', '{"id":0}', '{"id":1.5}', '{"id":"a"}', `{"id":"${'1'.repeat(20)}"}`)
    .map((text) => bad(text, 'no_id')),
  fc.constant(bad(JSON.stringify({ id: 3, name: 'x'.repeat(150) }), 'too_long')),
);

function good(text: string, n: number): Told {
  return encode(text).length > 120 ? bad(text, 'too_long') : { text, is: { id: String(n) } };
}

function bad(text: string, reason: RejectionReason): Told {
  return { text, is: { reason } };
}

/** What has to come of lines. */
function expected(lines: readonly Told[]) {
  const ids: string[] = [];
  const rejected: Partial<Record<RejectionReason, number>> = {};
  let duplicates = 0;
  for (const { is } of lines) {
    if ('reason' in is) rejected[is.reason] = (rejected[is.reason] ?? 0) + 1;
    else if (ids.includes(is.id)) duplicates += 1;
    else ids.push(is.id);
  }
  return { ids, rejected, duplicates };
}

describe('a result file', () => {
  it('gives every record once, and counts every other line by its reason, wherever chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(told, { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (lines, partBytes, isPacked, end, hasLastEnd) => {
          const text = lines.map((line) => line.text).join(end) + (hasLastEnd && lines.length > 0 ? end : '');
          // An end of line that nothing stands behind ends the last line; without lines there is nothing at all.
          const isOpen = !hasLastEnd && lines.at(-1)?.text === '';
          const all = isOpen ? lines.slice(0, -1) : lines;
          const content = isPacked ? await gzip(text) : encode(text);
          const requestId = newRequestId();
          const report = await ingestBytes(content, { requestId, partBytes });
          const { ids, rejected, duplicates } = expected(all);
          expect(report).toMatchObject({
            lines: all.length,
            rows: ids.length,
            duplicates,
            rejected,
            bytes: encode(text).length,
            truncation: content.length === 0 ? 'incomplete' : null,
          });
          expect((await readAllIds(requestId)).map(String)).toEqual(ids);
          expect(await countRows(store, requestId)).toBe(ids.length);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('loses only the line whose UTF-8 is broken', async () => {
    const content = encode('{"id":1,"name":"é"}\n{"id":2,"name":"é"}\n{"id":3,"name":"日本"}\n');
    content[encode('{"id":1,"name":"').length] = 0xff;
    const requestId = newRequestId();
    const report = await ingestBytes(await gzip(content), { requestId, partBytes: 1 });
    expect(report).toMatchObject({ rows: 2, rejected: { not_utf8: 1 }, truncation: null });
    expect((await readAllRecords(requestId)).map(({ name }) => name)).toEqual(['é', '日本']);
  });

  it('keeps all digits of an id beyond 2^53, as a number and as a text', async () => {
    const lines = [
      '{"id":7160958129345265664,"text":"7160958129345265665"}',
      '{"id":7160958129345265665,"parent":7160958129345265667}',
      '{"id":"7160958129345265664"}',
    ];
    const requestId = newRequestId();
    const report = await ingestLines(lines, { requestId, family: 'employee_post' });
    expect(report).toMatchObject({ rows: 2, duplicates: 1 });
    expect(await readAllRecords(requestId)).toEqual([
      { id: '7160958129345265664', text: '7160958129345265665' },
      { id: '7160958129345265665', parent: '7160958129345265667' },
    ]);
  });

  it('keeps fields that nobody knows as they came', async () => {
    const record = { id: 5, new_field: { deep: [1, null, { x: 'é' }] }, __proto__: undefined };
    const requestId = newRequestId();
    await ingestLines([JSON.stringify(record), '{"id":6,"__proto__":{"x":1}}'], { requestId });
    const text = await readPageText(requestId);
    expect(text).toContain(JSON.stringify(record));
    expect(text).toContain('"__proto__":{"x":1}');
  });

  it('refuses a line of endless depth, and takes the next one', async () => {
    const deep = `{"id":1,"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`;
    const requestId = newRequestId();
    const report = await ingestLines([deep, '{"id":2}'], { requestId, bounds: full });
    expect(report).toMatchObject({ rows: 1, rejected: { too_deep: 1 } });
  });

  it('refuses a line of 40 MB that is hardly anything when packed, and takes those around it', async () => {
    const long = new Uint8Array(40_000_000).fill(0x61);
    const content = new Blob([encode('{"id":1}\n'), long, encode('\n{"id":2}\n')]);
    const requestId = newRequestId();
    const packed = await gzip(new Uint8Array(await content.arrayBuffer()));
    expect(packed.length).toBeLessThan(100_000);
    const report = await ingestBytes(packed, { requestId, bounds: full, partBytes: 65_536 });
    expect(report).toMatchObject({
      rows: 2,
      lines: 3,
      rejected: { too_long: 1 },
      bytes: 40_000_019,
      truncation: null,
    });
  });
});

describe('a file that breaks off', () => {
  const lines = Array.from({ length: 400 }, (_, at) =>
    JSON.stringify({ id: at + 1, name: crypto.randomUUID() }),
  );
  const text = lines.map((line) => `${line}\n`).join('');

  it.each([0.1, 0.5, 0.9, 0.999])('gives what can be read of its first %f', async (part) => {
    const packed = await gzip(text);
    const requestId = newRequestId();
    const cut = packed.subarray(0, Math.floor(packed.length * part));
    const report = await ingestBytes(cut, { requestId, bounds: full });
    const read = text.slice(0, report.bytes);
    const [rest = '', ...others] = read.split('\n').reverse();
    // Only the end of its line may be missing.
    const isLine = rest.endsWith('}');
    const whole = others.length + (isLine ? 1 : 0);
    expect(report).toMatchObject({ truncation: 'incomplete', rows: whole });
    expect(report.rejected).toEqual(rest === '' || isLine ? {} : { truncated: 1 });
    // No more is missing than packing looks ahead.
    expect(report.bytes).toBeGreaterThan(text.length * part - 8_000);
    expect(await readAllIds(requestId)).toEqual(Array.from({ length: whole }, (_, at) => at + 1));
  });

  it('says that it is damaged where it is, and is right when it comes again', async () => {
    const packed = await gzip(text);
    const damaged = packed.slice();
    damaged.set(new Uint8Array(40), packed.length / 2);
    const requestId = newRequestId();
    const report = await ingestBytes(damaged, { requestId });
    expect(report.truncation).toBe('damaged');
    await ingestBytes(packed, { requestId });
    expect(await readAllIds(requestId)).toEqual(lines.map((_, at) => at + 1));
  });

  it('is no file where it is empty, and no record where it is a page of HTML', async () => {
    const requestId = newRequestId();
    expect(await ingestBytes(new Uint8Array(0), { requestId })).toMatchObject({
      truncation: 'incomplete',
      lines: 0,
    });
    const page = await ingestBytes(encode('<html>\n<p>Bad gateway</p>\n'), { requestId });
    expect(page).toMatchObject({ truncation: null, rows: 0, rejected: { not_json: 2 } });
  });
});

describe('the platform', () => {
  it('is asked for less than it allows an invocation: 1,000 records of 90 KB', async () => {
    const world = new StrictRuntime({ clock: () => 0 }).wrapBindings({ ROWS: env.ROWS, DB: env.DB });
    const filler = 'x'.repeat(90_000);
    const lines = Array.from({ length: 1_000 }, (_, at) => `{"id":${at + 1},"text":"${filler}"}`);
    const requestId = newRequestId();
    const target = { bucket: world.env.ROWS, db: world.env.DB };
    const report = await ingestLines(lines, { requestId, target, bounds: full, partBytes: 65_536 });
    expect(report).toMatchObject({ rows: 1_000, truncation: null });
    expect(world.listViolations()).toEqual([]);
    expect(world.countConnections().peak).toBeLessThanOrEqual(6);
    const { objects } = await env.ROWS.list({ prefix: `requests/${requestId}/pages/` });
    expect(objects).toHaveLength(report.pages);
    for (const { size } of objects) expect(size).toBeLessThanOrEqual(PAGE_BYTES);
  });

  it('is asked for few statements by records that are small and have many keys', async () => {
    const world = new StrictRuntime({ clock: () => 0 }).wrapBindings({ ROWS: env.ROWS, DB: env.DB });
    const names = (at: number) => Array.from({ length: 30 }, (_, n) => `${'ü'.repeat(60)}-${at}-${n}`);
    const lines = Array.from({ length: 3_000 }, (_, at) =>
      JSON.stringify({ id: at + 1, shorthand_names: names(at) }),
    );
    const target = { bucket: world.env.ROWS, db: world.env.DB };
    const requestId = newRequestId();
    const family = 'employee_clean';
    const report = await ingestLines(lines, { requestId, family, target, bounds: full, partBytes: 65_536 });
    expect(report).toMatchObject({ rows: 3_000, truncation: null });
    expect(world.listViolations()).toEqual([]);
  });
});
