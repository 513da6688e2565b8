// The routes of /sheets/v1, one by one.
import * as z from 'zod';
import { fieldsResponse, meResponse } from '../../../shared/api/account.ts';
import { cancelId, family as familyName } from '../../../shared/api/common.ts';
import {
  cancelResponse,
  estimateResponse,
  type LookupRequest,
  type LookupRow,
  lookupRequest,
  lookupResponse,
} from '../../../shared/api/lookup.ts';
import {
  previewEstimateRequest,
  previewEstimateResponse,
  previewRequest,
  previewResponse,
  searchRequest,
  searchResponse,
} from '../../../shared/api/search.ts';
import { getPreviewColumns, getRecordColumns } from '../../../shared/families/columns.ts';
import { type Family, families, type KeyFormat } from '../../../shared/families/index.ts';
import { findRecordOperation, getLookupKinds } from '../../../shared/operations.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { describeUnknownRecordFields } from '../../../shared/query/known-fields.ts';
import { type Caller, requireScope } from '../../gateway/auth/tokens.ts';
import { estimate } from '../../gateway/estimate.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { lookup } from '../../gateway/lookup.ts';
import { rejectUnknownFields } from '../../gateway/query.ts';
import { getPushAccount } from '../../tables/push/pusher.ts';
import { alertRoutes } from './alerts.ts';
import { changeRoutes } from './changes.ts';
import { dataRequestRoutes } from './data-requests.ts';
import { type Route, route, smallRoute } from './route.ts';
import { runRoutes } from './runs.ts';
import { savedSearchRoutes } from './saved-searches.ts';
import { scheduleRoutes } from './schedules.ts';
import { estimatePreview, preview, search } from './search.ts';
import { tableRoutes } from './tables.ts';

/** A lookup may turn out to be a collect or an enrich: by website it is one, by anything else the other. */
function requireLookup(caller: Caller, family: Family, by: KeyFormat): void {
  const kinds = by === 'auto' || by === 'url' ? getLookupKinds(family) : [by];
  const names = new Set(kinds.flatMap((kind) => findRecordOperation(family, kind)?.name ?? []));
  for (const name of names.size === 0 ? (['collect'] as const) : names) requireScope(caller, family, name);
}

/** @throws ProblemError `unknown_field`, before anything is bought */
function requireKnownFields({ family, fields = [], any_fields: anyFields }: LookupRequest): void {
  if (anyFields !== true) rejectUnknownFields(describeUnknownRecordFields(family, fields));
}

