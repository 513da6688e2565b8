// How long the sidebar waits for a step where the Worker takes all the time that it was given.
import { expect, it } from 'vitest';
import { enrichOrder, list, searchOrder } from '../../server/orders.ts';
import { bodyOf, gateway, openSidebar, type Sidebar, startRun } from '../../server/sidebar.ts';
import { answer } from '../../spreadsheet.ts';

/** What a step may take, the Worker's default for what it is not told, and what comes on top of its waiting. */
const STEP_MS = 25_000;
const UNTOLD_MS = 25_000;
const AROUND_MS = 2000;

let now = Date.parse('2026-03-01T12:00:00Z');

/** Opens a sidebar whose Worker uses up the time that each call gives it. */
function slow(options: Parameters<typeof openSidebar>[0] = {}, busy = false): Promise<Sidebar> {
  return openSidebar({
    ...options,
    now: () => now,
    fetch: async (request) => {
      if (!/\/(search|preview|lookup)$/.test(request.url)) return gateway.fetch(request);
      const { wait_ms }: { wait_ms?: number } = Object(bodyOf(request));
      now += (wait_ms ?? UNTOLD_MS) + AROUND_MS;
      return busy && request.url.endsWith('/preview')
        ? answer(429, { code: 'rate_limited', detail: 'Too fast.', fix: 'Wait.' })
        : gateway.fetch(request);
    },
  });
}

/** What something took by the clock of the script. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const begun = now;
  await work();
  return now - begun;
}

it.each([false, true])(
  'a page of a search ends within 25 s, whether or not it came in time: %s',
  async (busy) => {
    const bar = await slow({}, busy);
    expect(await took(() => bar.value('planSearch', searchOrder()))).toBeLessThan(STEP_MS);
    const run = await startRun(bar, 'startSearch', searchOrder({ pages: 2 }));
    expect(await took(() => bar.value('step', { runId: run.runId }))).toBeLessThan(STEP_MS);
  },
);

it('a chunk of a column ends within 25 s', async () => {
  const bar = await slow({ workbook: list(['nobody.example', 'nobody-else.example']) });
  const run = await startRun(bar, 'startEnrich', enrichOrder());
  expect(await took(() => bar.value('step', { runId: run.runId }))).toBeLessThan(STEP_MS);
});
