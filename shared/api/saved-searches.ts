// Bodies of saved searches and of the run log.
import * as z from 'zod';
import { maxRunTitleLength, maxSearchNameLength } from '../limits.ts';
import { count, family, fieldPaths, problemCode, singleLineText, time } from './common.ts';
import { query, sort } from './query.ts';

/** Maximum number of saved searches of a team, private ones included. */
export const maxSavedSearches = 200;

export const maxSavedQueryLength = 15_000;

/** Number of runs that `GET /sheets/v1/runs` returns. */
export const maxListedRuns = 50;

export const savedSearchRequest = z.strictObject({
  name: singleLineText(maxSearchNameLength).min(1).describe('Unique among the searches of the same owner.'),
  family,
  query,
  sort,
  columns: fieldPaths.describe('Columns to write.').exactOptional(),
  shared: z.boolean().describe('True: visible to the whole team. False: visible to this token only.'),
});
export type SavedSearchRequest = z.infer<typeof savedSearchRequest>;

export const savedSearch = savedSearchRequest.extend({
  id: z.uuid(),
  created_at: time,
  updated_at: time,
});
export type SavedSearch = z.infer<typeof savedSearch>;

export const savedSearchParams = z.object({ id: z.uuid().toLowerCase().describe('Id of the saved search.') });

export const savedSearchesResponse = z.object({
  searches: z.array(savedSearch).describe('Searches of the team and of the token, by name.'),
});

const runKind = z.enum(['search', 'enrich', 'refresh', 'records', 'bulk', 'count']);
export const runKinds = runKind.options;

/** A run: an action of the add-on in a sheet. Body of `POST /sheets/v1/runs` and item of `GET /sheets/v1/runs`. */
export const runBody = z
  .strictObject({
    id: z.uuid().toLowerCase().describe('Chosen by the caller. A run with the same id is stored once.'),
    kind: runKind.describe('Kind of action.'),
    title: singleLineText(maxRunTitleLength).min(1).describe('Title for people.'),
    family,
    rows: count.describe('Number of rows written.'),
    failed: count.describe('Number of rows with a problem.'),
    credits: count.describe('Credits spent.'),
    saved: count.describe('Credits saved by the cache.'),
    started_at: time,
    ended_at: time,
    state: z.enum(['done', 'stopped', 'failed']).describe('Final state.'),
    problem: problemCode.exactOptional().describe('Why the run stopped or failed.'),
  })
  .refine(({ started_at, ended_at }) => Date.parse(started_at) <= Date.parse(ended_at), {
    path: ['ended_at'],
    message: 'is before started_at',
  });
export type Run = z.infer<typeof runBody>;

export const runsResponse = z.object({
  runs: z.array(runBody).describe('Runs of the team, newest first.'),
});
