// Lookup, search, preview, account and assistant routes of /sheets/v1, and the table of its routes.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import type { LookupRequest, LookupRow } from '../../../shared/api/lookup.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { getPreviewColumns, getRecordColumns } from '../../../shared/families/columns.ts';
import { type Family, families, type KeyFormat } from '../../../shared/families/index.ts';
import { findRecordOperation, getLookupKinds } from '../../../shared/operations.ts';
import { describeUnknownRecordFields } from '../../../shared/query/known-fields.ts';
import { spreadsheetNameHeader } from '../../../shared/sources.ts';
import { isAssistantConfigured } from '../../assistant/settings.ts';
import type { Env } from '../../env.ts';
import { OAuthStore } from '../../gateway/auth/oauth-store.ts';
import { type Caller, requireScope } from '../../gateway/auth/tokens.ts';
import { estimate } from '../../gateway/estimate.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { lookup } from '../../gateway/lookup.ts';
import { estimatePreview, preview, search } from '../../gateway/preview.ts';
import { rejectUnknownFields } from '../../gateway/query.ts';
import { readSpreadsheet } from '../../gateway/services.ts';
import { isLocalProvider } from '../../gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { getPushAccount } from '../../tables/push/pusher.ts';
import { storeSpreadsheetName } from '../../tables/spreadsheets.ts';
import { accountRoutes } from './accounts.ts';
import { alertRoutes } from './alerts.ts';
import { askRoute } from './ask.ts';
import { listChanges } from './changes.ts';
import { dataRequestRoutes } from './data-requests.ts';
import { enrichmentRoutes } from './enrichments.ts';
import { matchRoutes } from './match.ts';
import { buildStamp, countForTeam, type Route, route, smallRoute } from './route.ts';
import { runRoutes } from './runs.ts';
import { savedSearchRoutes } from './saved-searches.ts';
import { scheduleRoutes } from './schedules.ts';
import { tableRoutes } from './tables.ts';
import { getUsage } from './usage.ts';

/** Percent-encoded, because headers are ASCII. */
const spreadsheetName = z
  .string()
  .max(2000)
  .transform((text, context) => {
    try {
      return decodeURIComponent(text);
    } catch {
      context.addIssue('is not percent-encoded');
      return z.NEVER;
    }
  })
  .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
  .pipe(z.string().min(1));

/** Codes that a team may create, each of which is stored for ten minutes. */
const ASSISTANT_CODES_PER_MINUTE = 5;

/** Requires the scopes of a lookup. A lookup by website is an `enrich`, other lookups are a `collect`. */
function requireLookup(caller: Caller, family: Family, by: KeyFormat): void {
  const kinds = by === 'auto' || by === 'url' ? getLookupKinds(family) : [by];
  const names = new Set(kinds.flatMap((kind) => findRecordOperation(family, kind)?.name ?? []));
  for (const name of names.size === 0 ? (['collect'] as const) : names) requireScope(caller, family, name);
}

/**
 * Rejects unknown fields before anything is bought.
 * @throws ProblemError `unknown_field`
 */
function requireKnownFields({ family, fields = [], any_fields: anyFields }: LookupRequest): void {
  if (anyFields !== true) rejectUnknownFields(describeUnknownRecordFields(family, fields));
}

