// /admin/v1/restores: the steps between a restore of the database and the opening of the gateway.

import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-settings.ts';
import type { RestoreRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { countLateErasures } from '../../gateway/refusal-list/erasure-repository.ts';
import { isInMaintenance } from '../../http/maintenance.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { systemClock } from '../../lib/clock.ts';
import { continueRestore } from '../../operations/restore/continue-restore.ts';
import { buildAuditInsert } from './audit-log.ts';
import { route } from './route.ts';

async function toRestoreView(
  env: Env,
  { id, step, after, counts }: RestoreRow,
  now: number,
): Promise<api.RestoreView> {
  const { revocations = 0, orders_recovered = 0, orders_unclear = 0, orders_released = 0 } = counts;
  const erasures = await countLateErasures(env.DB, now);
  return {
    id,
    done: step === null,
    step,
    after,
    revocations,
    orders_recovered,
    orders_unclear,
    orders_released,
    erasures,
  };
}

export const continueRestoreRoute = route(endpoints.continueRestore, {
  summary: 'Continue a restore of the database to an earlier time',
  description:
    'For npm run restore, after the database was replaced and while the gateway is in maintenance. Each call does a part: repeat it until `done`. Open data requests become unclear, and lost ones come back; revocations and erasures are repeated; nothing that was sent is sent again.',
  returns: 'The progress',
  handle: async ({ body: { id, to } }, { env, now, actor, getProvider }) => {
    if (!isInMaintenance(env))
      throw new ProblemError(
        'invalid_request',
        'The gateway is not in maintenance, so nothing can be restored.',
        'Use npm run restore: docs/deploy.md, Restore.',
      );
    const { identity } = await getProvider();
    const { sleep } = systemClock;
    const context = { env, identity, now: () => now, sleep };
    const { restore, isCompleted } = await continueRestore(context, id, to === null ? null : Date.parse(to));
    if (isCompleted)
      await buildAuditInsert({ env, now, actor }, 'database.restore', id, { to, ...restore.counts });
    return toRestoreView(env, restore, now);
  },
});
