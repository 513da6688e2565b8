// /admin/v1/provider: status of the provider, and reconciliation of unclear calls.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin-records.ts';
import { releaseUnclearKeys } from '../../data-requests/order/key-claims.ts';
import { findTeam } from '../../gateway/auth/team-repository.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { getProviderThrottle } from '../../gateway/provider-throttle/provider-throttle-object.ts';
import type { ThrottleState } from '../../gateway/provider-throttle/types.ts';
import { readConfiguredUpstream } from '../../gateway/upstream/configured-upstream.ts';
import type { Upstream } from '../../gateway/upstream/upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, type Route, type RouteContext, route } from './route.ts';

function toThrottleView({ pace, breaker, waiting, open, balance }: ThrottleState): api.ProviderThrottleView {
  return {
    pace: { per_s: pace.perS, learnt: pace.learnt, granted_per_s: pace.grantedPerS },
    breaker: { state: breaker.state, since: toIsoTime(breaker.since) },
    waiting,
    open,
    balance:
      balance === undefined
        ? null
        : {
            reported: balance.reported,
            reported_at: toIsoTime(balance.reportedAt),
            expected: balance.expected,
            drift: balance.drift,
            unclear: balance.unclear,
          },
  };
}

async function resolveProvider({ getProvider }: RouteContext): Promise<Upstream | ProblemError> {
  try {
    return await getProvider();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

const getStatus = route({
  method: 'GET',
  path: '/provider',
  summary: 'Get the provider’s mode, pace, circuit breaker and balance',
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'The provider, without its key', schema: api.providerView },
  handle: async (_, context): Promise<api.ProviderView> => {
    const { env } = context;
    const key_set = Boolean(env.CDAPI_KEY);
    const provider = await resolveProvider(context);
    if (provider instanceof ProblemError) {
      return { mode: 'none', identity: null, key_set, problem: provider.message, gate: null };
    }
    const remote = (await readConfiguredUpstream(env)) !== undefined;
    return {
      mode: remote ? 'remote' : 'embedded',
      identity: provider.identity,
      key_set,
      problem: null,
      gate: toThrottleView(await getProviderThrottle(env, provider.identity).getState()),
    };
  },
});

const reconcile = route({
  method: 'POST',
  path: '/provider/reconcile',
  summary: 'Reconcile unclear calls: record whether the provider charged them',
  problems: ['not_found', 'invalid_request', 'too_large'],
  request: z.object({ body: api.reconciliation }),
  success: {
    status: 200,
    description: 'Number of unclear calls among them; others stay unchanged',
    schema: api.reconciled,
  },
  handle: async ({ body: { team, references, charged } }, { env, now }) => {
    const orm = drizzle(env.DB);
    if ((await findTeam(orm, team)) === undefined) throw notFound();
    await buildAuditInsert(orm, {
      at: now,
      action: 'provider.reconcile',
      target: team,
      detail: { references: references.length, charged },
    });
    const reconciled = await getLedger(env, team).reconcile(references, charged);
    await releaseUnclearKeys(env.DB, team, references);
    return { reconciled };
  },
});

export const providerRoutes: readonly Route[] = [getStatus, reconcile];
