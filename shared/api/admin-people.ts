// Bodies and endpoints of /admin/v1/domains, /team-rules and /people: sign-in with Google accounts, and the teams of people.
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
import { endpointGroup } from './admin-roles.ts';
import { count, family, time } from './common.ts';

const MAX_TOKEN_DAYS = 90;
const DEFAULT_TOKEN_DAYS = 30;

/** Their accounts belong to persons, so Google names no domain for them. */
const PERSONAL_DOMAINS: readonly string[] = ['gmail.com', 'googlemail.com'];

const DOMAIN = /^(?=.{4,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*)(?:\.[\p{L}\p{N}][\p{L}\p{N}-]*)+$/u;
export const domain = z
  .string()
  .toLowerCase()
  .regex(DOMAIN)
  .refine((name) => !PERSONAL_DOMAINS.includes(name), 'has personal accounts only, which belong to no domain')
  .meta({ examples: ['acme.com'] })
  .describe('Domain of a Google Workspace.');

const domainPage = z.strictObject({
  after: domain.optional().describe('`next` from the previous page.'),
  limit: pageLimit,
});
const peoplePage = z.strictObject({
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

const newDomain = z.strictObject({
  team: teamId
    .nullable()
    .describe('Team of people without a rule. Null: only people with a rule may sign in.'),
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
  team: z.string().nullable().describe('Id of the team of people without a rule.'),
  team_name: z.string().nullable(),
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

const domainList = z.object({ domains: z.array(domainView), next: z.string().nullable() });

const personChange = z.strictObject({
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

const personList = z.object({ people: z.array(personView), next: id.nullable() });

/** Longest text of rules. A rule has about 40 characters. */
const MAX_RULES_TEXT = 400_000;

/** Problems of lines that an answer names. */
export const maxRuleProblems = 50;

/** Changes that an answer names. */
export const maxRuleChanges = 200;

const match = z
  .string()
  .describe(
    'An address, `*@` and a host for all addresses at it, or a domain for all addresses at it and below. The most specific rule applies.',
  )
  .meta({ examples: ['ada@acme.com', '*@sales.acme.com', 'acme.com'] });

const team = z.string().describe('Id or name of the team.');

/** All rules, as a list or as CSV. */
const newTeamRules = z
  .strictObject({
    rules: z.array(z.strictObject({ match, team })).exactOptional(),
    csv: z
      .string()
      .max(MAX_RULES_TEXT)
      .exactOptional()
      .describe('A line with the headings `match` and `team`, then a line for each rule.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('True: says what the import would change, and changes nothing.'),
  })
  .refine(({ rules, csv }) => (rules === undefined) !== (csv === undefined), 'needs either rules or csv')
  .meta({ examples: [{ csv: 'match,team\nada@acme.com,Sales\n' }] });

const teamRulesQuery = z.strictObject({
  format: z.enum(['json', 'csv']).default('json').describe('CSV can be imported again.'),
});

const mismatchedPeople = z
  .object({
    moving: count.describe('They move to another team with the next sign-in.'),
    unmatched: count.describe(
      'No rule matches them and their domain has no team: they stay until their token expires, and can’t sign in again.',
    ),
    more: z.boolean().describe('True: there may be more.'),
  })
  .describe('Connected people whose rule leads to another team than their connection.');

export const teamRuleList = z.object({
  rules: z.array(
    z.object({
      match: z.string(),
      team: z.string(),
      team_name: z.string(),
      same_name: z.boolean().describe('Another team has this name, or this id, so an import needs the id.'),
    }),
  ),
  mismatched: mismatchedPeople,
});
export type TeamRuleList = z.infer<typeof teamRuleList>;

/** What an import changes, or would change. */
export const teamRulesImport = z.object({
  rules: count.describe('Rules after the import.'),
  problems: z
    .array(
      z.object({ line: z.int().describe('From 1, headings included.'), detail: z.string(), fix: z.string() }),
    )
    .describe('Lines that can’t be imported. Without `dry_run` there are none: the import is refused.'),
  added: count,
  changed: count.describe('Rules with another team.'),
  removed: count,
  changes: z
    .array(
      z.object({
        match: z.string(),
        from: z.string().nullable().describe('Name of the team. Null: the rule is new.'),
        to: z.string().nullable().describe('Null: the rule is removed.'),
      }),
    )
    .describe(`The first ${maxRuleChanges} changes.`),
  mismatched: mismatchedPeople,
});
export type TeamRulesImport = z.infer<typeof teamRulesImport>;

const domains = endpointGroup('Domains', 'Domains whose people connect with their Google accounts.');
const rules = endpointGroup('Team rules', 'Which people of the domains belong to which team.');
const people = endpointGroup('People', 'People who have connected with their Google accounts.');

const ofPerson = { params: z.object({ id: id.describe('Id of the person.') }) };
const ofDomain = { params: z.object({ domain }) };

export const peopleEndpoints = {
  putDomain: domains('owner').put('/domains/{domain}', { ...ofDomain, body: newDomain }, domainView),
  listDomains: domains('viewer').get('/domains', { query: domainPage }, domainList),
  deleteDomain: domains('owner').remove('/domains/{domain}', ofDomain),
  listTeamRules: rules('viewer').get('/team-rules', { query: teamRulesQuery }, teamRuleList, [], {
    types: ['application/json', 'text/csv'],
  }),
  importTeamRules: rules('owner').put('/team-rules', { body: newTeamRules }, teamRulesImport, [
    'not_configured',
  ]),
  listPeople: people('viewer').get('/people', { query: peoplePage }, personList),
  getPerson: people('viewer').get('/people/{id}', ofPerson, personView),
  updatePerson: people('owner').patch('/people/{id}', { ...ofPerson, body: personChange }, personView, [
    'not_configured',
  ]),
  deletePerson: people('owner').remove('/people/{id}', ofPerson),
};
