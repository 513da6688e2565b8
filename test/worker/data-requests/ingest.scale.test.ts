// A file of 900 MB whose first download was cut off at its end is ingested a second time. `npm test` runs it at 1:100.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { captureErrorLog } from '../logged-errors.ts';
import { clock } from '../platform.ts';
import { ServiceHarness } from './service-harness.ts';

const RECORDS = 10_000 * env.SCALE;
const RECORD_BYTES = 90_000;
const ENDED = ['ready', 'failed', 'cancelled', 'unclear'];
const encoder = new TextEncoder();

beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});

/** Streams the file. @param isCutOff - without the end of its last line */
function streamFile(isCutOff: boolean): Response {
  const text = 'x'.repeat(RECORD_BYTES);
  let id = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      id += 1;
      const line = `${JSON.stringify({ id, text })}\n`;
      const isLast = id === RECORDS;
      if (isLast && isCutOff) return controller.error(new Error('The connection was lost.'));
      controller.enqueue(encoder.encode(line));
      if (isLast) controller.close();
    },
  });
  return new Response(body);
}

it('delivers and charges every record, within the limits of each invocation', async () => {
  captureErrorLog();
  let downloads = 0;
  const harness = new ServiceHarness({
    file: async () => {
      downloads += 1;
      return streamFile(downloads === 1);
    },
  });
  const keys = Array.from({ length: RECORDS }, (_, at) => `${at + 1}`);
  await env.LEDGER.getByName('team').setBudget({ caps: { day: null, month: null } });
  const { id } = await harness.createRequest({ keys });
  while (!ENDED.includes((await harness.getRow(id)).phase)) {
    const next = await harness.advance(id);
    if (!next.over) clock.now += next.waitMs;
  }
  const row = await harness.getRow(id);
  expect(downloads).toBe(2);
  expect(row).toMatchObject({ phase: 'ready', rows: RECORDS, charged: row.reserved });
  const stored = await env.DB.prepare('SELECT count(*) AS count FROM request_rows WHERE request_id = ?')
    .bind(id)
    .first();
  expect(stored).toEqual({ count: RECORDS });
  console.log(`${RECORDS} records of ${RECORD_BYTES} bytes, ${downloads} downloads`);
});
