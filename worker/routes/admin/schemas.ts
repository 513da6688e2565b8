// What /admin/v1 takes and answers, as schemas: requests are read by them, both are described by them.
import * as z from 'zod';
import {
  type AuditList,
  type BudgetView,
  type ErasureView,
  type IssuedToken,
  type LedgerAnswer,
  ledgerKinds,
  maxPage,
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
import { operations } from '../../../shared/operations.ts';
import { line } from '../line.ts';

/** More credits than anyone buys. */
const MAX_CREDITS = 1_000_000_000_000;
const MAX_RATE_PER_MINUTE = 1_000_000;
const MAX_NAME_LENGTH = 100;
const MAX_NOTE_LENGTH = 500;
const MAX_REFERENCES = 1000;
const MAX_REFERENCE_LENGTH = 200;

const operationNames = [...new Set(operations.map(({ name }) => name))];

const id = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .meta({ examples: ['3f9a0c71d2b84e56'] });
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
const spending = z.boolean().describe('False: only what is remembered is answered.');
const backgroundRefresh = z.boolean().describe('Are stale records bought again behind the answer, unasked?');

export const newTeam = z.strictObject({
  name: name.min(1),
  budget: someCaps.optional(),
  spending: spending.default(true),
  background_refresh: backgroundRefresh.default(false),
});
export const teamChange = z.strictObject({
  name: name.min(1).optional(),
  background_refresh: backgroundRefresh.optional(),
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

export const reconciled = z.object({ reconciled: z.int() }) satisfies z.ZodType<Reconciled>;

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

export const refreshRecord = z.strictObject({ team: teamId.describe('Id of the team that pays.') });

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