function countStatuses(rows: readonly LookupRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** A text that is another one once a record was erased, and where the provider is another. */
function buildStamp({ identity }: { identity: string }, { erasureVersion }: Caller): string {
  return `${identity}.${erasureVersion}`;
}

const lookupProblems: readonly ProblemCode[] = [
  'invalid_request',
  'unknown_field',
  'too_large',
  'forbidden_scope',
  'not_configured',
];

/** What a call can end with that the provider is asked for as a whole. */
const queryProblems: readonly ProblemCode[] = [
  ...lookupProblems,
  'over_budget',
  'max_credits_reached',
  'spending_off',
  'provider_out_of_credits',
  'provider_unavailable',
  'provider_unclear',
  'provider_refused',
];

const lookupRoute = route({
  method: 'POST',
  path: '/lookup',
  summary: 'Look up as many as 1,000 keys, each distinct one once',
  description:
    'What is remembered costs nothing; the rest is bought, up to `max_credits` and the budget. A row that fails says why and leaves the others alone. What is still on its way after `wait_ms` is `pending` and goes on: ask again later, it will be remembered.',
  problems: lookupProblems,
  request: z.object({ body: lookupRequest }),
  success: { status: 200, description: 'A row for each key', schema: lookupResponse },
  handle: async ({ body }, { caller, getGatewayContext, addToLog }) => {
    requireLookup(caller, body.family, body.by);
    requireKnownFields(body);
    const own = await getGatewayContext();
    const answer = await lookup(body, own);
    addToLog({ cache: countStatuses(answer.rows), credits: answer.credits.spent });
    return { ...answer, stamp: buildStamp(own, caller) };
  },
});

const estimateRoute = route({
  method: 'POST',
  path: '/estimate',
  summary: 'What a lookup would spend now; spends nothing',
  description: 'The body is that of the lookup.',
  problems: lookupProblems,
  request: z.object({ body: lookupRequest }),
  success: { status: 200, description: 'Keys, and what they would cost', schema: estimateResponse },
  handle: async ({ body }, { caller, getGatewayContext }) => {
    requireLookup(caller, body.family, body.by);
    requireKnownFields(body);
    return estimate(body, await getGatewayContext());
  },
});

const searchRoute = route({
  method: 'POST',
  path: '/search',
  summary: 'A page of ids; free',
  problems: queryProblems,
  request: z.object({ body: searchRequest }),
  success: { status: 200, description: 'Ids and counts', schema: searchResponse },
  handle: async ({ body }, { caller, getGatewayContext }) => {
    requireScope(caller, body.family, 'search');
    return search(body, await getGatewayContext());
  },
});

const previewRoute = route({
  method: 'POST',
  path: '/preview',
  summary: 'Pages of rows with a few fields, ranked by match',
  description: 'Each page has up to 20 rows and costs 10 credits (multi-source 20) unless it is remembered.',
  problems: queryProblems,
  request: z.object({ body: previewRequest }),
  success: { status: 200, description: 'Columns and rows', schema: previewResponse },
  handle: async ({ body }, { caller, getGatewayContext, addToLog }) => {
    requireScope(caller, body.family, 'preview');
    const own = await getGatewayContext();
    const answer = await preview(body, own);
    addToLog({ credits: answer.credits.spent });
    return { ...answer, stamp: buildStamp(own, caller) };
  },
});

const previewEstimateRoute = smallRoute({
  method: 'POST',
  path: '/preview/estimate',
  summary: 'What the first pages of a preview would cost now; spends nothing',
  description: 'Pages in the cache cost nothing.',
  problems: queryProblems,
  request: z.object({ body: previewEstimateRequest }),
  success: { status: 200, description: 'Pages, and what they would cost', schema: previewEstimateResponse },
  handle: async ({ body }, { caller, getGatewayContext }) => {
    requireScope(caller, body.family, 'preview');
    return estimatePreview(body, await getGatewayContext());
  },
});

const cancelRoute = smallRoute({
  method: 'POST',
  path: '/lookups/{id}/cancel',
  summary: 'Cancel a lookup or preview that has a `cancel_id`',
  description:
    'Withdraws the provider calls of the request that have not been sent; they cost nothing. Calls that another request waits for go on, and so do calls that have been sent: the answer of the cancelled request states what they cost. Sending it again changes nothing.',
  problems: ['not_found', 'not_configured'],
  request: z.object({ params: z.object({ id: cancelId }) }),
  success: { status: 200, description: 'How many calls were withdrawn', schema: cancelResponse },
  handle: async ({ params: { id } }, { getGatewayContext }) => {
    const { cancelCalls: withdraw } = await getGatewayContext();
    return { withdrawn: await withdraw(id) };
  },
});

const meRoute = route({
  method: 'GET',
  path: '/me',
  summary: 'The team, its budget, and what the token may use',
  problems: ['not_configured'],
  request: z.object({}),
  success: { status: 200, description: 'How the caller stands', schema: meResponse },
  handle: async (_, { env, caller, updateRemaining, provider }) => {
    const ledger = getLedger(env, caller.teamId);
    const [budget, { cached, fetched }, upstream] = await Promise.all([
      ledger.getBudget(caller.tokenId),
      ledger.countRecords(),
      provider(),
    ]);
    const { caps, spent, saved, spending, remaining } = budget;
    // While calls are settled, the credits that come back are not in it yet.
    if (budget.held === 0) updateRemaining(remaining);
    return {
      team: caller.teamName,
      budget: caps,
      spent,
      saved,
      records: { remembered: cached, fetched },
      remaining,
      spending,
      confirm_above_credits: caller.confirmAboveCredits,
      mode: upstream.isSandbox === true ? 'embedded' : 'remote',
      scopes: caller.scopes,
      push_account: getPushAccount(env),
      stamp: buildStamp(upstream, caller),
    } as const;
  },
});

const fieldsRoute = route({
  method: 'GET',
  path: '/fields/{family}',
  summary: 'Columns and types of a family, to pick from',
  problems: ['not_found'],
  request: z.object({ params: z.object({ family: familyName }) }),
  success: { status: 200, description: 'The columns', schema: fieldsResponse },
  handle: async ({ params: { family } }) => ({
    family,
    columns: getRecordColumns(family),
    preview: getPreviewColumns(family),
    defaults: families[family].defaultFields,
  }),
});

/** Every route of the add-on, as data: the description of the surface is made of it too. */
export const sheetsRouteTable: readonly Route[] = [
  lookupRoute,
  estimateRoute,
  searchRoute,
  previewRoute,
  previewEstimateRoute,
  cancelRoute,
  meRoute,
  fieldsRoute,
  ...savedSearchRoutes,
  ...runRoutes,
  ...dataRequestRoutes,
  ...tableRoutes,
  ...changeRoutes,
  ...scheduleRoutes,
  ...alertRoutes,
];
