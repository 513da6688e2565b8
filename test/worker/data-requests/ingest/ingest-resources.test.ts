// Resources of an ingest: back-pressure, cancellation of the body, and the platform's limits.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ingestFile } from '../../../../worker/data-requests/ingest/index.ts';
import { PAGE_BYTES } from '../../../../worker/data-requests/ingest/page.ts';
import { getRowStore } from '../../../../worker/data-requests/state-machine.ts';
import { StrictRuntime } from '../../strict/index.ts';
import {
  encode,
  fullBounds,
  gzip,
  ingestRecords,
  newRequestId,
  range,
  smallBounds,
  storeWithHook,
} from './files.ts';

describe('the body', () => {
  const file = { family: 'company_clean', fileIndex: 0 } as const;
  const lines = range(1, 60).map((id) => JSON.stringify({ id, name: `name ${id}` }));

  it('is cancelled if the store fails', async () => {
    const compressed = await gzip(lines.join('\n'));
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(compressed.slice(0, -20)),
      cancel() {
        isCancelled = true;
      },
    });
    const failing = storeWithHook(() => Promise.reject(new Error('store failed')));
    const ingest = ingestFile(failing, { ...file, requestId: newRequestId(), body }, smallBounds);
    await expect(ingest).rejects.toThrow('store failed');
    expect(isCancelled).toBe(true);
  });

  it('is not read while pages wait to be written', async () => {
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    let puts = 0;
    const target = storeWithHook(async (operation) => {
      if (operation !== 'put') return;
      puts += 1;
      await written;
    });
    const content = lines.map((text) => `${text}\n`).join('');
    let pulledBytes = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (pulledBytes >= content.length) return controller.close();
          controller.enqueue(encode(content.slice(pulledBytes, pulledBytes + 50)));
          pulledBytes += 50;
        },
      },
      { highWaterMark: 0 },
    );
    const ingesting = ingestFile(target, { ...file, requestId: newRequestId(), body }, smallBounds);
    for (let turn = 0; turn < 100; turn += 1) await scheduler.wait(0);
    expect(puts).toBe(1);
    // The waiting page, the next page and a line.
    expect(pulledBytes).toBeLessThan(3 * smallBounds.bytes);
    write();
    expect(await ingesting).toMatchObject({ rows: 60 });
  });
});

it.each([
  ['200 records of 90 KB', 200, () => ({ text: 'x'.repeat(90_000) })],
  [
    '600 records with 30 keys',
    600,
    (id: number) => ({ shorthand_names: range(1, 30).map((n) => `${'ü'.repeat(60)}-${id}-${n}`) }),
  ],
])('the platform’s limits suffice for %s', async (_, count, getFields) => {
  const runtime = new StrictRuntime({ clock: () => 0 }).wrapBindings(env);
  const report = await ingestRecords(
    range(1, count).map((id) => ({ id, ...getFields(id) })),
    {
      requestId: newRequestId(),
      family: 'employee_clean',
      target: getRowStore(runtime.env),
      bounds: fullBounds,
      partBytes: 65_536,
    },
  );
  expect(report).toMatchObject({ rows: count, truncation: null });
  expect(runtime.listViolations()).toEqual([]);
  expect(runtime.countConnections().peak).toBeLessThanOrEqual(6);
  const { objects } = await env.ROWS.list({ limit: 1_000 });
  for (const { size } of objects) expect(size).toBeLessThanOrEqual(PAGE_BYTES);
});
