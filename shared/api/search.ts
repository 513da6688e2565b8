// Searches for ids, previews of what matches, and what previews would cost.
import * as z from 'zod';
import { previewMaxPage } from '../families/previews.ts';
import { maxPreviewPages, maxWaitMs } from '../limits.ts';
import {
  cancelId,
  column,
  count,
  credits,
  family,
  fields,
  maxAge,
  maxCredits,
  remaining,
  stamp,
} from './common.ts';
import { explainEmpty, relaxedCounts, sort, withQuery } from './query.ts';

const MAX_CURSOR = 2000;
const MAX_PAGE_SIZE = 1000;

const waitMs = z.int().min(0).max(maxWaitMs).exactOptional();
const giveUpMs = waitMs.describe('Give up after so many milliseconds.');

/** Body of `POST /sheets/v1/search`. */
export const searchRequest = withQuery({
  family,
  sort,
  items_per_page: z.int().min(1).max(MAX_PAGE_SIZE).exactOptional(),
  after: z.string().min(1).max(MAX_CURSOR).exactOptional().describe('Cursor from the page before.'),
  explain_empty: explainEmpty,
  wait_ms: giveUpMs,
});
export type SearchRequest = z.infer<typeof searchRequest>;

const cursor = z.string().nullable();

/** Answer of `POST /sheets/v1/search`. */
export const searchResponse = z.object({
  ids: z.array(z.string()).describe('Texts: some are beyond what a number holds.'),
  total: count.describe('Records that match.'),
  pages: count,
  after: cursor.describe('Cursor to the next page; null on the last.'),
  without: relaxedCounts,
});
export type SearchResponse = z.infer<typeof searchResponse>;

/** Body of `POST /sheets/v1/preview`. */
export const previewRequest = withQuery({
  family,
  wait_ms: waitMs.describe('Answer after so many milliseconds, with the pages so far.'),
  page: z.int().min(1).max(previewMaxPage).exactOptional().describe('The first page.'),
  pages: z.int().min(1).max(maxPreviewPages).exactOptional().describe('How many pages.'),
  snapshot: z
    .string()
    .min(1)
    .max(MAX_CURSOR)
    .exactOptional()
    .describe('Of an earlier answer: keeps the pages of one ranking.'),
  fields,
  max_age_s: maxAge,
  max_credits: maxCredits,
  cancel_id: cancelId.exactOptional(),
});
export type PreviewRequest = z.infer<typeof previewRequest>;

/** Answer of `POST /sheets/v1/preview`. */
export const previewResponse = z.object({
  columns: z.array(column),
  rows: z.array(z.array(z.unknown())).describe('A value for each column.'),
  page: count.describe('The last page that was brought.'),
  total_pages: count,
  total: count.describe('Records that match.'),
  snapshot: cursor.describe('Send it with the pages behind, to keep the ranking.'),
  credits: z.object({ spent: credits, saved: credits, remaining }),
  stamp,
});
export type PreviewResponse = z.infer<typeof previewResponse>;

/** Body of `POST /sheets/v1/preview/estimate`. */
export const previewEstimateRequest = withQuery({
  family,
  pages: z.int().min(1).max(previewMaxPage).describe('How many pages, from the first on.'),
  max_age_s: maxAge,
  explain_empty: explainEmpty,
  wait_ms: giveUpMs,
});
export type PreviewEstimateRequest = z.infer<typeof previewEstimateRequest>;

/** Answer of `POST /sheets/v1/preview/estimate`: what the pages would cost now. */
export const previewEstimateResponse = z.object({
  total: count.describe('Records that match.'),
  pages: count.describe('Pages that would be brought: those asked for, as far as there are so many.'),
  cached: count.describe('Pages in the cache, which cost nothing.'),
  to_fetch: count.describe('Pages that would be bought.'),
  credits: credits.describe('Credits that would be spent.'),
  without: relaxedCounts,
});
export type PreviewEstimateResponse = z.infer<typeof previewEstimateResponse>;
