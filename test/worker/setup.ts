// Resets the clock, storage and databases before each test file, and checks after each test that no limit was broken.
import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, afterEach, expect, vi } from 'vitest';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { ensureTeam } from '../../worker/gateway/auth/tokens.ts';
import { clock, currentSuite, kvRateViolations, scriptedProviders, violations } from './platform.ts';

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import('./main.ts');
    }
    interface Env extends DevelopmentEnv {
      GATEWAY_MIGRATIONS: D1Migration[];
      SANDBOX_MIGRATIONS: D1Migration[];
    }
  }
}

currentSuite.number += 1;
clock.now = Date.now();
scriptedProviders.clear();
violations.length = 0;
kvRateViolations.length = 0;
await reset();
await applyD1Migrations(env.DB, env.GATEWAY_MIGRATIONS);
await applyD1Migrations(env.SANDBOX_DB, env.SANDBOX_MIGRATIONS);
// Objects of an earlier file may still cache answers in memory, so each file has another identity of the sandbox.
await env.SANDBOX_DB.prepare('UPDATE records_version SET version = ?')
  .bind(currentSuite.number * 1_000_000)
  .run();
const limits = { caps: { day: null, month: null }, ratePerMinute: 1_000_000 };
await ensureTeam(env, { id: 'team', name: 'Team' }, env.TEAM_TOKEN, limits, 0);

// Not in a helper: its hooks would only run in the first file that imports it.
afterEach(() => {
  expect(violations.splice(0)).toEqual([]);
  kvRateViolations.length = 0;
});

// Files share the bindings, so a mock of one file would answer in the next one.
afterAll(() => {
  vi.restoreAllMocks();
});

// A Workflow that wakes between two files finds no Worker, hangs, and can hold up the Workflows of later files.
afterAll(async () => {
  const { results } = await env.DB.prepare('SELECT id, run FROM requests WHERE due_at IS NOT NULL').all();
  await Promise.allSettled(
    results.map(async ({ id, run }) => (await env.REQUESTS.get(`${id}-${run}`)).terminate()),
  );
});
