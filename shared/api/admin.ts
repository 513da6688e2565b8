// Bodies and endpoints of /admin/v1 for teams, budgets, top-ups and tokens. Days are UTC.
import * as z from 'zod';
import { alertsScope } from '../alerts-scope.ts';
import { defaultConfirmAboveCredits, defaultFormulaMaxCredits } from '../limits.ts';
import { operations } from '../operations.ts';
import { endpointGroup, readers } from './admin-roles.ts';
import { family, singleLineText, time } from './common.ts';
import { alertBody, alertList, alertParams, alertView } from './schedules.ts';

/** Maximum page size of lists. */
export const maxListPage = 100;
/** Upper bound of any number of credits. */
const MAX_CREDITS = 1_000_000_000_000;
const MAX_RATE_PER_MINUTE = 1_000_000;
const MAX_NAME_LENGTH = 100;
const MAX_NOTE_LENGTH = 500;

const operationNames = [...new Set(operations.map(({ name }) => name))];
export const operationName = z.enum(operationNames);
const scopeNames = [...operationNames, alertsScope] as const;
export const scopeName = z.enum(scopeNames);

export const id = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'is not an id')
  .meta({ examples: ['3f9a0c71d2b84e56'] });
export const teamId = id.describe('Id of the team.');

/** A whole number in a query string. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'is not a whole number')
  .transform(Number);

export const pageLimit = wholeNumber
  .pipe(z.number().int().min(1).max(maxListPage))
  .describe(`A whole number, 1 to ${maxListPage}.`)
  .default(maxListPage);

export const page = z.strictObject({
  after: id.optional().describe('`next` from the previous page.'),
  limit: pageLimit,
});

const spending = z.boolean().describe('False: only cached records are returned.');
const confirmAboveCredits = z
  .int()
  .min(0)
  .max(MAX_CREDITS)
  .nullable()
  .describe('The sidebar asks for confirmation above this number of credits. Null: never.');
const formulaMaxCredits = z
  .int()
  .min(0)
  .max(MAX_CREDITS)
  .nullable()
  .describe(
    'Credits that a run of a formula without `max_credits` may cost. Above, it buys nothing until a person confirms its price. Null: no limit.',
  );
const backgroundRefresh = z.boolean().describe('True: stale records are bought again in the background.');

const credits = z.int().min(0).max(MAX_CREDITS);
const cap = credits.nullable();
const scope = <const Name extends z.ZodType>(name: Name, all: readonly unknown[]) =>
  z
    .array(name)
    .min(1)
    .max(all.length)
    .transform((list) => [...new Set(list)])
    .nullable();

const perDay = cap.describe('Credits per day. Null: no cap.');
const perMonth = cap.describe('Credits per month. Null: no cap.');
/** Absent caps stay unchanged, or get the default of the ledger. */
export const partialCaps = z.strictObject({ day: perDay.exactOptional(), month: perMonth.exactOptional() });
const name = singleLineText(MAX_NAME_LENGTH);
export const ratePerMinute = z
  .int()
  .min(1)
  .max(MAX_RATE_PER_MINUTE)
  .describe('Maximum number of calls per minute.');

const idempotencyKey = (of: string) =>
  z
    .string(`is missing: send a new key for each ${of}, and the same key to retry`)
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible characters')
    .describe(`A new key for each ${of}, and the same key to retry.`);

const newTeamHeaders = z.object({ 'idempotency-key': idempotencyKey('team').optional() });

export const newTeam = z.strictObject({
  name: name.min(1),
  budget: partialCaps.optional(),
  spending: spending.default(true),
  background_refresh: backgroundRefresh.default(false),
  confirm_above_credits: confirmAboveCredits.default(defaultConfirmAboveCredits),
  allow_same_name: z
    .boolean()
    .default(true)
    .describe('False: refused with `name_taken` if another team has the name.'),
  formula_max_credits: formulaMaxCredits.default(defaultFormulaMaxCredits),
});
export const teamChange = z.strictObject({
  name: name.min(1).optional(),
  background_refresh: backgroundRefresh.optional(),
  confirm_above_credits: confirmAboveCredits.optional(),
  formula_max_credits: formulaMaxCredits.optional(),
});
export const newBudget = z.strictObject({ day: perDay, month: perMonth, spending });

