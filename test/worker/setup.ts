// Before each file of the workerd suites: the machine's time, no scripted provider, empty storage, the databases' schema and
// the team whose token they use. After each test: nothing was refused that the deployed platform refuses.
import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect } from 'vitest';
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
// Objects of an earlier suite may still hold answers in memory: each suite has a sandbox, and so an identity, of its own.
await env.SANDBOX_DB.prepare('UPDATE records_version SET version = ?')
  .bind(currentSuite.number * 1_000_000)
  .run();
const limits = { caps: { day: null, month: null }, ratePerMinute: 1_000_000 };
await ensureTeam(env, { id: 'team', name: 'Team' }, env.TEAM_TOKEN, limits, 0);

// Whatever a suite shows holds on the deployed platform only where nothing was refused. It stands here because a helper's own
// hooks are those of the first suite that loads it.
afterEach(() => {
  expect(violations.splice(0)).toEqual([]);
  kvRateViolations.length = 0;
});
