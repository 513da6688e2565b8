// What /admin/v1 takes, as schemas: requests are read by them and described by them.
import * as z from 'zod';
import { maxPage, usageGroups } from '../../../shared/admin-api.ts';
import { familyNames } from '../../../shared/families.ts';
import { defaultConfirmAboveCredits } from '../../../shared/sheets-api.ts';
import { line } from '../line.ts';
import { backgroundRefresh, confirmAboveCredits, id, operationNames, spending } from './fields.ts';

/** More credits than anyone buys. */
const MAX_CREDITS = 1_000_000_000_000;
const MAX_RATE_PER_MINUTE = 1_000_000;
const MAX_NAME_LENGTH = 100;
const MAX_NOTE_LENGTH = 500;
const MAX_REFERENCES = 1000;
const MAX_REFERENCE_LENGTH = 200;

const digits = z.string().regex(/^\d{1,15}$/, 'is no whole number');
const count = digits.transform(Number);
const atLeastOne = (max: number) =>
  count.pipe(z.number().int().min(1).max(max)).describe(`A whole number, 1 to ${max}.`);
const credits = z.int().min(0).max(MAX_CREDITS);
const cap = credits.nullable();
const scope = <const Name extends string>(names: readonly Name[]) =>
  z
    .array(z.enum(names))
    .min(1)
    .max(names.length)
    .transform((list) => [...new Set(list)])
    .nullable();

const teamId = id.describe('Id of the team.');
export const teamParams = z.object({ id: teamId });
export const tokenParams = z.object({ id: teamId, token_id: id.describe('Id of the token.') });
export const page = z.strictObject({
  after: id.optional().describe('The `next` of the page before.'),
  limit: atLeastOne(maxPage).default(maxPage),
});

/** What is absent stays, or is as the ledger has it. */
const perDay = cap.describe('Credits a day; null is no cap.');
const perMonth = cap.describe('Credits a month; null is no cap.');
const someCaps = z.strictObject({ day: perDay.exactOptional(), month: perMonth.exactOptional() });
const name = line(MAX_NAME_LENGTH);
const ratePerMinute = z
  .int()
  .min(1)
  .max(MAX_RATE_PER_MINUTE)
  .describe('Calls that the token may make in a minute.');

export const newTeam = z.strictObject({
  name: name.min(1),
  budget: someCaps.optional(),
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
  families: scope(familyNames).default(null).describe('Null is all.'),
  operations: scope(operationNames).default(null).describe('Null is all.'),
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null).describe('Null is never.'),
  rate_per_minute: ratePerMinute.optional(),
  budget: someCaps.optional(),
});
export const tokenChange = z.strictObject({
  name: name.optional(),
  rate_per_minute: ratePerMinute.optional(),
  budget: someCaps.optional(),
});

export const newTopUp = z.strictObject({
  credits: credits.min(1),
  note: line(MAX_NOTE_LENGTH).optional(),
});
export const idempotent = z.object({
  'idempotency-key': z
    .string('is missing: send a new one for each top-up, the same one to repeat it')
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible characters')
    .describe('A new one for each top-up; the same one repeats it.'),
});

const day = z.iso.date('is no day such as 2026-09-01');
export const usageQuery = z.strictObject({
  by: z.enum(usageGroups).default('day').describe('What the rows are about.'),
  from: day.optional().describe('The first day.'),
  to: day.optional().describe('The last day.'),
  team: teamId.optional(),
});

export const ledgerQuery = z
  .strictObject({
    team: teamId.optional(),
    after: count.optional().describe('The number of the last line that is known; needs a team.'),
    limit: count.pipe(z.number().min(1)).optional().describe('At most so many lines.'),
    format: z.enum(['json', 'csv']).optional().describe('Where the Accept header does not say it.'),
  })
  .refine(({ team, after }) => team !== undefined || after === undefined, {
    path: ['after'],
    message: 'needs a team: each team counts its own lines',
  });

export const auditQuery = z.strictObject({
  before: count.optional().describe('The `next` of the page before.'),
  limit: atLeastOne(maxPage).default(maxPage),
});

export const reconciliation = z.strictObject({
  team: teamId,
  references: z
    .array(z.string().min(1).max(MAX_REFERENCE_LENGTH))
    .min(1)
    .max(MAX_REFERENCES)
    .describe('The `reference` of unclear lines of the ledger.'),
  charged: z.boolean().describe('Did the provider charge them?'),
});

export const refreshRecord = z.strictObject({ team: teamId.describe('Id of the team that pays.') });
