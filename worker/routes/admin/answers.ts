// What /admin/v1 answers, as schemas: its description comes from them, and tests hold each answer against its own.
import * as z from 'zod';
import {
  type AuditList,
  type BudgetView,
  type ErasureView,
  type IssuedToken,
  type LedgerAnswer,
  ledgerKinds,
  type ProviderView,
  type Reconciled,
  type RecordView,
  type TeamList,
  type TeamView,
  type TokenList,
  type TokenView,
  type TopUpList,
  type TopUpView,
  type UsageReport,
  usageGroups,
} from '../../../shared/admin-api.ts';
import { familyNames } from '../../../shared/families.ts';
import { backgroundRefresh, confirmAboveCredits, id, operationNames, spending } from './fields.ts';

const instant = z.iso.datetime();
const perPeriod = z.object({ day: z.int(), month: z.int() });
const caps = { day: z.int().nullable(), month: z.int().nullable() };

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
}) satisfies z.ZodType<BudgetView>;

export const teamView = z.object({
  id,
  name: z.string(),
  created_at: instant,
  background_refresh: backgroundRefresh,
  confirm_above_credits: confirmAboveCredits,
  budget: budgetView,
}) satisfies z.ZodType<TeamView>;

export const teamList = z.object({
  teams: z.array(teamView),
  next: id.nullable(),
}) satisfies z.ZodType<TeamList>;

export const tokenView = z.object({
  id,
  prefix: z.string().describe('Its first characters.'),
  name: z.string(),
  families: z.array(z.enum(familyNames)).nullable(),
  operations: z.array(z.enum(operationNames)).nullable(),
  rate_per_minute: z.int(),
  budget: z.object({ ...caps, spent: perPeriod }),
  created_at: instant,
  expires_at: instant.nullable(),
  last_used_at: instant.nullable(),
  revoked_at: instant.nullable(),
}) satisfies z.ZodType<TokenView>;

export const tokenList = z.object({
  tokens: z.array(tokenView),
  next: id.nullable(),
}) satisfies z.ZodType<TokenList>;

export const issuedToken = tokenView.extend({
  token: z.string().describe('Shown in this answer and never again.'),
  connection_link: z.url().describe('What a seller pastes to connect a spreadsheet.'),
}) satisfies z.ZodType<IssuedToken>;

export const topUpView = z.object({
  id: z.string(),
  at: instant,
  credits: z.int(),
  note: z.string().nullable(),
}) satisfies z.ZodType<TopUpView>;

export const topUpList = z.object({ topups: z.array(topUpView) }) satisfies z.ZodType<TopUpList>;

const usageCounts = z.object({
  calls: z.int(),
  hit: z.int(),
  stale: z.int(),
  coalesced: z.int(),
  fetched: z.int(),
  not_found: z.int(),
  errors: z.int(),
  hit_rate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('The share of the calls that did not fail which cost no call to the provider.'),
  credits: z.int(),
  saved: z.int(),
  mean_latency_ms: z.number().nullable(),
});

export const usageReport = z.object({
  by: z.enum(usageGroups),
  from: z.iso.date(),
  to: z.iso.date(),
  total: usageCounts,
  rows: z.array(
    usageCounts.extend({
      day: z.iso.date().exactOptional(),
      team: z.string().exactOptional(),
      team_name: z.string().exactOptional(),
      token: z.string().exactOptional(),
      token_name: z.string().exactOptional(),
      token_prefix: z.string().exactOptional(),
      family: z.enum(familyNames).exactOptional(),
    }),
  ),
}) satisfies z.ZodType<UsageReport>;

const ledgerLine = z.object({
  team: id,
  number: z.int(),
  at: instant,
  day: z.iso.date(),
  kind: z.enum(ledgerKinds),
  token: z.string().nullable(),
  operation: z.enum(operationNames).nullable(),
  family: z.enum(familyNames).nullable(),
  subject: z.string().nullable().describe('What was asked, as a pseudonym.'),
  reference: z.string().nullable(),
  credits: z.int(),
  saved: z.int(),
  calls: z.int(),
  note: z.string().nullable(),
});

export const ledgerAnswer = z.object({
  entries: z.array(ledgerLine),
  next: z.int().nullable(),
}) satisfies z.ZodType<LedgerAnswer>;

export const providerView = z.object({
  mode: z.enum(['embedded', 'remote', 'none']),
  identity: z.string().nullable(),
  key_set: z.boolean(),
  problem: z.string().nullable(),
  gate: z
    .object({
      pace: z.object({ per_s: z.number(), learnt: z.boolean(), granted_per_s: z.number() }),
      breaker: z.object({ state: z.enum(['closed', 'open', 'half_open']), since: instant }),
      waiting: z.int(),
      open: z.int(),
      balance: z
        .object({
          reported: z.int(),
          reported_at: instant,
          expected: z.int(),
          drift: z.int(),
          unclear: z.int(),
        })
        .nullable(),
    })
    .nullable(),
}) satisfies z.ZodType<ProviderView>;

export const auditList = z.object({
  audit: z.array(
    z.object({
      number: z.int(),
      at: instant,
      action: z.string(),
      target: z.string(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
  next: z.int().nullable(),
}) satisfies z.ZodType<AuditList>;

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
}) satisfies z.ZodType<RecordView>;

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
}) satisfies z.ZodType<ErasureView>;

export const reconciled = z.object({ reconciled: z.int() }) satisfies z.ZodType<Reconciled>;
