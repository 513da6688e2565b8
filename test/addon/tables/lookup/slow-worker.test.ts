// Duration of a step when the gateway uses its whole deadline.
import { expect, it } from 'vitest';
import { createEnrichOrder, createList, createSearchOrder } from '../../server/orders.ts';
import { gateway, openSidebar, parseBody, type Sidebar, startRun } from '../../server/sidebar.ts';
import { createResponse } from '../../spreadsheet.ts';

/** Limit of a step, default deadline of the gateway, and overhead of a call. */
const STEP_MS = 25_000;
const UNTOLD_MS = 25_000;
const AROUND_MS = 2000;

let now = Date.parse('2026-03-01T12:00:00Z');

/** Opens a sidebar whose gateway uses the whole deadline of each call. */
function slow(options: Parameters<typeof openSidebar>[0] = {}, busy = false): Promise<Sidebar> {
  return openSidebar({
    ...options,
    now: () => now,
    fetch: async (request) => {
      if (!/\/(search|preview|lookup)$/.test(request.url)) return gateway.fetch(request);
      const { wait_ms }: { wait_ms?: number } = Object(parseBody(request));
      now += (wait_ms ?? UNTOLD_MS) + AROUND_MS;
      return busy && request.url.endsWith('/preview')
        ? createResponse(429, { code: 'rate_limited', detail: 'Too fast.', fix: 'Wait.' })
        : gateway.fetch(request);
    },
  });
}

/** Measures a duration by the script's clock. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const begun = now;
  await work();
  return now - begun;
}

it.each([false, true])(
  'a page of a search ends within 25 s, whether or not it came in time: %s',
  async (busy) => {
    const sidebar = await slow({}, busy);
    expect(await took(() => sidebar.callOk('planSearch', createSearchOrder()))).toBeLessThan(STEP_MS);
    const run = await startRun(sidebar, 'startSearch', createSearchOrder({ pages: 2 }));
    expect(await took(() => sidebar.callOk('step', { runId: run.runId }))).toBeLessThan(STEP_MS);
  },
);

it('a step ends within 25 s', async () => {
  const sidebar = await slow({ workbook: createList(['nobody.example', 'nobody-else.example']) });
  const run = await startRun(sidebar, 'startEnrich', createEnrichOrder());
  expect(await took(() => sidebar.callOk('step', { runId: run.runId }))).toBeLessThan(STEP_MS);
});
