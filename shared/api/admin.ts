// Teams, their budgets, top-ups and tokens, as /admin/v1 takes and answers them. Days are those of UTC.
import * as z from 'zod';
import { defaultConfirmAboveCredits } from '../limits.ts';
import { operations } from '../operations.ts';
import { family, singleLineText, time } from './common.ts';

/** The most lines that a list answers at once. */
const MAX_PAGE = 100;
/** More credits than anyone buys. */
const MAX_CREDITS = 1_000_000_000_000;
const MAX_RATE_PER_MINUTE = 1_000_000;
const MAX_NAME_LENGTH = 100;
const MAX_NOTE_LENGTH = 500;

const operationNames = [...new Set(operations.map(({ name }) => name))];
export const operationName = z.enum(operationNames);

export const id = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .meta({ examples: ['3f9a0c71d2b84e56'] });
export const teamId = id.describe('Id of the team.');
export const teamParams = z.object({ id: teamId });
export const tokenParams = z.object({ id: teamId, token_id: id.describe('Id of the token.') });

/** A whole number of a query. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'is no whole number')
  .transform(Number);

/** How many lines of a list a query asks for. */
export const pageLimit = wholeNumber
  .pipe(z.number().int().min(1).max(MAX_PAGE))
  .describe(`A whole number, 1 to ${MAX_PAGE}.`)
  .default(MAX_PAGE);

export const page = z.strictObject({
  after: id.optional().describe('The `next` of the page before.'),
  limit: pageLimit,
});

const spending = z.boolean().describe('False: only what is remembered is answered.');
const confirmAboveCredits = z
  .int()
  .min(0)
  .max(MAX_CREDITS)
  .nullable()
  .describe('The sidebar asks once more before it spends more credits than this; null is never.');
const backgroundRefresh = z.boolean().describe('Are stale records bought again behind the answer, unasked?');

const credits = z.int().min(0).max(MAX_CREDITS);
const cap = credits.nullable();
const scope = <const Name extends z.ZodType>(name: Name, all: readonly unknown[]) =>
  z
    .array(name)
    .min(1)
    .max(all.length)
    .transform((list) => [...new Set(list)])
    .nullable();

/** What is absent stays, or is as the ledger has it. */
const perDay = cap.describe('Credits a day; null is no cap.');
const perMonth = cap.describe('Credits a month; null is no cap.');
const partialCaps = z.strictObject({ day: perDay.exactOptional(), month: perMonth.exactOptional() });
const name = singleLineText(MAX_NAME_LENGTH);
const ratePerMinute = z
  .int()
  .min(1)
  .max(MAX_RATE_PER_MINUTE)
  .describe('Calls that the token may make in a minute.');

export const newTeam = z.strictObject({
  name: name.min(1),
  budget: partialCaps.optional(),
  spending: spending.default(true),
  background_refresh: backgroundRefresh.default(false),
  confirm_above_credits: confirmAboveCredits.default(defaultConfirmAboveCredits),
});
export const teamChange = z.strictObject({
  name: name.min(1).optional(),
  background_refresh: backgroundRefresh.optional(),
  confirm_above_credits: confirmAboveCredits.optional(),
});
export const newBudget = z.strictObject({ day: perDay, month: perMonth, spending });

export const newToken = z.strictObject({
  name: name.default('').describe('What people call it.'),
  families: scope(family, family.options).default(null).describe('Null is all.'),
  operations: scope(operationName, operationNames).default(null).describe('Null is all.'),
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null).describe('Null is never.'),
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
export const topUpHeaders = z.object({
  'idempotency-key': z
    .string('is missing: send a new one for each top-up, the same one to repeat it')
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible characters')
    .describe('A new one for each top-up; the same one repeats it.'),
});

const perPeriod = z.object({ day: z.int(), month: z.int() });
const caps = { day: z.int().nullable(), month: z.int().nullable() };

/** How a team stands. */
export const budgetView = z.object({
  day: caps.day.describe('Credits a day; null is no cap.'),
  month: caps.month.describe('Credits a month; null is no cap.'),
  spending,
  spent: perPeriod.describe('Credits.'),
  saved: perPeriod.describe('What remembered answers would have cost.'),
  held: z.int().describe('Held for calls on their way.'),
  top_up: z.int().describe('What is left of top-ups.'),
  unclear: z.int().describe('Counted as spent, although nobody knows whether the provider charged it.'),
  remaining: z.int().nullable().describe('What may still be spent; null where no cap is set.'),
});
export type BudgetView = z.infer<typeof budgetView>;

/** A department that spends from one budget. */
export const teamView = z.object({
  id,
  name: z.string(),
  created_at: time,
  background_refresh: backgroundRefresh,
  confirm_above_credits: confirmAboveCredits,
  budget: budgetView,
});
export type TeamView = z.infer<typeof teamView>;

/** Answer of `GET teams`. `next` is sent as `after` for the next page; null on the last one. */
export const teamList = z.object({
  teams: z.array(teamView),
  next: id.nullable(),
});
export type TeamList = z.infer<typeof teamList>;

/** A token, without the token itself. Null `families` or `operations` are all. */
export const tokenView = z.object({
  id,
  prefix: z.string().describe('Its first characters.'),
  name: z.string(),
  families: z.array(family).nullable(),
  operations: z.array(operationName).nullable(),
  rate_per_minute: z.int(),
  budget: z.object({ ...caps, spent: perPeriod }),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  revoked_at: time.nullable(),
});
export type TokenView = z.infer<typeof tokenView>;

/** Answer of `GET teams/{id}/tokens`. */
export const tokenList = z.object({
  tokens: z.array(tokenView),
  next: id.nullable(),
});
export type TokenList = z.infer<typeof tokenList>;

/** Answer of `POST teams/{id}/tokens`. */
export const issuedToken = tokenView.extend({
  token: z.string().describe('Shown in this answer and never again.'),
  connection_link: z.url().describe('What a seller pastes to connect a spreadsheet.'),
});
export type IssuedToken = z.infer<typeof issuedToken>;

/** Credits on top of the caps. */
export const topUpView = z.object({
  id: z.string(),
  at: time,
  credits: z.int(),
  note: z.string().nullable(),
});
export type TopUpView = z.infer<typeof topUpView>;

/** Answer of `GET teams/{id}/topups`, the newest first. */
export const topUpList = z.object({ topups: z.array(topUpView) });
export type TopUpList = z.infer<typeof topUpList>;