function countStatuses(rows: readonly LookupRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export const lookupRoute = route(endpoints.lookup, {
  summary: 'Look up as many as 1,000 keys',
  description:
    'Cached records are free. The others are bought, within `max_credits` and the budget. A formula without `max_credits` buys nothing above the team’s limit for formulas. Duplicate keys are bought once. A failed row has a problem code and does not affect the others. Rows that are not ready after `wait_ms` are `pending`: the lookup continues in the background, so repeat the call later.',
  returns: 'One row for each key',
  handle: async ({ body }, { caller, getGatewayContext, addToLog }) => {
    addToLog({ family: body.family });
    requireLookup(caller, body.family, body.by);
    requireKnownFields(body);
    const gateway = await getGatewayContext();
    const answer = await lookup(body, gateway);
    // Revoked since it was verified. The client stops, instead of writing an error for each row.
    if (answer.credits.spent === 0 && answer.rows.some(({ problem }) => problem === 'unauthorised'))
      throw new ProblemError('unauthorised');
    addToLog({ cache: countStatuses(answer.rows), credits: answer.credits.spent });
    return { ...answer, stamp: buildStamp(gateway, caller) };
  },
});

export const estimateRoute = route(endpoints.estimate, {
  summary: 'Estimate the price of a lookup; free',
  description: 'Takes the body of the lookup.',
  returns: 'Keys and price',
  handle: async ({ body }, { caller, getGatewayContext }) => {
    requireLookup(caller, body.family, body.by);
    requireKnownFields(body);
    return estimate(body, await getGatewayContext());
  },
});

const searchRoute = route(endpoints.search, {
  summary: 'Search for ids; free',
  returns: 'Ids and counts',
  handle: async ({ body }, { caller, getGatewayContext, addToLog }) => {
    addToLog({ family: body.family, operation: 'search' });
    requireScope(caller, body.family, 'search');
    return search(body, await getGatewayContext());
  },
});

export const previewRoute = route(endpoints.preview, {
  summary: 'Preview matching records: rows with a few fields, best match first',
  description: 'Each page has up to 20 rows and costs 10 credits (multi-source: 20). Cached pages are free.',
  returns: 'Columns and rows',
  handle: async ({ body }, { caller, getGatewayContext, addToLog }) => {
    addToLog({ family: body.family, operation: 'preview' });
    requireScope(caller, body.family, 'preview');
    const gateway = await getGatewayContext();
    const answer = await preview(body, gateway);
    addToLog({ credits: answer.credits.spent });
    return { ...answer, stamp: buildStamp(gateway, caller) };
  },
});

export const previewEstimateRoute = smallRoute(endpoints.estimatePreview, {
  summary: 'Estimate the price of the first pages of a preview; free',
  description: 'Cached pages are free.',
  returns: 'Pages and price',
  handle: async ({ body }, { caller, getGatewayContext }) => {
    requireScope(caller, body.family, 'preview');
    return estimatePreview(body, await getGatewayContext());
  },
});

const cancelRoute = smallRoute(endpoints.cancelLookup, {
  summary: 'Cancel a lookup or preview that has a `cancel_id`',
  description:
    'Withdraws provider calls that have not been sent; they cost nothing. Calls that were sent, or that another request waits for, continue; the response of the cancelled request contains their cost. Idempotent.',
  returns: 'Number of withdrawn calls',
  handle: async ({ params: { id } }, { getGatewayContext }) => {
    const { cancelCalls } = await getGatewayContext();
    return { withdrawn: await cancelCalls(id) };
  },
});

/** Stores the name of the spreadsheet that the sidebar was opened in. */
async function noteSpreadsheet(
  env: Env,
  { teamId: team }: Caller,
  request: Request,
  now: number,
): Promise<void> {
  const id = readSpreadsheet(request);
  const sent = request.headers.get(spreadsheetNameHeader);
  if (id === undefined || sent === null) return;
  const name = spreadsheetName.safeParse(sent).data;
  if (name !== undefined) await storeSpreadsheetName(drizzle(env.DB), { team, id, name }, now);
}

export const meRoute = route(endpoints.getAccount, {
  summary: 'Get the team, its budget and the token’s permissions',
  returns: 'Team, budget and permissions',
  handle: async (_, { env, request, caller, now, updateRemaining, getProvider }) => {
    const ledger = getLedger(env, caller.teamId);
    const [budget, { cached, fetched }, upstream] = await Promise.all([
      ledger.getBudget(caller.tokenId),
      ledger.countRecords(),
      getProvider(),
      noteSpreadsheet(env, caller, request, now),
    ]);
    const { caps, spent, saved, spending, remaining, reserved } = budget;
    // While credits are reserved, the released part is not yet included.
    if (reserved === 0) updateRemaining(remaining);
    return {
      team: caller.teamName,
      budget: caps,
      spent,
      saved,
      records: { cached, fetched },
      remaining,
      reserved,
      spending,
      confirm_above_credits: caller.confirmAboveCredits,
      formula_max_credits: caller.formulaMaxCredits,
      mode: upstream.isSandbox === true ? 'sandbox' : 'live',
      scopes: caller.scopes,
      push_account: getPushAccount(env),
      assistant: isAssistantConfigured(env, isLocalProvider(upstream)),
      stamp: buildStamp(upstream, caller),
    } as const;
  },
});

const fieldsRoute = route(endpoints.getFields, {
  summary: 'Get the columns of a family',
  returns: 'The columns',
  handle: async ({ params: { family } }) => ({
    family,
    columns: getRecordColumns(family),
    preview: getPreviewColumns(family),
    defaults: families[family].defaultFields,
  }),
});

const assistantCodeRoute = smallRoute(endpoints.createAssistantCode, {
  summary: 'Create a code that connects an assistant; free',
  description:
    'The page of the gateway that an assistant opens takes it once, within ten minutes. The assistant then has the permissions and the budget of this token, as long as the token is valid.',
  returns: 'The code, and the gateway’s address for assistants',
  handle: async (_, context) => {
    const { env, caller, now, request, newId } = context;
    const url = `${getPublicOrigin(env, request)}/mcp`;
    await countForTeam(context, 'assistant-codes', ASSISTANT_CODES_PER_MINUTE, 'requests for codes');
    const code = newId();
    await new OAuthStore(env.DB, () => now).putConnectCode(code, caller.tokenId);
    return { code, url };
  },
});

/** The routes of the add-on but sign-in and events. The API reference is generated from them too. */
export const sheetsRouteTable: readonly Route[] = [
  lookupRoute,
  estimateRoute,
  searchRoute,
  previewRoute,
  previewEstimateRoute,
  ...accountRoutes,
  ...matchRoutes,
  askRoute,
  cancelRoute,
  meRoute,
  fieldsRoute,
  ...savedSearchRoutes,
  ...runRoutes,
  getUsage,
  ...dataRequestRoutes,
  ...tableRoutes,
  listChanges,
  ...scheduleRoutes,
  ...enrichmentRoutes,
  ...alertRoutes,
  assistantCodeRoute,
];
