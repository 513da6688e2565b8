// What a team keeps of its work: saved searches, and the log of runs in sheets.
import * as z from 'zod';
import { maxRunTitleLength, maxSearchNameLength } from '../limits.ts';
import { count, family, fieldPaths, problemCode, singleLineText, time } from './common.ts';
import { query, sort } from './query.ts';

/** The most saved searches of a team, those of its tokens included. */
export const maxSavedSearches = 200;

/** The most characters of a saved query, as JSON. */
export const maxSavedQueryLength = 15_000;

/** How many runs `GET /sheets/v1/runs` answers. */
export const maxListedRuns = 50;

/** Body of `POST /sheets/v1/searches` and `PUT /sheets/v1/searches/{id}`. */
export const savedSearchRequest = z.strictObject({
  name: singleLineText(maxSearchNameLength).min(1).describe('Different from the others of the same owner.'),
  family,
  query,
  sort,
  columns: fieldPaths.describe('The columns to write.').exactOptional(),
  shared: z.boolean().describe('True: the whole team’s. False: of this token alone.'),
});
export type SavedSearchRequest = z.infer<typeof savedSearchRequest>;

export const savedSearch = savedSearchRequest.extend({
  id: z.uuid(),
  created_at: time,
  updated_at: time,
});
export type SavedSearch = z.infer<typeof savedSearch>;

/** Answer of `GET /sheets/v1/searches`. */
export const savedSearchesResponse = z.object({
  searches: z.array(savedSearch).describe('The team’s and those of the token, by name.'),
});
export type SavedSearchesResponse = z.infer<typeof savedSearchesResponse>;

/** Body of `POST /sheets/v1/runs`, and each of what `GET` answers: something that the add-on did in a sheet. */
export const runBody = z
  .strictObject({
    id: z.uuid().toLowerCase().describe('Of the caller’s making: the same run sent again is kept once.'),
    kind: z.enum(['search', 'enrich', 'refresh', 'records', 'bulk']).describe('What it did.'),
    title: singleLineText(maxRunTitleLength).min(1).describe('In words.'),
    family,
    rows: count.describe('Rows that were written.'),
    failed: count.describe('Rows that ended with a problem.'),
    credits: count.describe('Credits that it cost.'),
    saved: count.describe('Credits that memory saved.'),
    started_at: time,
    ended_at: time,
    state: z.enum(['done', 'stopped', 'failed']).describe('How it ended.'),
    problem: problemCode.exactOptional().describe('Why it stopped or failed.'),
  })
  .refine(({ started_at, ended_at }) => Date.parse(started_at) <= Date.parse(ended_at), {
    path: ['ended_at'],
    message: 'is before started_at',
  });
export type Run = z.infer<typeof runBody>;

/** Answer of `GET /sheets/v1/runs`. */
export const runsResponse = z.object({
  runs: z.array(runBody).describe('The team’s, newest first.'),
});
export type RunsResponse = z.infer<typeof runsResponse>;
