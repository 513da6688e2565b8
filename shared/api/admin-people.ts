// Bodies of /admin/v1/domains and /admin/v1/people: whose people sign in with their Google accounts, and these people.
import * as z from 'zod';
import {
  familyScope,
  id,
  operationScope,
  pageLimit,
  partialCaps,
  ratePerMinute,
  scopeName,
  teamId,
} from './admin.ts';
import { family, time } from './common.ts';

const MAX_TOKEN_DAYS = 90;
const DEFAULT_TOKEN_DAYS = 30;

/** Their accounts belong to persons, so Google names no domain for them. */
const PERSONAL_DOMAINS: readonly string[] = ['gmail.com', 'googlemail.com'];

const DOMAIN = /^(?=.{4,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*)(?:\.[\p{L}\p{N}][\p{L}\p{N}-]*)+$/u;
const domain = z
  .string()
  .toLowerCase()
  .regex(DOMAIN)
  .refine((name) => !PERSONAL_DOMAINS.includes(name), 'has personal accounts only, which belong to no domain')
  .meta({ examples: ['acme.com'] })
  .describe('Domain of a Google Workspace.');

export const domainParams = z.object({ domain });
export const personParams = z.object({ id: id.describe('Id of the person.') });

export const domainPage = z.strictObject({
  after: domain.optional().describe('`next` from the previous page.'),
  limit: pageLimit,
});
export const peoplePage = z.strictObject({
  domain: domain.optional().describe('Absent: people of all domains.'),
  after: id.optional().describe('`next` from the previous page.'),
  limit: pageLimit,
});

const audience = z
  .string()
  .regex(/^[\w.-]{3,200}$/, 'is not a client ID such as 123-abc.apps.googleusercontent.com')
  .describe('OAuth client ID of the release. The sidebar shows it to people whose domain is not assigned.')
  .meta({ examples: ['123-abc.apps.googleusercontent.com'] });
const tokenDays = z
  .int()
  .min(1)
  .max(MAX_TOKEN_DAYS)
  .describe('Days until a token expires. The sidebar renews it. Schedules stop with it.');

export const newDomain = z.strictObject({
  team: teamId,
  audience,
  families: familyScope,
  operations: operationScope,
  rate_per_minute: ratePerMinute.optional(),
  budget: partialCaps.default({}).describe('Credits of each person.'),
  token_days: tokenDays.default(DEFAULT_TOKEN_DAYS),
});

/** A domain whose people join a team. */
export const domainView = z.object({
  domain: z.string(),
  team: z.string().describe('Id of the team.'),
  audience: z.string(),
  families: z.array(family).nullable(),
  operations: z.array(scopeName).nullable(),
  rate_per_minute: z.int(),
  budget: z
    .object({ day: z.int().nullable(), month: z.int().nullable() })
    .describe('Credits of each person.'),
  token_days: z.int(),
  created_at: time,
});
export type DomainView = z.infer<typeof domainView>;

export const domainList = z.object({ domains: z.array(domainView), next: z.string().nullable() });

export const personChange = z.strictObject({
  revoked: z
    .boolean()
    .describe(
      'True: the person’s token stops, and the person gets no other one. False: the person may sign in again.',
    ),
});

export const personView = z.object({
  id,
  email: z.string().nullable().describe('Null after it was deleted, while the person stays revoked.'),
  domain: z.string(),
  token_id: z.string().describe('Id of the person’s token, as in the tokens of the team.'),
  created_at: time,
  last_seen_at: time.describe('Last sign-in.'),
  revoked_at: time.nullable(),
});
export type PersonView = z.infer<typeof personView>;

export const personList = z.object({ people: z.array(personView), next: id.nullable() });
