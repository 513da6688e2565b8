// Bodies of /admin/v1 for the deployment: settings without secrets, setup, operator alerts and restores.
import * as z from 'zod';
import { providerView } from './admin-records.ts';
import { count, family, time } from './common.ts';

const problem = z.string().nullable().describe('What is wrong with the setting. Null if it is right.');

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
  single_flight_objects: count.describe('Objects that share the calls to the provider.'),
  single_flight_calls: count.describe('Calls to the provider at once, for each of these objects.'),
});

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

export const setupView = z.object({
  done: z.boolean().describe('Whether all required checks are done.'),
  checks: z.array(setupCheck).describe('In the order in which a new deployment needs them.'),
});

export const restoreCommand = z.strictObject({
  id: z.uuid().describe('Chosen by the caller. Repeat it until the restore is complete.'),
  to: time.nullable().describe('The time that the database was restored to; null if it is not known.'),
});

export const restoreView = z.object({
  id: z.string(),
  done: z.boolean(),
  step: z.string().nullable().describe('Name of the next step; null if all are complete.'),
  after: z.string().nullable().describe('How far the step is; changes with its progress.'),
  revocations: z.int().describe('Revocations and deletions that were repeated.'),
  orders_recovered: z.int().describe('Sent data requests that the database had lost.'),
  orders_unclear: z.int().describe('Open data requests that are unclear now.'),
  orders_released: z.int().describe('Reservations of data requests that were never sent.'),
  erasures: z.int().describe('Erasures in progress.'),
});
export type RestoreView = z.infer<typeof restoreView>;

const alertDeliveries = ['pending', 'delivered', 'dropped'] as const;
export type AlertDelivery = (typeof alertDeliveries)[number];

const operatorAlert = z.object({
  kind: z.string().describe('Such as `breaker_open`: docs/admin.md, Operator alerts.'),
  since: time,
  last_notified_at: time.describe('Time of the last message: its beginning or a reminder.'),
  delivery: z
    .enum(alertDeliveries)
    .describe(
      'What became of the last message. `pending`: it is sent again. `dropped`: the receiver did not accept it; the daily reminder follows.',
    ),
  error: z
    .string()
    .nullable()
    .describe('Why the last attempt failed, with the HTTP status if there was one.'),
});

export const operatorAlertList = z.object({
  configured: z.boolean().describe('False: OPERATOR_ALERT_URL is not set, so nothing is checked.'),
  problem: z.string().nullable().describe('Why no alerts can be sent. Null if the settings are right.'),
  alerts: z.array(operatorAlert),
});
export type OperatorAlertList = z.infer<typeof operatorAlertList>;

export const testAlertResult = z.object({
  accepted: z.boolean(),
  problem: z
    .string()
    .nullable()
    .describe('Why the receiver did not accept the message, without its address and its response.'),
});
export type TestAlertResult = z.infer<typeof testAlertResult>;
