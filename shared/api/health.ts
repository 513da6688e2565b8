// Schema of GET /health/deep.
import * as z from 'zod';

/** Why a check failed. docs/admin.md explains each. */
export const healthReasons = [
  'failed',
  'timed_out',
  'not_configured',
  'never_ran',
  'silent',
  'sweeps_failing',
  'breaker_open',
  'out_of_credits',
] as const;
export type HealthReason = (typeof healthReasons)[number];

/** The state of a deployment. It holds no personal data, keys or addresses. */
export const deepHealth = z.object({
  status: z.enum(['ok', 'failing']),
  version: z.string().describe('The deployed commit, or the id of a version that has none'),
  checks: z.array(
    z.object({
      name: z.string().describe('A binding, as in wrangler.toml, or `settings`, `cron`, `provider`'),
      ok: z.boolean(),
      ms: z.number().describe('Duration'),
      reason: z.enum(healthReasons).nullable().describe('Null if the check succeeded'),
    }),
  ),
  cron: z
    .object({
      last_run_at: z.string(),
      age_s: z.number(),
      failing: z.array(z.string()).describe('Sweeps that failed in the last run'),
    })
    .nullable()
    .describe('Null if it never ran or could not be read'),
  provider: z
    .object({
      breaker: z.enum(['closed', 'open', 'half_open']),
      balance: z.number().nullable().describe('Credits that the provider last reported'),
      balance_at: z.string().nullable(),
    })
    .nullable()
    .describe(
      'What the provider throttle last knew; null if it could not be read. The provider is not called',
    ),
});
export type DeepHealth = z.infer<typeof deepHealth>;
