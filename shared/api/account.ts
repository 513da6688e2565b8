// How a team stands, and the fields that a family has.
import * as z from 'zod';
import { column, count, family, pushAccount, remaining, stamp } from './common.ts';

const caps = z.object({ day: count.nullable(), month: count.nullable() });
const perPeriod = z.object({ day: count, month: count });

/** Answer of `GET /sheets/v1/me`. */
export const meResponse = z.object({
  team: z.string().describe('Its name.'),
  budget: caps.describe('Caps of the team; null is none.'),
  spent: perPeriod.describe('Credits.'),
  saved: perPeriod.describe('What remembered answers would have cost.'),
  records: z
    .object({
      remembered: perPeriod.describe('Answered from memory.'),
      fetched: perPeriod.describe('Bought.'),
    })
    .describe('Records that were answered today and this month.'),
  remaining,
  spending: z.boolean().describe('False: only what is remembered is answered.'),
  confirm_above_credits: count
    .nullable()
    .describe('The sidebar asks once more before it spends more credits than this; null is never.'),
  mode: z
    .enum(['embedded', 'remote'])
    .describe('`embedded`: the records come from the sandbox and are fictional.'),
  scopes: z
    .object({
      families: z.array(family).nullable(),
      operations: z.array(z.string()).nullable(),
    })
    .describe('What the token may use; null is all.'),
  push_account: pushAccount,
  stamp,
});
export type MeResponse = z.infer<typeof meResponse>;

/** Answer of `GET /sheets/v1/fields/{family}`. */
export const fieldsResponse = z.object({
  family,
  columns: z.array(column).describe('Columns of a record.'),
  preview: z.array(column).describe('Columns of a preview.'),
  defaults: z.array(z.string()).readonly().describe('Shown where nobody named fields.'),
});
export type FieldsResponse = z.infer<typeof fieldsResponse>;
