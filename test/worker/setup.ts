// Before each file of the workerd suites: the machine's time, no scripted provider, empty storage, the databases' schema and the team whose token they use.
import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { ensureTeam } from '../../worker/gateway/tokens.ts';
import { clock, scripted, violations } from './edges.ts';

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import('./main.ts');
    }
    interface Env extends DevelopmentEnv {
      GATEWAY_MIGRATIONS: D1Migration[];
      PROVIDER_MIGRATIONS: D1Migration[];
    }
  }
}

clock.now = Date.now();
scripted.clear();
violations.length = 0;
await reset();
await applyD1Migrations(env.DB, env.GATEWAY_MIGRATIONS);
await applyD1Migrations(env.PROVIDER_DB, env.PROVIDER_MIGRATIONS);
const limits = { caps: { day: null, month: null }, ratePerMinute: 1_000_000 };
await ensureTeam(env, { id: 'team', name: 'Team' }, env.TEAM_TOKEN, limits, 0);
