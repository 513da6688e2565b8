// Bodies and endpoints of /admin/v1 for searches of a person by name, company and e-mail address.
import * as z from 'zod';
import { recordKey } from './admin-records.ts';
import { endpointGroup } from './admin-roles.ts';
import { count, family, singleLineText, time } from './common.ts';

const MAX_TERM_LENGTH = 200;
const MAX_EMAIL_LENGTH = 320;

/** The most searches that are stored at the same time. */
export const maxPersonSearches = 10;
/** Hours after its start at which a search and its results are deleted. */
export const personSearchHours = 6;
/** The most people that a search lists. */
export const maxFoundPeople = 200;

const term = singleLineText(MAX_TERM_LENGTH);

/** At least a name or an e-mail address. */
export const personSearchTerms = z
  .strictObject({
    name: term.exactOptional().describe('Name of the person, in any order, with or without accents.'),
    company: term.exactOptional().describe('Name or website of a company, present or past.'),
    email: z
      .email()
      .max(MAX_EMAIL_LENGTH)
      .exactOptional()
      .describe('Its domain stands for the company, and without a name the words before the @ for the name.'),
  })
  .meta({ examples: [{ name: 'Jane Doe', company: 'Acme', email: 'jane.doe@acme.com' }] });
export type PersonSearchTerms = z.infer<typeof personSearchTerms>;

export const employments = ['current', 'past', 'unknown', 'elsewhere'] as const;
/** How a person is connected with the company of a search. */
export type Employment = (typeof employments)[number];

const foundPerson = z.object({
  family: family.describe('A family of people, for an erasure or a report.'),
  key: recordKey,
  name: z.string(),
  headline: z.string().nullable(),
  position: z.string().nullable().describe('At the company of the search, or else the present one.'),
  company: z.string().nullable(),
  place: z.string().nullable(),
  employment: z
    .enum(employments)
    .nullable()
    .describe(
      'At the company of the search: `current`, `past`, `unknown` (no job is stored) or `elsewhere`. Null: the search names no company.',
    ),
  found: z
    .object({
      cached: count.describe('Cached answers.'),
      pages: count.describe('Rows in pages of searches.'),
      rows: count.describe('Rows of bulk orders and schedules.'),
      mentions: count.describe('Places in records of others.'),
    })
    .describe('Where the search has found the person.'),
});
export type FoundPersonView = z.infer<typeof foundPerson>;

export const personSearchView = z.object({
  id: z.string(),
  state: z.enum(['running', 'complete', 'stopped']),
  created_at: time,
  expires_at: time.describe('When the search and its results are deleted.'),
  terms: personSearchTerms,
  compared: z
    .object({ name: z.string().nullable(), companies: z.array(z.string()) })
    .describe('What is compared: a name, or null for everybody; names and websites of companies.'),
  searched: count.describe('Stored entries that were read.'),
  total: count.nullable().describe('Stored entries that there are; null until they are counted.'),
  people: z.array(foundPerson).describe('The most probable first.'),
  more: z.boolean().describe(`True: more than ${maxFoundPeople} people fit, and the others are not listed.`),
});
export type PersonSearchView = z.infer<typeof personSearchView>;

const personSearches = endpointGroup(
  'Person searches',
  'Searches of all stored data for a person, before an erasure or a report.',
);
const ofPersonSearch = { params: z.object({ id: z.uuid() }) };

export const personSearchEndpoints = {
  createPersonSearch: personSearches('privacy').post(
    '/person-searches',
    { body: personSearchTerms },
    personSearchView,
    ['invalid_request', 'too_many', 'not_configured'],
    { status: 201 },
  ),
  getPersonSearch: personSearches('privacy').get('/person-searches/{id}', ofPersonSearch, personSearchView, [
    'not_configured',
  ]),
  stopPersonSearch: personSearches('privacy').post(
    '/person-searches/{id}/stop',
    ofPersonSearch,
    personSearchView,
    ['not_configured'],
  ),
};