export const familyScope = scope(family, family.options).default(null).describe('Null: all.');
export const operationScope = scope(scopeName, scopeNames)
  .default(null)
  .describe(
    'Null: all. `alerts` is the right to see and change the team’s alert addresses. A token that is limited to families has it only if it is named here.',
  );

export const newToken = z.strictObject({
  name: name.default('').describe('Display name.'),
  families: familyScope,
  operations: operationScope,
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null).describe('Null: never.'),
  rate_per_minute: ratePerMinute.optional(),
  budget: partialCaps.optional(),
});
export const tokenChange = z.strictObject({
  name: name.optional(),
  rate_per_minute: ratePerMinute.optional(),
  budget: partialCaps.optional(),
});

export const newTopUp = z.strictObject({
  credits: credits.min(1),
  note: singleLineText(MAX_NOTE_LENGTH).optional(),
});
const topUpHeaders = z.object({ 'idempotency-key': idempotencyKey('top-up') });

const perPeriod = z.object({ day: z.int(), month: z.int() });
const caps = { day: z.int().nullable(), month: z.int().nullable() };

/** Budget and spending of a team. */
export const budgetView = z.object({
  day: caps.day.describe('Credits per day. Null: no cap.'),
  month: caps.month.describe('Credits per month. Null: no cap.'),
  spending,
  spent: perPeriod.describe('Credits.'),
  saved: perPeriod.describe('What answers from records already bought would have cost, at each use.'),
  reserved: z.int().describe('Credits reserved for running calls.'),
  top_up: z.int().describe('Remaining credits of top-ups.'),
  unclear: z
    .int()
    .describe('Credits with an unclear outcome. They count as spent until they are reconciled.'),
  disputed: z
    .int()
    .describe(
      'Credits that the provider seems to have charged beyond reservations. They do not count as spent.',
    ),
  remaining: z.int().nullable().describe('Credits that may still be spent. Null if no cap is set.'),
});
export type BudgetView = z.infer<typeof budgetView>;

/** A team: a group of people with a shared budget. */
export const teamView = z.object({
  id,
  name: z.string(),
  created_at: time,
  background_refresh: backgroundRefresh,
  confirm_above_credits: confirmAboveCredits,
  formula_max_credits: formulaMaxCredits,
  budget: budgetView,
});
export type TeamView = z.infer<typeof teamView>;

export const createdTeam = teamView.extend({
  same_name: z.array(id).describe('Other teams with this name, upper and lower case alike; at most 10.'),
});

export type CreatedTeam = z.infer<typeof createdTeam>;

/** Response of `GET teams`. Send `next` as `after` for the next page. Null on the last page. */
export const teamList = z.object({
  teams: z.array(teamView),
  next: id.nullable(),
});
export type TeamList = z.infer<typeof teamList>;

/** The choices of a team, without budgets. */
const teamNames = z.object({ teams: z.array(z.object({ id, name: z.string() })) });

/** A token without its secret. Null `families` or `operations` mean all. */
export const tokenView = z.object({
  id,
  prefix: z.string().describe('First characters of the token.'),
  name: z.string(),
  person: z
    .string()
    .nullable()
    .describe('E-mail address of the person who got it by signing in; null for other tokens.'),
  families: z.array(family).nullable(),
  operations: z.array(scopeName).nullable(),
  rate_per_minute: z.int(),
  budget: z.object({ ...caps, spent: perPeriod }),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  revoked_at: time.nullable(),
});
export type TokenView = z.infer<typeof tokenView>;

