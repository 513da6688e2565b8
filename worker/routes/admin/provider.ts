// /admin/v1/provider: status of the provider, and reconciliation of unclear calls.

import { drizzle } from 'drizzle-orm/d1';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-records.ts';
import { releaseUnclearKeys } from '../../data-requests/order/key-claims.ts';
import { resolveDisputedRequest } from '../../data-requests/repository.ts';
import type { Env } from '../../env.ts';
import { findPayerNames } from '../../gateway/auth/identity/payer-names.ts';
import { findTeam } from '../../gateway/auth/team-repository.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { getProviderThrottle } from '../../gateway/provider-throttle/provider-throttle-object.ts';
import type { ThrottleState } from '../../gateway/provider-throttle/types.ts';
import { readConfiguredUpstream } from '../../gateway/upstream/configured-upstream.ts';
import type { Upstream } from '../../gateway/upstream/upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { buildAuditInsert } from './audit-log.ts';
import { type RouteContext, requireFound, route } from './route.ts';

/** Unclear calls or disputed charges of a response. */
const MAX_LISTED = 100;

/**
 * Lists the oldest entries of a team that an admin has to decide about.
 * @throws ProblemError `not_found`
 */
async function listOpen<T extends { id: string; at: number; token: string }>(
  env: Env,
  team: string,
  read: (ledger: ReturnType<typeof getLedger>, limit: number) => Promise<T[]>,
) {
  const orm = drizzle(env.DB);
  requireFound(await findTeam(orm, team));
  const entries = await read(getLedger(env, team), MAX_LISTED + 1);
  const tokens = entries.map(({ token }) => token);
  const names = await findPayerNames(env, orm, tokens);
  const items = entries.slice(0, MAX_LISTED).map(({ id: reference, at, ...entry }) => ({
    ...entry,
    reference,
    at: toIsoTime(at),
    token_name: names.get(entry.token) ?? null,
  }));
  return { items, more: entries.length > MAX_LISTED };
}

function toThrottleView({ pace, breaker, waiting, open, balance }: ThrottleState): api.ProviderThrottleView {
  return {
    pace: { per_s: pace.perS, reported: pace.reported, granted_per_s: pace.grantedPerS },
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

/** Returns the provider, or the problem of its settings. */
export async function resolveProvider({ getProvider }: RouteContext): Promise<Upstream | ProblemError> {
  try {
    return await getProvider();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

/** Describes the configured provider and the errors in its settings. */
export async function describeProvider(
  context: RouteContext,
): Promise<Pick<api.ProviderView, 'mode' | 'identity' | 'problem'>> {
  const provider = await resolveProvider(context);
  if (provider instanceof ProblemError) return { mode: 'none', identity: null, problem: provider.message };
  const isRemote = (await readConfiguredUpstream(context.env)) !== undefined;
  return { mode: isRemote ? 'live' : 'sandbox', identity: provider.identity, problem: null };
}

const getProvider = route(endpoints.getProvider, {
  summary: 'Get the provider’s mode, pace, circuit breaker and balance',
  returns: 'The provider, without its key',
  handle: async (_, context): Promise<api.ProviderView> => {
    const { env } = context;
    const provider = await describeProvider(context);
    const { identity } = provider;
    return {
      ...provider,
      key_set: Boolean(env.CDAPI_KEY),
      throttle:
        identity === null ? null : toThrottleView(await getProviderThrottle(env, identity).getState()),
    };
  },
});

const listUnclearCalls = route(endpoints.listUnclearCalls, {
  summary: 'List calls of a team that were sent and whose charge is unknown, by family, operation and age',
  returns: 'Up to 100 calls, the oldest first',
  handle: async ({ params: { id }, query: { before, ...filter } }, { env }) => {
    const chosen = { ...filter, before: before === undefined ? undefined : Date.parse(before) };
    const { items, more } = await listOpen(env, id, (ledger, limit) => ledger.listUnclear(limit, chosen));
    return { calls: items, more };
  },
});

const listDisputedCharges = route(endpoints.listDisputedCharges, {
  summary: 'List credits of a team that the provider seems to have charged beyond what was reserved',
  returns: 'Up to 100 charges, the oldest first',
  handle: async ({ params: { id } }, { env }) => {
    const { items, more } = await listOpen(env, id, (ledger, limit) => ledger.listDisputed(limit));
    return { charges: items, more };
  },
});

const resolveDispute = route(endpoints.resolveDispute, {
  summary: 'Resolve a disputed charge: accept or reject what the provider charged beyond the reservation',
  returns: 'The resolved credits',
  handle: async ({ body: { team, reference, accepted } }, { env, now, actor, orm }) => {
    requireFound(await findTeam(orm, team));
    await buildAuditInsert({ env, now, actor }, 'provider.resolve_dispute', team, { reference, accepted });
    const credits = await getLedger(env, team).resolveDispute(reference, accepted);
    await resolveDisputedRequest(env.DB, { team, reference, accepted });
    return { credits };
  },
});

const reconcile = route(endpoints.reconcile, {
  summary: 'Reconcile unclear calls: record whether the provider charged them',
  returns: 'Number of unclear calls among them; others stay unchanged',
  handle: async ({ body: { team, references, charged } }, { env, now, actor, orm }) => {
    requireFound(await findTeam(orm, team));
    await buildAuditInsert({ env, now, actor }, 'provider.reconcile', team, {
      references: references.length,
      charged,
    });
    const reconciled = await getLedger(env, team).reconcile(references, charged);
    await releaseUnclearKeys(env.DB, team, references);
    return { reconciled };
  },
});

export const providerRoutes = {
  getProvider,
  listUnclearCalls,
  reconcile,
  listDisputedCharges,
  resolveDispute,
};
