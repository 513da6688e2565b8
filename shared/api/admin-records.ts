// Bodies of /admin/v1 for the provider's status, unclear calls, cached records and erasure.
import * as z from 'zod';
import { teamId } from './admin.ts';
import { family, time } from './common.ts';

const MAX_REFERENCES = 1000;
const MAX_REFERENCE_LENGTH = 200;
const MAX_KEY_LENGTH = 2000;

/**
 * State of the provider throttle. `pace` is in calls per second; it falls for a while after a rate limit error. `drift`
 * is the expected minus the reported balance: credits that other clients or unclear calls spent.
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

/** Response of `GET provider`. Mode `none`: the provider is not configured; `problem` contains the reason. */
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
    .describe('`reference` of unclear ledger lines.'),
  charged: z.boolean().describe('True: the provider charged the calls.'),
});

/** Response of `POST provider/reconcile`: the number of calls that were unclear. */
export const reconciled = z.object({ reconciled: z.int() });

export const recordParams = z.object({ family, key: z.string().min(1).max(MAX_KEY_LENGTH) });

export const refreshRecord = z.strictObject({ team: teamId.describe('Id of the paying team.') });

/** Response of `GET records/{family}/{key}`. `asked` contains the ledger lines of all teams about the record. */
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

/** Response of `DELETE records/{family}/{key}`: the proof, and the number of removed copies by place. */
export const erasureView = z.object({
  id: z.string(),
  erased_at: z.string(),
  gone_everywhere_by: z.string().describe('Time after which no copy is left anywhere.'),
  removed: z.object({
    keys: z.number(),
    kv: z.number(),
    flights: z.number(),
    pages: z.number(),
    rows: z.number().describe('Rows of data requests.'),
  }),
});
export type ErasureView = z.infer<typeof erasureView>;
