// Bodies and endpoints of /admin/v1 for the provider's status, unclear calls, cached records and erasure.
import * as z from 'zod';
import { ofTeam, operationName, teamId, teams } from './admin.ts';
import { entryKind } from './admin-reports.ts';
import { endpointGroup, readers } from './admin-roles.ts';
import { count, family, time } from './common.ts';
import { providerProblems, purchaseProblems } from './endpoint.ts';

const MAX_REFERENCES = 1000;
const MAX_REFERENCE_LENGTH = 200;
const MAX_KEY_LENGTH = 2000;

/**
 * State of the provider throttle. `pace` is in calls per second; it falls for a while after a rate limit error. `reported`:
 * the provider has stated the limit. `drift` is the expected minus the reported balance: credits that other clients or unclear
 * calls spent.
 */
const providerThrottleView = z.object({
  pace: z.object({ per_s: z.number(), reported: z.boolean(), granted_per_s: z.number() }),
  breaker: z.object({ state: z.enum(['closed', 'open', 'half_open']), since: time }),
  waiting: z.int(),
  open: z.int(),
  balance: z
    .object({
      reported: z.int(),
      reported_at: time,
      expected: z.int(),
      drift: z.int(),
      unclear: z.int(),
    })
    .nullable(),
});
export type ProviderThrottleView = z.infer<typeof providerThrottleView>;

/** Response of `GET provider`. Mode `none`: the provider is not configured; `problem` contains the reason. */
export const providerView = z.object({
  mode: z.enum(['sandbox', 'live', 'none']),
  identity: z.string().nullable(),
  key_set: z.boolean(),
  problem: z.string().nullable(),
  throttle: providerThrottleView.nullable(),
});
export type ProviderView = z.infer<typeof providerView>;

export const unclearCalls = z.object({
  calls: z.array(
    z.object({
      reference: z.string().describe('For `POST provider/reconcile`.'),
      at: time,
      token: z.string().describe('Id of the token that pays. `admin`: the admin.'),
      token_name: z.string().nullable().describe('E-mail address of the person, or name of the connection.'),
      operation: operationName,
      family,
      credits: z.int().describe('Counted as spent.'),
    }),
  ),
  more: z.boolean().describe('True: there are more than are listed.'),
});

const unclearQuery = z.object({
  family: family.optional(),
  operation: operationName.optional(),
  before: time.optional().describe('Only calls before this time.'),
});

export const reconciliation = z.strictObject({
  team: teamId,
  references: z
    .array(z.string().min(1).max(MAX_REFERENCE_LENGTH))
    .min(1)
    .max(MAX_REFERENCES)
    .describe('`reference` of unclear ledger lines.'),
  charged: z.boolean().describe('True: the provider charged the calls.'),
});

export const reconciled = z.object({ reconciled: z.int() });

export const disputedCharges = z.object({
  charges: z.array(
    z.object({
      reference: z.string().describe('For `POST provider/resolve-dispute`.'),
      at: time,
      token: z.string().describe('Id of the token that pays. `admin`: the admin.'),
      token_name: z.string().nullable().describe('E-mail address of the person, or name of the connection.'),
      operation: operationName,
      family,
      charged: z.int().describe('Credits that were reserved and charged.'),
      credits: z
        .int()
        .describe('Credits that the provider seems to have charged beyond. Not counted as spent.'),
    }),
  ),
  more: z.boolean().describe('True: there are more than are listed.'),
});

const disputeResolution = z.strictObject({
  team: teamId,
  reference: z.string().min(1).max(MAX_REFERENCE_LENGTH),
  accepted: z
    .boolean()
    .describe(
      'True: books the credits to the day of the reservation, even above the caps. False: drops them.',
    ),
});

const resolvedDispute = z.object({ credits: z.int().describe('0: nothing was disputed any more.') });

const recordParams = z.object({ family, key: z.string().min(1).max(MAX_KEY_LENGTH) });

/** A record that a body names, so that its key is in no address. */
export const namedRecord = z.strictObject({ family, key: recordParams.shape.key });

const recordQuery = z.object({
  after: teamId.optional().describe('`next` of the previous response.'),
});

const recordViewRequest = namedRecord.extend(recordQuery.shape);

export const refreshRecord = z.strictObject({ team: teamId.describe('Id of the paying team.') });

const recordRefresh = namedRecord.extend(refreshRecord.shape);

export const recordKey = z.object({ kind: z.string(), value: z.string() });

/** Response of `POST record-lookup` and `GET records/{family}/{key}`. `ledger_entries` contains the lines about the record in the ledgers of up to 500 teams. */
export const recordView = z.object({
  family,
  key: recordKey,
  cached: z
    .object({
      found: z.boolean(),
      fetched_at: time,
      fresh_until: time,
      keep_until: time,
    })
    .nullable(),
  rows: count.describe('Rows of data requests with this record, if its id is known.'),
  erased: z.boolean(),
  ledger_entries: z.array(
    z.object({
      team: z.string(),
      token: z.string().nullable(),
      token_name: z.string().nullable().describe('E-mail address of the person, or name of the connection.'),
      at: time,
      kind: entryKind,
      operation: z.string().nullable(),
      credits: z.number(),
    }),
  ),
  next: z.string().nullable().describe('Continue with `after`; null if all teams are included.'),
});
export type RecordView = z.infer<typeof recordView>;

const provider = endpointGroup('Provider', 'Status of the data provider.');
export const records = endpointGroup('Records', 'Cached records and their erasure.');

export const ofRecord = { params: recordParams };
export const keyProblems = ['invalid_key', 'not_configured'] as const;

/** Problems of a purchase for a team. */
const refreshProblems = [
  'invalid_key',
  ...providerProblems,
  ...purchaseProblems,
  'not_found',
  'erased',
] as const;

export const recordEndpoints = {
  getProvider: provider(...readers, 'monitor').get('/provider', {}, providerView),
  listUnclearCalls: teams(...readers).get(
    '/teams/{id}/unclear-calls',
    { ...ofTeam, query: unclearQuery },
    unclearCalls,
  ),
  reconcile: provider('finance').post('/provider/reconcile', { body: reconciliation }, reconciled, [
    'not_found',
  ]),
  listDisputedCharges: teams(...readers).get('/teams/{id}/disputed-charges', ofTeam, disputedCharges),
  resolveDispute: provider('finance').post(
    '/provider/resolve-dispute',
    { body: disputeResolution },
    resolvedDispute,
    ['not_found'],
  ),
  getRecordByPath: records('privacy').get(
    '/records/{family}/{key}',
    { ...ofRecord, query: recordQuery },
    recordView,
    keyProblems,
  ),
  getRecord: records('privacy').post('/record-lookup', { body: recordViewRequest }, recordView, keyProblems),
  refreshRecordByPath: records('owner').post(
    '/records/{family}/{key}/refresh',
    { ...ofRecord, body: refreshRecord },
    recordView,
    refreshProblems,
  ),
  refreshRecord: records('owner').post(
    '/record-refresh',
    { body: recordRefresh },
    recordView,
    refreshProblems,
  ),
};
