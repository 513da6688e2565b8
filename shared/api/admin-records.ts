// The provider as the gateway sees it, its unclear calls, cached records and their erasure, as /admin/v1 has them.
import * as z from 'zod';
import { teamId } from './admin.ts';
import { family, time } from './common.ts';

const MAX_REFERENCES = 1000;
const MAX_REFERENCE_LENGTH = 200;
const MAX_KEY_LENGTH = 2000;

/**
 * `pace` is in calls a second: what the provider allows, and fewer for a while after it said that they were too many.
 * `drift` of the balance is expected - reported: credits that somebody else spent, or that an unclear call cost.
 */
const providerThrottleView = z.object({
  pace: z.object({ per_s: z.number(), learnt: z.boolean(), granted_per_s: z.number() }),
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

/** Answer of `GET provider`. Mode `none`: no provider is set, or not fully; `problem` tells. */
export const providerView = z.object({
  mode: z.enum(['embedded', 'remote', 'none']),
  identity: z.string().nullable(),
  key_set: z.boolean(),
  problem: z.string().nullable(),
  gate: providerThrottleView.nullable(),
});
export type ProviderView = z.infer<typeof providerView>;

export const reconciliation = z.strictObject({
  team: teamId,
  references: z
    .array(z.string().min(1).max(MAX_REFERENCE_LENGTH))
    .min(1)
    .max(MAX_REFERENCES)
    .describe('The `reference` of unclear lines of the ledger.'),
  charged: z.boolean().describe('Did the provider charge them?'),
});

/** Answer of `POST provider/reconcile`: how many of the named calls were unclear. */
export const reconciled = z.object({ reconciled: z.int() });

export const recordParams = z.object({ family, key: z.string().min(1).max(MAX_KEY_LENGTH) });

export const refreshRecord = z.strictObject({ team: teamId.describe('Id of the team that pays.') });

/** Answer of `GET records/{family}/{key}`. `asked` has the lines of all ledgers about the record. */
export const recordView = z.object({
  family: z.string(),
  key: z.object({ kind: z.string(), value: z.string() }),
  remembered: z
    .object({
      found: z.boolean(),
      fetched_at: z.string(),
      fresh_until: z.string(),
      keep_until: z.string(),
    })
    .nullable(),
  erased: z.boolean(),
  asked: z.array(
    z.object({
      team: z.string(),
      token: z.string().nullable(),
      at: z.string(),
      kind: z.string(),
      operation: z.string().nullable(),
      credits: z.number(),
    }),
  ),
});
export type RecordView = z.infer<typeof recordView>;

/** Answer of `DELETE records/{family}/{key}`: the proof, and how much was removed where. */
export const erasureView = z.object({
  id: z.string(),
  erased_at: z.string(),
  gone_everywhere_by: z.string().describe('By then no copy is left anywhere.'),
  removed: z.object({
    keys: z.number(),
    kv: z.number(),
    flights: z.number(),
    pages: z.number(),
    rows: z.number().describe('Rows of data requests.'),
  }),
});
export type ErasureView = z.infer<typeof erasureView>;
