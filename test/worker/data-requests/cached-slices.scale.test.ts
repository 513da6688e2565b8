// Thousands of cached records are delivered in slices, each within the limits of an invocation. `npm test` runs it at 1:100.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { CACHED_PER_STEP, ingestCachedRecords } from '../../../worker/data-requests/ingest/cached-rows.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';
import { ServiceHarness } from './service-harness.ts';

const RECORDS = 10_000 * env.SCALE;
const PER_STEP = CACHED_PER_STEP * env.SCALE;
const SLICES = RECORDS / PER_STEP;
/** Keys that are read at once. */
const BATCH = 100;
/** Calls for the pages of a slice of records of 90 KB: 12 pages of seven. */
const PAGE_CALLS = 84;

const listIds = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at + 1}`);

beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});

it('delivers every cached record once, a slice in each step', async () => {
  const harness = new ServiceHarness();
  harness.cachedPerStep = PER_STEP;
  const cached = listIds(RECORDS);
  await harness.cacheCompanies(cached);
  const { id } = await harness.createRequest({ keys: [], cached });
  const delivered: number[] = [];
  for (let slice = 0; slice < SLICES; slice += 1) {
    expect(await harness.advance(id)).toEqual({ over: false, waitMs: 0, isLarge: true });
    delivered.push((await harness.getRow(id)).rows);
  }
  expect(delivered).toEqual(Array.from({ length: SLICES }, (_, at) => (at + 1) * PER_STEP));
  await harness.runSteps(id);
  expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: RECORDS, charged: 0 });
  const sql = 'SELECT count(*) AS count FROM request_rows WHERE request_id = ?';
  expect(await env.DB.prepare(sql).bind(id).first('count')).toBe(RECORDS);
  expect(harness.calls).toEqual([]);
});

it('a slice of which KV shows nothing stays far below the limit of calls', async () => {
  captureErrorLog();
  const harness = new ServiceHarness();
  const cached = listIds(BATCH);
  const { id } = await harness.createRequest({ keys: [], cached });
  const strict = new StrictRuntime({ clock: () => clock.now }).wrapBindings(env);
  const row = { ...(await harness.getRow(id)), identity: harness.identity };
  const split = { kind: 'ids' as const, cached, ordered: [] };
  const { missing } = await ingestCachedRecords(strict.env, row, split, () => clock.now, BATCH);
  expect(missing).toBe(BATCH);
  expect(strict.listViolations()).toEqual([]);
  expect((strict.countCalls() * CACHED_PER_STEP) / BATCH + PAGE_CALLS).toBeLessThan(500);
});
