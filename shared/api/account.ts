// Responses of /me and /fields, and bodies of /sign-in: the team’s budget and permissions, the fields of a family, and tokens of people.
import * as z from 'zod';
import { column, count, family, pushAccount, remaining, stamp, time } from './common.ts';

const caps = z.object({ day: count.nullable(), month: count.nullable() });
const perPeriod = z.object({ day: count, month: count });

export const meResponse = z.object({
  team: z.string().describe('Name of the team.'),
  budget: caps.describe('Caps of the team. Null: no cap.'),
  spent: perPeriod.describe('Credits.'),
  saved: perPeriod.describe('What answers from records already bought would have cost, at each use.'),
  records: z
    .object({
      cached: perPeriod.describe('Served from the cache.'),
      fetched: perPeriod.describe('Bought.'),
    })
    .describe('Records returned today and this month.'),
  remaining,
  reserved: count.describe(
    'Credits reserved for open calls and orders: they are neither spent nor remaining.',
  ),
  spending: z.boolean().describe('False: only cached records are returned.'),
  confirm_above_credits: count
    .nullable()
    .describe('The sidebar asks for confirmation above this number of credits. Null: never.'),
  formula_max_credits: count
    .nullable()
    .describe(
      'Credits that a run of a formula without `max_credits` may cost without a confirmation. Null: no limit.',
    ),
  mode: z.enum(['sandbox', 'live']).describe('`live`: the provider’s records. `sandbox`: fictional records.'),
  scopes: z
    .object({
      families: z.array(family).nullable(),
      operations: z.array(z.string()).nullable(),
    })
    .describe(
      'Permissions of the token. Null: all. `alerts` among the operations is the right to see and change alert addresses; a token without any restriction has it, too.',
    ),
  push_account: pushAccount,
  assistant: z.boolean().describe('Whether `/ask` can turn sentences into search forms.'),
  stamp,
});
export type MeResponse = z.infer<typeof meResponse>;

export const fieldsResponse = z.object({
  family,
  columns: z.array(column).describe('Columns of a record.'),
  preview: z.array(column).describe('Columns of a preview.'),
  defaults: z.array(z.string()).readonly().describe('Fields returned when the caller names none.'),
});

const MAX_IDENTITY_TOKEN_LENGTH = 8192;

export const signInRequest = z.strictObject({
  identity_token: z
    .string()
    .min(1)
    .max(MAX_IDENTITY_TOKEN_LENGTH)
    .describe('From `ScriptApp.getIdentityToken()` in the add-on. It is neither stored nor logged.'),
});

export const signInResponse = z.object({
  token: z.string().describe('The person’s token. A later sign-in replaces it.'),
  team: z.string().describe('Name of the team.'),
  expires_at: time,
});
export type SignInResponse = z.infer<typeof signInResponse>;

/** A code by which a person connects an assistant. */
export const assistantCode = z.object({
  code: z.string().describe('Works once, within ten minutes.'),
  url: z.url().describe('Address of the gateway for assistants.'),
});
export type AssistantCode = z.infer<typeof assistantCode>;
