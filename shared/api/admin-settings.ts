// Bodies of /admin/v1/settings and /admin/v1/setup: a deployment's settings without secrets, and what it still needs.
import * as z from 'zod';
import { providerView } from './admin-records.ts';
import { count, family, time } from './common.ts';

const problem = z.string().nullable().describe('What is wrong with the setting. Null if it is right.');

/** Secrets of a deployment. */
export const secretNames = [
  'ADMIN_TOKEN',
  'ADMIN_TOKEN_PREVIOUS',
  'ASSISTANT_KEY',
  'CDAPI_KEY',
  'ENCRYPTION_SECRET',
  'GOOGLE_SERVICE_ACCOUNT',
  'OPERATOR_ALERT_URL',
  'PSEUDONYM_SECRET',
] as const;

const freshness = z.object({
  classes: z.array(
    z.object({
      name: z.string().describe('Name in FRESH_FOR.'),
      families: z.array(family).describe('Families whose records it covers. Empty for other answers.'),
      fresh_for_s: count.describe('Seconds for which an answer is fresh.'),
    }),
  ),
  keep_for_s: count.describe('Seconds for which bought records are kept.'),
});

const limits = z.object({
  lookup_keys: count.describe('Keys in a lookup.'),
  lookup_wait_ms: count.describe('Longest time that a lookup waits, in milliseconds.'),
  preview_pages: count.describe('Preview pages in a call.'),
  order_records: count.describe('Records in a data request.'),
  row_page: count.describe('Rows of a data request in a page.'),
  list_page: count.describe('Objects in a page of a list of the admin.'),
  usage_days: count.describe('Days in a usage report.'),
  alert_addresses: count.describe('Alert addresses of a team.'),
  flight_objects: count.describe('Objects that share the calls to the provider.'),
  flight_calls: count.describe('Calls to the provider at once, for each of these objects.'),
});

/** Response of `GET /admin/v1/settings`. */
export const settingsView = z.object({
  environment: z.string().describe('`production` or `development`.'),
  version: z
    .string()
    .describe('The deployed commit, or the id of a version without one. `development` on your machine.'),
  region: z
    .string()
    .nullable()
    .describe(
      'Where the Worker runs, and a hint where D1, R2 and Durable Objects store data. Null: near the first use.',
    ),
  jurisdiction: z.string().nullable().describe('Where D1, R2 and Durable Objects stay. Null: anywhere.'),
  public_url: z.string().nullable().describe('Null if PUBLIC_URL is missing or wrong.'),
  access_team_domain: z
    .string()
    .nullable()
    .describe('Domain of the Cloudflare Access team that signs admins in to the console. Null without it.'),
  provider: providerView.pick({ mode: true, identity: true, problem: true }).extend({
    rate_per_s: count
      .nullable()
      .describe('Calls per second until the provider states its limit. Null if the setting is wrong.'),
  }),
  freshness: freshness.nullable().describe('Null if FRESH_FOR or KEEP_FOR is wrong.'),
  retention: z.array(
    z.object({ data: z.string().describe('A table of D1, or `journal`: docs/storage.md.'), days: count }),
  ),
  secrets: z.array(z.object({ name: z.enum(secretNames), set: z.boolean() })),
  previous_admin_token_until: time
    .nullable()
    .describe('Until when the admin token from before the last rotation is accepted. Null: it is not.'),
  push_account: z.object({
    email: z.string().nullable().describe('Address that spreadsheets are shared with. Null without one.'),
    problem,
  }),
  alerts: z.object({
    configured: z.boolean().describe('Whether OPERATOR_ALERT_URL is set.'),
    low_balance: count
      .nullable()
      .describe('Credits of the provider’s account. Null if the setting is wrong.'),
    problem,
  }),
  assistant: z.object({
    model: z
      .string()
      .nullable()
      .describe('The language model that turns sentences into search forms. Null without one.'),
    problem,
  }),
  request_log: z.enum(['all', 'notable']).describe('`notable`: without drop-in answers from memory.'),
  metrics: z.boolean().describe('Whether metrics are written.'),
  limits,
});
export type SettingsView = z.infer<typeof settingsView>;

export const setupCheckIds = [
  'provider',
  'team',
  'connection',
  'push_account',
  'operator_alerts',
  'monitoring',
  'backups',
] as const;
export type SetupCheckId = (typeof setupCheckIds)[number];

const setupCheck = z.object({
  id: z.enum(setupCheckIds),
  required: z.boolean().describe('False: the gateway works without it.'),
  done: z.boolean().nullable().describe('Null: the gateway can’t find out.'),
  detail: z.string().describe('The state, and the next step if there is one.'),
});
export type SetupCheck = z.infer<typeof setupCheck>;

/** Response of `GET /admin/v1/setup`. */
export const setupView = z.object({
  done: z.boolean().describe('Whether all required checks are done.'),
  checks: z.array(setupCheck).describe('In the order in which a new deployment needs them.'),
});
export type SetupView = z.infer<typeof setupView>;
