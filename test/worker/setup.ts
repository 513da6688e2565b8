// Resets the clock, storage and databases before each test file, and checks after each test that no limit was broken.
import { type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, afterEach, expect, vi } from 'vitest';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { ensureTeam } from '../../worker/gateway/auth/tokens.ts';
import { unlistedProblems } from './listed-problems.ts';
import {
  clock,
  consumedJobs,
  currentSuite,
  dataPoints,
  endBackgroundWork,
  rateViolations,
  scriptedProviders,
  violations,
} from './platform.ts';

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import('./main.ts');
    }
    interface Env extends DevelopmentEnv {
      GATEWAY_MIGRATIONS: D1Migration[];
      SANDBOX_MIGRATIONS: D1Migration[];
      /** Share of the volume in tests of large volumes: 1 in `npm run test:scale`. */
      SCALE: number;
    }
  }
}

/** Creates the tables of a database. Before, it drops others: one that a late call of the previous file holds open can survive a reset. */
async function createTables(db: D1Database, migrations: readonly D1Migration[]): Promise<void> {
  const { results } = await db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'",
    )
    .all<{ name: string }>();
  const drops = results.map(({ name }) => `DROP TABLE "${name}"`);
  const statements = [
    'PRAGMA defer_foreign_keys = on',
    ...drops,
    ...migrations.flatMap(({ queries }) => queries),
  ];
  await db.batch(statements.map((statement) => db.prepare(statement)));
}

/** Deletes the objects of a bucket: they survive a reset as tables do, and a restore would read the journal of another file. */
async function emptyBucket(bucket: R2Bucket): Promise<void> {
  for (let truncated = true; truncated; ) {
    const page = await bucket.list();
    truncated = page.truncated;
    if (page.objects.length > 0) await bucket.delete(page.objects.map(({ key }) => key));
  }
}

// The log has a line for each request. Sending all of them to the main process takes seconds of processor time.
const { log } = console;
console.log = (...parts: unknown[]) => {
  if (!String(parts[0]).startsWith('{"event":"request"')) log(...parts);
};

currentSuite.number += 1;
clock.now = Date.now();
consumedJobs.mayStart = true;
scriptedProviders.clear();
violations.length = 0;
rateViolations.length = 0;
await reset();
await Promise.all([
  createTables(env.DB, env.GATEWAY_MIGRATIONS),
  createTables(env.SANDBOX_DB, env.SANDBOX_MIGRATIONS),
  emptyBucket(env.ROWS),
]);
// Objects of an earlier file may still cache answers in memory, so each file has another identity of the sandbox.
await env.SANDBOX_DB.prepare('UPDATE records_version SET version = ?')
  .bind(currentSuite.number * 1_000_000)
  .run();
const limits = { caps: { day: null, month: null }, ratePerMinute: 1_000_000 };
await ensureTeam(env, { id: 'team', name: 'Team' }, env.TEAM_TOKEN, limits, 0);

// Not in a helper: its hooks would only run in the first file that imports it.
afterEach(() => {
  expect(violations.splice(0)).toEqual([]);
  expect(unlistedProblems.splice(0)).toEqual([]);
  rateViolations.length = 0;
  dataPoints.length = 0;
});

afterAll(async () => {
  // Files share the bindings, so a mock of one file would answer in the next one.
  vi.restoreAllMocks();
  consumedJobs.mayStart = false;
  await endBackgroundWork();
});
