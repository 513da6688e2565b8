// Bodies of searches, previews and preview estimates, and of sentences that become search forms.
import * as z from 'zod';
import { previewMaxPage } from '../families/previews.ts';
import { maxPreviewPages, maxSentenceLength } from '../limits.ts';
import {
  cancelId,
  column,
  count,
  credits,
  creditTotals,
  family,
  fields,
  maxAge,
  maxCredits,
  singleLineText,
  stamp,
  waitMs,
} from './common.ts';
import { explainEmpty, relaxedCounts, sort, withQuery } from './query.ts';

const MAX_CURSOR = 2000;
const MAX_PAGE_SIZE = 1000;

const deadlineMs = waitMs.describe('Deadline in milliseconds.');

export const searchRequest = withQuery({
  family,
  sort,
  items_per_page: z.int().min(1).max(MAX_PAGE_SIZE).exactOptional(),
  after: z.string().min(1).max(MAX_CURSOR).exactOptional().describe('Cursor from the previous page.'),
  explain_empty: explainEmpty,
  wait_ms: deadlineMs,
});
export type SearchRequest = z.infer<typeof searchRequest>;

const cursor = z.string().nullable();

export const searchResponse = z.object({
  ids: z.array(z.string()).describe('Ids as text, because some exceed the range of numbers.'),
  total: count.describe('Number of matching records.'),
  pages: count,
  after: cursor.describe('Cursor of the next page. Null on the last page.'),
  without: relaxedCounts,
});
export type SearchResponse = z.infer<typeof searchResponse>;

export const previewRequest = withQuery({
  family,
  wait_ms: waitMs.describe('Deadline in milliseconds. The response contains the pages that are ready.'),
  page: z.int().min(1).max(previewMaxPage).exactOptional().describe('First page.'),
  pages: z.int().min(1).max(maxPreviewPages).exactOptional().describe('Number of pages.'),
  snapshot: z
    .string()
    .min(1)
    .max(MAX_CURSOR)
    .exactOptional()
    .describe('Snapshot from an earlier response. Keeps all pages in the same ranking.'),
  fields,
  max_age_s: maxAge,
  max_credits: maxCredits,
  cancel_id: cancelId.exactOptional(),
});
export type PreviewRequest = z.infer<typeof previewRequest>;

export const previewResponse = z.object({
  columns: z.array(column),
  rows: z.array(z.array(z.unknown())).describe('One value for each column.'),
  page: count.describe('Last page in the response.'),
  total_pages: count,
  total: count.describe('Number of matching records.'),
  snapshot: cursor.describe('Send it when requesting later pages, to keep the ranking.'),
  credits: creditTotals,
  stamp,
});
export type PreviewResponse = z.infer<typeof previewResponse>;

export const previewEstimateRequest = withQuery({
  family,
  pages: z.int().min(1).max(previewMaxPage).describe('Number of pages from the first.'),
  max_age_s: maxAge,
  explain_empty: explainEmpty,
  wait_ms: deadlineMs,
});
export type PreviewEstimateRequest = z.infer<typeof previewEstimateRequest>;

export const previewEstimateResponse = z.object({
  total: count.describe('Number of matching records.'),
  pages: count.describe('Number of pages: the requested ones, limited by the matches.'),
  cached: count.describe('Number of cached pages, which are free.'),
  to_fetch: count.describe('Number of pages that would be bought.'),
  credits: credits.describe('Credits that would be spent.'),
  without: relaxedCounts,
});
export type PreviewEstimateResponse = z.infer<typeof previewEstimateResponse>;

export const askRequest = z.strictObject({
  sentence: singleLineText(maxSentenceLength)
    .min(1)
    .meta({ examples: ['Fintech companies in Berlin with 50 to 200 people that are hiring'] }),
  family: family
    .exactOptional()
    .describe('The family of the open form. It is preferred to others of the same subject.'),
});
export type AskRequest = z.infer<typeof askRequest>;

export const askResponse = z.object({
  family,
  conditions: z
    .array(
      z.object({
        name: z.string().describe('Name of the form field.'),
        values: z
          .array(z.string())
          .describe('Alternative values, or both ends of a range, empty for an open end.'),
        words: z.string().describe('The words of the sentence that became this condition.'),
      }),
    )
    .describe('At most one condition for each field.'),
  left_out: z
    .array(
      z.object({ words: z.string(), reason: z.string().describe('The end of a sentence, after a colon.') }),
    )
    .describe('Parts of the sentence that did not become conditions.'),
});
export type AskResponse = z.infer<typeof askResponse>;