export const tokenList = z.object({
  tokens: z.array(tokenView),
  next: id.nullable(),
});
export type TokenList = z.infer<typeof tokenList>;

export const issuedToken = tokenView.extend({
  token: z.string().describe('The token. Only this response contains it.'),
  connection_link: z.url().describe('Link that a user pastes to connect a spreadsheet.'),
});
export type IssuedToken = z.infer<typeof issuedToken>;

/** Credits in addition to the caps. */
export const topUpView = z.object({
  id: z.string(),
  at: time,
  credits: z.int(),
  note: z.string().nullable(),
});
export type TopUpView = z.infer<typeof topUpView>;

export const topUpList = z.object({ top_ups: z.array(topUpView) });
export type TopUpList = z.infer<typeof topUpList>;

export const teams = endpointGroup('Teams', 'Teams, their tokens, budgets, top-ups and ledgers.');

export const ofTeam = { params: z.object({ id: teamId }) };
const ofToken = { params: z.object({ id: teamId, token_id: id.describe('Id of the token.') }) };
const ofAlert = { params: z.object({ id: teamId, alert_id: alertParams.shape.id }) };
const alertProblems = ['too_many', 'not_configured'] as const;

export const teamEndpoints = {
  createTeam: teams('owner').post(
    '/teams',
    { headers: newTeamHeaders, body: newTeam },
    createdTeam,
    ['name_taken'],
    { status: 201 },
  ),
  listTeams: teams(...readers, 'privacy').get('/teams', { query: page }, teamList),
  listTeamNames: teams(...readers, 'privacy').get('/team-names', {}, teamNames),
  getTeam: teams(...readers).get('/teams/{id}', ofTeam, teamView),
  updateTeam: teams('owner').patch('/teams/{id}', { ...ofTeam, body: teamChange }, teamView),
  deleteTeam: teams('owner').remove('/teams/{id}', ofTeam),
  listTeamAlerts: teams('viewer').get('/teams/{id}/alerts', ofTeam, alertList, ['not_configured']),
  createTeamAlert: teams('owner').post(
    '/teams/{id}/alerts',
    { ...ofTeam, body: alertBody },
    alertView,
    alertProblems,
    { status: 201 },
  ),
  updateTeamAlert: teams('owner').patch(
    '/teams/{id}/alerts/{alert_id}',
    { ...ofAlert, body: alertBody.partial() },
    alertView,
    alertProblems,
  ),
  deleteTeamAlert: teams('owner').remove('/teams/{id}/alerts/{alert_id}', ofAlert),
  testTeamAlert: teams('owner').post('/teams/{id}/alerts/{alert_id}/test', ofAlert, alertView, [
    'not_configured',
  ]),
  createToken: teams('owner').post(
    '/teams/{id}/tokens',
    { ...ofTeam, body: newToken },
    issuedToken,
    ['not_configured'],
    { status: 201 },
  ),
  listTokens: teams(...readers).get('/teams/{id}/tokens', { ...ofTeam, query: page }, tokenList),
  getToken: teams(...readers).get('/teams/{id}/tokens/{token_id}', ofToken, tokenView),
  updateToken: teams('owner').patch(
    '/teams/{id}/tokens/{token_id}',
    { ...ofToken, body: tokenChange },
    tokenView,
  ),
  revokeToken: teams('owner').remove('/teams/{id}/tokens/{token_id}', ofToken),
  getBudget: teams(...readers).get('/teams/{id}/budget', ofTeam, budgetView),
  setBudget: teams('finance').put('/teams/{id}/budget', { ...ofTeam, body: newBudget }, budgetView),
  createTopUp: teams('finance').post(
    '/teams/{id}/top-ups',
    { ...ofTeam, headers: topUpHeaders, body: newTopUp },
    topUpView,
    [],
    { status: 201 },
  ),
  listTopUps: teams(...readers).get('/teams/{id}/top-ups', ofTeam, topUpList),
};
